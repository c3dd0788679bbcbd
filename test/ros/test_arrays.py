# SPDX-License-Identifier: Apache-2.0
"""Flat arrays of messages: row after row, bit by bit, and what is no row is refused."""

from __future__ import annotations

import math
from array import array

import numpy as np
import pytest

from ik_solver_ros import InvalidRequestError
from ik_solver_ros.ros.arrays import float64_array, rows_from, uint8_array


def test_numbers_come_back_bit_by_bit_row_after_row():
    rows = np.array([[0.1, -0.0, math.inf], [1e308, 5e-324, math.nan]])
    flat = float64_array(rows)
    assert flat.typecode == "d"
    assert list(flat)[:3] == [0.1, 0.0, math.inf]
    assert rows_from(flat, 3, "targets", "a b c").tobytes() == rows.tobytes()


def test_what_is_not_in_memory_row_after_row_is_written_so():
    rows = np.arange(6.0).reshape(2, 3)
    assert list(float64_array(rows.T)) == [0.0, 3.0, 1.0, 4.0, 2.0, 5.0]
    assert list(float64_array(rows[:, ::2])) == [0.0, 2.0, 3.0, 5.0]


def test_small_numbers():
    flat = uint8_array(np.array([1, 255, 0], dtype=np.uint8))
    assert (flat.typecode, list(flat)) == ("B", [1, 255, 0])


@pytest.mark.parametrize("count", [0, 1, 6, 8, 13])
def test_incomplete_rows_are_refused(count):
    with pytest.raises(InvalidRequestError, match=f"targets: {count} numbers.*7 each, x y z"):
        rows_from(array("d", [0.0] * count), 7, "targets", "x y z qx qy qz qw")


def test_a_message_is_not_changed_through_its_rows():
    with pytest.raises(ValueError, match="read-only"):
        rows_from(array("d", [0.0] * 7), 7, "targets", "")[0, 0] = 1.0
