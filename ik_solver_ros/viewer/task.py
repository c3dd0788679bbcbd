# SPDX-License-Identifier: Apache-2.0
"""How a target is meant: tolerances, free axes, one branch or all."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from ..core.pinocchio_import import pin
from ..core.request import IKRequest

MOST_BRANCHES = 16

Flags = tuple[bool, bool, bool]
_NONE: Flags = (False, False, False)


@dataclass(frozen=True)
class Task:
    """How the target is meant.

    Attributes:
        position_tolerance_m, orientation_tolerance_rad: per axis; 0 = the solver's default.
        free_position, free_rotation: axes of the target frame that do not count.
        allow_relaxed: accept the relaxed tolerances, too.
        show_branches: look for every branch.
    """

    position_tolerance_m: float = 0.0
    orientation_tolerance_rad: float = 0.0
    free_position: Flags = _NONE
    free_rotation: Flags = _NONE
    allow_relaxed: bool = False
    show_branches: bool = False

    @property
    def free(self) -> tuple[bool, ...]:
        """The six axes, positions first."""
        return self.free_position + self.free_rotation

    def request(
        self, T_base_target: pin.SE3, seed: Mapping[str, float], all_branches: bool = False
    ) -> IKRequest:
        """The request for a target.

        Raises:
            InvalidRequestError: every axis is free.
        """
        return IKRequest(
            T_base_target,
            position_tolerance=_axes(self.position_tolerance_m, self.free_position),
            orientation_tolerance=_axes(self.orientation_tolerance_rad, self.free_rotation),
            seed=seed,
            max_solutions=MOST_BRANCHES if all_branches or self.show_branches else 1,
            allow_relaxed=self.allow_relaxed,
        )


def _axes(tolerance: float, free: Iterable[bool]) -> tuple[float, float, float]:
    x, y, z = (math.inf if is_free else tolerance for is_free in free)
    return x, y, z
