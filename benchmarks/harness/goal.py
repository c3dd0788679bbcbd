# SPDX-License-Identifier: Apache-2.0
"""What every solver is asked for."""

from __future__ import annotations

from typing import NamedTuple


class Goal(NamedTuple):
    """How exact an answer has to be and how long it may take.

    Attributes:
        position_m, orientation_rad: largest error of an answer.
        time_limit_s: time for one target, for solvers that keep one.
    """

    position_m: float
    orientation_rad: float
    time_limit_s: float

    def for_every_reading(self) -> Goal:
        """Return the goal that an answer has to meet when solvers measure in different ways.

        TRAC-IK and KDL bound each component of an error, in frames of their own; others bound the
        norm. What keeps a bound on three components has a norm of at most sqrt(3) times as much.
        """
        return Goal(3**0.5 * self.position_m, 3**0.5 * self.orientation_rad, self.time_limit_s)
