# SPDX-License-Identifier: Apache-2.0
"""The node ``ik_solver``: connects topics, parameters and the service to the parts behind them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rclpy.callback_groups import CallbackGroup, MutuallyExclusiveCallbackGroup
from rclpy.node import Node
from rclpy.qos import DurabilityPolicy, QoSProfile, ReliabilityPolicy
from rclpy.qos_overriding_options import QoSOverridingOptions
from sensor_msgs.msg import JointState
from std_msgs.msg import String

from ik_solver_ros.srv import ComputeFK, SolveIK, SolveIKBatch

from .batch_service import BatchService
from .call_statistics import CallStatistics
from .commands import Command
from .description import RobotInUse
from .diagnostics import Diagnostics
from .fk_service import FKService
from .frames import TargetFrames
from .joint_state_cache import JointStateCache
from .markers import Markers
from .node_settings import NodeSettings
from .outputs import JointTargets, Output
from .parameter_services import AnsweringParameterService
from .parameters import NodeParameters
from .service_call import ServiceCall
from .solve_service import SolveService
from .stream_control import StreamControl
from .stream_inputs import StreamInputs
from .stream_topic import StreamTopic

_WARNING_PERIOD_S = 5.0
_MOST_WAITING = 1000  # calls
# Fast DDS keeps the room that the largest message took, in every place of a queue: measured, 10 MB
# for each place that once held 100,000 targets.
_MOST_BATCHES_WAITING = 32


class IKNode(Node):
    """Solves for one robot; see the README for its parameters, topics and services.

    Attributes:
        own_lanes: callback groups to spin in threads of their own.

    Raises:
        IKSolverError: for parameters that cannot be used.
    """

    def __init__(self) -> None:
        super().__init__("ik_solver", start_parameter_services=False)
        log, clock = self.get_logger(), self.get_clock()
        parameters = NodeParameters(self)
        robot = RobotInUse(parameters.settings, self.resolve_topic_name("robot_description"), log)
        parameters.follow(self, robot.check, robot.apply)
        self._parameter_service = AnsweringParameterService(self)
        joint_states = JointStateCache(lambda: clock.now().nanoseconds * 1e-9)
        frames, outputs = TargetFrames(self), self._outputs(parameters.settings, joint_states)

        def stamp() -> Any:
            return clock.now().to_msg()

        stream_inputs = StreamInputs(joint_states, frames, stamp)
        stream = StreamControl(robot, stream_inputs, outputs, stamp, log)
        statistics = CallStatistics()
        calls = [
            ServiceCall("solve_ik", log, statistics),
            ServiceCall("solve_ik_batch", log, statistics, status="batch_status"),
            ServiceCall("compute_fk", log, statistics),
        ]
        solve = SolveService(
            robot, joint_states, frames, [stream, *outputs], Markers(self).show, stamp, calls[0]
        )
        batch = BatchService(robot, joint_states, frames, calls[1])
        fk = FKService(robot, joint_states, frames, stamp, calls[2])
        self._diagnostics = Diagnostics(self, robot, joint_states, statistics)

        def hear_description(message: String) -> None:
            robot.hear(message.data)

        def hear_joint_state(message: JointState) -> None:
            sent = message.header.stamp
            stamp_s = sent.sec + sent.nanosec * 1e-9  # Time of rclpy cannot be negative
            if fault := joint_states.hear(message.name, message.position, stamp_s):
                log.warning(f"joint state: {fault}", throttle_duration_sec=_WARNING_PERIOD_S)

        self.own_lanes = [MutuallyExclusiveCallbackGroup() for _ in range(5)]
        solving, batching, computing, listening, streaming = self.own_lanes
        latched = QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL)
        # Best effort hears reliable publishers, too; reliable would not hear most drivers.
        sensor = QoSProfile(depth=10, reliability=ReliabilityPolicy.BEST_EFFORT)
        # Requests wait here while one is worked on; of more than 10, rclpy's default drops the
        # oldest, and their callers wait forever.
        calls = QoSProfile(depth=_MOST_WAITING)
        batches = QoSProfile(depth=_MOST_BATCHES_WAITING)
        self._listen(String, "robot_description", hear_description, latched)
        self._listen(JointState, "joint_states", hear_joint_state, sensor, listening)
        self.create_service(
            SolveIK, "~/solve_ik", solve.answer, callback_group=solving, qos_profile=calls
        )
        self.create_service(
            ComputeFK, "~/compute_fk", fk.answer, callback_group=computing, qos_profile=calls
        )
        self.create_service(
            SolveIKBatch,
            "~/solve_ik_batch",
            batch.answer,
            callback_group=batching,
            qos_profile=batches,
        )
        self._stream = StreamTopic(self, stream, streaming)
        log.info(
            f"serving {self.resolve_service_name('~/solve_ik')}, with joint states from "
            f"{self.resolve_topic_name('joint_states')}"
        )

    def _outputs(self, settings: NodeSettings, joint_states: JointStateCache) -> list[Output]:
        """Who gets solutions; the command first, since it may refuse, and then nobody shall."""
        targets = JointTargets(self)
        if settings.command_type == "none":
            return [targets]
        return [Command(self, settings, joint_states), targets]

    def _listen(
        self,
        message_type: type,
        topic: str,
        callback: Callable[[Any], None],
        qos: QoSProfile,
        lane: CallbackGroup | None = None,
    ) -> None:
        """Subscribe, with the standard parameters that override the quality of service."""
        self.create_subscription(
            message_type,
            topic,
            callback,
            qos,
            callback_group=lane,
            qos_overriding_options=QoSOverridingOptions.with_default_policies(),
        )
