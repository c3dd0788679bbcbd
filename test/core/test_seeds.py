# SPDX-License-Identifier: Apache-2.0
"""Where a search starts decides which answer it gives: turns, seeds outside, partial seeds."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ik_solver_ros import IKRequest
from ik_solver_ros.core.arm import Arm as CoreArm
from support import hand_robots, strategies
from support.judging import PATIENT_S, SOLVERS, made_arm, refused, robot_arm
from support.urdf_fk import Mimic
from support.urdf_writer import JointSpec, serial_robot

TWO_PI = 2.0 * math.pi
REST = [0.1, 0.5, 0.2, 1.0, 0.3, 0.7, 0.4]  # of continuous_7r


def by_name(arm, values):
    return dict(zip(arm.joint_names, values, strict=True))


@pytest.fixture(params=SOLVERS)
def name(request):
    return request.param


# --- turns ---


@pytest.mark.parametrize("turns", [-16, -2, -1, 1, 3, 16])
def test_a_continuous_joint_stays_on_the_turn_of_its_seed(name, turns):
    """A wrist that has wound up to 100 rad is not unwound by a small step."""
    arm = made_arm(hand_robots.continuous_7r())
    seed = by_name(arm, REST)
    for roll in ("roll_1", "roll_3", "roll_7"):
        seed[roll] += turns * TWO_PI
    there = {joint: value + 0.03 for joint, value in seed.items()}
    result = arm.solver(solver=name).solve(arm.target(there, seed=seed))
    arm.assert_solved(result, arm.pose(there))
    assert result.max_joint_jump < 0.2


@settings(max_examples=40)
@given(strategies.SEEDS, st.floats(-100.0, 100.0))
def test_answers_of_joints_without_limits_are_within_half_a_turn_of_the_seed(seed, around):
    arm = made_arm(hand_robots.continuous_7r())
    rng = np.random.default_rng(seed)
    target = arm.kinematics.random_configuration(rng, arm.joint_names)
    start = arm.kinematics.random_configuration(rng, arm.joint_names)
    start |= {joint: around for joint in arm.joint_names if joint.startswith("roll")}
    result = arm.solver().solve(arm.target(target, seed=start, max_solutions=4))
    arm.assert_solved(result, arm.pose(target))
    for answer in (result.solution, *result.alternatives):
        for joint, value in zip(answer.joint_names, answer.q.tolist(), strict=True):
            if joint.startswith("roll"):
                assert abs(value - start[joint]) <= math.pi + 1e-6


@pytest.mark.parametrize("bounds", [(-1e3, 1e3), (-1e16, 1e16), (-100.0, 100.0)])
def test_huge_limits_are_searched_around_the_seed(name, bounds):
    lower, upper = bounds
    arm = made_arm(hand_robots.one_revolute(lower, upper))
    for seed in (0.0, 50.0, -77.0):
        result = arm.solver(solver=name).solve(arm.target({"crank": 1.0}, seed=[seed]))
        arm.assert_solved(result, arm.pose({"crank": 1.0}))
        assert abs(result.q[0] - seed) <= math.pi + 1e-6


@settings(max_examples=60)
@given(strategies.SEEDS)
def test_joints_of_two_turns_take_the_copy_nearest_the_seed(seed):
    arm = made_arm(hand_robots.ur_like_6r())
    rng = np.random.default_rng(seed)
    start = dict(zip(arm.joint_names, rng.uniform(-TWO_PI, TWO_PI, 6).tolist()))
    target = dict(zip(arm.joint_names, rng.uniform(-TWO_PI, TWO_PI, 6).tolist()))
    result = arm.solver().solve(arm.target(target, seed=start))
    arm.assert_solved(result, arm.pose(target))
    for joint, value in zip(result.joint_names, result.q.tolist(), strict=True):
        for copy in (value - TWO_PI, value + TWO_PI):
            if -TWO_PI <= copy <= TWO_PI:
                assert abs(value - start[joint]) <= abs(copy - start[joint]) + 1e-6


def test_a_joint_at_the_end_of_its_two_turns_goes_on_only_to_its_limit(name):
    arm = made_arm(hand_robots.ur_like_6r())
    rest = [0.3, -1.0, 1.2, 0.4, 0.9, 0.2]
    for joint in arm.joint_names:
        for end in (-TWO_PI, TWO_PI):
            here = by_name(arm, rest) | {joint: 0.995 * end}
            there = by_name(arm, rest) | {joint: end}
            result = arm.solver(solver=name).solve(arm.target(there, seed=here))
            arm.assert_solved(result, arm.pose(there))
            assert result.max_joint_jump < 0.1


# --- seeds outside the limits ---


@pytest.mark.parametrize("beyond", [1e-12, 1e-8, 1e-3, 0.5])
@pytest.mark.parametrize("robot", ["demo_arm", "panda", "ur5", "tiago"])
def test_a_seed_outside_the_limits_solves_inside_and_is_told(robot, beyond):
    arm = robot_arm(robot)
    solver, rng = arm.solver(), np.random.default_rng(2)
    for joint in arm.joint_names:
        lower, upper = arm.kinematics.limits(joint)
        inside = arm.kinematics.random_configuration(rng, arm.joint_names)
        if not math.isfinite(upper):
            continue
        for limit, side, word in ((lower, -1, "below"), (upper, 1, "above")):
            seed = inside | {joint: limit + side * beyond}
            result = solver.solve(arm.target(inside | {joint: limit}, seed=seed))
            arm.assert_solved(result, arm.pose(inside | {joint: limit}))
            assert f"the seed was outside the limits, with '{joint}'" in result.message
            assert f"{beyond:.3g}" in result.message
            assert f"{word} its limit" in result.message


def test_a_seed_on_the_limit_is_inside():
    arm = robot_arm("demo_arm")
    inside = arm.kinematics.random_configuration(np.random.default_rng(2), arm.joint_names)
    for joint in arm.joint_names:
        for limit in arm.kinematics.limits(joint):
            positions = inside | {joint: limit}
            result = arm.solver().solve(arm.target(positions, seed=positions))
            arm.assert_solved(result, arm.pose(positions))
            assert "outside" not in result.message


def test_every_joint_that_is_outside_is_told():
    arm = made_arm(hand_robots.planar_2r())
    result = arm.solver().solve(arm.target(by_name(arm, [0.5, 0.5]), seed=[-3.5, 4.0]))
    assert "'shoulder' 0.5 rad below its limit -3" in result.message
    assert "'elbow' 1 rad above its limit 3" in result.message


def test_the_jump_is_counted_from_the_seed_as_it_was_given():
    arm = made_arm(hand_robots.one_revolute(-1.0, 1.0))
    result = arm.solver().solve(arm.target({"crank": 0.5}, seed=[1.5]))
    assert result.max_joint_jump == pytest.approx(1.0, abs=1e-5)


# --- how a seed is given ---


def seed_of(made, seed):
    arm = made_arm(made)
    core = CoreArm(arm.model, arm.base, arm.tip, None)
    return dict(zip(core.chain.variable_names, core.seed(seed).tolist(), strict=True))


def mixed_robot():
    return serial_robot(
        "mixed",
        [
            JointSpec("turn", "revolute", "base", "a", lower=1.0, upper=2.0),
            JointSpec("spin", "continuous", "a", "b", (0.1, 0, 0)),
            JointSpec("wide", "revolute", "b", "c", (0.1, 0, 0), lower=-6.0, upper=1.0),
            JointSpec("far", "revolute", "c", "d", (0.1, 0, 0), lower=1.0, upper=9.0),
            JointSpec("slide", "prismatic", "d", "e", lower=0.1, upper=0.3),
            JointSpec("held", "revolute", "e", "f", (0.1, 0, 0), lower=0.7, upper=0.7),
            JointSpec(
                "gear", "revolute", "f", "tip", lower=-9, upper=9, mimic=Mimic("turn", -2.0, 0.5)
            ),
        ],
    )  # fmt: skip


MIDDLE = {"turn": 1.5, "spin": 0.0, "wide": 0.0, "far": 1.0, "slide": 0.2, "held": 0.7}


@pytest.mark.parametrize("seed", [None, {}])
def test_without_a_seed_joints_are_mid_range_and_wide_ones_at_zero(seed):
    assert seed_of(mixed_robot(), seed) == pytest.approx(MIDDLE)


def test_a_partial_seed_overrides_by_name():
    seed = {"slide": 0.11, "spin": 7.0}
    assert seed_of(mixed_robot(), seed) == pytest.approx(MIDDLE | seed)


def test_a_follower_that_puts_its_master_nowhere_is_refused():
    """Beyond where a joint can be: the kernel would refuse it by a number of its own."""
    joints = [
        JointSpec("turn", "revolute", "base", "f", axis=(0, 1, 0)),
        JointSpec("gear", "revolute", "f", "tip", (0.3, 0, 0), mimic=Mimic("turn", 1e-9, 0.0)),
    ]
    arm = made_arm(serial_robot("slow_gear", joints))
    T = arm.pose({"turn": 0.2})
    with refused("seed", "gear = 0.5", "5e+08 for 'turn', which it follows"):
        arm.solver().solve(IKRequest.from_matrix(T, seed={"gear": 0.5}))
    assert arm.solver().arm().seed({"gear": 1e-10})[0] == pytest.approx(0.1)


def test_a_row_is_in_the_order_of_joint_names_followers_included():
    row = [1.1, 0.2, 0.3, 2.0, 0.15, 0.7, -1.7]
    expected = dict(zip(["turn", "spin", "wide", "far", "slide", "held"], row[:6]))
    assert seed_of(mixed_robot(), row) == pytest.approx(expected)


def test_a_follower_seeds_its_master_where_that_is_not_named():
    assert seed_of(mixed_robot(), {"gear": -2.1})["turn"] == pytest.approx(1.3)
    assert seed_of(mixed_robot(), {"gear": -2.1, "turn": 1.2})["turn"] == 1.2


def test_joints_beside_the_arm_may_be_in_the_seed_but_not_joints_of_nobody():
    arm = robot_arm("tiago")
    seed = dict.fromkeys(arm.model.joint_names, 0.1)  # a whole JointState
    positions = arm.kinematics.random_configuration(np.random.default_rng(1), arm.joint_names)
    assert arm.solver().solve(arm.target(positions, seed=seed)).success
    request = arm.target(positions, seed=seed | {"arm_1_jiont": 0.1})
    with refused("seed", "'arm_1_jiont'", "did you mean", "'arm_1_joint'"):
        arm.solver().solve(request)


@pytest.mark.parametrize("row", [[0.1], [0.1] * 5, [0.1] * 7, []])
def test_a_row_of_the_wrong_length_is_refused_with_the_joints_it_is_for(row):
    arm = robot_arm("ur5")
    with refused("seed", "6 numbers expected", "'shoulder_pan_joint'", f"not {len(row)}"):
        arm.solver().solve(IKRequest.from_matrix(np.eye(4), seed=row))


def test_a_seed_does_not_change_the_arm_for_the_next_request():
    arm = robot_arm("ur5")
    solver = arm.solver()
    request = IKRequest.from_xyz_quat([0.3, 0.2, 0.4], [0, 1, 0, 0], timeout_s=PATIENT_S)
    first = solver.solve(request).q.tolist()
    solver.solve(IKRequest.from_xyz_quat([0.3, 0.2, 0.4], [0, 1, 0, 0], seed=[1.0] * 6))
    assert solver.solve(request).q.tolist() == first
