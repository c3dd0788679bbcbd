# SPDX-License-Identifier: Apache-2.0
"""The compiled kernel behind the solver interface; the only module that knows it."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from ..._kernel import Chain as KernelChain
from ..chain import Chain
from ..limits import Floats, Limits
from ..tolerance import Tolerance
from .base import BatchOutcome, Outcome, Problem

if TYPE_CHECKING:
    from ..._kernel import KernelSearch


class NumericSolver:
    """Solves any chain for any tolerance, with many starts side by side."""

    name = "numeric"

    def search(self, problem: Problem) -> Outcome:
        """See ``Solver.search``."""
        search = _search(
            problem.chain,
            problem.limits,
            problem.tolerance,
            problem.use_slack,
            problem.wanted,
            problem.seed_suffices,
            problem.max_attempts,
        )
        candidates, seed_converged, closest, _, _, iterations, attempts, timed_out = search(
            problem.T_base_target.homogeneous[:3], problem.seed, problem.remaining_s
        )
        return Outcome(
            candidates, seed_converged, closest, iterations, attempts, timed_out, self.name
        )

    def search_batch(
        self,
        problem: Problem,
        T_base_targets: Floats,
        seeds: Floats,
        *,
        chain_seeds: bool,
        threads: int,
    ) -> BatchOutcome:
        """See ``Solver.search_batch``."""
        limits, tolerance = problem.limits, problem.tolerance
        position, orientation = tolerance.position, tolerance.orientation
        q, reached, *_ = _kernel_chain(problem.chain).solve_batch(
            T_base_targets,
            seeds,
            limits.lower,
            limits.upper,
            position.bounds,
            orientation.bounds,
            position.norm,
            orientation.norm,
            problem.use_slack,
            problem.max_attempts,
            chain_seeds,
            threads,
        )
        return BatchOutcome(q, reached)


@lru_cache(maxsize=64)  # nearly all requests differ in target, seed and time only
def _search(
    chain: Chain,
    limits: Limits,
    tolerance: Tolerance,
    use_slack: bool,
    wanted: int,
    seed_suffices: bool,
    max_attempts: int,
) -> KernelSearch:
    position, orientation = tolerance.position, tolerance.orientation
    return _kernel_chain(chain).prepare_search(
        limits.lower,
        limits.upper,
        position.bounds,
        orientation.bounds,
        position.norm,
        orientation.norm,
        use_slack,
        wanted,
        seed_suffices,
        max_attempts,
    )


@lru_cache(maxsize=64)
def _kernel_chain(chain: Chain) -> KernelChain:
    return KernelChain(
        chain.placements,
        chain.prismatic,
        chain.variable,
        chain.multiplier,
        chain.offset,
        chain.T_last_tcp,
        chain.limits.periodic,
    )
