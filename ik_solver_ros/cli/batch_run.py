# SPDX-License-Identifier: Apache-2.0
"""One run of `ik batch`: rows in, rows with answers out, a slice at a time."""

from __future__ import annotations

import hashlib
import itertools
import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..core.batch import BatchResult
from ..core.errors import InvalidRequestError
from ..core.solver import IKSolver
from ..core.status import Status
from .batch_columns import TargetColumns
from .batch_tables import Sink
from .wording import answer_in_options

ROWS_PER_SLICE = 2000  # some milliseconds of work, some hundred kilobytes of memory
Row = tuple[str, Sequence[Any]]


@dataclass
class Settings:
    """What is the same for all rows.

    Attributes:
        options: of ``IKSolver.solve_batch``.
        chain_seeds: each row starts from the last solved one's answer.
        keep_going: malformed rows are marked, instead of ending the run.
        degrees: angles of the answers are written in degrees.
    """

    options: dict[str, Any]
    chain_seeds: bool
    keep_going: bool
    degrees: bool


@dataclass
class BatchJob:
    """A run in progress.

    Attributes:
        solver: for one arm.
        columns: of the input.
        settings: see there.
        seed: where the first row starts.
        rows: how many are done.
        counts: of them by status.
        digest: of them.
    """

    solver: IKSolver
    columns: TargetColumns
    settings: Settings
    seed: Any = None
    rows: int = 0
    counts: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self._digest = hashlib.sha256()
        joints = [self.solver.robot.joints[name] for name in self.solver.joint_names]
        turning = np.array([not joint.is_prismatic for joint in joints])
        self._factors = np.where(turning & self.settings.degrees, math.degrees(1.0), 1.0)

    @property
    def digest(self) -> str:
        """SHA-256 of the rows that are done."""
        return self._digest.hexdigest()

    def skip(self, rows: Iterator[Row], count: int) -> None:
        """Read over rows that an earlier run has done."""
        for _, row in itertools.islice(rows, count):
            self._note(row)

    def work(self, rows: Iterator[Row], sink: Sink, after_slice: Callable[[int], None]) -> None:
        """Answer all rows.

        Args:
            rows: of the source.
            sink: takes them with their answers.
            after_slice: called with the number of rows done since the last time.

        Raises:
            InvalidRequestError: for a malformed row, unless it is to be marked; the rows before it
                are in the sink then.
        """
        while part := list(itertools.islice(rows, ROWS_PER_SLICE)):
            answers, fault = self._answered(part)
            sink.write(answers)
            for _, row in part[: len(answers)]:
                self._note(row)
            after_slice(len(answers))
            if fault:
                raise InvalidRequestError(*fault)

    def _note(self, row: Sequence[Any]) -> None:
        self._digest.update(repr(list(row)).encode("utf-8", "surrogatepass"))
        self.rows += 1

    def _answered(self, part: list[Row]) -> tuple[list[list[Any]], tuple[str, str] | None]:
        """The rows with their answers up to the first that is refused, and why that one is."""
        targets, malformed = self.columns.targets([row for _, row in part])
        refused = min(malformed, default=len(part)) if not self.settings.keep_going else len(part)
        result = self._solved(targets[:refused])
        fault = None
        if refused < len(part):
            column, reason = malformed[refused]
            fault = part[refused][0], f"column '{column}': {reason}"
        if not self.settings.keep_going:
            unusable = np.flatnonzero(result.status == Status.INVALID_REQUEST)
            if len(unusable):
                refused = int(unusable[0])
                fault = part[refused][0], result.messages[refused]
        told = {i: f"column '{column}': {reason}" for i, (column, reason) in malformed.items()}
        return self._rows(part[:refused], result, told), fault

    def _solved(self, targets: Any) -> BatchResult:
        settings = self.settings
        result = self.solver.solve_batch(
            targets, seed=self.seed, chain_seeds=settings.chain_seeds, **settings.options
        )
        solved = np.flatnonzero(result.success)
        if settings.chain_seeds and len(solved):
            self.seed = tuple(result.positions[solved[-1]].tolist())
        return result

    def _rows(
        self, part: list[Row], result: BatchResult, malformed: dict[int, str]
    ) -> list[list[Any]]:
        rows = []
        positions = (result.positions * self._factors).tolist()
        nothing: list[Any] = [""] * len(self._factors)
        for i, (_, row) in enumerate(part):
            status = Status(int(result.status[i]))
            self.counts[status.name] += 1
            errors = float(result.position_error_m[i]), float(result.orientation_error_rad[i])
            answer = [*positions[i], status.name, *errors, ""]
            if not status.is_success:
                message = malformed.get(i) or answer_in_options(result.messages.get(i, ""))
                answer = [*nothing, status.name, "", "", message]
            rows.append([*self.columns.fitted(row), *answer])
        return rows
