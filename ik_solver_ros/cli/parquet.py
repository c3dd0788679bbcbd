# SPDX-License-Identifier: Apache-2.0
"""Tables of targets and answers as Parquet files; the one module that knows pyarrow."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from ..core.errors import InvalidRequestError, MissingDependencyError

_ROWS_AT_ONCE = 2000
_TEXT_COLUMNS = ("status", "message")


def _arrow() -> tuple[Any, Any]:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError as error:
        raise MissingDependencyError(
            "pyarrow",
            "a .parquet file",
            "pip install 'ik_solver_ros[parquet]', or pip install pyarrow",
        ) from error
    return pyarrow, pyarrow.parquet


class ParquetSource:
    """A Parquet file as a ``Source``.

    Raises:
        MissingDependencyError: pyarrow is not installed.
        InvalidRequestError: it is no Parquet file.
    """

    def __init__(self, path: str) -> None:
        arrow, parquet = _arrow()
        with open(path, "rb"):  # its own sentence for a file that is not there
            pass
        try:
            self._file = parquet.ParquetFile(path)
        except arrow.ArrowInvalid as error:
            raise InvalidRequestError("targets", f"{path} is not a Parquet file") from error
        self.schema = self._file.schema_arrow
        self.header = list(self.schema.names)
        self.total: int | None = self._file.metadata.num_rows

    def rows(self) -> Iterator[tuple[str, Sequence[Any]]]:
        """See ``Source``."""
        number = 0
        for batch in self._file.iter_batches(batch_size=_ROWS_AT_ONCE):
            for row in zip(*(column.to_pylist() for column in batch.columns)):
                number += 1
                yield f"row {number}", row


class ParquetSink:
    """A Parquet file as a ``Sink``; it appears under its name when it is complete.

    Args:
        path: the file.
        inputs: names of the input's columns; what a CSV file holds in them stays text.
        schema: of the input, if that is Parquet, too.
    """

    def __init__(self, path: str, inputs: Sequence[str], schema: Any = None) -> None:
        self._arrow, self._parquet = _arrow()
        self._path, self._inputs, self._input_schema = path, inputs, schema
        self._unfinished = f"{path}.unfinished"
        self._writer: Any = None

    def start(self, header: Sequence[str]) -> None:
        """See ``Sink``."""
        self._schema = self._arrow.schema([self._field(name) for name in header])
        self._writer = self._parquet.ParquetWriter(self._unfinished, self._schema)

    def write(self, rows: Iterable[Sequence[Any]]) -> None:
        """See ``Sink``."""
        columns = [
            self._arrow.array([None if cell == "" else cell for cell in column], type=field.type)
            for column, field in zip(zip(*rows), self._schema)
        ]
        self._writer.write_table(self._arrow.Table.from_arrays(columns, schema=self._schema))

    def end(self) -> None:
        """See ``Sink``."""
        self._writer.close()
        os.replace(self._unfinished, self._path)

    def _field(self, name: str) -> Any:
        if name in self._inputs:
            if self._input_schema is not None:
                return self._input_schema.field(name)
            return self._arrow.field(name, self._arrow.string())
        is_text = name in _TEXT_COLUMNS
        return self._arrow.field(name, self._arrow.string() if is_text else self._arrow.float64())
