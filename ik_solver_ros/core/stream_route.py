# SPDX-License-Identifier: Apache-2.0
"""The way from one configuration to a target that never jumps to another branch.

A *branch* is left by a large change of some joint for a small change of the pose. So a target near
by is one search from where the arm is, among the configurations near by. A target far off is
approached by a row of such searches, led along the straight way of the tool; what cannot be reached
in that manner lies on another branch, or nowhere, and is refused.
"""

from __future__ import annotations

import math
import time
from typing import NamedTuple

import numpy as np

from .limits import Floats
from .pinocchio_import import pin
from .request import IKRequest
from .solver import IKSolver
from .solvers.base import METRES_PER_RAD, Problem
from .solvers.choice import solver_called
from .tolerance import DEFAULT_AXES, Tolerance
from .verification import VerifiedSolution

NEAR = 0.3  # rad; no two branches are so near, but where they meet
_STRIDE = 0.1  # rad of the pose, 0.3 m counting as 1 rad
_MOST_STRIDES = 64
_MOST_SEARCHES = 200
_STILL = 1e-3  # rad or m; a search that moves no joint farther does not help


class Route(NamedTuple):
    """Configurations to pass, or why there are none.

    Attributes:
        waypoints: variables (m,) in rad or m; the last one is a verified answer for the target.
        refusal: a sentence; empty if there are waypoints.
    """

    waypoints: tuple[Floats, ...]
    refusal: str = ""


class RouteFinder:
    """Finds routes for the default arm of a solver.

    Args:
        solver: its robot, arm and settings; ``max_joint_jump`` bounds a whole route.

    Attributes:
        near: how far each variable (m,) may go in one search, in rad or m.
    """

    def __init__(self, solver: IKSolver) -> None:
        self._whole, self._arm = solver, solver.arm()
        chain, settings = self._arm.chain, solver.settings
        self._search = solver_called(settings.solver).search
        self._tolerance = Tolerance.of(
            DEFAULT_AXES, settings.position_tolerance, DEFAULT_AXES, settings.orientation_tolerance
        )
        self._use_slack = (
            self._tolerance.is_wide or len(chain.variable_names) < self._tolerance.constraints
        )
        unit = np.where(chain.limits.prismatic, METRES_PER_RAD, 1.0)
        self._largest_jump = settings.max_joint_jump or math.inf
        near = chain.largest_moves(min(NEAR, self._largest_jump))
        self.near = np.minimum(NEAR * unit, near)

    def route(self, q: Floats, T_base_target: pin.SE3, budget_s: float) -> Route:
        """The way to a target.

        Args:
            q: variables (m,) to start from, inside the limits.
            T_base_target: wanted pose of the tool centre point.
            budget_s: time it may take.
        """
        if out_of_reach := self._arm.reach.certainly_exceeded(T_base_target, self._tolerance):
            return Route((), out_of_reach)
        deadline_s = time.perf_counter() + budget_s
        waypoints = self._waypoints(q, T_base_target, deadline_s)
        if waypoints and self._jump(q, waypoints[-1]) <= self._largest_jump:
            return Route(waypoints)
        return Route((), self._why_not(q, T_base_target, deadline_s))

    def _waypoints(
        self, q: Floats, T_base_target: pin.SE3, deadline_s: float
    ) -> tuple[Floats, ...]:
        """A row of configurations, each near the one before; empty if they miss the target.

        Those on the way come as close to the straight way as the arm can be there.
        """
        found, is_answer = self._nearby(q, T_base_target, deadline_s)
        if is_answer:
            return (found,)
        T_base_start = self._arm.pose(q)
        strides = _strides(T_base_start, T_base_target)
        waypoints = []
        for i in range(1, _MOST_SEARCHES + 1):
            aim = _between(T_base_start, T_base_target, min(1.0, i / strides))
            found, is_answer = self._nearby(q, aim, deadline_s)
            is_still = bool((np.abs(found - q) <= _STILL).all())
            q = found
            waypoints.append(q)
            if i >= strides and is_answer:
                return tuple(waypoints)
            if (i >= strides and is_still) or time.perf_counter() > deadline_s:
                break
        return ()

    def _nearby(self, q: Floats, T_base_target: pin.SE3, deadline_s: float) -> tuple[Floats, bool]:
        """The configuration near ``q`` that comes closest, and whether it is a verified answer."""
        limits = self._arm.chain.limits.near(q, self.near)
        if limits is None:
            return q, False
        problem = Problem(
            chain=self._arm.chain,
            limits=limits,
            T_base_target=T_base_target,
            seed=q,
            tolerance=self._tolerance,
            use_slack=self._use_slack,
            wanted=1,
            seed_suffices=True,
            max_attempts=1,
            deadline_s=deadline_s,
        )
        outcome = self._search(problem)
        for candidate in outcome.candidates:
            if isinstance(self._arm.verify(candidate, problem), VerifiedSolution):
                return candidate, True
        return outcome.closest, False

    def _jump(self, q: Floats, answer: Floats) -> float:
        """Largest change of a reported joint, in rad or m."""
        report = self._arm.chain.report
        return float(np.abs(report(answer) - report(q)).max())

    def _why_not(self, q: Floats, T_base_target: pin.SE3, deadline_s: float) -> str:
        remaining_s = deadline_s - time.perf_counter()
        if remaining_s <= 0.0:
            return "there was not enough time to find the way to it; give nearer targets"
        seed = tuple(self._arm.chain.report(q).tolist())
        found = self._whole.solve(IKRequest(T_base_target, seed=seed, timeout_s=remaining_s))
        if not found.success:
            return found.message
        return (
            "it can be reached, but from here only by a jump to another branch; lead the tool "
            "there by way of other targets"
        )


def _strides(T_base_a: pin.SE3, T_base_b: pin.SE3) -> int:
    """How many searches lead from pose to pose, if nothing is in the way."""
    T_a_b = T_base_a.actInv(T_base_b)
    turn_rad = float(np.abs(pin.log3(T_a_b.rotation)).max())
    distance = max(float(np.abs(T_a_b.translation).max()) / METRES_PER_RAD, turn_rad)
    return max(1, min(_MOST_STRIDES, math.ceil(min(distance / _STRIDE, float(_MOST_STRIDES)))))


def _between(T_base_a: pin.SE3, T_base_b: pin.SE3, share: float) -> pin.SE3:
    """A pose on the straight way: the position on a line, the rotation about one axis."""
    if share >= 1.0:
        return T_base_b
    turn = pin.log3(T_base_a.rotation.T @ T_base_b.rotation)
    at = T_base_a.translation + share * (T_base_b.translation - T_base_a.translation)
    return pin.SE3(T_base_a.rotation @ pin.exp3(share * turn), at)
