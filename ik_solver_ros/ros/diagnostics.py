# SPDX-License-Identifier: Apache-2.0
"""What the node knows about itself, on ``/diagnostics``: its robot, its joint states, its calls."""

from __future__ import annotations

from collections import Counter
from typing import Any

from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus, KeyValue
from rclpy.clock import Clock, ClockType
from rclpy.node import Node
from rclpy.qos import QoSProfile
from rclpy.qos_overriding_options import QoSOverridingOptions

from ..core.errors import JointStateError, RobotModelError
from ..core.solvers.choice import KERNEL_FAULT
from ..core.status import Status
from .call_statistics import CallStatistics, ServiceStatistics, percentile
from .description import RobotInUse, Setup
from .joint_state_cache import JointStateCache
from .seed import current_positions

_PERIOD_S = 1.0
_OK, _WARN = DiagnosticStatus.OK, DiagnosticStatus.WARN
_ERROR, _STALE = DiagnosticStatus.ERROR, DiagnosticStatus.STALE


class Diagnostics:
    """Publishes ``/diagnostics``; says once in the log if the kernel is missing.

    Args:
        node: publishes.
        robot: which robot is solved for.
        joint_states: where its joints are.
        statistics: how calls ended.
    """

    def __init__(
        self,
        node: Node,
        robot: RobotInUse,
        joint_states: JointStateCache,
        statistics: CallStatistics,
    ) -> None:
        self._robot, self._joint_states, self._statistics = robot, joint_states, statistics
        self._name = node.get_fully_qualified_name().lstrip("/")
        self._clock = node.get_clock()
        self._before: Counter[Status] = Counter()
        self._publisher = node.create_publisher(
            DiagnosticArray,
            "/diagnostics",
            QoSProfile(depth=10),
            qos_overriding_options=QoSOverridingOptions.with_default_policies(),
        )
        # By a steady clock: it goes on when a simulator pauses.
        steady = Clock(clock_type=ClockType.STEADY_TIME)
        self._timer = node.create_timer(_PERIOD_S, self._publish, clock=steady)
        if KERNEL_FAULT:
            node.get_logger().warning(_without_kernel())

    def _publish(self) -> None:
        message: Any = DiagnosticArray()
        message.header.stamp = self._clock.now().to_msg()
        message.status = self.statuses()
        self._publisher.publish(message)

    def statuses(self) -> list[DiagnosticStatus]:
        """The robot, its joint states, and the calls since the last time."""
        calls = self._calls()
        try:
            setup = self._robot.setup()
        except RobotModelError as error:
            why = "which joints count is not known without a robot"
            return [
                self._status("robot", _ERROR, str(error), {}),
                self._status("joint states", _STALE, why, {}),
                calls,
            ]
        statuses = [self._model(setup), self._joints(setup), calls]
        for status in statuses:
            status.hardware_id = setup.solver.robot.name
        return statuses

    def _model(self, setup: Setup) -> DiagnosticStatus:
        solver, wanted = setup.solver, setup.settings.solver_settings.solver
        values = {
            "robot": solver.robot.name,
            "base_frame": solver.base_frame,
            "tip_frame": solver.tip_frame,
            "joints": ", ".join(solver.joint_names),
            "solver": wanted,
            "solver in use": _solver_in_use(wanted),
            "command_type": setup.settings.command_type,
        }
        if KERNEL_FAULT and wanted != "reference":
            return self._status("robot", _WARN, _without_kernel(), values)
        told = f"{len(solver.joint_names)} joints to '{solver.tip_frame}'"
        return self._status("robot", _OK, told, values)

    def _joints(self, setup: Setup) -> DiagnosticStatus:
        robot, chain = setup.solver.robot, setup.solver.arm().chain
        ages_s = self._joint_states.ages_s(chain.joint_names)
        values = {name: _age(age_s) for name, age_s in ages_s.items()}
        try:
            current_positions(
                robot,
                chain.variable_names,
                self._joint_states,
                setup.settings.max_joint_state_age_s,
            )
        except JointStateError as error:
            return self._status("joint states", _STALE, str(error), values)
        heard_s = [age_s for age_s in ages_s.values() if age_s is not None]
        told = f"the oldest is {max(heard_s, default=0.0):.3g} s old"
        return self._status("joint states", _OK, told, values)

    def _calls(self) -> DiagnosticStatus:
        services = self._statistics.snapshot()
        values: dict[str, str] = {}
        total: Counter[Status] = Counter()
        for name, found in services.items():
            values |= {f"{name} {key}": value for key, value in _told(found).items()}
            total += found.counts
        new, self._before = total - self._before, total
        failed = {status: n for status, n in new.items() if not status.is_success}
        message = f"{new.total()} calls"
        if failed:
            named = ", ".join(f"{n} {status.name}" for status, n in sorted(failed.items()))
            message += f", {sum(failed.values())} failed: {named}"
        level = _ERROR if Status.INTERNAL_ERROR in failed else _WARN if failed else _OK
        return self._status("calls", level, message, values)

    def _status(
        self, about: str, level: bytes, message: str, values: dict[str, str]
    ) -> DiagnosticStatus:
        return DiagnosticStatus(
            level=level,
            name=f"{self._name}: {about}",
            message=message,
            values=[KeyValue(key=key, value=value) for key, value in values.items()],
        )


def _told(service: ServiceStatistics) -> dict[str, str]:
    """Counts by status and percentiles of the durations, for people."""
    durations_s = sorted(service.durations_s)
    solved = sum(n for status, n in service.counts.items() if status.is_success)
    told = {"calls": str(service.counts.total())}
    told["solved"] = f"{100.0 * solved / service.counts.total():.1f} %"
    told |= {status.name: str(n) for status, n in sorted(service.counts.items())}
    for name, share in (("median", 0.5), ("p99", 0.99), ("largest", 1.0)):
        told[f"duration, {name}"] = f"{1e3 * percentile(durations_s, share):.3f} ms"
    return told


def _age(age_s: float | None) -> str:
    return "never heard" if age_s is None else f"{age_s:.3f} s"


def _solver_in_use(wanted: str) -> str:
    if wanted in ("auto", "numeric"):
        return "reference" if KERNEL_FAULT else "numeric"
    return wanted


def _without_kernel() -> str:
    return (
        f"the C++ kernel cannot be used ({KERNEL_FAULT}), so the solver 'reference' takes over: "
        "as right, but slower"
    )
