# SPDX-License-Identifier: Apache-2.0
"""Who answers: the solver of this process, or anything else that takes a request."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from ..core.errors import IKSolverError
from ..core.request import IKRequest
from ..core.result import IKResult
from ..core.solver import IKSolver
from ..core.status import Status


@dataclass(frozen=True)
class Answer:
    """What came of a request, wherever it was solved.

    Attributes:
        status, message: how it ended.
        solutions: joint positions by name, verified, nearest to the seed first; empty on failure.
        position_error_m, orientation_error_rad: of the first solution, or of ``closest``.
        blocking_joints: joints whose limits keep the target out of reach.
        closest: best configuration found, on failure.
        iterations, attempts: effort.
        solve_time_s: seconds.
    """

    status: Status
    message: str
    solutions: tuple[Mapping[str, float], ...] = ()
    position_error_m: float = math.nan
    orientation_error_rad: float = math.nan
    blocking_joints: tuple[str, ...] = ()
    closest: Mapping[str, float] | None = None
    iterations: int = 0
    attempts: int = 0
    solve_time_s: float = 0.0

    @property
    def success(self) -> bool:
        """True exactly for SOLVED and SOLVED_RELAXED."""
        return self.status.is_success


class Backend(Protocol):
    """Answers requests; called from one thread."""

    @property
    def can_send(self) -> bool:
        """Whether there is somebody to send a target to."""

    def solve(self, request: IKRequest) -> Answer:
        """Look for an answer; nothing moves."""

    def send(self, request: IKRequest) -> Answer:
        """Look for an answer and have it published for the robot."""


class LocalBackend:
    """The solver of this process.

    Args:
        solver: of the robot that is shown.
    """

    can_send = False

    def __init__(self, solver: IKSolver) -> None:
        self._solver = solver

    def solve(self, request: IKRequest) -> Answer:
        """Look for an answer; a request that cannot be used is answered, too."""
        try:
            return answer_of(self._solver.solve(request))
        except IKSolverError as error:
            return Answer(error.status, str(error))

    def send(self, request: IKRequest) -> Answer:
        """There is nobody to send it to."""
        raise NotImplementedError("a local solver has no robot to send targets to")


def answer_of(result: IKResult) -> Answer:
    """The same as plain values."""
    if result.solution is not None:
        found = (result.solution, *result.alternatives)
        solutions = tuple(dict(zip(s.joint_names, s.q.tolist())) for s in found)
        errors = result.position_error_m, result.orientation_error_rad
        closest = None
    else:
        solutions, closest, errors = (), None, (math.nan, math.nan)
        if result.closest is not None:
            closest = dict(zip(result.closest.joint_names, result.closest.q.tolist()))
            errors = result.closest.position_error_m, result.closest.orientation_error_rad
    return Answer(
        result.status,
        result.message,
        solutions,
        *errors,
        result.blocking_joints,
        closest,
        result.iterations,
        result.attempts,
        result.solve_time_s,
    )
