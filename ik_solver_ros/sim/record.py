# SPDX-License-Identifier: Apache-2.0
"""What happened in a run: a row for every tick, and one for every command."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ..core.limits import Floats
from .world import World


@dataclass(frozen=True, eq=False)
class Record:
    """One run, from its first command on; n ticks, m commands, k joints of the arm.

    Attributes:
        joint_names: the joints of the arm, base to tip.
        time_s: (n,) simulated time since the first command.
        target: (n, 4, 4) T_base_tool that was asked for.
        tool: (n, 4, 4) T_base_tool by the physics.
        measured, velocity: (n, k) of the joints, in rad or m, and per second.
        command_time_s: (m,) when each command came, in simulated time since the first one.
        commanded: (m, k) in rad or m.
    """

    joint_names: tuple[str, ...]
    time_s: Floats
    target: Floats
    tool: Floats
    measured: Floats
    velocity: Floats
    command_time_s: Floats
    commanded: Floats

    def save(self, path: str | Path) -> None:
        """Write all of it as a NumPy archive (.npz), each attribute under its name."""
        with Path(path).open("wb") as file:
            np.savez_compressed(file, **dataclasses.asdict(self))


class Recorder:
    """Takes notes of a run.

    Args:
        joint_names: the joints of the arm.
        columns: where they are among all joints of the robot.
        tip_frame, base_frame: the links whose pose is noted.
    """

    def __init__(
        self, joint_names: Sequence[str], columns: Sequence[int], tip_frame: str, base_frame: str
    ) -> None:
        self._names, self._columns = tuple(joint_names), list(columns)
        self._tip, self._base = tip_frame, base_frame
        self._ticks: list[tuple[float, Floats, Floats, Floats, Floats]] = []
        self._commands: list[tuple[float, list[float]]] = []
        self._begun_s = 0.0

    def begin(self, time_s: float) -> None:
        """Forget the ticks that were only waiting."""
        self._begun_s = time_s
        self._ticks.clear()

    def tick(self, world: World, target: Floats) -> None:
        """Note the state of the world, and what was asked for."""
        tool = world.pose(self._tip, self._base)
        at, velocity = world.positions[self._columns], world.velocities[self._columns]
        self._ticks.append((world.time_s, target, tool, at, velocity))

    def command(self, time_s: float, positions: Mapping[str, float]) -> None:
        """Note a command."""
        self._commands.append((time_s, [positions[name] for name in self._names]))

    def record(self) -> Record:
        """All notes."""
        time_s, target, tool, measured, velocity = map(np.array, zip(*self._ticks))
        command_time_s, commanded = map(np.array, zip(*self._commands))
        return Record(
            self._names,
            time_s - self._begun_s,
            target,
            tool,
            measured,
            velocity,
            command_time_s - self._begun_s,
            commanded,
        )
