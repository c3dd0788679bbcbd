# SPDX-License-Identifier: Apache-2.0
"""Limiters by themselves: what they promise for one joint, step by step."""

from __future__ import annotations

import numpy as np
import pytest

from ik_solver_ros.core.errors import StreamError
from ik_solver_ros.core.limiter import AccelerationLimiter, VelocityLimiter, limiter

PERIOD_S = 0.01
SPEED = np.array([1.0, 0.3])
ACCELERATION = np.array([5.0, 2.0])


def made(acceleration=ACCELERATION, start=(0.0, 0.0)):
    return limiter(np.array(start), SPEED, acceleration, PERIOD_S)


def test_the_bounds_that_are_asked_for_choose_the_limiter():
    assert isinstance(made(None), VelocityLimiter)
    assert isinstance(made(), AccelerationLimiter)


def test_without_a_bound_on_the_acceleration_the_way_takes_the_shortest_time():
    moves = made(None)
    goal = np.array([0.5, -0.3])
    steps = [moves.step(goal) for _ in range(102)]
    assert np.allclose(steps[0], [0.01, -0.003], rtol=1e-9)
    assert np.array_equal(steps[-1], goal)
    assert steps[50][0] == 0.5
    assert np.array_equal(moves.step(None), goal)
    assert moves.is_at_rest


def test_with_one_it_speeds_up_and_slows_down_and_ends_exactly_there():
    moves, at, speed = made(), np.zeros(2), np.zeros(2)
    goal = np.array([0.5, -0.3])
    for _ in range(300):
        before, at = at, moves.step(goal)
        now = (at - before) / PERIOD_S
        assert (np.abs(now) <= SPEED * (1 + 1e-9)).all()
        assert (np.abs(now - speed) <= ACCELERATION * PERIOD_S * (1 + 1e-6)).all()
        speed = now
    assert np.array_equal(at, goal)
    assert moves.is_at_rest


def test_braking_never_takes_more_than_the_way_that_is_left():
    """Whoever can stop at a goal inside the limits does not leave them by braking earlier."""
    for count in range(1, 80, 7):
        moves, goal = made(), np.array([0.5, -0.3])
        for _ in range(count):
            at = moves.step(goal)
        while not moves.is_at_rest:
            at = moves.step(None)
        assert (np.abs(at) <= np.abs(goal) + 1e-12).all()


def at_state(position, velocity):
    """One joint in the middle of a motion, as Ruckig keeps it."""
    moves = limiter(np.array([position]), np.array([2.8]), np.array([5.0]), PERIOD_S)
    state = moves._native[1]
    state.current_velocity, state.current_acceleration = [velocity], [5.0]
    return moves


def test_where_ruckig_finds_no_way_the_joint_brakes():
    """Just the distance to brake in, but for rounding: there Ruckig's search comes up empty."""
    position, velocity, goal = -2.527161646258045, -0.95309156822393, np.array([-2.618])
    moves = at_state(position, velocity)
    assert moves._toward(goal) is None
    at = moves.step(goal)
    assert position + velocity * PERIOD_S < at[0] < position
    for _ in range(300):
        at = moves.step(goal)
        assert at[0] >= goal[0] - 1e-12
    assert at[0] == pytest.approx(goal[0], abs=1e-9)


def test_what_cannot_even_brake_says_so():
    moves = at_state(0.0, float("nan"))
    with pytest.raises(StreamError, match="no way to brake"):
        moves.step(np.array([1.0]))


def test_a_goal_of_the_wrong_length_is_refused():
    with pytest.raises(ValueError, match="3 goals for 2 joints"):
        made().step(np.zeros(3))
