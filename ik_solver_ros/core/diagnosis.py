# SPDX-License-Identifier: Apache-2.0
"""Why a target was not reached, who can do something about it, and what to try.

Three tiers, cheapest first: a distance that no configuration can bridge; a search without joint
limits; and the plain statement that the search ended undecided.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain

import numpy as np

from .arm import Arm
from .limits import Floats, Limits
from .loosening import with_one_axis_freed, with_orientation_free
from .solvers.base import Outcome, Problem, Solver
from .status import Status
from .verification import VerifiedSolution

#: With so many starts, "none without limits either" agreed with an exhaustive search in 99.97 %.
CONFIDENT_ATTEMPTS = 20
#: Where there are fewer joints than constraints, starts find the few answers more rarely.
_CONFIDENT_WITH_FEW_JOINTS = 100
_SUBSET_ATTEMPTS = 20  # to find an answer that breaks no limits but some
_ADVICE_ATTEMPTS = 8  # a hint may be missing
_LIFTED_CANDIDATES = 8  # among so many the one that breaks the fewest limits is looked for


@dataclass(frozen=True, eq=False)
class Diagnosis:
    """The end of a request without an answer, or an answer that the search had missed.

    Attributes:
        status: one of UNREACHABLE, JOINT_LIMITS, NOT_CONVERGED, TIMEOUT; SOLVED with ``missed``.
        message: a sentence.
        blocking_joints: joints whose limits are in the way.
        missed: an answer inside the limits, found while looking for the reason.
        iterations, attempts: effort.
    """

    status: Status
    message: str
    blocking_joints: tuple[str, ...] = ()
    missed: VerifiedSolution | None = None
    iterations: int = 0
    attempts: int = 0


def diagnose(arm: Arm, problem: Problem, outcome: Outcome, solver: Solver) -> Diagnosis:
    """Find out why ``outcome`` holds no answer, within the problem's deadline."""
    return _Doctor(arm, problem, outcome, solver).diagnose()


