# SPDX-License-Identifier: Apache-2.0
"""What the kernel finds, judged by the tests' own kinematics."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings

from ik_solver_ros.core.pose_error import pose_error
from ik_solver_ros.core.tolerance import AxisTolerance, Tolerance
from ik_solver_ros.core.transforms import se3_from_rows
from support import hand_robots, strategies
from support.kernel import FREE, INF, STRICT, WIDTHS, KernelArm, search
from support.poses import inverse, rotation_about, transform
from support.random_chains import random_chain
from support.robots import ROBOTS

TRACKING_RAD = 0.1


def assert_right(arm, answer, T_base_target):
    """Check an answer's candidates: the pose, the limits, and that the closest is the first."""
    assert answer.candidates
    assert answer.closest is answer.candidates[0]
    for q in answer.candidates:
        position_m, orientation_rad = arm.errors(q, T_base_target)
        assert position_m <= STRICT
        assert orientation_rad <= STRICT
        assert arm.inside(q)


def assert_all_solved(arm, T_base_targets, seeds):
    answer = arm.batch(T_base_targets, seeds)
    position_m, orientation_rad = arm.errors(answer.q, T_base_targets)
    assert answer.solved.all()
    assert position_m.max() <= STRICT
    assert orientation_rad.max() <= STRICT
    assert arm.inside(answer.q).all()
    assert answer.position_error_m == pytest.approx(position_m, abs=1e-12)
    assert answer.rotation_error_rad == pytest.approx(orientation_rad, abs=3e-8)


def nearby(arm, q, seed):
    """Configurations within TRACKING_RAD of q, inside the limits."""
    moves = np.random.default_rng(seed).uniform(-TRACKING_RAD, TRACKING_RAD, q.shape)
    return np.clip(q + moves, arm.lower, arm.upper)


# --- reachable targets ---


@pytest.mark.parametrize("robot", ROBOTS, ids=str)
def test_every_reachable_target_is_reached(robot):
    arm = KernelArm.of(robot.name)
    q = arm.random(1000, seed=11)
    assert_all_solved(arm, arm.forward(q), arm.middle)
    assert_all_solved(arm, arm.forward(q), nearby(arm, q, seed=12))


@pytest.mark.parametrize("robot", ROBOTS, ids=str)
def test_targets_with_joints_on_their_limits_are_reached(robot):
    arm = KernelArm.of(robot.name)
    q = arm.random(300, seed=13)
    rng = np.random.default_rng(14)
    bounded = np.flatnonzero(np.isfinite(arm.lower))
    for row in q:
        joint = rng.choice(bounded)
        row[joint] = rng.choice([arm.lower[joint], arm.upper[joint]])
    assert_all_solved(arm, arm.forward(q), arm.middle)
    assert_all_solved(arm, arm.forward(q), nearby(arm, q, seed=15))


@pytest.mark.parametrize("name", ["demo_arm", "ur5", "kr16", "irb140", "puma560"])
@pytest.mark.parametrize("straight", [[4], [2, 4], [1, 2, 3]])
def test_targets_with_axes_in_line_are_reached(name, straight):
    arm = KernelArm.of(name)
    q = arm.random(300, seed=16)
    q[:, straight] = np.clip(0.0, arm.lower[straight], arm.upper[straight])
    assert_all_solved(arm, arm.forward(q), arm.middle)
    assert_all_solved(arm, arm.forward(q), nearby(arm, q, seed=17))


@settings(max_examples=150)
@given(strategies.chains(), strategies.SEEDS)
def test_any_chain_comes_back_to_a_pose_near_its_own(made, seed):
    arm = KernelArm.made(made)
    q = arm.random(1, seed)
    T_base_target = arm.forward(q[0])
    assert_right(arm, arm.search(T_base_target, nearby(arm, q, seed)[0]), T_base_target)


@pytest.mark.parametrize("joint_count", [1, 2, 3, 4, 5, 6, 7, 8, 10, 20, 64])
def test_any_number_of_joints(joint_count):
    arm = KernelArm.made(random_chain(joint_count, joint_count, fixed_share=0.0))
    q = arm.random(20, seed=18)
    assert_all_solved(arm, arm.forward(q), arm.middle)


