# SPDX-License-Identifier: Apache-2.0
"""When a stream starts, goes on, holds, ends and stops.

::

    idle ──target, fresh joint states──▶ streaming ──targets pause, at rest──▶ idle
                                             └──fault──▶ stopped ──targets pause──▶ idle

A target that cannot be followed is no fault: the arm holds until one comes that can. After a fault
nothing is commanded until whoever sends the targets has paused: a robot that was stopped must not
go on by itself.
"""

from __future__ import annotations

import time
import traceback
from collections.abc import Callable, Sequence
from typing import Any

from geometry_msgs.msg import PoseStamped
from sensor_msgs.msg import JointState

from ..core.errors import IKSolverError, RobotModelError, StreamError
from ..core.stream import Stream
from ..core.stream_settings import StreamSettings
from .description import RobotInUse, Setup
from .outputs import Output
from .stream_inputs import StreamInputs

_WARNING_PERIOD_S = 1.0
_SHARE_OF_CYCLE = 0.5  # for the search while the arm moves; and what a cycle may be early by


class StreamControl:
    """Turns targets into commands, one a cycle; called from one thread, but for ``send``.

    Args:
        robot: which robot to move.
        inputs: reads targets, and where the robot is.
        outputs: who gets the commands.
        stamp: ROS time, now, as a message.
        log: the node's logger.
        steady_now_s: steady time in seconds.
    """

    def __init__(
        self,
        robot: RobotInUse,
        inputs: StreamInputs,
        outputs: Sequence[Output],
        stamp: Callable[[], Any],
        log: Any,
        steady_now_s: Callable[[], float] = time.monotonic,
    ) -> None:
        self._robot, self._inputs, self._outputs = robot, inputs, outputs
        self._stamp, self._log, self._now_s = stamp, log, steady_now_s
        self._target: PoseStamped | None = None
        self._heard_s = self._cycle_s = -float("inf")
        self._setup: Setup | None = None
        self._stream: Stream | None = None
        self._pause_s = 0.0  # that a stopped stream waits for; 0 = not stopped
        self._is_disturbed = False

    @property
    def is_idle(self) -> bool:
        """Whether there is nothing to do until the next target."""
        return self._stream is None and self._target is None and not self._pause_s

    def hear(self, target: PoseStamped) -> None:
        """Take over a target; only the newest one counts."""
        self._target, self._heard_s = target, self._now_s()

    def send(self, _solution: JointState, *_: object) -> None:
        """Somebody else commands the robot, so a stream stops; see ``Output``. Of any thread."""
        self._is_disturbed = True

    def period_s(self) -> float:
        """Time from cycle to cycle, by the parameters now in effect."""
        try:
            return self._robot.setup().settings.stream.period_s
        except RobotModelError:  # then there is no stream, either
            return StreamSettings().period_s

    def cycle(self) -> None:
        """Do what there is to do in one cycle; no exception leaves it."""
        try:
            self._cycle()
        except IKSolverError as error:
            self._stop(str(error))
        except Exception as error:  # noqa: BLE001
            self._log.error(f"internal error, please report it:\n{traceback.format_exc()}")
            self._stop(f"internal error: {type(error).__name__}: {error}")

    def _cycle(self) -> None:
        now_s = self._now_s()
        if now_s - self._cycle_s < _SHARE_OF_CYCLE * self.period_s():
            return  # the cycle before was late: catching up would double the speed
        self._cycle_s = now_s
        target, self._target = self._target, None
        silence_s = now_s - self._heard_s
        if self._pause_s:
            if silence_s > self._pause_s:
                self._pause_s = 0.0
        elif self._stream is not None:
            self._go_on(self._stream, target, silence_s)
        elif target is not None:
            self._start(target)

    def _start(self, target: PoseStamped) -> None:
        self._is_disturbed = False
        setup = self._robot.setup()
        T_base_target = self._inputs.target(target, setup)
        stream = Stream(setup.solver, setup.settings.stream, self._inputs.measured(setup))
        if refusal := stream.follow(T_base_target, _patience_s(setup)):
            raise StreamError(f"the target cannot be followed: {refusal}")
        self._setup, self._stream = setup, stream
        self._log.info("stream started")
        self._command(stream, setup)

    def _go_on(self, stream: Stream, target: PoseStamped | None, silence_s: float) -> None:
        setup = self._unchanged_setup()
        stream.watch(self._inputs.measured(setup))
        if target is not None:
            if reason := self._follow(stream, target, setup):
                self._warn(f"stream holds: {reason}")
        elif silence_s > setup.settings.stream.timeout_s:
            stream.hold()
            if stream.is_at_rest:
                self._stream = None
                self._log.info(f"stream ended: no target for {silence_s:.3g} s")
                return
        self._command(stream, setup)

    def _unchanged_setup(self) -> Setup:
        setup, before = self._robot.setup(), self._setup
        if before is None or setup.solver.robot is not before.solver.robot:
            raise StreamError("the robot description was replaced")
        if setup is not before:
            raise StreamError("parameters were changed")
        if self._is_disturbed:
            raise StreamError("a service call has published another target")
        return setup

    def _follow(self, stream: Stream, target: PoseStamped, setup: Setup) -> str:
        """Give the stream its new target; returns why it holds, if it does."""
        budget_s = _SHARE_OF_CYCLE * setup.settings.stream.period_s
        if stream.is_at_rest:  # then nobody waits for the next command
            budget_s = _patience_s(setup)
        try:
            return stream.follow(self._inputs.target(target, setup), budget_s)
        except IKSolverError as error:
            stream.hold()
            return str(error)

    def _command(self, stream: Stream, setup: Setup) -> None:
        message: Any = JointState()
        message.header.stamp = self._stamp()
        message.name = list(stream.joint_names)
        message.position = stream.step().tolist()
        for output in self._outputs:
            output.send(message, setup, {}, setup.settings.stream.period_s)

    def _stop(self, reason: str) -> None:
        if self._stream is None:
            self._warn(f"no stream: {reason}")
            return
        self._stream = None
        self._pause_s = self._setup.settings.stream.timeout_s if self._setup else 1.0
        self._log.error(
            f"stream stopped: {reason}; the next one starts after targets have paused for "
            f"{self._pause_s:g} s"
        )

    def _warn(self, text: str) -> None:
        self._log.warning(text, throttle_duration_sec=_WARNING_PERIOD_S)


def _patience_s(setup: Setup) -> float:
    """How long the way to a target may be looked for while the arm rests."""
    return min(setup.solver.settings.timeout_s, setup.settings.stream.timeout_s)
