# SPDX-License-Identifier: Apache-2.0
"""Whether 4 x 4 numbers are a pose."""

from __future__ import annotations

import math

from .errors import InvalidRequestError

MAX_ROTATION_DEFECT = 1e-3  # a given matrix that is further from a rotation is refused
MAX_LAST_ROW_DEFECT = 1e-9
CLEAN = 1e-12  # a rotation that is this close needs no cleaning
_LAST_ROW = [0.0, 0.0, 0.0, 1.0]


def check_pose_matrix(rows: list[list[float]], defect: float, field: str) -> None:
    """Refuse rows that are no pose, but for the position.

    Args:
        rows: 4 x 4 numbers.
        defect: their ``rotation_defect``.
        field: how to call them in the error.

    Raises:
        InvalidRequestError: naming ``field``.
    """
    if defect <= MAX_ROTATION_DEFECT and rows[3] == _LAST_ROW:
        return
    if not all(math.isfinite(number) for row in rows for number in row):
        raise InvalidRequestError(field, "the pose matrix has a number that is not finite")
    if not defect <= MAX_ROTATION_DEFECT:
        raise InvalidRequestError(
            field, "the upper left 3 x 3 part of the pose matrix is not a rotation"
        )
    if max(abs(a - b) for a, b in zip(rows[3], _LAST_ROW)) > MAX_LAST_ROW_DEFECT:
        raise InvalidRequestError(field, "the last row of the pose matrix is not 0, 0, 0, 1")


def rotation_defect(rows: list[list[float]]) -> float:
    """How far R R^T is from the identity, by its largest element; inf for a reflection."""
    (a, b, c, _), (d, e, f, _), (g, h, i, _), _ = rows
    determinant = a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)
    if not determinant > 0.0:
        return math.inf
    return max(
        abs(a * a + b * b + c * c - 1.0),
        abs(d * d + e * e + f * f - 1.0),
        abs(g * g + h * h + i * i - 1.0),
        abs(a * d + b * e + c * f),
        abs(a * g + b * h + c * i),
        abs(d * g + e * h + f * i),
    )
