# SPDX-License-Identifier: Apache-2.0
"""How long it takes to be certain that a target is out of reach, before any search."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
from peers.ours import FullSolve

from ik_solver_ros import IKRequest
from ik_solver_ros.core.tolerance import DEFAULT_AXES, AxisTolerance, Tolerance

from .arm import Arm
from .goal import Goal
from .unreachable import far


def certificate(arm: Arm, n: int, goal: Goal) -> dict[str, Any]:
    """Return the median seconds of the check, and the part of n far targets that it certifies."""
    check = FullSolve(arm, goal).solver.arm().reach.certainly_exceeded
    tolerance = Tolerance(
        AxisTolerance.of(DEFAULT_AXES, goal.position_m),
        AxisTolerance.of(DEFAULT_AXES, goal.orientation_rad),
    )
    rng = np.random.default_rng(3)
    targets = [IKRequest.from_matrix(far(arm, rng)).T_base_target for _ in range(n)]
    seconds, certified = [], 0
    for target in targets:
        started_s = time.perf_counter()
        reason = check(target, tolerance)
        seconds.append(time.perf_counter() - started_s)
        certified += bool(reason)
    return {"median_s": float(np.median(seconds)), "certified": certified / n}
