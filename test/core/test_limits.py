# SPDX-License-Identifier: Apache-2.0
"""Limits: turning home, how far outside, and what a bound on the jump leaves."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from ik_solver_ros.core.limits import TWO_PI, Limits
from support import strategies

INF = math.inf


def limits_of(*bounds, prismatic=False, periodic=True):
    lower, upper = np.array(bounds, dtype=float).T
    many = len(bounds)
    return Limits(lower, upper, np.full(many, prismatic), np.full(many, periodic))


def wide_bounds():
    """Bounds that any angle has a copy inside."""
    return st.one_of(
        st.just((-INF, INF)),
        st.tuples(st.just(-INF), st.floats(-20, 20)),
        st.tuples(st.floats(-20, 20), st.just(INF)),
        st.tuples(st.floats(-20, 20), st.floats(TWO_PI, 40)).map(lambda b: (b[0], b[0] + b[1])),
        st.sampled_from([(-math.pi, math.pi), (0.0, TWO_PI), (-TWO_PI, TWO_PI)]),
    )


def one_turn_bounds():
    """Bounds narrower than a turn."""
    return st.tuples(st.floats(-6, 6), st.floats(0, TWO_PI - 1e-6)).map(lambda b: (b[0], sum(b)))


@given(wide_bounds(), st.floats(-100, 100), st.floats(-100, 100))
def test_a_free_turn_comes_home_inside_as_near_the_seed_as_any_copy(bounds, q, seed):
    limits = limits_of(bounds)
    assert limits.free_turn.all()
    home = float(limits.nearest_inside(np.array([q]), np.array([seed]))[0])
    assert bounds[0] <= home <= bounds[1]
    on_a_bound = home in bounds  # which a copy that was outside by a hair is moved to
    moved = math.remainder(home - q, TWO_PI)
    assert moved == pytest.approx(0.0, abs=1e-6 if on_a_bound else 1e-12)
    for copy in (home - TWO_PI, home + TWO_PI):
        inside = bounds[0] <= copy <= bounds[1]
        assert not inside or abs(home - seed) <= abs(copy - seed) + 1e-6


@pytest.mark.parametrize("beyond", [0.0, 1e-15, 1e-9, 4e-7])
@pytest.mark.parametrize("side", [-1.0, 1.0])
def test_an_answer_that_is_a_hair_beyond_its_bound_is_not_turned_a_whole_turn(side, beyond):
    bound = side * TWO_PI
    limits = limits_of((-TWO_PI, TWO_PI))
    home = limits.nearest_inside(np.array([bound + side * beyond]), np.array([0.99 * bound]))
    assert home[0] == bound


@given(one_turn_bounds(), st.floats(-0.1, 1.1), st.floats(-100, 100))
def test_what_does_not_turn_freely_stays_where_it_is(bounds, share, seed):
    limits = limits_of(bounds)
    q = np.array([bounds[0] + share * (bounds[1] - bounds[0])])
    assert limits.nearest_inside(q, np.array([seed])) is q


@pytest.mark.parametrize(("prismatic", "periodic"), [(True, False), (False, False)])
def test_only_periodic_variables_turn(prismatic, periodic):
    limits = limits_of((-10, 10), prismatic=prismatic, periodic=periodic)
    q = np.array([9.0])
    assert limits.nearest_inside(q, np.array([0.0]))[0] == 9.0
    assert limits.least_outside(q + 2.0, np.array([0.0]))[0] == 11.0
    assert limits.open_upper[0] == 10.0


@given(one_turn_bounds(), st.floats(-30, 30), st.floats(-5, 5))
def test_the_turn_that_is_least_outside_is_least_outside(bounds, q, seed):
    limits = limits_of(bounds)
    best = limits.least_outside(np.array([q]), np.array([seed]))
    assert math.remainder(float(best[0]) - q, TWO_PI) == pytest.approx(0.0, abs=1e-12)
    excess = float(limits.excess(best)[0])
    for turns in range(-8, 9):
        copy = np.array([q + TWO_PI * turns])
        assert excess <= float(limits.excess(copy)[0]) + 1e-6


@given(st.floats(-10, 10))
def test_excess_is_the_distance_to_the_range(q):
    excess = float(limits_of((-1.0, 2.0)).excess(np.array([q]))[0])
    assert excess == pytest.approx(abs(q - min(max(q, -1.0), 2.0)))


@given(
    st.one_of(wide_bounds(), one_turn_bounds()),
    st.floats(-30, 30),
    st.floats(0, 10),
    st.floats(0, 1),
)
def test_within_a_jump_of_the_seed_is_inside_the_limits_and_no_further(bounds, seed, jump, share):
    limits = limits_of(bounds)
    near = limits.near(np.array([seed]), np.array([jump]))
    lower, upper = max(bounds[0], seed - jump), min(bounds[1], seed + jump)
    if near is None:
        assert upper - lower < 1e-11
        return
    q = float(near.lower[0] + share * (near.upper[0] - near.lower[0]))
    assert bounds[0] <= q <= bounds[1]
    assert abs(q - seed) <= jump
    assert near.lower[0] == pytest.approx(lower, abs=1e-12)
    assert near.upper[0] == pytest.approx(upper, abs=1e-12)


def test_nothing_is_near_a_seed_far_outside_the_limits():
    limits = limits_of((-1.0, 1.0), (-1.0, 1.0))
    assert limits.near(np.array([0.0, 1.2]), np.array([0.1, 0.1])) is None
    assert limits.near(np.array([0.0, 1.05]), np.array([0.1, 0.1])) is not None


@given(strategies.vectors(2, 10.0), st.integers(-3, 3))
def test_a_whole_turn_of_a_free_turn_is_no_difference(q, turns):
    turned = q + np.array([0.0, TWO_PI * turns])
    free = limits_of((-1.0, 1.0), (-INF, INF))
    assert free.apart(q, turned) == pytest.approx(0.0, abs=1e-12)
    assume(turns != 0)
    narrow = limits_of((-1.0, 1.0), (-3.0, 3.0))
    assert narrow.apart(q, turned) == pytest.approx(abs(TWO_PI * turns))


def test_lifted_limits_free_what_turns_and_double_what_slides():
    turning = limits_of((-1.0, 2.0), (0.0, 0.0)).lifted()
    assert turning.lower.tolist() == [-INF, -INF]
    assert turning.upper.tolist() == [INF, INF]
    sliding = limits_of((-0.2, 0.6), (0, 0), (-INF, INF), (0, INF), prismatic=True, periodic=False)
    assert sliding.lifted().lower.tolist() == pytest.approx([-1.0, 0.0, -INF, -INF])
    assert sliding.lifted().upper.tolist() == pytest.approx([1.4, 0.0, INF, INF])


def test_some_bounds_may_be_taken_from_elsewhere():
    mixed = limits_of((-1, 1), (-1, 1)).with_taken_from(limits_of((-5, 5), (-5, 5)), [1])
    assert mixed.lower.tolist() == [-1.0, -5.0]
    assert mixed.upper.tolist() == [1.0, 5.0]


def test_limits_do_not_change():
    limits = limits_of((-1.0, 1.0))
    with pytest.raises(ValueError, match="read-only"):
        limits.lower[0] = -2.0
