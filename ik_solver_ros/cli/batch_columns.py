# SPDX-License-Identifier: Apache-2.0
"""Which columns of a table are the targets, and which ones the answers add."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core.batch_targets import quat_xyzw_from_rpy_rows
from ..core.errors import InvalidRequestError, listed, shown

_XYZ, _QUAT, _RPY = ("x", "y", "z"), ("qx", "qy", "qz", "qw"), ("roll", "pitch", "yaw")
_ADDED = ("status", "position_error_m", "orientation_error_rad", "message")


class TargetColumns:
    """Finds the targets in the rows of a table by the names of its columns.

    Args:
        header: names of the columns.
        orientation_free: the columns of the orientation may be missing.
        degrees: roll, pitch and yaw are in degrees.
        decimal_comma: texts of numbers may have one.

    Attributes:
        names: of the columns that are read.
        beyond_a_turn: whether an angle was met that is more than a turn.

    Raises:
        InvalidRequestError: naming the columns that are missing, doubled or contradict each other.
    """

    def __init__(
        self,
        header: Sequence[str],
        orientation_free: bool,
        degrees: bool,
        decimal_comma: bool = False,
    ) -> None:
        self._decimal_comma = decimal_comma
        self._header = [name.strip() for name in header]
        doubled = sorted({name for name in self._header if self._header.count(name) > 1})
        if doubled:
            raise InvalidRequestError(
                "columns", f"there are several {listed(doubled)}; rename all but one"
            )
        has_quaternion, has_rpy = self._has_any(_QUAT), self._has_any(_RPY)
        if has_quaternion and has_rpy:
            reason = (
                "there are both quaternions and roll, pitch, yaw; rename those that do not count"
            )
            raise InvalidRequestError("columns", reason)
        self._turn = _RPY if has_rpy else _QUAT if has_quaternion or not orientation_free else ()
        self._require((*_XYZ, *self._turn))
        self.names = (*_XYZ, *self._turn)
        self._places = [self._header.index(name) for name in self.names]
        self.beyond_a_turn = False
        self._to_rad = math.radians(1.0) if degrees else 1.0

    def added(self, joint_names: Sequence[str]) -> list[str]:
        """Names of the columns that answers add: joints, status, errors, message.

        Raises:
            InvalidRequestError: if one of them is there already.
        """
        names = [*joint_names, *_ADDED]
        taken = [name for name in names if name in self._header]
        if taken:
            raise InvalidRequestError(
                "columns", f"{listed(taken)} would be added, and the table has it; rename it there"
            )
        return names

    def fitted(self, row: Sequence[Any]) -> list[Any]:
        """A row with as many cells as there are columns."""
        cells = list(row[: len(self._header)])
        return cells + [""] * (len(self._header) - len(cells))

    def targets(
        self, rows: Sequence[Sequence[Any]]
    ) -> tuple[NDArray[np.float64], dict[int, tuple[str, str]]]:
        """Targets as ``solve_batch`` takes them, (n, 7), and what is malformed.

        Returns:
            The targets, NaN in rows at fault, and for those (column, reason) by row.
        """
        faults: dict[int, tuple[str, str]] = {}
        numbers = self._numbers(rows, faults)
        quaternions = np.tile((0.0, 0.0, 0.0, 1.0), (len(rows), 1))
        if self._turn == _QUAT:
            quaternions = numbers[:, 3:]
        elif self._turn == _RPY:
            angles_rad = numbers[:, 3:] * self._to_rad
            self.beyond_a_turn |= bool((np.abs(angles_rad) > math.tau).any())
            quaternions = quat_xyzw_from_rpy_rows(angles_rad)
        return np.column_stack((numbers[:, :3], quaternions)), faults

    def _numbers(
        self, rows: Sequence[Sequence[Any]], faults: dict[int, tuple[str, str]]
    ) -> NDArray[np.float64]:
        try:
            chosen = [[self._cell(row[place]) for place in self._places] for row in rows]
            numbers = np.array(chosen, dtype=float).reshape(len(rows), len(self._places))
        except (IndexError, TypeError, ValueError):
            pass  # one of them is malformed: look at each
        else:
            if np.isfinite(numbers).all() and all(len(row) == len(self._header) for row in rows):
                return numbers
        return np.array([self._one(i, row, faults) for i, row in enumerate(rows)])

    def _one(self, i: int, row: Sequence[Any], faults: dict[int, tuple[str, str]]) -> list[float]:
        if len(row) != len(self._header):
            columns = f"{len(row)} columns where the header has {len(self._header)}"
            faults[i] = (self._header[min(len(row), len(self._header) - 1)], f"there are {columns}")
            return [math.nan] * len(self._places)
        numbers = []
        for name, place in zip(self.names, self._places):
            number, reason = _number(self._cell(row[place]))
            if reason and i not in faults:
                faults[i] = (name, reason)
            numbers.append(number)
        return [math.nan] * len(numbers) if i in faults else numbers

    def _cell(self, cell: Any) -> Any:
        return cell.replace(",", ".") if self._decimal_comma and isinstance(cell, str) else cell

    def _has_any(self, names: Sequence[str]) -> bool:
        return any(name in self._header for name in names)

    def _require(self, names: Sequence[str]) -> None:
        missing = [name for name in names if name not in self._header]
        if missing:
            instead = " (or roll, pitch, yaw)" if set(_QUAT) <= set(missing) else ""
            raise InvalidRequestError(
                "columns",
                f"there is no {listed(missing, last=' and no ')}{instead}; the table has "
                f"{listed(self._header) or 'none'}",
            )


def _number(cell: Any) -> tuple[float, str]:
    """A cell as a number, and what is wrong with it."""
    if cell is None or (isinstance(cell, str) and not cell.strip()):
        return math.nan, "it is empty"
    try:
        number = float(cell)
    except (TypeError, ValueError):
        comma = isinstance(cell, str) and cell.count(",") == 1 and "." not in cell
        remedy = "; with decimal commas, separate the columns by ';'" if comma else ""
        return math.nan, f"{shown(cell)} is not a number{remedy}"
    return number, "" if math.isfinite(number) else f"{shown(cell)} is not a finite number"
