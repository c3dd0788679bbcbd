# SPDX-License-Identifier: Apache-2.0
"""Which robot, base, tip and tool a running node solves for, and when that changes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rcl_interfaces.msg import ParameterEvent
from rclpy.node import Node
from rclpy.qos import DurabilityPolicy, QoSProfile, qos_profile_parameter_events
from std_msgs.msg import String

from ..core.errors import IKSolverError
from ..core.robot_model import RobotModel
from ..core.solver import IKSolver
from ..core.transforms import se3_from_xyz_rpy
from .program import Ending
from .solve_client import NoAnswerError, SolveClient

#: The parameters below; the description is the one in use, from wherever it came.
NodeArm = Mapping[str, Any]
_PARAMETERS = ("robot_description", "base_frame", "tip_frame", "tcp_offset")
_POLL_S = 0.05
_PATIENCE_S = 3.0  # finding each other takes DDS that long


def solver_of(arm: NodeArm) -> IKSolver:
    """A solver as the node has it; raises IKSolverError where the node would refuse, too."""
    robot = RobotModel.from_urdf(arm["robot_description"])
    offset = list(arm["tcp_offset"])
    T_tip_tcp = se3_from_xyz_rpy(offset[:3], offset[3:], "tcp_offset")
    return IKSolver(robot, arm["tip_frame"], arm["base_frame"], tcp_offset=T_tip_tcp)


class ArmOfNode:
    """Asks and listens; its waits block the calling thread, which must not be the spinning one.

    Args:
        node: spun by somebody else.
        client: of the node that is asked.
    """

    def __init__(self, node: Node, client: SolveClient) -> None:
        self._client = client
        self._description, self._has_news = "", False
        latched = QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL)
        node.create_subscription(String, "robot_description", self._hear_description, latched)
        node.create_subscription(
            ParameterEvent, "/parameter_events", self._hear_event, qos_profile_parameter_events
        )

    def wait(self, ending: Ending) -> NodeArm | None:
        """The arm as soon as the node and its robot are known; None when the end comes first."""
        patience_s = _PATIENCE_S
        while not ending.wait(_POLL_S):
            if not self._client.is_ready():
                continue
            if arm := self._ask():
                return arm
            patience_s -= _POLL_S
            if patience_s <= 0.0 < patience_s + _POLL_S:
                print("the IK node is there, but no robot description yet", flush=True)
        return None

    def wait_for_another(self, ending: Ending, known: NodeArm) -> NodeArm | None:
        """The arm once it is another one, and usable; None when the end comes first."""
        while not ending.wait(_POLL_S):
            if not self._has_news or not self._client.is_ready():
                continue
            self._has_news = False
            try:
                arm = self._ask()
                if arm and arm != known:
                    solver_of(arm)
                    return arm
            except NoAnswerError:
                self._has_news = True  # asked again
            except IKSolverError as error:
                print(f"the robot stays as it is: {error}", flush=True)
        return None

    def _ask(self) -> NodeArm | None:
        arm = self._client.parameters(*_PARAMETERS)
        text = arm["robot_description"] or self._description
        return {**arm, "robot_description": text} if text else None

    def _hear_description(self, message: String) -> None:
        self._description, self._has_news = message.data, True

    def _hear_event(self, event: ParameterEvent) -> None:
        self._has_news = self._has_news or event.node == self._client.server
