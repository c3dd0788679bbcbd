# SPDX-License-Identifier: Apache-2.0
"""Tables of targets and answers, read and written row by row: CSV here, Parquet elsewhere."""

from __future__ import annotations

import csv
import io
import itertools
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, BinaryIO, Protocol, TypeVar

from ..core.errors import InvalidRequestError

_DELIMITERS = ",;\t"
_LONGEST_HEADER = 1_000_000  # characters
_MOST_AHEAD = 100  # lines that are looked through for decimals
_Read = TypeVar("_Read")


class Source(Protocol):
    """A table that is read once, from top to bottom.

    Attributes:
        header: names of the columns.
        total: how many rows there are; None if that is not known before the end.
    """

    header: list[str]
    total: int | None

    def rows(self) -> Iterator[tuple[str, Sequence[Any]]]:
        """The rows, each with its place for a sentence, such as "row 3 (line 4)"."""


class Sink(Protocol):
    """A table that grows."""

    def start(self, header: Sequence[str]) -> None:
        """Begin a new table."""

    def write(self, rows: Iterable[Sequence[Any]]) -> None:
        """Append rows; they are on the disk when this returns."""

    def end(self) -> None:
        """Finish the table."""


class CsvSource:
    """A CSV file or stdin; the delimiter is the one that the header has most of.

    Where that is no comma, numbers may have decimal commas, as Excel writes them in half of Europe.

    Attributes:
        delimiter: between columns.
        decimal_comma: whether the first rows have one.

    Raises:
        InvalidRequestError: if it has no header.
    """

    def __init__(self, path: str) -> None:
        self._path = path
        self.total = None if path == "-" else max(0, _count_lines(Path(path)) - 1)
        stream = sys.stdin.buffer if path == "-" else Path(path).open("rb")  # noqa: SIM115
        self._file = io.TextIOWrapper(stream, encoding="utf-8-sig", newline="")
        head = self._first_line()
        if not head.strip():
            raise InvalidRequestError("targets", f"{self._name} is empty; a header is expected")
        self.delimiter = max(_DELIMITERS, key=head.count)
        (self.header,) = csv.reader([head], delimiter=self.delimiter)
        self._ahead = self._decoded(self._until_decimals)
        told = self._ahead[-1] if self._ahead else ""
        self.decimal_comma = self.delimiter != "," and bool(re.search(r"\d,\d", told))

    @property
    def _name(self) -> str:
        return "stdin" if self._path == "-" else self._path

    def rows(self) -> Iterator[tuple[str, Sequence[str]]]:
        """See ``Source``; empty lines do not count, nor do those that hold delimiters only."""
        lines = itertools.chain(self._ahead, self._file)
        reader = csv.reader(lines, delimiter=self.delimiter, strict=True)
        number = 0
        while True:
            try:
                row = self._decoded(lambda: next(reader, None))
            except csv.Error as error:
                reason = f"line {reader.line_num + 1} of {self._name} is not CSV: {error}"
                raise InvalidRequestError("targets", reason) from error
            if row is None:
                return
            if any(map(str.strip, row)):
                number += 1
                yield f"row {number} (line {reader.line_num + 1})", row

    def _first_line(self) -> str:
        head = self._decoded(lambda: self._file.readline(_LONGEST_HEADER))
        if "\0" in head:
            raise InvalidRequestError("targets", f"{self._name} is not text, and so not CSV")
        return head

    def _until_decimals(self) -> list[str]:
        """The next lines up to one that tells how decimals are written; no more, for pipes."""
        lines: list[str] = []
        while len(lines) < _MOST_AHEAD and (line := self._file.readline()):
            lines.append(line)
            if re.search(r"\d[.,]\d", line):
                break
        return lines

    def _decoded(self, read: Callable[[], _Read]) -> _Read:
        try:
            return read()
        except UnicodeDecodeError as error:
            reason = f"{self._name} is not UTF-8 text; save it as such (in Excel: 'CSV UTF-8')"
            raise InvalidRequestError("targets", reason) from error


class CsvSink:
    """A CSV file or stdout.

    Args:
        path: the file; "-" is stdout.
        delimiter: between columns.
        decimal_comma: numbers are written with one.
    """

    def __init__(self, path: str, delimiter: str = ",", decimal_comma: bool = False) -> None:
        self._path, self._delimiter, self._decimal_comma = path, delimiter, decimal_comma
        self._file: BinaryIO | None = None

    def start(self, header: Sequence[str]) -> None:
        """See ``Sink``."""
        self._file = None if self._path == "-" else Path(self._path).open("wb")  # noqa: SIM115
        self.write([header])

    def go_on(self, size_bytes: int) -> None:
        """Append to what is there, after cutting off whatever came behind so many bytes."""
        self._file = Path(self._path).open("r+b")  # noqa: SIM115
        self._file.truncate(size_bytes)
        self._file.seek(size_bytes)

    @property
    def size_bytes(self) -> int:
        """How large the file is."""
        return self._file.tell() if self._file else 0

    def write(self, rows: Iterable[Sequence[Any]]) -> None:
        """See ``Sink``."""
        if self._decimal_comma:
            rows = [[_with_comma(cell) for cell in row] for row in rows]
        text = io.StringIO(newline="")
        csv.writer(text, delimiter=self._delimiter, lineterminator="\n").writerows(rows)
        if self._file is None:
            sys.stdout.write(text.getvalue())
            sys.stdout.flush()
            return
        self._file.write(text.getvalue().encode("utf-8"))
        self._file.flush()
        os.fsync(self._file.fileno())

    def end(self) -> None:
        """See ``Sink``."""
        if self._file is not None:
            self._file.close()


def _with_comma(cell: Any) -> Any:
    return repr(cell).replace(".", ",") if isinstance(cell, float) else cell


def _count_lines(path: Path) -> int:
    with path.open("rb") as file:
        lines, last = 0, b"\n"
        while block := file.read(1 << 20):
            lines, last = lines + block.count(b"\n"), block[-1:]
        return lines + (last != b"\n")
