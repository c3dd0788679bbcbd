# SPDX-License-Identifier: Apache-2.0
"""One request on its way: search, verify, select; and if nothing is left, find out why."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from functools import partial

from .arm import Arm
from .chain import Chain
from .diagnosis import Diagnosis, diagnose
from .limits import Floats
from .request import IKRequest
from .result import Closest, IKResult
from .selection import nearest_first
from .settings import SolverSettings
from .solvers.base import Outcome, Problem, Solver
from .status import Status
from .tolerance import Tolerance
from .verification import VerifiedSolution

_ATTEMPTS_OUT_OF_REACH = 3  # enough to show the closest configuration
_WANTED_TO_NAME_THE_NEAREST = 8  # answers, when all of them jump too far


class Run:
    """The flow for one request; used once."""

    def __init__(
        self,
        arm: Arm,
        solver: Solver,
        settings: SolverSettings,
        request: IKRequest,
        started_s: float,
    ) -> None:
        self._arm, self._solver, self._settings = arm, solver, settings
        self._request, self._started_s = request, started_s
        self.largest_jump = request.max_joint_jump or settings.max_joint_jump or math.inf
        self._iterations = self._attempts = 0
        self._refused = self._solver_used = ""

    def result(self) -> IKResult:
        """Carry the request to its end."""
        problem = self.problem()
        out_of_reach = self._arm.reach.certainly_exceeded(problem.T_base_target, problem.tolerance)
        searched = problem
        if out_of_reach:
            searched = problem._replace(max_attempts=_ATTEMPTS_OUT_OF_REACH)
        outcome, answers = self._answers(searched)
        if answers:
            return self._solved(Status.SOLVED, answers, problem)
        if self._request.allow_relaxed:
            relaxed = self._relaxed(problem)
            if answers := self._relaxed_answers(relaxed, outcome.closest):
                return self._solved(Status.SOLVED_RELAXED, answers, relaxed)
        if out_of_reach:
            return self._failed(Diagnosis(Status.UNREACHABLE, out_of_reach), outcome, problem)
        diagnosis = diagnose(self._arm, problem, outcome, self._solver)
        if diagnosis.missed is not None:
            return self._solved(Status.SOLVED, [diagnosis.missed], problem)
        return self._failed(diagnosis, outcome, problem)

    def problem(self) -> Problem:
        """The request as a problem for solvers."""
        request, settings, chain = self._request, self._settings, self._arm.chain
        tolerance = Tolerance.of(
            request.position_tolerance,
            settings.position_tolerance,
            request.orientation_tolerance,
            settings.orientation_tolerance,
        )
        return Problem(
            chain=chain,
            limits=chain.limits,
            T_base_target=request.T_base_target,
            seed=self._arm.seed(request.seed),
            tolerance=tolerance,
            use_slack=tolerance.is_wide or len(chain.variable_names) < tolerance.constraints,
            wanted=max(settings.candidates, request.max_solutions),
            seed_suffices=request.max_solutions <= 1,
            max_attempts=settings.max_attempts,
            deadline_s=self._started_s + (request.timeout_s or settings.timeout_s),
            every_branch=request.max_solutions > 1,
        )

    def _relaxed(self, problem: Problem) -> Problem:
        settings = self._settings
        tolerance = problem.tolerance.widened(
            settings.relaxed_position_tolerance, settings.relaxed_orientation_tolerance
        )
        return problem._replace(tolerance=tolerance, use_slack=True)

    def _relaxed_answers(self, relaxed: Problem, closest: Floats) -> list[VerifiedSolution]:
        """Answers to the relaxed problem; ``closest`` may be one when the time has run out."""
        _, answers = self._answers(relaxed)
        if answers:
            return answers
        judged = self._arm.verify(closest, relaxed)
        return [judged] if isinstance(judged, VerifiedSolution) else []

    def _answers(self, problem: Problem) -> tuple[Outcome, list[VerifiedSolution]]:
        """Verified answers, nearest first; if none is near enough, those that jump."""
        if math.isinf(self.largest_jump):
            return self._verified(problem)
        limits = problem.limits.near(problem.seed, problem.chain.largest_moves(self.largest_jump))
        if limits is not None:
            outcome, answers = self._verified(problem._replace(limits=limits))
            if answers:
                return outcome, answers
        wanted = max(problem.wanted, _WANTED_TO_NAME_THE_NEAREST)
        return self._verified(
            problem._replace(wanted=wanted, seed_suffices=False, every_branch=True)
        )

    def _verified(self, problem: Problem) -> tuple[Outcome, list[VerifiedSolution]]:
        outcome = self._solver.search(problem)
        self._iterations += outcome.iterations
        self._attempts += outcome.attempts
        self._solver_used = outcome.solver
        passed = []
        for q in outcome.candidates:
            judged = self._arm.verify(q, problem)
            if isinstance(judged, VerifiedSolution):
                passed.append(judged)
            else:
                self._refused = judged.reason
        return outcome, nearest_first(passed, problem.chain, problem.chain.report(problem.seed))

    def _solved(
        self, status: Status, answers: Sequence[VerifiedSolution], problem: Problem
    ) -> IKResult:
        near = [answer for answer in answers if answer.max_joint_jump <= self.largest_jump]
        if not near:
            return self._jumping(answers[0], problem)
        best, others = near[0], near[1 : max(1, self._request.max_solutions)]
        message = partial(_solved_message, status, best, problem.chain, problem.seed)
        return self._ended(status, message, best, tuple(others))

    def _jumping(self, nearest: VerifiedSolution, problem: Problem) -> IKResult:
        joint = self._arm.robot.joints[nearest.jumping_joint]
        message = (
            f"the nearest answer moves joint '{joint.name}' by {nearest.max_joint_jump:.4g} "
            f"{joint.unit}, more than the allowed {self.largest_jump:.4g}; "
            "give a nearer seed or target, or allow a larger jump"
        )
        closest = Closest(
            nearest.joint_names, nearest.q, nearest.position_error_m, nearest.orientation_error_rad
        )
        message += _seed_note(problem.chain, problem.seed)
        return self._ended(Status.JOINT_JUMP, message, closest=closest)

    def _failed(self, diagnosis: Diagnosis, outcome: Outcome, problem: Problem) -> IKResult:
        self._iterations += diagnosis.iterations
        self._attempts += diagnosis.attempts
        refused = f"; an answer of the solver was refused: {self._refused}" if self._refused else ""
        return self._ended(
            diagnosis.status,
            diagnosis.message + refused + _seed_note(problem.chain, problem.seed),
            blocking_joints=diagnosis.blocking_joints,
            closest=self._closest(outcome.closest, problem),
        )

    def _closest(self, q: Floats, problem: Problem) -> Closest:
        error = self._arm.measure(q, problem)
        values = self._arm.chain.report(q).copy()
        values.setflags(write=False)
        return Closest(self._arm.chain.joint_names, values, error.position_m, error.orientation_rad)

    def _ended(
        self,
        status: Status,
        message: str | Callable[[], str],
        solution: VerifiedSolution | None = None,
        alternatives: tuple[VerifiedSolution, ...] = (),
        blocking_joints: tuple[str, ...] = (),
        closest: Closest | None = None,
    ) -> IKResult:
        return IKResult(
            status,
            message,
            solution,
            alternatives,
            blocking_joints,
            closest,
            self._iterations,
            self._attempts,
            time.perf_counter() - self._started_s,
            self._solver_used,
        )


def _solved_message(status: Status, best: VerifiedSolution, chain: Chain, seed: Floats) -> str:
    return (
        f"{'solved' if status is Status.SOLVED else 'solved with relaxed tolerances'}: off by "
        f"{best.position_error_m:.2g} m and {best.orientation_error_rad:.2g} rad"
        f"{_seed_note(chain, seed)}"
    )


def _seed_note(chain: Chain, seed: Floats) -> str:
    """Says so if the seed was outside the limits, since the search then started elsewhere."""
    positions = seed.tolist()
    outside = chain.limits.left_by(positions)
    if not outside:
        return ""
    notes = [chain.beyond(i, positions[i]) for i in outside]
    return f"; the seed was outside the limits, with {' and '.join(notes)}"
