# SPDX-License-Identifier: Apache-2.0
"""Why a target was not reached, who can do something about it, and what to try.

Three tiers, cheapest first: a distance that no configuration can bridge; a search without joint
limits; and the plain statement that the search ended undecided.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .arm import Arm
from .limits import Floats, Limits
from .solvers.base import Outcome, Problem, Solver
from .status import Status
from .tolerance import Axes, AxisTolerance, Tolerance
from .verification import VerifiedSolution

#: With so many starts, "none without limits either" agreed with an exhaustive search in 99.97 %.
CONFIDENT_ATTEMPTS = 20
#: Where there are fewer joints than constraints, starts find the few answers more rarely.
_CONFIDENT_WITH_FEW_JOINTS = 100
_FEW_ATTEMPTS = 4  # for questions that only sharpen the message
_LIFTED_CANDIDATES = 8  # among so many the one that breaks the fewest limits is looked for
_ROUNDING = 1e-9


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
        lifted = self._search(self._lifted, attempts, _LIFTED_CANDIDATES)
        if lifted is None:
            return (
                self._out_of_time("while looking for the reason")
                if self._late
                else self._unreachable()
            )
        solution = self._arm.verify(lifted, self._problem)
        if isinstance(solution, VerifiedSolution):
            return self._ending(Status.SOLVED, "", missed=solution)
        return self._blocked(lifted)

    def _out_of_time(self, when: str) -> Diagnosis:
        return self._ending(
            Status.TIMEOUT,
            f"the time ran out {when}, {self._closest()}; allow more time or give another seed",
        )

    def _undecided(self) -> Diagnosis:
        return self._ending(
            Status.NOT_CONVERGED,
            f"no answer in {self._outcome.attempts} attempts, {self._closest()}; "
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
        for freed, how in _with_one_axis_freed(self._problem):
            if self._converges(freed):
                return f"{few}; it is reachable with {how}"
        position_only = _with_orientation(self._problem, (math.inf, math.inf, math.inf))
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
        return self._search(self._limits, _FEW_ATTEMPTS, 1, problem) is not None

    def _blocked(self, q: Floats) -> Diagnosis:
        q = self._smallest_set(q)
        blocking, chain = self._violated(q), self._arm.chain
        needs = " and ".join(chain.beyond(i, float(q[i])) for i in blocking)
        return self._ending(
            Status.JOINT_LIMITS,
            f"reachable but for joint limits: it takes {needs}; {self._closest()}",
            blocking=tuple(chain.variable_names[i] for i in blocking),
        )

    def _smallest_set(self, q: Floats) -> Floats:
        """A configuration that reaches the target with as few limits broken as can be found."""
        best = q
        if len(self._violated(best)) > 1:
            singles = [self._lifting([i]) for i in range(len(q))]  # one limit is the usual case
            best = self._least_violating([best, *(s for s in singles if s is not None)])
        for i in self._violated(best):
            others = [j for j in self._violated(best) if j != i]
            if others and (smaller := self._lifting(others)) is not None:
                best = self._least_violating([best, smaller])
        return best

    def _lifting(self, joints: list[int]) -> Floats | None:
        """An answer that breaks no limit but those of ``joints``, started from the closest."""
        limits = self._limits.with_taken_from(self._lifted, joints)
        seeded = self._problem._replace(seed=self._outcome.closest)
        return self._search(limits, _FEW_ATTEMPTS, 1, seeded)

    def _search(
        self, limits: Limits, attempts: int, wanted: int, problem: Problem | None = None
    ) -> Floats | None:
        """What reaches the target, judged by the complete model, with the fewest limits broken."""
        problem = (problem or self._problem)._replace(
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
        if not outcome.candidates:
            return None
        home = self._limits.least_outside(np.array(outcome.candidates), self._problem.seed)
        return next((q for q in self._by_violation(home) if self._reaches(q, problem)), None)

    def _reaches(self, q: Floats, problem: Problem) -> bool:
        error = self._arm.measure(q, problem)
        return problem.tolerance.accepts(error.position, error.orientation)

    def _least_violating(self, configurations: list[Floats]) -> Floats:
        return self._by_violation(np.array(configurations))[0]

    def _by_violation(self, rows: Floats) -> Floats:
        """Configurations (k, m), those with the fewest and then the least broken limits first."""
        excess = self._limits.excess(rows)
        return rows[np.lexsort((excess.sum(axis=1), _broken(excess).sum(axis=1)))]

    def _violated(self, q: Floats) -> list[int]:
        return np.flatnonzero(_broken(self._limits.excess(q))).tolist()

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


def _broken(excess: Floats) -> NDArray[np.bool_]:
    """Which limits are broken by more than rounding, which yet never hides the only one."""
    return excess > np.minimum(_ROUNDING, 0.5 * excess.max(axis=-1, keepdims=True))


def _with_one_axis_freed(problem: Problem) -> Iterator[tuple[Problem, str]]:
    axes = problem.tolerance.orientation.axes
    for i in (2, 0, 1):  # the tool's own axis is the usual one
        if not math.isinf(axes[i]):
            freed = tuple(math.inf if j == i else axis for j, axis in enumerate(axes))
            name = "xyz"[i]
            yield (
                _with_orientation(problem, freed),  # type: ignore[arg-type]
                f"rotation about the target's {name} axis free "
                f"(orientation_tolerance.{name} = inf)",
            )


def _with_orientation(problem: Problem, axes: Axes) -> Problem:
    tolerance = problem.tolerance
    orientation = AxisTolerance.of(axes, tolerance.orientation.norm)
    return problem._replace(tolerance=Tolerance(tolerance.position, orientation))
