# SPDX-License-Identifier: Apache-2.0
"""What a request came to: an answer that passed verification, or the reason why there is none."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .status import Status
from .verification import VerifiedSolution

_NOTHING: NDArray[np.float64] = np.zeros(0)
_NOTHING.setflags(write=False)


@dataclass(frozen=True)
class Closest:
    """The best configuration found on failure; for people and planners, never to be executed.

    Attributes:
        joint_names: the joints, base to tip.
        q: their positions in rad or m, inside the limits, read-only.
        position_error_m, orientation_error_rad: what it misses the target by.
    """

    joint_names: tuple[str, ...]
    q: NDArray[np.float64]
    position_error_m: float
    orientation_error_rad: float


class _Message:
    """Words for a result, found when somebody reads them: it takes a tenth of the whole solve."""

    def __get__(self, result: IKResult | None, owner: type) -> Any:
        if result is None:
            return self
        message = result.__dict__["message"] = result.__dict__["_in_words"]()
        return message


@dataclass(frozen=True, init=False)
class IKResult:
    """The end of one request.

    Attributes:
        status: how it ended.
        message: one sentence for a person; may be given as what makes it.
        solution: the answer, or None.
        alternatives: further distinct answers, nearest to the seed first.
        blocking_joints: joints whose limits keep the target out of reach.
        closest: best configuration found, on failure.
        iterations, attempts: effort.
        solve_time_s: seconds from request to result.
        solver: name of the solver that found it.
    """

    status: Status
    message: str = _Message()  # type: ignore[assignment]
    solution: VerifiedSolution | None = None
    alternatives: tuple[VerifiedSolution, ...] = ()
    blocking_joints: tuple[str, ...] = ()
    closest: Closest | None = None
    iterations: int = 0
    attempts: int = 0
    solve_time_s: float = 0.0
    solver: str = ""

    def __init__(
        self,
        status: Status,
        message: str | Callable[[], str],
        solution: VerifiedSolution | None = None,
        alternatives: tuple[VerifiedSolution, ...] = (),
        blocking_joints: tuple[str, ...] = (),
        closest: Closest | None = None,
        iterations: int = 0,
        attempts: int = 0,
        solve_time_s: float = 0.0,
        solver: str = "",
    ) -> None:
        if status.is_success != (solution is not None):
            raise ValueError(f"{status.name} and the solution contradict each other")
        fields = self.__dict__  # setting an attribute is refused
        fields["status"] = status
        fields["message" if isinstance(message, str) else "_in_words"] = message
        fields["solution"] = solution
        fields["alternatives"] = alternatives
        fields["blocking_joints"] = blocking_joints
        fields["closest"] = closest
        fields["iterations"] = iterations
        fields["attempts"] = attempts
        fields["solve_time_s"] = solve_time_s
        fields["solver"] = solver

    def __getstate__(self) -> dict[str, Any]:
        """For copies and other processes: the words, not what makes them."""
        state = {**self.__dict__, "message": self.message}
        state.pop("_in_words", None)
        return state

    @property
    def success(self) -> bool:
        """True exactly for SOLVED and SOLVED_RELAXED."""
        return self.status.is_success

    @property
    def joint_names(self) -> tuple[str, ...]:
        """Every joint from base to tip, followers included; empty unless success."""
        return self.solution.joint_names if self.solution else ()

    @property
    def q(self) -> NDArray[np.float64]:
        """Positions in ``joint_names`` order, rad or m, read-only; empty unless success."""
        return self.solution.q if self.solution else _NOTHING

    @property
    def position_error_m(self) -> float:
        """Measured by forward kinematics on ``q``; NaN unless success."""
        return self.solution.position_error_m if self.solution else math.nan

    @property
    def orientation_error_rad(self) -> float:
        """Measured by forward kinematics on ``q``; NaN unless success."""
        return self.solution.orientation_error_rad if self.solution else math.nan

    @property
    def max_joint_jump(self) -> float:
        """Largest change of one joint from the seed; NaN unless success."""
        return self.solution.max_joint_jump if self.solution else math.nan