class _Doctor:
    def __init__(self, arm: Arm, problem: Problem, outcome: Outcome, solver: Solver) -> None:
        self._arm, self._problem, self._outcome, self._solver = arm, problem, outcome, solver
        self._iterations = self._attempts = 0
        self._late = outcome.timed_out
        self._limits = problem.limits
        self._lifted = problem.limits.lifted()

    def diagnose(self) -> Diagnosis:
        if self._late:
            return self._out_of_time("before an answer was found")
        if self._outcome.attempts < CONFIDENT_ATTEMPTS:
            return self._undecided()
        attempts = CONFIDENT_ATTEMPTS if self._moves_enough() else _CONFIDENT_WITH_FEW_JOINTS
        lifted = self._search(self._lifted, attempts, _LIFTED_CANDIDATES, self._problem)
        best = self._first_to_reach(lifted, self._problem)
        if best is None:
            return (
                self._out_of_time("while looking for the reason")
                if self._late
                else self._unreachable()
            )
        best = self._smallest_set(best)
        for q in chain([best], map(self._inside_beside, lifted)):
            solution = None if q is None else self._arm.verify(q, self._problem)
            if isinstance(solution, VerifiedSolution):
                return self._ending(Status.SOLVED, "", missed=solution)
        return self._blocked(best)

    def _inside_beside(self, q: Floats) -> Floats | None:
        """Where a descent inside the limits ends that starts where one without them has ended.

        Answers in a corner of the limits have small basins, and this finds most of those that the
        search has missed.
        """
        found = self._candidates(self._limits, 1, 1, self._problem._replace(seed=q))
        return found[0] if found else None

    def _out_of_time(self, when: str) -> Diagnosis:
        return self._ending(
            Status.TIMEOUT,
            f"the time ran out {when}, {self._closest()}; allow more time or give another seed",
        )

    def _undecided(self) -> Diagnosis:
        count = self._outcome.attempts
        attempts = "1 attempt" if count == 1 else f"{count} attempts"
        return self._ending(
            Status.NOT_CONVERGED,
            f"no answer in {attempts}, {self._closest()}; "
            "give another seed, more attempts or more time",
        )

    def _unreachable(self) -> Diagnosis:
        return self._ending(
            Status.UNREACHABLE,
            f"no configuration reaches this pose, even without joint limits, {self._closest()}"
            + self._advice(),
        )

    def _advice(self) -> str:
        """What to change so that a part of the target can be reached."""
        tolerance = self._problem.tolerance
        few = ""
        if not self._moves_enough():
            joints = self._moving_joints()
            moves = "1 joint" if joints == 1 else f"{joints} joints"
            few = f"; the arm moves {moves} for {tolerance.constraints} constraints"
        for freed, how in with_one_axis_freed(self._problem):
            if self._converges(freed):
                return f"{few}; it is reachable with {how}"
        position_only = with_orientation_free(self._problem)
        if tolerance.orientation.constraints and self._converges(position_only):
            return f"{few}; the position alone is reachable"
        return few

    def _moves_enough(self) -> bool:
        """Whether there is a joint for each constraint."""
        return self._moving_joints() >= self._problem.tolerance.constraints

    def _moving_joints(self) -> int:
        return len(self._problem.seed) - len(self._arm.chain.held_joints)

    def _converges(self, problem: Problem) -> bool:
        if problem.tolerance.constraints == 0:
            return False  # nothing is left to reach
        rows = self._search(self._limits, _ADVICE_ATTEMPTS, 1, problem)
        return self._first_to_reach(rows, problem) is not None

    def _blocked(self, q: Floats) -> Diagnosis:
        blocking, arm = self._limits.broken(q), self._arm.chain
        beyond = [arm.beyond(i, float(q[i])) for i in blocking]
        needs = " and ".join(filter(None, (", ".join(beyond[:-1]), beyond[-1])))
        return self._ending(
            Status.JOINT_LIMITS,
            f"reachable but for joint limits: it takes {needs}; {self._closest()}",
            blocking=tuple(arm.variable_names[i] for i in blocking),
        )

    def _smallest_set(self, q: Floats) -> Floats:
        """A configuration that reaches the target with as few limits broken as can be found."""
        best = q
        if len(self._limits.broken(best)) > 1:
            singles = (self._lifting([i]) for i in range(len(q)))  # one limit is the usual case
            found = [single for single in singles if single is not None]
            best = self._limits.ranked(np.array([best, *found]))[0]
        for i in self._limits.broken(best):
            others = [j for j in self._limits.broken(best) if j != i]
            if others and (smaller := self._lifting(others)) is not None:
                best = self._limits.ranked(np.array([best, smaller]))[0]
        return best

    def _lifting(self, joints: list[int]) -> Floats | None:
        """An answer that breaks no limit but those of ``joints``, started from the closest."""
        limits = self._limits.with_taken_from(self._lifted, joints)
        seeded = self._problem._replace(seed=self._outcome.closest)
        rows = self._search(limits, _SUBSET_ATTEMPTS, 1, seeded)
        return self._first_to_reach(rows, seeded)

    def _search(self, limits: Limits, attempts: int, wanted: int, problem: Problem) -> Floats:
        """Candidates (k, m), those with the fewest and then the least broken limits first."""
        found = self._candidates(limits, attempts, wanted, problem)
        rows = np.array(found).reshape(-1, len(problem.seed))
        return self._limits.ranked(self._limits.least_outside(rows, self._problem.seed))

    def _candidates(
        self, limits: Limits, attempts: int, wanted: int, problem: Problem
    ) -> tuple[Floats, ...]:
        problem = problem._replace(
            limits=limits,
            max_attempts=attempts,
            wanted=wanted,
            seed_suffices=False,
            every_branch=False,
        )
        outcome = self._solver.search(problem)
        self._iterations += outcome.iterations
        self._attempts += outcome.attempts
        self._late |= outcome.timed_out
        return outcome.candidates

    def _first_to_reach(self, rows: Floats, problem: Problem) -> Floats | None:
        """The first configuration that reaches the target by the complete model, limits aside."""
        return next((q for q in rows if self._reaches(q, problem)), None)

    def _reaches(self, q: Floats, problem: Problem) -> bool:
        error = self._arm.measure(q, problem)
        return problem.tolerance.accepts(error.position, error.orientation)

    def _closest(self) -> str:
        error = self._arm.measure(self._outcome.closest, self._problem)
        return f"the closest is off by {error.position_m:.3g} m and {error.orientation_rad:.3g} rad"

    def _ending(
        self,
        status: Status,
        message: str,
        blocking: tuple[str, ...] = (),
        missed: VerifiedSolution | None = None,
    ) -> Diagnosis:
        return Diagnosis(status, message, blocking, missed, self._iterations, self._attempts)
