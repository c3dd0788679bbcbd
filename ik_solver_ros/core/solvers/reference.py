# SPDX-License-Identifier: Apache-2.0
"""The readable solver: damped least squares over Pinocchio, with restarts.

It is the oracle in tests and the fallback where the kernel could not be built. Levenberg-Marquardt
with a damping that follows the error (Sugihara, "Solvability-unconcerned inverse kinematics by the
Levenberg-Marquardt method", 2011; Chan and Lawrence 1988), joints frozen while they push against
their limit.
"""

from __future__ import annotations

import math
import threading
import time
from dataclasses import dataclass
from operator import lt

import numpy as np

from ..chain import Chain
from ..limits import Floats
from ..pinocchio_import import eigenpy
from ..pose_error import PoseError, pose_error
from .base import DISTINCT, SHARP_M, SHARP_RAD, OneByOne, Outcome, Problem
from .chain_model import ChainModel
from .error_rows import Rows, cost_of, largest_cost, less_slack, tightest
from .starts import Starts

_MOST_ITERATIONS = 60  # of one start
_CHECK_EVERY = 3  # iterations between two looks at the progress
_LEAST_PROGRESS = 0.7  # a start is given up when the squared error is still above this share
_DAMPING, _LEAST_DAMPING = 0.05, 1e-9
_LARGEST_STEP = 1.0  # rad or m
_PULLS = 3  # null-space steps toward the seed
_ROOM = 4.0  # slack is tried where the cost is at most this many times what the tolerance allows


class ReferenceSolver(OneByOne):
    """Solves any chain for any tolerance."""

    name = "reference"

    def __init__(self) -> None:
        self._per_thread = threading.local()

    def search(self, problem: Problem) -> Outcome:
        """Descend from the seed, then from the other starts until enough candidates are found."""
        starts, limits = Starts(problem.limits, problem.seed), problem.limits
        descent = _Descent(self._arm(problem.chain), problem, starts)
        found: list[Floats] = []
        seed_converged, attempts, enough, timed_out = False, 0, problem.max_attempts, False
        while attempts < enough and not timed_out:
            q = descent.run(starts.start(attempts))
            attempts += 1
            if q is not None:
                q = limits.nearest_inside(q, problem.seed)
                seed_converged |= attempts == 1
                if not found and problem.seed_suffices:
                    enough = min(enough, 1 if seed_converged else 2 * attempts)
                if all(limits.apart(q, other) > DISTINCT for other in found):
                    found.append(q)
                if len(found) == problem.wanted:
                    break
            timed_out = attempts < enough and time.perf_counter() >= problem.deadline_s
        closest = limits.nearest_inside(descent.closest, problem.seed)
        return Outcome(
            tuple(found),
            seed_converged,
            closest,
            descent.iterations,
            attempts,
            timed_out,
            self.name,
        )

    def _arm(self, chain: Chain) -> ChainModel:
        arms: dict[int, ChainModel] = self._per_thread.__dict__.setdefault("arms", {})
        arm = arms.get(id(chain))
        if arm is None or arm.chain is not chain:
            if len(arms) > 32:
                arms.clear()
            arm = arms[id(chain)] = ChainModel(chain)
        return arm


