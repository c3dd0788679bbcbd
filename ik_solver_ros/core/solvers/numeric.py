# SPDX-License-Identifier: Apache-2.0
"""The compiled kernel behind the solver interface; the only module that knows it."""

from __future__ import annotations

from functools import lru_cache

from ..._kernel import Chain as KernelChain
from ..chain import Chain
from ..limits import Floats
from .base import BatchOutcome, Outcome, Problem


class NumericSolver:
    """Solves any chain for any tolerance, with many starts side by side."""

    name = "numeric"

    def search(self, problem: Problem) -> Outcome:
        """See ``Solver.search``."""
        limits, tolerance = problem.limits, problem.tolerance
        position, orientation = tolerance.position, tolerance.orientation
        candidates, seed_converged, closest, _, _, iterations, attempts, timed_out = _kernel_chain(
            problem.chain
        ).search(
            problem.T_base_target.homogeneous[:3],
            problem.seed,
            limits.lower,
            limits.upper,
            position.bounds,
            orientation.bounds,
            position.norm,
            orientation.norm,
            problem.use_slack,
            problem.wanted,
            problem.seed_suffices,
            problem.max_attempts,
            problem.remaining_s,
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
