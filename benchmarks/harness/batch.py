# SPDX-License-Identifier: Apache-2.0
"""How many targets a second, when they come in one call."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from peers.ours import KERNEL_BUILT, FullSolve, KernelCall

from . import target_sets
from .arm import Arm
from .goal import Goal
from .target_sets import TargetSet

_SEED = 77


def batch_rates(arms: Iterable[Arm], n: int, repetitions: int, goal: Goal) -> Any:
    """Return targets a second, cold and tracking, by arm; empty without the kernel.

    The scalar loop calls the kernel once for every target, without vector lanes: the rate that
    batches are compared with.
    """
    results: dict[str, Any] = {}
    for arm in arms if KERNEL_BUILT else ():
        sets = {"cold": target_sets.cold, "tracking": target_sets.tracking}
        results[arm.name] = {
            name: _rates(make(arm, n, _SEED), repetitions, goal) for name, make in sets.items()
        }
    return results


def _rates(questions: TargetSet, repetitions: int, goal: Goal) -> dict[str, Any]:
    n = len(questions)
    ways = _ways(questions, goal)
    best_s = dict.fromkeys(ways, np.inf)
    for _ in range(repetitions):  # in turn, so that drift of the machine hits all alike
        for name, run in ways.items():
            started_s = time.perf_counter()
            run()
            best_s[name] = min(best_s[name], time.perf_counter() - started_s)
    return {"n": n, "per_second": {name: n / seconds for name, seconds in best_s.items()}}


def _ways(questions: TargetSet, goal: Goal) -> dict[str, Callable[[], Any]]:
    kernel, full = KernelCall(questions.arm, goal), FullSolve(questions.arm, goal)
    targets = np.ascontiguousarray(questions.T_base_tip[:, :3])
    seeds = np.array([kernel.seed(q) for q in questions.seeds])
    full_seeds = np.array([full.seed(q) for q in questions.seeds])

    def scalar_loop() -> None:
        for target, seed in zip(targets, seeds):
            kernel.solve_without_lanes(target, seed)

    return {
        "scalar kernel, one call a target": scalar_loop,
        "kernel, one batch": lambda: kernel.solve_batch(targets, seeds),
        "IKSolver.solve_batch": lambda: full.solver.solve_batch(
            questions.T_base_tip, seed=full_seeds, threads=1
        ),
    }
