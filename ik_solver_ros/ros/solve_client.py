# SPDX-License-Identifier: Apache-2.0
"""A client of ``solve_ik`` that takes requests of the library."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from typing import Any

from builtin_interfaces.msg import Duration
from geometry_msgs.msg import Vector3
from rcl_interfaces.srv import GetParameters
from rclpy.node import Node
from rclpy.parameter import parameter_value_to_python

from ik_solver_ros.srv import SolveIK

from ..core.errors import IKSolverError
from ..core.request import IKRequest
from ..core.transforms import xyz_quat_from_se3

_PATIENCE_S = 3.0


class NoAnswerError(IKSolverError):
    """The node is not there, or does not answer."""


class SolveClient:
    """Calls one node's services; blocks the calling thread, which must not be the spinning one.

    Args:
        node: spun by somebody else.
        server: name of the node that is called, relative names in the namespace of ``node``.
    """

    def __init__(self, node: Node, server: str) -> None:
        self._solve = node.create_client(SolveIK, f"{server}/solve_ik")
        self._parameters = node.create_client(GetParameters, f"{server}/get_parameters")
        self.service = node.resolve_service_name(f"{server}/solve_ik")
        self.server = self.service.rpartition("/")[0]

    def solve(self, request: IKRequest, base_frame: str, tip_frame: str, dry_run: bool) -> Any:
        """The ``SolveIK.Response``.

        Raises:
            NoAnswerError: says which node is silent.
        """
        return self._call(self._solve, message_of(request, base_frame, tip_frame, dry_run))

    def parameters(self, *names: str) -> dict[str, Any]:
        """Parameters of the node; raises NoAnswerError."""
        response = self._call(self._parameters, GetParameters.Request(names=list(names)))
        return dict(zip(names, map(parameter_value_to_python, response.values)))

    def is_ready(self) -> bool:
        """Whether somebody serves both."""
        return self._solve.service_is_ready() and self._parameters.service_is_ready()

    def _call(self, client: Any, message: Any) -> Any:
        if not client.service_is_ready():
            raise NoAnswerError(f"there is no node {self.server} now: is the IK node running?")
        done = threading.Event()
        future = client.call_async(message)
        future.add_done_callback(lambda _: done.set())
        if not done.wait(_PATIENCE_S):
            client.remove_pending_request(future)
            raise NoAnswerError(f"{self.server} did not answer within {_PATIENCE_S:g} s")
        return future.result()


def message_of(
    request: IKRequest, base_frame: str, tip_frame: str, dry_run: bool
) -> SolveIK.Request:
    """A request as it goes over the wire.

    Args:
        request: without a tool centre point of its own.
        base_frame: link that its target is given in.
        tip_frame: link that carries the tool.
        dry_run: nothing is published.
    """
    message = SolveIK.Request(tip_frame=tip_frame, dry_run=dry_run)
    message.target.header.frame_id = base_frame
    pose, (xyz, quat_xyzw) = message.target.pose, xyz_quat_from_se3(request.T_base_target)
    pose.position.x, pose.position.y, pose.position.z = xyz
    turn = pose.orientation
    turn.x, turn.y, turn.z, turn.w = quat_xyzw
    message.position_tolerance = _vector(request.position_tolerance)
    message.orientation_tolerance = _vector(request.orientation_tolerance)
    if isinstance(request.seed, Mapping):
        message.seed.name = list(request.seed)
        message.seed.position = list(request.seed.values())
    message.max_joint_jump = float(request.max_joint_jump)
    message.max_solutions = int(request.max_solutions)
    message.allow_relaxed = bool(request.allow_relaxed)
    whole = int(request.timeout_s)
    message.timeout = Duration(sec=whole, nanosec=round((request.timeout_s - whole) * 1e9))
    return message


def _vector(axes: tuple[float, float, float]) -> Vector3:
    x, y, z = map(float, axes)
    return Vector3(x=x, y=y, z=z)
