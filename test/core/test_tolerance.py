# SPDX-License-Identifier: Apache-2.0
"""Tolerances: per axis or by the norm, on both sides of every bound."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ik_solver_ros.core.tolerance import DEFAULT_AXES, AxisTolerance, Tolerance, tolerance_axes
from support import strategies
from support.judging import FREE, refused

INF, NAN = math.inf, math.nan
AXES = st.tuples(*[st.sampled_from([0.0, INF, 0.5, 2.0])] * 3)


def just_above(value):
    return math.nextafter(value, INF)


def test_a_default_bounds_the_norm_over_all_axes():
    tolerance = AxisTolerance.of(DEFAULT_AXES, 5.0)
    assert tolerance.accepts((3.0, 0.0, -4.0))
    assert not tolerance.accepts((3.0, 1e-3, -4.0))
    assert not tolerance.accepts((0.0, just_above(5.0), 0.0))


def test_an_axis_with_a_bound_of_its_own_does_not_count_for_the_norm():
    tolerance = AxisTolerance.of((0.0, 2.0, 0.0), 5.0)
    assert tolerance.accepts((3.0, 2.0, -4.0))
    assert tolerance.accepts((3.0, -2.0, -4.0))
    assert not tolerance.accepts((3.0, just_above(2.0), -4.0))
    assert not tolerance.accepts((3.0, 0.0, -4.001))


@pytest.mark.parametrize("axis", range(3))
@pytest.mark.parametrize("sign", [-1.0, 1.0])
def test_a_bound_of_its_own_holds_in_both_directions(axis, sign):
    bounds = tuple(0.2 if i == axis else 0.0 for i in range(3))
    tolerance = AxisTolerance.of(bounds, 1e-4)
    for size, is_inside in ((0.2, True), (just_above(0.2), False), (5.0, False)):
        error = tuple(sign * size if i == axis else 0.0 for i in range(3))
        assert tolerance.accepts(error) == is_inside


def test_bounds_of_their_own_may_be_wider_or_tighter_than_the_norm():
    tolerance = AxisTolerance.of((9.0, 1e-6, 0.0), 1e-3)
    assert tolerance.accepts((9.0, 1e-6, 1e-3))
    for error in ((9.1, 0, 0), (0, 1.1e-6, 0), (0, 0, 1.1e-3)):
        assert not tolerance.accepts(error)


def test_free_axes_are_those_that_are_infinite():
    tolerance = AxisTolerance.of((0.0, INF, 0.1), 1.0)
    assert tolerance.free == (False, True, False)
    assert tolerance.constraints == 2
    assert not tolerance.is_default
    assert AxisTolerance.of(FREE, 1.0).constraints == 0


@given(AXES, st.permutations([NAN, 0.0, 0.0]))
def test_a_nan_is_never_inside(axes, error):
    tolerance = AxisTolerance.of(axes, 1.0)
    # The error along a free axis is 0 by definition.
    error = tuple(0.0 if math.isinf(axis) else value for axis, value in zip(axes, error))
    assert tolerance.accepts(error) == (not any(map(math.isnan, error)))


def test_a_nan_norm_accepts_nothing():
    assert not AxisTolerance.of(DEFAULT_AXES, NAN).accepts((0.0, 0.0, 0.0))


@given(AXES, strategies.vectors(3, 3.0))
def test_order_of_axes_does_not_matter(axes, error):
    verdicts = {
        AxisTolerance.of(tuple(axes[i] for i in order), 1.0).accepts(
            tuple(0.0 if math.isinf(axes[i]) else float(error[i]) for i in order)
        )
        for order in itertools.permutations(range(3))
        # A sum of three squares depends on their order in the last bit.
        if abs(np.linalg.norm(error) - 1.0) > 1e-12
    }
    assert len(verdicts) <= 1


@given(AXES, strategies.vectors(3, 3.0), st.floats(1e-6, 3.0))
def test_what_is_inside_stays_inside_when_bounds_are_widened(axes, error, norm):
    strict = AxisTolerance.of(axes, 1.0)
    error = tuple(0.0 if math.isinf(axis) else float(value) for axis, value in zip(axes, error))
    wide = strict.widened(norm)
    assert wide.free == strict.free
    assert wide.accepts(error) or not strict.accepts(error)


def test_widening_reaches_axes_with_bounds_of_their_own():
    wide = AxisTolerance.of((0.0, 1e-5, 0.5), 1e-4).widened(1e-2)
    assert wide.axes == (0.0, 1e-2, 0.5)
    assert wide.norm == 1e-2
    assert AxisTolerance.of(DEFAULT_AXES, 1e-1).widened(1e-2).norm == 1e-1


def test_position_and_orientation_are_judged_apart():
    tolerance = Tolerance(
        AxisTolerance.of(DEFAULT_AXES, 1e-4), AxisTolerance.of(DEFAULT_AXES, 1e-3)
    )
    good, bad = (0.0, 0.0, 0.0), (0.0, 0.35, 0.0)  # 20 degrees
    assert tolerance.accepts(good, good)
    assert not tolerance.accepts(good, bad)
    assert not tolerance.accepts(bad, good)
    assert tolerance.constraints == 6


@pytest.mark.parametrize(
    ("axes", "norm", "wide"),
    [
        (DEFAULT_AXES, 1e-4, False),
        (DEFAULT_AXES, 1e-2, True),
        ((INF, INF, 0.0), 1e-4, False),
        ((1e-5, 0.0, 0.0), 1e-4, True),
    ],
)
def test_slack_is_worth_the_time_where_bounds_are_wide_or_per_axis(axes, norm, wide):
    narrow = AxisTolerance.of(DEFAULT_AXES, 1e-4)
    assert Tolerance(AxisTolerance.of(axes, norm), narrow).is_wide == wide


# --- reading a request's axes ---


@pytest.mark.parametrize("values", [(0, 0.1, INF), [0, 0.1, INF], np.array([0, 0.1, INF])])
def test_three_numbers_per_axis_are_read(values):
    assert tolerance_axes(values, "position_tolerance") == (0.0, 0.1, INF)


@pytest.mark.parametrize("value", [-1.0, -1e-300, -INF, NAN])
@pytest.mark.parametrize("axis", range(3))
def test_what_is_no_tolerance_is_refused_by_axis(axis, value):
    values = [0.0, 0.0, 0.0]
    values[axis] = value
    with refused(f"orientation_tolerance.{'xyz'[axis]}", "is not a tolerance", f"{value:g}"):
        tolerance_axes(values, "orientation_tolerance")


@pytest.mark.parametrize("value", [5e-324, 1e-15, math.nextafter(1e-9, 0.0)])
def test_a_tolerance_finer_than_rounding_is_refused(value):
    with refused("position_tolerance.y", "finer"):
        tolerance_axes((0.0, value, 0.0), "position_tolerance")
    assert tolerance_axes((0.0, 1e-9, 0.0), "position_tolerance") == (0.0, 1e-9, 0.0)


@pytest.mark.parametrize(
    "values", [0.1, None, "abc", (0, 0), (0, 0, 0, 0), [[0, 0, 0]], ["0", "0", "0"], [None] * 3]
)
def test_what_is_not_three_numbers_is_refused(values):
    with refused("position_tolerance", "x, y, z"):
        tolerance_axes(values, "position_tolerance")