def test_moving_the_base_moves_nothing_else():
    arm, moved = KernelArm.of("panda"), KernelArm.of("panda")
    T_world_base = transform(rotation_about([1, 2, 3], 1.0), [3.0, -2.0, 1.0])
    flat = dict(arm.flat)
    flat["placements"] = flat["placements"].copy()
    flat["placements"][0] = (T_world_base @ np.vstack((flat["placements"][0], [0, 0, 0, 1])))[:3]
    moved = type(arm.chain)(**flat)
    for q in arm.random(20, seed=19):
        T_base_target = arm.forward(q)
        answer = arm.search(T_base_target, q + 0.05)
        arguments = arm._task() | {"wanted": 1, "seed_suffices": True, "time_limit_s": INF}
        target = (T_world_base @ T_base_target)[:3]
        candidates, *_ = search(moved, target, q + 0.05, **arguments)
        assert candidates[0] == pytest.approx(answer.candidates[0], abs=1e-9)


# --- the seed ---


def test_a_seed_on_the_target_is_the_answer():
    arm = KernelArm.of("ur5")
    (q,) = arm.random(1, seed=21)
    answer = arm.search(arm.forward(q), q)
    assert answer.candidates[0] == pytest.approx(q, abs=1e-12)
    assert (answer.seed_converged, answer.attempts, answer.iterations) == (True, 1, 0)


def test_the_branch_of_the_seed_is_kept():
    arm = KernelArm.of("ur5")
    q = arm.random(200, seed=22)
    q = q[np.abs(np.sin(q[:, 4])) > 0.3]
    q = q[np.abs(np.sin(q[:, 2])) > 0.3]
    answer = arm.batch(arm.forward(q), q + 0.02)
    assert np.abs(answer.q - q).max() < 0.3


@pytest.mark.parametrize("seed", [100.0, -1e5, 7.0, 0.0])
def test_continuous_joints_stay_within_half_a_turn_of_the_seed(seed):
    arm = KernelArm.of("kinova")
    continuous = np.isinf(arm.lower)
    for q in arm.random(20, seed=23):
        T_base_target = arm.forward(q)
        q_seed = np.where(continuous, seed, arm.middle)
        answer = arm.search(T_base_target, q_seed, max_attempts=300)
        assert np.abs(answer.candidates[0] - q_seed)[continuous].max() <= math.pi + 1e-9
        position_m, orientation_rad = arm.errors(answer.candidates[0], T_base_target)
        rounding = 16 * math.ulp(seed)
        assert position_m <= STRICT + rounding
        assert orientation_rad <= STRICT + rounding


def test_joints_with_more_than_a_turn_take_the_copy_nearest_to_the_seed():
    arm = KernelArm.of("ur5")
    wide = arm.upper - arm.lower > 4.0 * math.pi - 0.1
    assert wide.sum() == 5
    for q in arm.random(50, seed=24):
        seed = np.where(wide, q + 0.05, q)
        (found,) = arm.search(arm.forward(q), seed).candidates
        for copy in (found - 2.0 * math.pi, found + 2.0 * math.pi):
            inside = wide & (arm.lower <= copy) & (copy <= arm.upper)
            assert np.all((np.abs(copy - seed) >= np.abs(found - seed))[inside])


@pytest.mark.parametrize("beyond", [1e-8, 1e-3, 0.5, 50.0])
def test_a_seed_outside_the_limits_is_brought_inside(beyond):
    arm = KernelArm.of("panda")
    for q in arm.random(20, seed=25):
        answer = arm.search(arm.forward(q), arm.upper + beyond)
        assert_right(arm, answer, arm.forward(q))


def test_joints_to_spare_are_pulled_toward_the_seed():
    """Without the pull the mean of the largest change is 2.1 rad, as measured once."""
    arm = KernelArm.of("panda")
    q = arm.random(2000, seed=26)
    answer = arm.batch(arm.forward(q), arm.middle)
    assert np.abs(answer.q - arm.middle).max(axis=1).mean() < 2.0


# --- limits ---


