# SPDX-License-Identifier: Apache-2.0
"""Many targets at once: searched by the kernel in slices, verified row by row in one go."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from .arm import Arm
from .limits import Floats
from .request import IKRequest
from .result import IKResult
from .solvers.base import BatchOutcome, Problem, Solver
from .status import Status
from .transforms import se3_from_rows

#: Called with the number of rows done and of all rows.
Progress = Callable[[int, int], None]
#: Solves one row with everything there is, diagnosis included.
SolveOne = Callable[[IKRequest], IKResult]

_NOT_DIAGNOSED = "no answer; the reason was not looked for, since diagnosis is off"
_ROWS_PER_SLICE = 2000  # some milliseconds: short enough to show progress and to be interrupted


@dataclass(frozen=True)
class BatchResult:
    """What became of n targets; all arrays read-only.

    Attributes:
        joint_names: every joint from base to tip, followers included.
        positions: (n, len(joint_names)) in rad or m; rows of failed targets are NaN.
        status: (n,) values of :class:`Status`, uint8.
        position_error_m, orientation_error_rad: (n,) measured by forward kinematics; NaN where
            failed.
        messages: the reason of each failed row by its number.
        solve_time_s: seconds for all of them.
    """

    joint_names: tuple[str, ...]
    positions: Floats
    status: NDArray[np.uint8]
    position_error_m: Floats
    orientation_error_rad: Floats
    messages: dict[int, str]
    solve_time_s: float

    @property
    def success(self) -> NDArray[np.bool_]:
        """(n,) True exactly where the status is SOLVED or SOLVED_RELAXED."""
        return (self.status == Status.SOLVED) | (self.status == Status.SOLVED_RELAXED)


class BatchRun:
    """The flow for one batch; used once.

    Args:
        arm: base to tool centre point.
        solver: searches for candidates.
        problem: what the rows have in common; its target and seed are not used.
        request: the same as a request, for rows that need more than the fast search.
        largest_jump: bound on the change of one joint from the seed, rad or m.
        solve_one: solves a request with everything there is.
        T_base_targets: (n, 3, 4); rows with a fault are not looked at.
        faults: what is wrong with a row, by its number.
    """

    def __init__(
        self,
        arm: Arm,
        solver: Solver,
        problem: Problem,
        request: IKRequest,
        largest_jump: float,
        solve_one: SolveOne,
        T_base_targets: Floats,
        faults: dict[int, str],
    ) -> None:
        self._started_s = time.perf_counter()
        self._arm, self._solver, self._problem = arm, solver, problem
        self._request, self._largest_jump, self._solve_one = request, largest_jump, solve_one
        self._targets = T_base_targets
        n, names = len(T_base_targets), arm.chain.joint_names
        self._positions = np.full((n, len(names)), np.nan)
        self._errors = np.full((2, n), np.nan)
        self._status = np.full(n, Status.NOT_CONVERGED, dtype=np.uint8)
        self._status[list(faults)] = Status.INVALID_REQUEST
        self._messages = dict(faults)

    def cloud(
        self, seeds: Floats, threads: int, diagnose: bool, progress: Progress | None
    ) -> BatchResult:
        """Solve rows that have nothing to do with each other; seeds (m,) or (n, m)."""
        for rows in self._slices(progress):
            own = seeds if seeds.ndim == 1 else seeds[rows]
            found = self._search(rows, own, False, threads)
            own = np.broadcast_to(own, found.q.shape)
            for i in np.flatnonzero(~self._accept(rows, found, own)):
                self._finish(rows[i], own[i], diagnose)
        return self._result()

    def path(
        self, seed: Floats, threads: int, diagnose: bool, progress: Progress | None
    ) -> BatchResult:
        """Solve rows that each start from the last solved one's answer; the first from ``seed``."""
        for rows in self._slices(progress):
            while len(rows):
                found = self._search(rows, seed, True, threads)
                seeds = _seeds_on_the_way(seed, found)
                passed = self._accept(rows, found, seeds[:-1])
                rows, seed = self._rest_of_path(rows, found, passed, seeds, diagnose)
        return self._result()

    def _rest_of_path(
        self,
        rows: NDArray[np.intp],
        found: BatchOutcome,
        passed: NDArray[np.bool_],
        seeds: Floats,
        diagnose: bool,
    ) -> tuple[NDArray[np.intp], Floats]:
        """Finish rows that did not pass, up to one that changes what comes after it.

        Returns:
            The rows behind it, to be searched again, and their seed.
        """
        for i in np.flatnonzero(~passed):
            self._finish(rows[i], seeds[i], diagnose)
            is_solved = self._status[rows[i]] in (Status.SOLVED, Status.SOLVED_RELAXED)
            if is_solved or found.reached[i]:
                self._forget(rows[i + 1 :])
                answer = tuple(self._positions[rows[i]].tolist())
                return rows[i + 1 :], self._arm.seed(answer) if is_solved else seeds[i]
        return rows[:0], seeds[-1]

    def _slices(self, progress: Progress | None) -> Iterator[NDArray[np.intp]]:
        """Numbers of the rows without a fault, a slice at a time."""
        n = len(self._targets)
        for start in range(0, n, _ROWS_PER_SLICE):
            end = min(start + _ROWS_PER_SLICE, n)
            yield np.flatnonzero(self._status[start:end] != Status.INVALID_REQUEST) + start
            if progress is not None:
                progress(end, n)

    def _search(
        self, rows: NDArray[np.intp], seeds: Floats, chain_seeds: bool, threads: int
    ) -> BatchOutcome:
        return self._solver.search_batch(
            self._problem, self._targets[rows], seeds, chain_seeds=chain_seeds, threads=threads
        )

    def _accept(
        self, rows: NDArray[np.intp], found: BatchOutcome, seeds: Floats
    ) -> NDArray[np.bool_]:
        """Take over the candidates that pass verification; returns which did."""
        report = self._arm.chain.report_rows
        values = report(found.q)
        passed, position, orientation = self._arm.batch_verifier.accepted(
            values, self._targets[rows], self._problem.tolerance
        )
        passed &= found.reached
        if math.isfinite(self._largest_jump):
            passed &= np.abs(values - report(seeds)).max(axis=1) <= self._largest_jump
        solved = rows[passed]
        self._positions[solved] = values[passed]
        self._errors[:, solved] = position[passed], orientation[passed]
        self._status[solved] = Status.SOLVED
        return passed

    def _forget(self, rows: NDArray[np.intp]) -> None:
        self._positions[rows] = np.nan
        self._errors[:, rows] = np.nan
        self._status[rows] = Status.NOT_CONVERGED

    def _finish(self, row: np.intp, seed: Floats, diagnose: bool) -> None:
        """Do for one row what the fast search did not: relaxed tolerances, jumps, the reason."""
        if not (diagnose or self._request.allow_relaxed):
            self._messages[int(row)] = _NOT_DIAGNOSED
            return
        values = self._arm.chain.report(seed).tolist()
        target = se3_from_rows(self._targets[row])
        result = self._solve_one(replace(self._request, T_base_target=target, seed=tuple(values)))
        self._status[row] = result.status
        if result.solution is None:
            self._messages[int(row)] = result.message
            return
        self._positions[row] = result.q
        self._errors[:, row] = result.position_error_m, result.orientation_error_rad

    def _result(self) -> BatchResult:
        for array in (self._positions, self._status, self._errors):
            array.setflags(write=False)
        return BatchResult(
            self._arm.chain.joint_names,
            self._positions,
            self._status,
            self._errors[0],
            self._errors[1],
            self._messages,
            time.perf_counter() - self._started_s,
        )


def _seeds_on_the_way(seed: Floats, found: BatchOutcome) -> Floats:
    """What each row of a path starts from, (n + 1, m): the last reached row's candidate."""
    reached = np.where(found.reached, np.arange(len(found.q)), -1)
    last = np.maximum.accumulate(np.concatenate(([-1], reached)))
    return np.where(last[:, None] < 0, seed, found.q[last])
