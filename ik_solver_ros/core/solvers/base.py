# SPDX-License-Identifier: Apache-2.0
"""What every solver is asked and what it answers."""

from __future__ import annotations

import math
import time
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from ..chain import Chain
from ..limits import Floats, Limits
from ..pinocchio_import import pin
from ..tolerance import Tolerance
from ..transforms import se3_from_rows

#: Metres that weigh as much as one radian when position and orientation errors, or prismatic and
#: revolute joints, have to be compared: the lever of a hand or tool.
METRES_PER_RAD = 0.3
#: Two answers are distinct when some variable differs by more than this, in rad or m.
DISTINCT = 0.05
#: A start goes on until its error is below this, even if more is allowed: it costs one iteration.
SHARP_M, SHARP_RAD = 5e-7, 5e-7


class Problem(NamedTuple):
    """One search: where to go on which arm, from where, inside which limits.

    Attributes:
        chain: the arm.
        limits: bounds of the variables; usually the chain's, the diagnosis lifts them.
        T_base_target: wanted pose of the tool centre point.
        seed: start configuration (m,), in rad or m; may be outside the limits.
        tolerance: what counts as reached.
        use_slack: when a start gets stuck short of the exact pose, go on with errors that are
            shrunk by the tolerance, from there and then from the start itself. For wide tolerances
            and for arms that move fewer joints than there are constraints; otherwise a narrow
            tolerance has no slack worth the time.
        wanted: distinct candidates to gather.
        seed_suffices: stop at once if the seed's own start converges, and after the first other
            candidate look for more of them only as long again as that one took.
        max_attempts: how many starts may be made.
        deadline_s: ``time.perf_counter()`` at which to stop.
        every_branch: whether all answers are asked for, not just some; worth milliseconds.
    """

    chain: Chain
    limits: Limits
    T_base_target: pin.SE3
    seed: Floats
    tolerance: Tolerance
    use_slack: bool
    wanted: int
    seed_suffices: bool
    max_attempts: int
    deadline_s: float
    every_branch: bool = False

    @property
    def remaining_s(self) -> float:
        """Seconds left until the deadline, never negative."""
        return max(0.0, self.deadline_s - time.perf_counter())


class Outcome(NamedTuple):
    """What a search found.

    Attributes:
        candidates: (k, m) configurations believed to reach the target, inside the limits, the
            seed's own first if its start converged. Nothing is true before verification.
        seed_converged: whether the first one came from the seed's own start.
        closest: (m,) the best configuration of all starts, inside the limits.
        iterations, attempts: effort.
        timed_out: whether the deadline cut the search.
        solver: name of the solver that searched.
    """

    candidates: tuple[Floats, ...]
    seed_converged: bool
    closest: Floats
    iterations: int
    attempts: int
    timed_out: bool
    solver: str

    def nearest(self, seed: Floats) -> Floats:
        """The seed's own candidate, or else the one with the smallest change of a variable."""
        if self.seed_converged or len(self.candidates) == 1:
            return self.candidates[0]
        return min(self.candidates, key=lambda q: float(np.abs(q - seed).max()))


class BatchOutcome(NamedTuple):
    """What a batch search found.

    Attributes:
        q: (n, m) candidates; without meaning where not reached.
        reached: (n,) where they are believed to reach their target.
    """

    q: Floats
    reached: NDArray[np.bool_]


class Solver(Protocol):
    """A way to find candidates. It never decides what is an answer."""

    name: str

    def search(self, problem: Problem) -> Outcome:
        """Look for candidates; never raises for a valid problem."""

    def search_batch(
        self,
        problem: Problem,
        T_base_targets: Floats,
        seeds: Floats,
        *,
        chain_seeds: bool,
        threads: int,
    ) -> BatchOutcome:
        """Look for one candidate for each of n targets.

        Args:
            problem: what the rows have in common; target, seed and deadline are not used.
            T_base_targets: (n, 3, 4).
            seeds: (m,) for all rows, or (n, m).
            chain_seeds: each row starts from the last reached row's candidate; then seeds is (m,).
            threads: how many may be used; the candidates do not depend on it.
        """


class OneByOne:
    """``search_batch`` for solvers that know no better way than one search after the other."""

    def search_batch(
        self: Solver,
        problem: Problem,
        T_base_targets: Floats,
        seeds: Floats,
        *,
        chain_seeds: bool,
        threads: int,  # noqa: ARG002
    ) -> BatchOutcome:
        """See ``Solver.search_batch``."""
        n, m = len(T_base_targets), seeds.shape[-1]
        q, reached = np.full((n, m), np.nan), np.zeros(n, dtype=bool)
        seed = seeds
        for i, rows in enumerate(T_base_targets):
            own = seed if seed.ndim == 1 else seed[i]
            outcome = self.search(
                problem._replace(
                    T_base_target=se3_from_rows(rows),
                    seed=own,
                    seed_suffices=True,
                    wanted=1,
                    deadline_s=math.inf,
                )
            )
            if outcome.candidates:
                q[i], reached[i] = outcome.nearest(own), True
                seed = q[i].copy() if chain_seeds else seed
        return BatchOutcome(q, reached)
