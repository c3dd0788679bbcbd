# SPDX-License-Identifier: Apache-2.0
"""What belongs to a run of `ik batch` beside the answers: files, going on, progress, summary."""

from __future__ import annotations

import argparse
import hashlib
import json
import time
from collections import Counter
from typing import Any

from tqdm import tqdm

from ..core.errors import InvalidRequestError
from ..core.robot_model import RobotModel
from ..core.solvers.choice import KERNEL_FAULT
from ..core.status import Status
from .batch_columns import TargetColumns
from .batch_journal import Journal, Progress
from .batch_run import BatchJob, Settings
from .batch_tables import CsvSink, CsvSource, Sink, Source
from .given import DEGREES_MEANT
from .inputs import goal_from, positions_from, solver_from, urdf_text_from
from .output import plain
from .parquet import ParquetSink, ParquetSource

#: What does not change the answers, so that a run may go on with another value of it.
_IRRELEVANT = ("command", "json", "keep_going", "output", "parser", "resume", "run", "threads")


class Session:
    """One run from its arguments to its summary.

    Args:
        given: the arguments.

    Raises:
        InvalidRequestError: naming the argument or column that cannot be used.
    """

    def __init__(self, given: argparse.Namespace) -> None:
        _check(given)
        self._given = given
        self._started_s = time.perf_counter()
        text = urdf_text_from(given)
        robot = RobotModel.from_urdf(text)
        solver, goal = solver_from(given, robot), goal_from(given)
        orientation_free = all(axis == float("inf") for axis in goal["orientation_tolerance"])
        self._source = _source(given.targets)
        decimal_comma = isinstance(self._source, CsvSource) and self._source.decimal_comma
        self._columns = columns = TargetColumns(
            self._source.header, orientation_free, given.degrees, decimal_comma
        )
        self._header = [*self._source.header, *columns.added(solver.joint_names)]
        options = goal | {"threads": given.threads, "diagnose": not given.skip_diagnosis}
        settings = Settings(options, given.chain_seeds, given.keep_going, given.degrees)
        seed = positions_from(given, given.seed, robot) or None
        self._job = BatchJob(solver, columns, settings, seed)
        self._sink = _sink(given.output, self._source)
        self._journal = Journal(given.output) if _can_go_on(given.output) else None
        self._asked = {
            "another robot": hashlib.sha256(text.encode("utf-8", "replace")).hexdigest(),
            "other columns": json.dumps(self._source.header),
            "other arguments": _arguments(given),
        }

    def go(self) -> None:
        """Answer every row that is not answered yet."""
        rows = self._source.rows()
        done = self._begin()
        if done is not None and isinstance(self._sink, CsvSink) and self._journal is not None:
            self._job.skip(rows, done.rows)
            if self._job.digest != done.digest:
                raise self._journal.differs(f"other targets (among the first {done.rows})")
            self._job.counts = Counter(done.counts)
            self._job.seed = tuple(done.seed) if done.seed else self._job.seed
            self._sink.go_on(done.size_bytes)
        else:
            self._sink.start(self._header)
            self._note()
        with tqdm(
            total=self._source.total, initial=self._job.rows, unit=" targets", disable=None
        ) as bar:

            def after_slice(count: int) -> None:
                self._note()
                bar.update(count)

            self._job.work(rows, self._sink, after_slice)
        self._sink.end()
        if self._journal is not None:
            self._journal.remove()

    def _begin(self) -> Progress | None:
        """What an earlier run has done, if this one goes on with it."""
        if self._journal is None:
            return None
        if self._given.resume:
            return self._journal.read(self._asked)
        self._journal.refuse_to_overwrite()
        return None

    def _note(self) -> None:
        if self._journal is None or not isinstance(self._sink, CsvSink):
            return
        job = self._job
        seed = list(job.seed) if isinstance(job.seed, tuple) else None
        self._journal.write(
            Progress(
                self._asked, job.rows, job.digest, self._sink.size_bytes, dict(job.counts), seed
            )
        )

    @property
    def all_solved(self) -> bool:
        """Whether every row has an answer."""
        return all(Status[name].is_success for name in self._job.counts)

    def summary(self) -> dict[str, Any]:
        """For ``--json``: rows, rows by status (most frequent first), seconds, output."""
        counts = self._job.counts
        return {
            "rows": sum(counts.values()),
            "by_status": dict(counts.most_common()),
            "duration_s": time.perf_counter() - self._started_s,
            "output": self._given.output,
        }

    def summary_lines(self) -> list[str]:
        """The same for people."""
        told = self.summary()
        targets = "1 target" if told["rows"] == 1 else f"{told['rows']} targets"
        lines = [f"{targets} in {told['duration_s']:.2f} s"]
        if self._columns.beyond_a_turn and not self._given.degrees:
            lines.append(f"roll, pitch, yaw: {DEGREES_MEANT}")
        if KERNEL_FAULT and self._given.solver in ("auto", "numeric"):
            lines.append(
                f"solved by 'reference', since the C++ kernel is not there: {KERNEL_FAULT}"
            )
        return lines + [f"  {count:9}  {status}" for status, count in told["by_status"].items()]

    def farewell(self) -> str:
        """What to do about a run that was interrupted."""
        if self._journal is None:
            return f"interrupted after {self._job.rows} rows"
        return f"interrupted after {self._job.rows} rows; the same command with --resume goes on"


def _check(given: argparse.Namespace) -> None:
    for option, is_given in (("--json", given.json), ("--resume", given.resume)):
        if is_given and given.output == "-":
            raise InvalidRequestError(option, "the table goes to stdout; give --output FILE, too")
    if given.resume and not _can_go_on(given.output):
        reason = "a Parquet file is written as a whole; only a CSV output can go on"
        raise InvalidRequestError("--resume", reason)
    if given.urdf == "-" and given.targets == "-":
        raise InvalidRequestError("targets", "the robot comes from stdin already; give a file")
    if given.output != "-" and given.output in (given.targets, given.urdf):
        raise InvalidRequestError("--output", f"{given.output} is read as well; write another file")


def _can_go_on(output: str) -> bool:
    return output != "-" and not _is_parquet(output)


def _is_parquet(path: str) -> bool:
    return path.endswith(".parquet")


def _source(path: str) -> Source:
    return ParquetSource(path) if _is_parquet(path) else CsvSource(path)


def _sink(path: str, source: Source) -> Sink:
    if _is_parquet(path):
        return ParquetSink(path, source.header, getattr(source, "schema", None))
    if isinstance(source, CsvSource):
        return CsvSink(path, source.delimiter, source.decimal_comma)
    return CsvSink(path)


def _arguments(given: argparse.Namespace) -> str:
    relevant = {name: value for name, value in vars(given).items() if name not in _IRRELEVANT}
    for path in ("urdf", "targets"):  # their contents are compared, wherever they lie
        relevant.pop(path)
    return json.dumps(plain(relevant), sort_keys=True, default=str)