def test_limits_are_arguments():
    """Reachable only with the limits of joint 2 lifted."""
    arm = KernelArm.made(hand_robots.planar_2r())
    q = np.array([0.3, 1.2])
    T_base_target = arm.forward(q)
    narrow = np.array([0.5, 0.5])
    answer = arm.search(T_base_target, lower=-narrow, upper=narrow)
    assert not answer.candidates
    assert np.all(np.abs(answer.closest) <= narrow)
    lifted = {"lower": np.array([-0.5, -INF]), "upper": np.array([0.5, INF])}
    answer = arm.search(T_base_target, **lifted)
    assert answer.candidates[0] == pytest.approx(q, abs=1e-5)


def test_a_held_joint_stays_where_it_is():
    arm = KernelArm.of("panda")
    for q in arm.random(20, seed=27):
        lower, upper = arm.lower.copy(), arm.upper.copy()
        lower[2] = upper[2] = q[2]
        answer = arm.search(arm.forward(q), q + 0.1, lower=lower, upper=upper)
        assert answer.candidates[0][2] == q[2]
        assert_right(arm, answer, arm.forward(q))


def test_a_chain_that_cannot_move_at_all():
    arm = KernelArm.made(hand_robots.one_revolute())
    held = np.array([0.5])
    answer = arm.search(arm.forward(held), lower=held, upper=held)
    assert answer.candidates[0].tolist() == [0.5]
    answer = arm.search(arm.forward(np.array([0.6])), lower=held, upper=held)
    assert not answer.candidates
    assert answer.closest.tolist() == [0.5]


def test_huge_limits_are_no_limits():
    arm = KernelArm.of("ur5")
    q = arm.random(20, seed=28)
    for bound in (1e3, 1e16, INF):
        wide = np.full(6, bound)
        answer = arm.batch(arm.forward(q), arm.middle, lower=-wide, upper=wide)
        assert answer.solved.all()
        assert np.abs(answer.q).max() <= math.pi + 1e-9


# --- free axes, tolerances ---


def kernel_tolerance(position, orientation, norm=STRICT):
    axes = {"position_tolerance": position, "rotation_tolerance": orientation}
    return Tolerance(
        AxisTolerance.of(tuple(position), norm), AxisTolerance.of(tuple(orientation), norm)
    ), axes


def assert_accepted(arm, q, T_base_target, tolerance):
    error = pose_error(se3_from_rows((inverse(T_base_target) @ arm.forward(q))[:3]), tolerance)
    assert tolerance.accepts(error.position, error.orientation)


MASKS = [mask for mask in itertools.product([0.0, INF], repeat=6) if not np.isinf(mask).all()]


@pytest.mark.parametrize("mask", MASKS, ids=lambda mask: "".join("-x"[a == 0.0] for a in mask))
@pytest.mark.parametrize("name", ["ur5", "so101", "panda"])
def test_free_axes_are_free_in_the_target_frame(name, mask):
    arm = KernelArm.of(name)
    tolerance, axes = kernel_tolerance(np.array(mask[:3]), np.array(mask[3:]))
    rng = np.random.default_rng(31)
    for q in arm.random(5, seed=32):
        shift = transform(np.eye(3), np.where(np.isinf(mask[:3]), rng.uniform(-0.05, 0.05, 3), 0.0))
        T_base_target = arm.forward(q) @ inverse(shift)
        answer = arm.search(T_base_target, **axes)
        assert_accepted(arm, answer.candidates[0], T_base_target, tolerance)


def test_a_free_spin_may_be_large():
    """A target far away in the free turn is no farther away."""
    arm = KernelArm.of("ur5")
    axes = {"rotation_tolerance": np.array([0.0, 0.0, INF])}
    for q in arm.random(20, seed=33):
        spun = arm.forward(q) @ transform(rotation_about([0, 0, 1], 2.5), np.zeros(3))
        answer = arm.search(spun, q, **axes)
        assert answer.candidates[0] == pytest.approx(q, abs=1e-9)
        assert answer.iterations == 0


def test_position_only():
    arm = KernelArm.of("so101")
    for q in arm.random(20, seed=34):
        T_base_target = arm.forward(q)
        T_base_target = T_base_target @ transform(rotation_about([1, 1, 0], 2.0), np.zeros(3))
        answer = arm.search(T_base_target, rotation_tolerance=FREE)
        assert arm.errors(answer.candidates[0], T_base_target)[0] <= STRICT
        assert answer.closest_rotation_error_rad == 0.0


