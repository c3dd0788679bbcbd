# SPDX-License-Identifier: Apache-2.0
"""The topic ``~/target_pose`` and the steady timer of its stream."""

from __future__ import annotations

from geometry_msgs.msg import PoseStamped
from rclpy.callback_groups import CallbackGroup
from rclpy.clock import Clock, ClockType
from rclpy.node import Node
from rclpy.qos import QoSProfile, ReliabilityPolicy
from rclpy.qos_overriding_options import QoSOverridingOptions

from .stream_control import StreamControl


class StreamTopic:
    """Feeds a control with targets and cycles; the timer rests while there is no stream.

    Args:
        node: subscribes.
        control: is called from nowhere else.
        lane: a callback group that lets one callback run at a time.
    """

    def __init__(self, node: Node, control: StreamControl, lane: CallbackGroup) -> None:
        self._control = control
        # Neither a paused nor a stepped clock may stop or hurry a moving robot.
        steady = Clock(clock_type=ClockType.STEADY_TIME)
        self._timer = node.create_timer(
            control.period_s(), self._cycle, callback_group=lane, clock=steady, autostart=False
        )
        # One message, and no repetition of lost ones: an old target is worth nothing.
        newest = QoSProfile(depth=1, reliability=ReliabilityPolicy.BEST_EFFORT)
        node.create_subscription(
            PoseStamped,
            "~/target_pose",
            self._hear,
            newest,
            callback_group=lane,
            qos_overriding_options=QoSOverridingOptions.with_default_policies(),
        )

    def _hear(self, target: PoseStamped) -> None:
        self._control.hear(target)
        if self._timer.is_canceled():
            self._timer.timer_period_ns = round(self._control.period_s() * 1e9)
            self._timer.reset()

    def _cycle(self) -> None:
        self._control.cycle()
        if self._control.is_idle:
            self._timer.cancel()
