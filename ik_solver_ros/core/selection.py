# SPDX-License-Identifier: Apache-2.0
"""Which of several answers comes first."""

from __future__ import annotations

import numpy as np

from .chain import Chain
from .limits import Floats
from .solvers.base import METRES_PER_RAD
from .verification import VerifiedSolution


def nearest_first(
    solutions: list[VerifiedSolution], chain: Chain, seed: Floats
) -> list[VerifiedSolution]:
    """Sort by distance from the seed: the largest change of one joint, 0.3 m counting as 1 rad.

    The largest change is what takes the time and sweeps the arm; ties go to the smaller sum.

    Args:
        solutions: answers in the order of ``chain.joint_names``.
        chain: the arm.
        seed: reported joint positions (k,) in rad or m.
    """
    if len(solutions) < 2:
        return list(solutions)
    sliding = chain.limits.prismatic[chain.report_variable]
    weight = np.where(sliding, 1.0 / METRES_PER_RAD, 1.0)

    def distance(solution: VerifiedSolution) -> tuple[float, float]:
        change = np.abs(solution.q - seed) * weight
        return float(change.max()), float(change.sum())

    return sorted(solutions, key=distance)
