# SPDX-License-Identifier: Apache-2.0
"""The node ``fake_joint_states``: the topics of a robot that exists in numbers only."""

from __future__ import annotations

import time
from collections import deque

from rcl_interfaces.msg import ParameterDescriptor
from rclpy.clock import Clock, ClockType
from rclpy.node import Node
from rclpy.qos import DurabilityPolicy, QoSProfile, ReliabilityPolicy
from sensor_msgs.msg import JointState
from std_msgs.msg import String

from ..core.errors import IKSolverError
from ..core.robot_model import RobotModel
from .fake_robot import FakeRobot

_REMEMBERED = 1000  # messages of ours that may still be on their way


class FakeRobotNode(Node):
    """Publishes joint states of a robot that rests, or goes where a topic tells it to.

    Attributes:
        rival: what is wrong, once somebody else publishes positions of its joints; else empty.

    Raises:
        RobotModelError, ValueError: for parameters that cannot be used.
    """

    def __init__(self) -> None:
        super().__init__("fake_joint_states")
        self.rival = self._urdf_text = ""
        self._robot, self._stepped_s = FakeRobot(()), time.monotonic()
        self._sent: deque[tuple[int, int]] = deque(maxlen=_REMEMBERED)
        self._publisher = self.create_publisher(JointState, "joint_states", 10)
        rate = self.declare_parameter("rate", 50.0, ParameterDescriptor(dynamic_typing=True)).value
        if not (isinstance(rate, (int, float)) and 0.01 <= rate <= 1000.0):
            raise ValueError(
                f"rate: {rate!r} is not a number of messages a second from 0.01 to 1000"
            )
        if urdf_text := self.declare_parameter("robot_description", "").value:
            self._describe(urdf_text)
        else:
            latched = QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL)
            self.create_subscription(String, "robot_description", self._hear_description, latched)
        if topic := self.declare_parameter("follow", "").value:
            self.create_subscription(JointState, topic, self._hear_target, 10)
        sensor = QoSProfile(depth=10, reliability=ReliabilityPolicy.BEST_EFFORT)
        self.create_subscription(JointState, "joint_states", self._hear_joint_state, sensor)
        # By a steady clock: a simulator that pauses must not make the robot vanish.
        steady = Clock(clock_type=ClockType.STEADY_TIME)
        self.create_timer(1.0 / rate, self._publish, clock=steady)

    def _describe(self, urdf_text: str) -> None:
        if urdf_text == self._urdf_text:
            return  # publishers of latched topics repeat themselves, and no robot jumps for that
        self._robot = FakeRobot(RobotModel.from_urdf(urdf_text).joints.values())
        self._urdf_text = urdf_text

    def _hear_description(self, description: String) -> None:
        try:
            self._describe(description.data)
        except IKSolverError as error:
            self.get_logger().error(f"the robot description cannot be used: {error}")

    def _hear_target(self, target: JointState) -> None:
        self._robot.go(dict(zip(target.name, target.position)))

    def _hear_joint_state(self, message: JointState) -> None:
        stamp = message.header.stamp
        ours = self._robot.positions
        theirs = next((name for name in message.name if name in ours), "")
        if theirs and (stamp.sec, stamp.nanosec) not in self._sent:
            self.rival = (
                f"somebody else publishes joint '{theirs}' on {self._publisher.topic_name}; "
                "a fake robot beside a real one would hide where that is"
            )

    def _publish(self) -> None:
        before_s, self._stepped_s = self._stepped_s, time.monotonic()
        self._robot.step(self._stepped_s - before_s)
        if positions := self._robot.positions:
            message = JointState(name=list(positions), position=list(positions.values()))
            message.header.stamp = stamp = self.get_clock().now().to_msg()
            self._sent.append((stamp.sec, stamp.nanosec))
            self._publisher.publish(message)
