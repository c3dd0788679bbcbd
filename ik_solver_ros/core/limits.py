# SPDX-License-Identifier: Apache-2.0
"""Limits of a chain's variables, and what they mean for joints that turn all the way."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
TWO_PI = 2.0 * math.pi
_ROUNDING = 1e-9
HAIR = 5e-7  # rad; the inexactness of an answer that ends on its bound is no reason for a turn


class Limits:
    """Bounds on the variables of a chain; immutable, arrays read-only, all of shape (m,).

    Attributes:
        lower, upper: bounds in rad or m; -inf and inf where there are none, equal for held joints.
        prismatic: whether the variable's unit is the metre.
        periodic: whether 2 pi more is the same pose.
        free_turn: periodic with a range of 2 pi or more. Any angle has a copy inside, so it is
            solved without limits and turned to the seed's copy at the end.
        open_lower, open_upper: the bounds with those of free turns taken away.
    """

    def __init__(
        self,
        lower: Floats,
        upper: Floats,
        prismatic: NDArray[np.bool_],
        periodic: NDArray[np.bool_],
    ) -> None:
        self.lower, self.upper = _read_only(lower), _read_only(upper)
        self.prismatic, self.periodic = prismatic, periodic
        self.free_turn = periodic & ~(self.upper - self.lower < TWO_PI)
        self.open_lower = np.where(self.free_turn, -np.inf, self.lower)
        self.open_upper = np.where(self.free_turn, np.inf, self.upper)
        self._turns_freely = bool(self.free_turn.any())
        self._lowest, self._highest = self.lower.tolist(), self.upper.tolist()

    def nearest_inside(self, q: Floats, seed: Floats) -> Floats:
        """``q`` with free turns moved to the copy nearest ``seed`` inside the bounds."""
        if not self._turns_freely:
            return q
        turns = np.round((seed - q) / TWO_PI)
        turns = np.minimum(turns, np.floor((self.upper + HAIR - q) / TWO_PI))
        turns = np.maximum(turns, np.ceil((self.lower - HAIR - q) / TWO_PI))
        home = np.where(self.free_turn, q + TWO_PI * turns, q)
        return home.clip(self.lower, self.upper)

    def near(self, seed: Floats, largest_move: Floats) -> Limits | None:
        """The part of the bounds within ``largest_move`` of ``seed``; None if there is no such."""
        rounding = 1e-14 * (1.0 + np.abs(seed))  # of the move, when it is measured afterwards
        lower = np.maximum(self.lower, seed - largest_move + rounding)
        upper = np.minimum(self.upper, seed + largest_move - rounding)
        if not (lower <= upper).all():
            return None
        return Limits(lower, upper, self.prismatic, self.periodic)

    def apart(self, q: Floats, other: Floats) -> float:
        """Largest difference of one variable; a whole turn of a free turn is none."""
        difference = q - other
        if self._turns_freely:
            turns = np.where(self.free_turn, np.round(difference / TWO_PI), 0.0)
            difference = difference - TWO_PI * turns
        return float(np.abs(difference).max())

    def left_by(self, q: Sequence[float]) -> list[int]:
        """Which variables are outside."""
        bounds = zip(q, self._lowest, self._highest)
        return [i for i, (x, a, b) in enumerate(bounds) if not a <= x <= b]

    def excess(self, q: Floats) -> Floats:
        """How far each variable is outside, 0 inside."""
        return np.maximum(np.maximum(self.lower - q, q - self.upper), 0.0)

    def broken(self, q: Floats) -> list[int]:
        """Which variables are outside by more than rounding, which yet never hides the only one."""
        return np.flatnonzero(_beyond_rounding(self.excess(q))).tolist()

    def ranked(self, rows: Floats) -> Floats:
        """Configurations (k, m), those that break the fewest limits, then the least, first."""
        excess = self.excess(rows)
        return rows[np.lexsort((excess.sum(axis=1), _beyond_rounding(excess).sum(axis=1)))]

    def least_outside(self, q: Floats, seed: Floats) -> Floats:
        """``q`` with periodic variables on the turn least outside, to a hair, nearest ``seed``."""
        inside = seed.clip(self.lower, self.upper)
        near = q - TWO_PI * np.round((q - inside) / TWO_PI)
        copies = np.stack([near, near - TWO_PI, near + TWO_PI])
        best = np.argmin([self.excess(copy).clip(HAIR) for copy in copies], axis=0)
        turned = np.take_along_axis(copies, best[None], axis=0)[0]
        return np.where(self.periodic, turned, q)

    def lifted(self) -> Limits:
        """Bounds for the question "is it reachable but for the joint limits?".

        Turning joints get none. Sliders are given their own stroke once more at either end: without
        any bound a slider reaches everything, and the answer would help nobody.
        """
        with np.errstate(invalid="ignore"):
            stroke = self.upper - self.lower
            lower = np.where(self.prismatic, self.lower - stroke, -np.inf)
            upper = np.where(self.prismatic, self.upper + stroke, np.inf)
        return Limits(lower, upper, self.prismatic, self.periodic)

    def with_taken_from(self, other: Limits, variables: list[int]) -> Limits:
        """The same bounds but for some variables, whose bounds are those of ``other``."""
        lower, upper = self.lower.copy(), self.upper.copy()
        lower[variables], upper[variables] = other.lower[variables], other.upper[variables]
        return Limits(lower, upper, self.prismatic, self.periodic)


def _beyond_rounding(excess: Floats) -> NDArray[np.bool_]:
    beyond: NDArray[np.bool_] = excess > np.minimum(
        _ROUNDING, 0.5 * excess.max(axis=-1, keepdims=True)
    )
    return beyond


def _read_only(values: Floats) -> Floats:
    array = np.array(values, dtype=float)
    array.setflags(write=False)
    return array
