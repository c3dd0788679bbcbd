# SPDX-License-Identifier: Apache-2.0
"""The closed loop: physics in real time, joint states and targets out, commands in."""

from __future__ import annotations

from collections.abc import Callable

from .cell import Cell
from .controller import TrajectoryController
from .figure import FigureOfEight, Timetable
from .pace import Pace
from .record import Recorder
from .world import STEP_S, World

STEPS_PER_TICK = 5
TICK_S = STEPS_PER_TICK * STEP_S  # joint states and targets are published 100 times a second
_SETTLING_S = 1.0  # after the last target, for the drives to come to rest
_PATIENCE_S = 60.0  # for the node to come up on a busy machine
_FEW, HURRY = 2, 0.8  # with more commands waiting, each gets this share of its time
_SILENCE_S = 2.0  # of commands, after which the node has stopped


class Loop:
    """Robot and operator of one run.

    Args:
        world: the robot.
        controller: takes the commands.
        cell: the topics.
        figure: what is to be drawn.
        recorder: takes notes.
        go_on: asked each tick; returns False when there is no point in it any more.

    Attributes:
        hurried_commands: how many got less than their time, since this process was held up.
    """

    def __init__(
        self,
        world: World,
        controller: TrajectoryController,
        cell: Cell,
        figure: FigureOfEight,
        recorder: Recorder,
        go_on: Callable[[], bool],
    ) -> None:
        self._world, self._controller, self._cell = world, controller, cell
        self._figure, self._recorder, self._go_on = figure, recorder, go_on
        self._heard_s = 0.0
        self.hurried_commands = 0

    def wait_for_node(self, pace: Pace) -> bool:
        """Ask for the pose where the tool is already, until the node commands it.

        Returns:
            Whether it does; False if there was no point in it any more.

        Raises:
            RuntimeError: it does not.
        """
        is_ready = False
        while self._go_on():
            self._tick(0.0, pace, leads=is_ready)
            is_ready = is_ready or self._cell.node_is_ready(self._figure.pose(0.0))
            if self._heard_s:
                return True
            if self._world.time_s > _PATIENCE_S:
                raise RuntimeError(
                    f"the node has commanded nothing within {_PATIENCE_S:g} s of its start"
                )
        return False

    def run(self, timetable: Timetable, pace: Pace) -> bool:
        """Let the node draw, and the arm come to rest.

        Returns:
            Whether it came to its end; False if there was no point in it any more.

        Raises:
            RuntimeError: the node does not go on.
        """
        self._recorder.begin(self._world.time_s)
        begun_s = self._world.time_s
        while (now_s := self._world.time_s - begun_s) < timetable.duration_s + _SETTLING_S:
            if not self._go_on():
                return False
            if self._world.time_s - self._heard_s > _SILENCE_S:
                raise RuntimeError(
                    f"the node has commanded nothing for {_SILENCE_S:g} s; its reason is above"
                )
            self._tick(timetable.rounds_at(now_s), pace)
        return True

    def _tick(self, rounds: float, pace: Pace, leads: bool = True) -> None:
        """One cycle: a target, some steps of physics, a joint state."""
        target = self._figure.pose(rounds)
        if leads:
            self._cell.lead(target)
        for _ in range(STEPS_PER_TICK):
            pace.next_step()
            now_s = self._world.time_s
            self._take_command(now_s, pace.behind_s)
            self._world.step(self._controller.setpoints(now_s))
        self._cell.tell(self._world.positions, self._world.velocities)
        self._recorder.tick(self._world, target)

    def _take_command(self, now_s: float, behind_s: float) -> None:
        """Take the next command, if there is one and its turn has come.

        A controller of its own is never late. This one may be held up by a busy machine, and then
        finds a pile: taken all at once it would be a leap.
        """
        waiting = self._cell.commands
        is_pile = len(waiting) > _FEW + behind_s / TICK_S  # those are caught up with, anyway
        share = HURRY if is_pile else 1.0
        if waiting and self._controller.has_done(share, now_s):
            command = waiting.popleft()
            self.hurried_commands += is_pile
            self._controller.take(command.positions, command.duration_s, command.rests, now_s)
            self._recorder.command(now_s, command.positions)
            self._heard_s = now_s
