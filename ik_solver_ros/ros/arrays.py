# SPDX-License-Identifier: Apache-2.0
"""Flat number arrays of messages from and to NumPy, without a Python object for each number.

rclpy keeps them as ``array.array``. Only whole buffers are fast: assigning a NumPy array or a list
to such a field checks and copies number by number, which takes longer than solving.
"""

from __future__ import annotations

from array import array

import numpy as np
from numpy.typing import NDArray

from ..core.errors import InvalidRequestError


def rows_from(flat: array[float], width: int, field: str, meaning: str) -> NDArray[np.float64]:
    """A ``float64[]`` field as rows (n, width), read-only.

    Args:
        flat: the field as received.
        width: numbers in a row.
        field: how to call it in the error.
        meaning: what a row holds.

    Raises:
        InvalidRequestError: there is no row, or the last one is not complete.
    """
    if not flat or len(flat) % width:
        raise InvalidRequestError(
            field, f"{len(flat)} numbers are no rows of {width} each, {meaning}"
        )
    rows = np.frombuffer(flat, dtype=np.float64).reshape(-1, width)
    rows.setflags(write=False)
    return rows


def float64_array(values: NDArray[np.float64]) -> array[float]:
    """Numbers of any shape, row after row, for a ``float64[]`` field."""
    flat = array("d")
    flat.frombytes(np.ascontiguousarray(values, dtype=np.float64).tobytes())
    return flat


def uint8_array(values: NDArray[np.uint8]) -> array[int]:
    """Numbers for a ``uint8[]`` field."""
    flat = array("B")
    flat.frombytes(np.ascontiguousarray(values, dtype=np.uint8).tobytes())
    return flat
