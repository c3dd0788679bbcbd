# SPDX-License-Identifier: Apache-2.0
"""Rows of numbers out of whatever a caller gives, or a sentence why it is none.

Nearly all of them hold plain floats and integers. Those are read as they are, since one NumPy call
for each question about them would take longer than the search for an answer.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .errors import InvalidRequestError, shown

_LARGEST_EXACT = 2**53  # the integers up to this are floats, too


def finite_numbers(values: ArrayLike, count: int, field: str, meaning: str) -> list[float]:
    """``count`` finite floats out of any sequence or array.

    Raises:
        InvalidRequestError: naming ``field``, and what it should have been (``meaning``).
    """
    found = numbers(values, count, field, meaning)
    check_finite(found, field)
    return found


def check_finite(found: Sequence[float], field: str) -> None:
    """Refuse infinities and NaN.

    Raises:
        InvalidRequestError: naming ``field``.
    """
    for number in found:
        if not math.isfinite(number):
            raise InvalidRequestError(field, f"{number} is not a finite number")


def numbers(values: ArrayLike, count: int, field: str, meaning: str) -> list[float]:
    """Like :func:`finite_numbers`, infinities and NaN included."""
    plain = plain_floats(values)
    if plain is not None and len(plain) == count:
        return plain
    array = real_array(values, field, meaning)
    if array.shape != (count,):
        raise InvalidRequestError(
            field, f"{meaning} expected: {count} numbers, not {shape_text(array)}"
        )
    return array.tolist()


def plain_floats(values: Any) -> list[float] | None:
    """A copy of a list, a tuple or a row of an array with plain numbers only, else None."""
    if type(values) is np.ndarray and values.dtype.kind in "fiu":
        values = values.tolist()
    elif type(values) is list or type(values) is tuple:
        values = [*values]  # first: what is judged cannot be changed any more
    if type(values) is not list:
        return None
    for i, value in enumerate(values):
        if type(value) is not float:
            if type(value) is not int or abs(value) > _LARGEST_EXACT:
                return None
            values[i] = float(value)
    return values


def real_array(values: ArrayLike, field: str, meaning: str) -> NDArray[np.float64]:
    """Integers and floats as an array; text, booleans, complex numbers and None are refused."""
    try:
        array = np.asarray(values)
    except (TypeError, ValueError):  # rows of different lengths
        array = np.asarray(None)
    if array.dtype.kind not in "iuf":
        raise InvalidRequestError(field, f"{meaning} expected, not {shown(values)}")
    return array.astype(float)


def shape_text(array: NDArray[np.float64]) -> str:
    """``a single number`` or ``2 x 3 numbers``."""
    if array.ndim == 0:
        return "a single number"
    return " x ".join(map(str, array.shape)) + (" number" if array.shape == (1,) else " numbers")