@pytest.mark.parametrize("bounds", [(0.3, 0.3, 0.3), (0.2, 0.2, INF), (0.4, INF, 0.0)])
def test_slack_reaches_what_the_exact_pose_cannot(bounds):
    """A five-joint arm, and targets that miss its poses by half the tolerance of some axis."""
    arm = KernelArm.of("so101")
    tolerance, axes = kernel_tolerance(np.full(3, 0.0), np.array(bounds))
    rng = np.random.default_rng(35)
    without = 0
    for q in arm.random(60, seed=36):
        share = np.where(np.isinf(bounds), 0.0, bounds) * rng.uniform(-0.5, 0.5, 3)
        off = transform(rotation_about(share + 1e-9, float(np.linalg.norm(share))), np.zeros(3))
        T_base_target = arm.forward(q) @ off
        answer = arm.search(T_base_target, use_slack=True, **axes)
        assert_accepted(arm, answer.candidates[0], T_base_target, tolerance)
        without += not arm.search(T_base_target, use_slack=False, **axes).candidates
    assert without > 5  # so slack is what does it


def test_answers_are_sharper_than_asked_for():
    arm = KernelArm.of("panda")
    q = arm.random(200, seed=37)
    answer = arm.batch(arm.forward(q), arm.middle, position_norm=0.01, rotation_norm=0.1)
    assert np.median(answer.position_error_m) < 1e-6


def test_a_tolerance_finer_than_the_default_is_kept():
    arm = KernelArm.of("ur5")
    for q in arm.random(20, seed=38):
        answer = arm.search(arm.forward(q), position_norm=1e-10, rotation_norm=1e-10)
        assert arm.errors(answer.candidates[0], arm.forward(q))[0] <= 1e-10


# --- hard targets ---


@pytest.mark.parametrize("axis", [*np.eye(3), [1, 1, 0], [-1, 2, 3]], ids=str)
@pytest.mark.parametrize("off", [0.0, 1e-15, 1e-9, -1e-9, 1e-3])
def test_half_a_turn_away_from_the_seed(axis, off):
    arm = KernelArm.of("demo_arm")
    for q in nearby(arm, np.tile([0.0, 0.3, -0.9, 0.0, 0.6, 0.0], (5, 1)), seed=41):
        turn = transform(rotation_about(axis, math.pi + off), np.zeros(3))
        T_base_target = arm.forward(q) @ turn
        answer = arm.search(T_base_target, q)
        if answer.candidates:
            assert_right(arm, answer, T_base_target)
        else:  # out of reach: half a turn is what is reported of it
            assert math.isfinite(answer.closest_rotation_error_rad)
    turn = transform(rotation_about([0, 0, 1], math.pi + off), np.zeros(3))
    q = np.array([0.0, 0.3, -0.9, 0.0, 0.6, 0.0])
    assert_right(arm, arm.search(arm.forward(q) @ turn, q), arm.forward(q) @ turn)


def test_five_centimetres_straight_in_from_full_stretch():
    arm = KernelArm.made(hand_robots.ur_like_6r())
    q = np.zeros(6)
    direction = arm.forward(q)[:3, 3] / np.linalg.norm(arm.forward(q)[:3, 3])
    T_base_target = arm.forward(q).copy()
    T_base_target[:3, 3] -= 0.05 * direction
    assert_right(arm, arm.search(T_base_target, q), T_base_target)


# --- what cannot be reached ---


@pytest.mark.parametrize("name", ["panda", "ur5", "so101", "tiago"])
def test_out_of_reach_the_closest_is_inside_the_limits_and_its_errors_are_true(name):
    arm = KernelArm.of(name)
    for q in arm.random(10, seed=51):
        T_base_target = arm.forward(q).copy()
        T_base_target[:3, 3] *= 10.0 / np.linalg.norm(T_base_target[:3, 3])
        answer = arm.search(T_base_target, max_attempts=50)
        assert not answer.candidates
        assert not answer.seed_converged
        assert answer.attempts == 50
        assert not answer.timed_out
        assert arm.inside(answer.closest)
        position_m, orientation_rad = arm.errors(answer.closest, T_base_target)
        assert answer.closest_position_error_m == pytest.approx(position_m, abs=1e-9)
        assert answer.closest_rotation_error_rad == pytest.approx(orientation_rad, abs=1e-6)
        assert position_m < np.linalg.norm(arm.forward(arm.middle)[:3, 3] - T_base_target[:3, 3])


