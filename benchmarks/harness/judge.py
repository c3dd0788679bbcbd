# SPDX-License-Identifier: Apache-2.0
"""Judges every solver's answers alike, with a forward kinematics that is none of theirs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from support.poses import Matrix, Vector, orientation_error_rad, position_error_m

from .arm import Arm
from .goal import Goal

#: Solvers that keep limits in single precision miss them by 1e-7; that is not held against them.
LIMIT_SLACK = 1e-6

Flags = NDArray[np.bool_]


@dataclass(frozen=True)
class Verdict:
    """What the answers to n targets are worth.

    Attributes:
        answered: (n,) whether the solver claimed success.
        right: (n,) whether the answer reaches the target within the goal's tolerance.
        inside: (n,) whether the answer keeps every joint limit.
        jump: (n,) largest change of a joint from the seed, in rad or m; NaN without an answer.
    """

    answered: Flags
    right: Flags
    inside: Flags
    jump: Vector

    @property
    def solved(self) -> Flags:
        """Answered, right and inside the limits."""
        return self.right & self.inside

    @property
    def false_success(self) -> Flags:
        """Called a success, but the tool is elsewhere."""
        return self.answered & ~self.right

    @property
    def outside(self) -> Flags:
        """Called a success, but a joint is outside its limits."""
        return self.answered & ~self.inside


def judge(
    arm: Arm, T_base_tip: Matrix, seeds: Matrix, answers: Sequence[Any], goal: Goal
) -> Verdict:
    """Judge the answers, (m,) or None each, to targets (n, 4, 4) from seeds (n, m)."""
    answered = np.array([answer is not None for answer in answers])
    q = np.full(seeds.shape, np.nan)
    for row, answer in zip(q, answers):
        if answer is not None and np.shape(answer) == row.shape:
            row[:] = answer
    T_base_reached = arm.tip_poses(q)
    right = (position_error_m(T_base_tip, T_base_reached) <= goal.position_m) & (
        orientation_error_rad(T_base_tip, T_base_reached) <= goal.orientation_rad
    )
    inside = (q >= arm.lower - LIMIT_SLACK) & (q <= arm.upper + LIMIT_SLACK)
    return Verdict(answered, right, inside.all(axis=1), np.abs(q - seeds).max(axis=1))
