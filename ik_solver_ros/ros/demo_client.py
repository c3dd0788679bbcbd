# SPDX-License-Identifier: Apache-2.0
"""The demonstration's own part of the cell: it describes the robot and asks for one pose."""

from __future__ import annotations

import itertools
import math
import threading
import time
from collections.abc import Callable

from rclpy.node import Node
from rclpy.qos import DurabilityPolicy, QoSProfile
from std_msgs.msg import String

from ik_solver_ros.srv import SolveIK

from ..core.errors import NoChainError
from ..core.robot_model import RobotModel
from ..core.solver import IKSolver
from ..core.status import Status
from ..core.transforms import xyz_quat_from_se3

SERVICE = "/ik_solver/solve_ik"
_NOT_READY = (Status.NO_ROBOT_MODEL, Status.NO_JOINT_STATE)
_POLL_S = 0.02
_SHARES = (0.65, 0.35, 0.7, 0.35, 0.7, 0.4)  # of the ranges: away from limits and singularities
_DECIMALS = 6  # of the target, so that what is shown is what was asked for


class DemoClient:
    """Publishes a robot description and calls ``solve_ik``.

    Args:
        node: spun by somebody else.
        go_on: called while waiting; returns False when there is no point in it any more.
    """

    def __init__(self, node: Node, go_on: Callable[[], bool]) -> None:
        self._go_on = go_on
        self._client = node.create_client(SolveIK, SERVICE)
        latched = QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL)
        self._descriptions = node.create_publisher(String, "/robot_description", latched)

    def describe(self, urdf_text: str) -> None:
        """Publish the description."""
        self._descriptions.publish(String(data=urdf_text))

    def ask(self, request: SolveIK.Request) -> tuple[SolveIK.Response, float] | None:
        """Call the service as soon as the node knows robot and joints.

        Returns:
            The response and the seconds it took there and back; None if there is no point any more.
        """
        while self._go_on():
            if self._client.service_is_ready():
                started_s = time.perf_counter()
                response = self._call(request)
                if response is not None and response.status not in _NOT_READY:
                    return response, time.perf_counter() - started_s
            time.sleep(_POLL_S)
        return None

    def _call(self, request: SolveIK.Request) -> SolveIK.Response | None:
        # Another thread spins. rclpy.spin_until_future_complete would do for a program that calls
        # only once or twice: it gets slower with every call.
        done = threading.Event()
        future = self._client.call_async(request)
        future.add_done_callback(lambda _: done.set())
        while not done.wait(_POLL_S):
            if not self._go_on():
                return None
        return future.result()


def solver_for(robot: RobotModel, tip_frame: str) -> IKSolver:
    """A solver from the root to a tip.

    Raises:
        NoChainError: when the tip makes no arm; where none was given, it says how to give one.
    """
    try:
        return IKSolver(robot, tip_frame)
    except NoChainError as error:
        if tip_frame:
            raise
        raise RuntimeError(f"{error} (--tip LINK; with make: TIP=LINK)") from error


def reachable_request(solver: IKSolver) -> SolveIK.Request:
    """A request whose target is where the tip is for some positions inside the limits."""
    chain = solver.arm().chain
    positions = {}
    for name, share, lower, upper in zip(
        chain.variable_names, itertools.cycle(_SHARES), chain.limits.lower, chain.limits.upper
    ):
        low, high = max(lower, -math.pi), min(upper, math.pi)
        positions[name] = float(low + share * (high - low))
    at, turned = xyz_quat_from_se3(
        solver.robot.pose(positions, solver.tip_frame, solver.base_frame)
    )
    request = SolveIK.Request()
    pose = request.target.pose
    pose.position.x, pose.position.y, pose.position.z = (round(v, _DECIMALS) for v in at)
    turn = pose.orientation
    turn.x, turn.y, turn.z, turn.w = (round(v, _DECIMALS) for v in turned)
    return request