def test_the_time_limit_ends_a_hopeless_search():
    arm = KernelArm.of("panda")
    T_base_target = arm.forward(arm.middle).copy()
    T_base_target[:3, 3] = [10.0, 0.0, 0.0]
    answer = arm.search(T_base_target, max_attempts=2**31 - 1, time_limit_s=0.01)
    assert answer.timed_out
    assert not answer.candidates
    assert 1 <= answer.attempts < 2**31 - 1
    assert arm.inside(answer.closest)
    assert answer.closest_position_error_m == pytest.approx(
        arm.errors(answer.closest, T_base_target)[0], abs=1e-9
    )


def test_no_time_at_all_still_gives_the_closest_so_far():
    arm = KernelArm.of("panda")
    T_base_target = arm.forward(arm.middle).copy()
    T_base_target[:3, 3] = [10.0, 0.0, 0.0]
    answer = arm.search(T_base_target, time_limit_s=0.0)
    assert answer.timed_out
    assert math.isfinite(answer.closest_position_error_m)


# --- several answers ---


def test_all_branches_of_a_planar_arm():
    arm = KernelArm.made(hand_robots.planar_2r())
    T_base_target = arm.forward(np.array([0.4, 0.9]))
    only_position = {"rotation_tolerance": FREE}
    answer = arm.search(
        T_base_target, wanted=5, seed_suffices=False, max_attempts=50, **only_position
    )
    expected = hand_robots.planar_2r_angles(*T_base_target[:2, 3])
    found = np.array(sorted(q.tolist() for q in answer.candidates))
    assert found == pytest.approx(np.array(sorted(expected)), abs=1e-5)


def test_the_branches_of_a_ur5_are_distinct_and_right():
    arm = KernelArm.of("ur5")
    for q in arm.random(10, seed=61):
        T_base_target = arm.forward(q)
        answer = arm.search(T_base_target, q, wanted=8, seed_suffices=False, max_attempts=200)
        assert answer.seed_converged
        assert answer.candidates[0] == pytest.approx(q, abs=1e-9)
        assert len(answer.candidates) >= 2
        assert_right(arm, answer, T_base_target)
        for a, b in itertools.combinations(answer.candidates, 2):
            apart = np.abs(a - b)
            assert np.minimum(apart, np.abs(apart - 2.0 * math.pi)).max() > 0.05


def test_a_seed_that_converges_suffices():
    arm = KernelArm.of("ur5")
    (q,) = arm.random(1, seed=62)
    answer = arm.search(arm.forward(q), q, wanted=8, seed_suffices=True)
    assert len(answer.candidates) == 1
    assert answer.attempts == 1


def test_a_choice_is_looked_for_as_long_again_as_the_first_took():
    arm = KernelArm.of("ur5")
    for q in arm.random(200, seed=63):
        first = arm.search(arm.forward(q))
        if first.seed_converged:
            continue
        choice = arm.search(arm.forward(q), wanted=100)
        assert choice.attempts == 2 * first.attempts
        assert choice.candidates[0].tolist() == first.candidates[0].tolist()
        assert_right(arm, choice, arm.forward(q))


@pytest.mark.parametrize("lanes", WIDTHS)
def test_more_starts_only_add_candidates(lanes):
    arm = KernelArm.of("ur5")
    (q,) = arm.random(1, seed=64)
    few, many = (
        arm.search(
            arm.forward(q), wanted=50, seed_suffices=False, max_attempts=attempts, lanes=lanes
        )
        for attempts in (20, 100)
    )
    assert len(few.candidates) <= len(many.candidates)
    for a, b in zip(few.candidates, many.candidates):
        assert a.tolist() == b.tolist()
    assert (few.attempts, many.attempts) == (20, 100)
