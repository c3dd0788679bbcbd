# SPDX-License-Identifier: Apache-2.0
"""Time limits, by a clock that the test turns itself: every look at it takes a millisecond."""

from __future__ import annotations

import time
from dataclasses import replace

import numpy as np
import pytest

from ik_solver_ros import IKRequest, Status
from ik_solver_ros.core.solvers.base import Outcome
from ik_solver_ros.core.solvers.reference import ReferenceSolver
from support import poses
from support.judging import FREE, robot_arm

LOOK_S = 0.001
ENDLESS = 100_000  # attempts


class Clock:
    """Stands still but for the looks at it."""

    def __init__(self):
        self.now_s, self.looks = 1000.0, 0

    def __call__(self):
        self.looks += 1
        self.now_s += LOOK_S
        return self.now_s


@pytest.fixture
def clock(monkeypatch):
    clock = Clock()
    monkeypatch.setattr(time, "perf_counter", clock)
    return clock


def hidden_in_the_shoulder():
    """A pose that no configuration reaches, near enough for no certificate."""
    return IKRequest.from_xyz_quat([0.05, 0.0, 0.05], [0, 0, 0, 1])


def solver_of(robot="ur5", **settings):
    return robot_arm(robot).solver(**{"solver": "reference", "max_attempts": ENDLESS, **settings})


@pytest.mark.parametrize("timeout_s", [0.002, 0.02, 0.05, 0.2])
def test_a_hopeless_search_ends_at_its_time_limit(clock, timeout_s):
    started_s = clock.now_s
    result = solver_of().solve(replace(hidden_in_the_shoulder(), timeout_s=timeout_s))
    assert result.status is Status.TIMEOUT
    assert "the time ran out" in result.message
    assert "allow more time" in result.message
    assert clock.now_s - started_s <= timeout_s + 10 * LOOK_S
    assert result.solve_time_s <= timeout_s + 10 * LOOK_S
    assert np.isfinite(result.closest.position_error_m)


def test_fractions_of_a_second_are_not_cut_off(clock):
    """0.05 s became 0 s elsewhere."""
    short, long = (
        solver_of().solve(replace(hidden_in_the_shoulder(), timeout_s=timeout_s)).attempts
        for timeout_s in (0.01, 0.2)
    )
    assert 1 <= short < long


def test_zero_is_the_default(clock):
    request, patient = hidden_in_the_shoulder(), replace(hidden_in_the_shoulder(), timeout_s=0.3)
    by_default = solver_of(timeout_s=0.3).solve(request)
    by_request = solver_of(timeout_s=0.002).solve(patient)
    assert by_default.status is by_request.status is Status.TIMEOUT
    assert abs(by_default.attempts - by_request.attempts) <= 1


def test_a_solved_request_hardly_looks_at_the_clock(clock):
    arm = robot_arm("ur5")
    positions = dict(zip(arm.joint_names, [0.3, -1.0, 1.2, 0.3, 0.8, 0.2], strict=True))
    result = solver_of().solve(arm.target(positions, seed=positions))
    assert result.success
    assert clock.looks < 10


def test_time_that_is_over_at_once_still_gives_what_the_seed_gives(clock):
    arm = robot_arm("ur5")
    positions = dict(zip(arm.joint_names, [0.3, -1.0, 1.2, 0.3, 0.8, 0.2], strict=True))
    solver = solver_of(timeout_s=1e-4)
    assert solver.solve(arm.target(positions, seed=positions)).success
    far = solver.solve(arm.target(positions, seed=[0.0] * 6))
    assert far.status is Status.TIMEOUT
    arm.assert_allowed(dict(zip(far.closest.joint_names, far.closest.q.tolist(), strict=True)))


def test_time_may_run_out_while_looking_for_the_reason(clock):
    class OutOfBreath(ReferenceSolver):
        """Needs all the time that is left for its first search."""

        def search(self, problem):
            outcome = super().search(problem)
            clock.now_s = max(clock.now_s, problem.deadline_s)
            return outcome

    solver = robot_arm("ur5").solver(timeout_s=1.0, max_attempts=30)
    solver._solver = OutOfBreath()
    result = solver.solve(hidden_in_the_shoulder())
    assert result.status is Status.TIMEOUT
    assert "while looking for the reason" in result.message


def test_a_slow_solver_that_says_so_is_a_timeout():
    class Slow(ReferenceSolver):
        def search(self, problem):
            outcome = super().search(problem._replace(max_attempts=1))
            return outcome._replace(candidates=(), timed_out=True)

    solver = robot_arm("ur5").solver()
    solver._solver = Slow()
    result = solver.solve(hidden_in_the_shoulder())
    assert result.status is Status.TIMEOUT


def test_what_came_close_in_time_may_be_the_relaxed_answer(clock):
    arm = robot_arm("so101")
    positions = arm.kinematics.random_configuration(
        np.random.default_rng(1), arm.joint_names, margin=0.3
    )
    turn = poses.transform(poses.rotation_about([0.6, 0.0, 0.8], 0.007), np.zeros(3))
    strict = IKRequest.from_matrix(arm.pose(positions) @ turn, seed=positions, timeout_s=0.05)
    assert solver_of("so101").solve(strict).status is Status.TIMEOUT
    result = solver_of("so101").solve(replace(strict, allow_relaxed=True))
    assert result.status is Status.SOLVED_RELAXED, result.message


def test_what_came_close_before_the_time_was_out_may_be_the_relaxed_answer():
    arm = robot_arm("ur5")
    there = [0.3, -1.0, 1.2, 0.3, 0.8, 0.2]
    T = arm.pose(dict(zip(arm.joint_names, there, strict=True)))
    T[:3, 3] += [5e-4, 0.0, 0.0]

    class Breathless:
        """Comes close, and has no time for a second search."""

        name = "breathless"

        def search(self, problem):
            return Outcome((), False, np.array(there), 1, 1, True, self.name)

    solver = arm.solver()
    solver._solver = Breathless()
    request = IKRequest.from_matrix(T, allow_relaxed=True)
    result = solver.solve(request)
    assert result.status is Status.SOLVED_RELAXED
    arm.assert_solved(result, T, position_m=1e-3, orientation_rad=1e-2)
    assert solver.solve(replace(request, allow_relaxed=False)).status is Status.TIMEOUT
    assert solver.solve(replace(request, max_joint_jump=0.1)).status is Status.JOINT_JUMP


def test_certainty_needs_no_time(clock):
    solver = solver_of()
    before = clock.looks
    far = IKRequest.from_xyz_quat([10, 0, 0], [0, 0, 0, 1], orientation_tolerance=FREE)
    assert solver.solve(far).status is Status.UNREACHABLE
    assert clock.looks - before < 100
