# SPDX-License-Identifier: Apache-2.0
"""Messages out: a result becomes the response, and a solution becomes what others listen to.

A solution is rendered once; the response and every output carry that same message. Another output
is another class with ``send``, and a line in ``ik_node.py``.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Protocol

from builtin_interfaces.msg import Time
from rclpy.node import Node
from rclpy.qos import QoSProfile
from rclpy.qos_overriding_options import QoSOverridingOptions
from sensor_msgs.msg import JointState

from ik_solver_ros.srv import SolveIK

from ..core.result import Closest, IKResult
from ..core.status import Status
from ..core.verification import VerifiedSolution
from .description import Setup


class Output(Protocol):
    """Where verified solutions go besides the response."""

    def send(
        self,
        solution: JointState,
        setup: Setup,
        seed: Mapping[str, float],
        within_s: float | None = None,
    ) -> None:
        """Hand on one solution.

        Args:
            solution: the message that is in the response.
            setup: what it was found with.
            seed: where the search started.
            within_s: time to get there, on the way to the next one; None = no hurry, and the end.

        Raises:
            IKSolverError: when it cannot be handed on; then nobody gets it, not even the caller.
        """


class JointTargets:
    """Publishes verified solutions on ``~/joint_targets``."""

    def __init__(self, node: Node) -> None:
        self._publisher = node.create_publisher(
            JointState,
            "~/joint_targets",
            QoSProfile(depth=10),  # reliable
            qos_overriding_options=QoSOverridingOptions.with_default_policies(),
        )

    def send(self, solution: JointState, *_: object) -> None:
        """Publish it."""
        self._publisher.publish(solution)


def write_result(response: SolveIK.Response, result: IKResult, stamp: Time) -> None:
    """Fill a fresh response with what came out of a request that could be worked on."""
    _write_status(response, result.status, result.message)
    solution, closest = result.solution, result.closest
    # What a fresh response says already is not said again: each field is checked and costs time.
    if solution is not None:
        _write_joint_state(response.solution, solution, stamp)
    if result.alternatives:
        response.alternatives = [_joint_state(other, stamp) for other in result.alternatives]
    response.position_error = solution.position_error_m if solution else math.nan
    response.orientation_error = solution.orientation_error_rad if solution else math.nan
    response.max_joint_jump = solution.max_joint_jump if solution else math.nan
    if result.blocking_joints:
        response.blocking_joints = list(result.blocking_joints)
    if closest is not None:
        _write_joint_state(response.closest, closest, stamp)
    response.closest_position_error = closest.position_error_m if closest else math.nan
    response.closest_orientation_error = closest.orientation_error_rad if closest else math.nan
    response.iterations = result.iterations
    response.attempts = result.attempts
    response.solve_time = result.solve_time_s


def refusal(status: Status, message: str, seed_source: str = "") -> SolveIK.Response:
    """A response to a request that could not be worked on; no error in it looks like a good one."""
    response = SolveIK.Response(
        seed_source=seed_source,
        position_error=math.nan,
        orientation_error=math.nan,
        max_joint_jump=math.nan,
        closest_position_error=math.nan,
        closest_orientation_error=math.nan,
    )
    _write_status(response, status, message)
    return response


def _write_status(response: SolveIK.Response, status: Status, message: str) -> None:
    response.status = int(status)
    response.success = status.is_success
    response.message = message


def _joint_state(configuration: VerifiedSolution | Closest, stamp: Time) -> JointState:
    message = JointState()
    _write_joint_state(message, configuration, stamp)
    return message


def _write_joint_state(
    message: Any, configuration: VerifiedSolution | Closest, stamp: Time
) -> None:
    message.header.stamp = stamp
    message.name = list(configuration.joint_names)
    message.position = configuration.q.tolist()
