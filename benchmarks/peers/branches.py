# SPDX-License-Identifier: Apache-2.0
"""Analytic solvers give every branch; the benchmark judges the one a caller would take."""

from __future__ import annotations

import numpy as np
from harness.arm import Arm

from support.poses import Matrix, Vector


def nearest_inside(arm: Arm, branches: Matrix, seed: Vector) -> Vector | None:
    """Return the branch (m,) of (k, m) nearest to the seed by its largest change, or None.

    Each angle is turned by whole turns to be nearest to the seed inside the limits.
    """
    if branches.size == 0:
        return None
    turn = 2.0 * np.pi
    with np.errstate(invalid="ignore"):
        q = branches - turn * np.round((branches - seed) / turn)
        q = np.where(q > arm.upper, q - turn * np.ceil((q - arm.upper) / turn), q)
        q = np.where(q < arm.lower, q + turn * np.ceil((arm.lower - q) / turn), q)
    q = q[np.all((q >= arm.lower) & (q <= arm.upper), axis=1)]
    if len(q) == 0:
        return None
    return q[np.argmin(np.abs(q - seed).max(axis=1))]
