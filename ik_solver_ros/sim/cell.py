# SPDX-License-Identifier: Apache-2.0
"""The topics on which robot, controller and operator meet the node."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import Any, NamedTuple

from geometry_msgs.msg import PoseStamped
from rclpy.node import Node
from rclpy.qos import DurabilityPolicy, QoSProfile
from sensor_msgs.msg import JointState
from std_msgs.msg import String
from trajectory_msgs.msg import JointTrajectory

from ik_solver_ros.srv import SolveIK

from ..core.limits import Floats
from ..core.status import Status
from ..core.transforms import se3_from_matrix, xyz_quat_from_se3

_NOT_READY = (Status.NO_ROBOT_MODEL, Status.NO_JOINT_STATE)
COMMAND_TOPIC = "/joint_trajectory_controller/joint_trajectory"


class Command(NamedTuple):
    """One goal as the controller gets it.

    Attributes:
        positions: rad or m by joint name.
        duration_s: time to get there.
        rests: whether it stands there.
    """

    positions: dict[str, float]
    duration_s: float
    rests: bool


class Cell:
    """Publishes what a robot and its operator would, and listens to the commands.

    Args:
        node: spun by somebody else.
        joint_names: the joints of the robot, in the order of ``tell``.

    Attributes:
        commands: what has come, oldest first, for the controller to take away.
    """

    def __init__(self, node: Node, joint_names: Sequence[str]) -> None:
        self._node, self._names = node, list(joint_names)
        self.commands: deque[Command] = deque()  # filled by the thread that spins
        latched = QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL)
        self._descriptions = node.create_publisher(String, "/robot_description", latched)
        self._states = node.create_publisher(JointState, "/joint_states", 10)
        self._targets = node.create_publisher(PoseStamped, "/ik_solver/target_pose", 1)
        self._client = node.create_client(SolveIK, "/ik_solver/solve_ik")
        self._question: Any = None
        node.create_subscription(JointTrajectory, COMMAND_TOPIC, self._hear, 1000)

    def describe(self, urdf_text: str) -> None:
        """Publish the robot description."""
        self._descriptions.publish(String(data=urdf_text))

    def tell(self, positions: Floats, velocities: Floats) -> None:
        """Publish the state of all joints."""
        message: Any = JointState()
        message.header.stamp = self._node.get_clock().now().to_msg()
        message.name = self._names
        message.position, message.velocity = positions.tolist(), velocities.tolist()
        self._states.publish(message)

    def lead(self, T_base_tool: Floats) -> None:
        """Publish a target, (4, 4) in the node's base frame."""
        message: Any = PoseStamped()
        _set_pose(message.pose, T_base_tool)
        self._targets.publish(message)

    def node_is_ready(self, T_base_tool: Floats) -> bool:
        """Whether the node knows robot and joints; asks it for a pose, and never waits."""
        if self._question is None:
            if self._client.service_is_ready():
                request = SolveIK.Request(dry_run=True)
                _set_pose(request.target.pose, T_base_tool)
                self._question = self._client.call_async(request)
        elif self._question.done():
            answer, self._question = self._question.result(), None
            return answer.status not in _NOT_READY
        return False

    def _hear(self, message: JointTrajectory) -> None:
        point = message.points[-1]
        duration = point.time_from_start
        self.commands.append(
            Command(
                dict(zip(message.joint_names, point.positions)),
                duration.sec + duration.nanosec * 1e-9,
                rests=len(point.velocities) > 0,
            )
        )


def _set_pose(pose: Any, T_base_tool: Floats) -> None:
    at, turn = pose.position, pose.orientation
    (at.x, at.y, at.z), (turn.x, turn.y, turn.z, turn.w) = xyz_quat_from_se3(
        se3_from_matrix(T_base_tool)
    )
