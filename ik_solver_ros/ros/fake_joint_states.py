# SPDX-License-Identifier: Apache-2.0
"""The executable ``fake_joint_states``: a robot at rest, for trying things out without a robot.

Publishes ``joint_states`` for the parameter ``robot_description``, or for the latched topic of that
name where the parameter is empty, ``rate`` times a second.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import TYPE_CHECKING

from .program import Ending, run

if TYPE_CHECKING:
    from ..core.robot_model import Joint


def main() -> int:
    """Publish until SIGINT or SIGTERM; returns the exit code."""
    return run("fake_joint_states", _serve)


def resting_positions(joints: Iterable[Joint]) -> dict[str, float]:
    """0 in rad or m where the limits allow it, else mid-range, as joint_state_publisher does.

    Joints that mimic others stand where those put them.
    """
    by_name = {joint.name: joint for joint in joints}
    rest = {name: _rest(joint) for name, joint in by_name.items() if joint.master is None}
    for name, joint in by_name.items():
        if joint.master is not None:
            rest[name] = joint.multiplier * rest[joint.master] + joint.offset
    return {name: rest[name] for name in by_name}


def _rest(joint: Joint) -> float:
    if joint.lower <= 0.0 <= joint.upper:
        return 0.0
    middle = 0.5 * (joint.lower + joint.upper)
    return middle if math.isfinite(middle) else min(max(0.0, joint.lower), joint.upper)


def _serve(ending: Ending) -> None:
    # Imported late: see ``node.py``.
    import rclpy
    from rcl_interfaces.msg import ParameterDescriptor
    from rclpy.clock import Clock, ClockType
    from rclpy.qos import DurabilityPolicy, QoSProfile
    from rclpy.signals import SignalHandlerOptions
    from sensor_msgs.msg import JointState
    from std_msgs.msg import String

    from ..core.errors import IKSolverError
    from ..core.robot_model import RobotModel
    from .lanes import Lanes

    rclpy.init(signal_handler_options=SignalHandlerOptions.NO)
    node = rclpy.create_node("fake_joint_states")
    rate = node.declare_parameter("rate", 50.0, ParameterDescriptor(dynamic_typing=True)).value
    if not (isinstance(rate, (int, float)) and 0.01 <= rate <= 1000.0):
        raise ValueError(f"rate: {rate!r} is not a number of messages a second from 0.01 to 1000")
    publisher = node.create_publisher(JointState, "joint_states", 10)
    message = JointState()

    def describe(urdf_text: str) -> None:
        rest = resting_positions(RobotModel.from_urdf(urdf_text).joints.values())
        message.name, message.position = list(rest), list(rest.values())

    def hear(description: String) -> None:
        try:
            describe(description.data)
        except IKSolverError as error:
            node.get_logger().error(f"the robot description cannot be used: {error}")

    def publish() -> None:
        if message.name:
            message.header.stamp = node.get_clock().now().to_msg()
            publisher.publish(message)

    if urdf_text := node.declare_parameter("robot_description", "").value:
        describe(urdf_text)
    else:
        latched = QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL)
        node.create_subscription(String, "robot_description", hear, latched)
    # By a steady clock: a simulator that pauses must not make the robot vanish.
    node.create_timer(1.0 / rate, publish, clock=Clock(clock_type=ClockType.STEADY_TIME))
    with Lanes(node, []):
        ending.wait()
