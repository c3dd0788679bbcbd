# SPDX-License-Identifier: Apache-2.0
"""The motion that a redundant arm has to spare: the joints move, the tool stays.

A step along the null space of the task's Jacobian leaves the target by its square; the solver,
started there, brings the tool back, and its verification decides whether that is an answer.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from ..core.limits import Floats
from ..core.pinocchio_import import pin
from .backend import Answer
from .kinematics import ArmKinematics

STEP = 0.05  # rad or m, norm over the joints
_JUMP = 2.0  # steps; an answer farther from the last one belongs to another branch
_STILL = 1e-3  # norm of a projected direction that is none any more

Solve = Callable[[Mapping[str, float]], Answer]


class NullSpaceWalk:
    """Walks from one configuration along its null space, either way, and remembers the way.

    Args:
        kinematics: of the arm.
        solve: asks for the same target from another seed.
        start: configuration that reaches the target.
        T_base_target, free: the task, see ``ArmKinematics.null_projector``.
    """

    def __init__(
        self,
        kinematics: ArmKinematics,
        solve: Solve,
        start: Answer,
        T_base_target: pin.SE3,
        free: Sequence[bool],
    ) -> None:
        self._kinematics, self._solve = kinematics, solve
        self._T_base_target, self._free = T_base_target, tuple(free)
        self._ways: dict[int, list[tuple[Answer, Floats]]] = {}
        first = self._first_direction(start.solutions[0])
        for side in (-1, 1):
            self._ways[side] = [(start, side * first)]
        self._ended = {-1: "", 1: ""}

    def at(self, distance: float) -> tuple[Answer, str]:
        """The verified configuration at a distance along the way.

        Returns:
            The answer, and why the way ends before ``distance``, if it does.
        """
        side = 1 if distance >= 0.0 else -1
        way, count = self._ways[side], round(abs(distance) / STEP)
        while len(way) <= count and not self._ended[side]:
            self._extend(side)
        return way[min(count, len(way) - 1)][0], self._ended[side] if len(way) <= count else ""

    def _first_direction(self, positions: Mapping[str, float]) -> Floats:
        """The null direction that moves some joint most, in that joint's positive sense."""
        projector = self._projector(positions)
        joint = int(np.argmax(np.diag(projector)))
        return _unit(projector[:, joint])

    def _projector(self, positions: Mapping[str, float]) -> Floats:
        return self._kinematics.null_projector(positions, self._T_base_target, self._free)

    def _extend(self, side: int) -> None:
        answer, before = self._ways[side][-1]
        here = answer.solutions[0]
        direction = _unit(self._projector(here) @ before)
        if not np.any(direction):
            self._ended[side] = "the null space ends here"
            return
        q = self._kinematics.variables(here) + STEP * direction
        limits = self._kinematics.chain.limits
        if outside := limits.left_by(q.tolist()):
            names = ", ".join(self._kinematics.chain.variable_names[i] for i in outside)
            self._ended[side] = f"the null-space motion ends at the limit of {names}"
            return
        found = self._solve(self._kinematics.positions(q))
        if not found.success or self._is_jump(found, q):
            self._ended[side] = "the null-space motion ends here: the tool would have to leave"
            return
        self._ways[side].append((found, direction))

    def _is_jump(self, found: Answer, q: Floats) -> bool:
        difference = self._kinematics.variables(found.solutions[0]) - q
        return not float(np.linalg.norm(difference)) <= _JUMP * STEP


def _unit(direction: Floats) -> Floats:
    norm = float(np.linalg.norm(direction))
    return direction / norm if norm > _STILL else np.zeros_like(direction)