@dataclass
class _Descent:
    """Descends from one start after the other and remembers the closest end."""

    arm: ChainModel
    problem: Problem
    starts: Starts
    iterations: int = 0
    closest_cost: float = math.inf

    def __post_init__(self) -> None:
        self.arm.look_from(self.problem.T_base_target)
        self.closest = self.starts.first
        limits = self.problem.limits
        self._lower, self._upper = limits.open_lower, limits.open_upper
        self._lowest, self._highest = self._lower.tolist(), self._upper.tolist()
        tolerance = self.problem.tolerance
        self._rows = Rows(tolerance)
        self._sharp_m = min(SHARP_M, 0.5 * tightest(tolerance.position))
        self._sharp_rad = min(SHARP_RAD, 0.5 * tightest(tolerance.orientation))
        self._room = _ROOM * largest_cost(tolerance)
        self._redundant = len(self.problem.seed) > tolerance.constraints

    def run(self, start: Floats) -> Floats | None:
        """The configuration where this start ends if it reaches the target, else None."""
        q, reached = self._descend(start, slack=False)
        if not reached and self.problem.use_slack:
            for begin in (q, start):  # the way to the exact pose may have led astray
                if not reached and self._has_room(begin):
                    q, reached = self._descend(begin, slack=True)
        if reached and self._redundant:
            q = self._pulled_to_seed(q)
        return q if reached else None

    def _has_room(self, q: Floats) -> bool:
        """Whether the tolerance may be met near q, where the error is about the least there is."""
        return cost_of(pose_error(self.arm.pose(q), self.problem.tolerance)) <= self._room

    def _descend(self, q: Floats, slack: bool) -> tuple[Floats, bool]:
        """Levenberg-Marquardt until the error is sharp, or no longer falls."""
        last_cost, deadline = math.inf, self.problem.deadline_s
        for iteration in range(_MOST_ITERATIONS + 1):
            true_error = pose_error(self.arm.pose(q), self.problem.tolerance)
            error, rate = true_error, None
            if slack:
                error, rate = less_slack(true_error, self.problem.tolerance)
            if self._is_there(error) and (not slack or self._accepts(true_error)):
                return q, True
            cost = cost_of(error)
            if iteration % _CHECK_EVERY == 0:
                late = time.perf_counter() >= deadline
                if cost > _LEAST_PROGRESS * last_cost or iteration == _MOST_ITERATIONS or late:
                    break
                last_cost = cost
            self.iterations += 1
            q = self._stepped(q, error, cost, rate=rate)
        self._remember(q, true_error)
        return q, self._accepts(true_error)

    def _is_there(self, error: PoseError) -> bool:
        return error.position_m <= self._sharp_m and error.orientation_rad <= self._sharp_rad

    def _accepts(self, error: PoseError) -> bool:
        return self.problem.tolerance.accepts(error.position, error.orientation)

    def _stepped(
        self,
        q: Floats,
        error: PoseError,
        cost: float,
        pull: Floats | None = None,
        rate: Floats | None = None,
    ) -> Floats:
        """One step dq = J^T (J J^T + damping I)^-1 e, without the joints that push outward.

        With ``pull``, the part of it that does not move the tool is added. ``rate`` is how the
        error changes with the true one, where it is not the same.
        """
        J, e = self._rows.jacobian(self.arm, rate), self._rows.missing(error)
        if self._touches_a_limit(q):
            downhill = e @ J
            pushing = ((q <= self._lower) & (downhill < 0)) | ((q >= self._upper) & (downhill > 0))
            J = np.where(pushing, 0.0, J)
            pull = None if pull is None else np.where(pushing, 0.0, pull)
        A = J @ J.T + (_DAMPING * cost + _LEAST_DAMPING) * self._rows.identity
        dq = _solution(A, e) @ J if pull is None else pull + _solution(A, e - J @ pull) @ J
        largest = max(map(abs, dq.tolist()))
        if largest > _LARGEST_STEP:
            dq *= _LARGEST_STEP / largest
        return (q + dq).clip(self._lower, self._upper)

    def _touches_a_limit(self, q: Floats) -> bool:
        values = q.tolist()  # so short that plain floats are faster than arrays
        return not (all(map(lt, self._lowest, values)) and all(map(lt, values, self._highest)))

    def _pulled_to_seed(self, q: Floats) -> Floats:
        """Slide along the self-motion of a redundant arm toward the seed."""
        seed = self.starts.first
        pulled = q
        for _ in range(_PULLS):
            error = pose_error(self.arm.pose(pulled), self.problem.tolerance)
            pulled = self._stepped(pulled, error, cost_of(error), pull=seed - pulled)
            self.iterations += 1
        pulled, reached = self._descend(pulled, slack=False)
        nearer = np.abs(pulled - seed).max() < np.abs(q - seed).max()
        return pulled if reached and nearer else q

    def _remember(self, q: Floats, error: PoseError) -> None:
        cost = cost_of(error)
        if cost < self.closest_cost:
            self.closest_cost, self.closest = cost, q


def _solution(A: Floats, b: Floats) -> Floats:
    """Solve A x = b for a symmetric positive definite A."""
    return eigenpy.LDLT(A).solve(b).reshape(-1)  # of a single row it makes a matrix
