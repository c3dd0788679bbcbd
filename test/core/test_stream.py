# SPDX-License-Identifier: Apache-2.0
"""Streams: whatever the targets are, the motion is bounded, inside the limits and of one branch."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ik_solver_ros import IKRequest, MissingDependencyError
from ik_solver_ros.core import limiter
from ik_solver_ros.core.errors import StreamError
from support import strategies
from support.hand_robots import continuous_7r, one_prismatic
from support.judging import SOLVERS, made_arm, robot_arm
from support.poses import (
    rotation_about,
    rotation_from_vector,
    transform,
    xyz_quat_from_transform,
)
from support.robots import robot_urdf
from support.streaming import Drive

ARMS = ("demo_arm", "ur5", "panda")
#: Configurations (rad) from which targets are led through a singularity, and which it is.
SINGULAR = {
    ("demo_arm", "wrist"): (0.3, 0.2, -0.9, 0.4, -1.5708, 0.1),
    ("demo_arm", "elbow"): (0.3, 0.2, 0.0, 0.4, -1.0, 0.1),
    ("ur5", "wrist"): (0.4, -1.2, 1.3, -0.9, 0.0, 0.2),
    ("ur5", "elbow"): (0.4, -1.2, 0.0, -0.9, 1.2, 0.2),
    ("ur5", "shoulder"): None,
    ("panda", "wrist"): (0.2, 0.1, -0.3, -1.6, 0.2, 0.2, 0.6),
    ("panda", "elbow"): (0.2, 0.3, 0.0, -0.25, 0.2, 1.6, 0.6),
}
ACCELERATIONS = (0.0, 5.0)


def drive(name, q=None, seed=0, margin=0.3, **options):
    arm = robot_arm(name)
    if q is None:
        start = arm.kinematics.random_configuration(
            np.random.default_rng(seed), arm.joint_names, margin
        )
    else:
        start = dict(zip(arm.joint_names, map(float, q), strict=True))
    return Drive(arm, robot_urdf(name), start, **options)


def nudged(T, rng, metres=0.01, radians=0.03):
    step = transform(
        rotation_from_vector(rng.uniform(-radians, radians, 3)), rng.uniform(-metres, metres, 3)
    )
    return T @ step


def tracked(drive, start, poses_T):
    """Where plain tracking ends: each pose solved from the answer before."""
    q = tuple(start)
    for T in poses_T:
        result = drive.solver.solve(IKRequest.from_matrix(T, seed=q))
        assert result.success, result.message
        q = tuple(result.q)
    return np.array(q)


# --- anything at all ---


@pytest.mark.parametrize("acceleration", ACCELERATIONS)
@pytest.mark.parametrize("name", ARMS)
def test_random_targets_of_every_kind_never_break_a_bound(name, acceleration):
    """Near ones, far ones, unreachable ones, half turns, pauses; `Drive` judges every step."""
    followed = refused = 0
    for seed in range(4):
        rng = np.random.default_rng(seed)
        d = drive(name, seed=seed, max_acceleration=acceleration, max_velocity_scale=1.0)
        T = d.pose
        for _ in range(60):
            kind = rng.choice(["near", "near", "far", "nowhere", "turned", "hold"])
            if kind == "near":
                T = nudged(d.pose, rng)
            elif kind == "far":
                T = d.arm.pose(d.arm.kinematics.random_configuration(rng, d.arm.joint_names))
            elif kind == "nowhere":
                T = transform(T[:3, :3], rng.uniform(-1, 1, 3) * 10.0)
            elif kind == "turned":
                T = d.pose @ transform(rotation_about(rng.normal(size=3), math.pi), np.zeros(3))
            if kind == "hold":
                d.stream.hold()
            elif d.follow(T):
                refused += 1
            else:
                followed += 1
            d.step(int(rng.integers(1, 40)))
        d.stream.hold()
        d.settle()
    assert followed > 80
    assert refused > 20


@pytest.mark.parametrize("acceleration", ACCELERATIONS)
@pytest.mark.parametrize("name", ARMS)
def test_what_is_followed_is_reached_when_it_stands_still(name, acceleration):
    followed = 0
    for seed in range(25):
        d = drive(name, seed=seed, max_acceleration=acceleration, max_velocity_scale=1.0)
        rng = np.random.default_rng(seed)
        T = d.arm.pose(d.arm.kinematics.random_configuration(rng, d.arm.joint_names))
        refusal = d.follow(T)
        d.settle()
        if refusal:
            assert "another branch" in refusal, refusal
            assert len(d.steps) == 1  # it did not move
        else:
            followed += 1
            d.assert_at(T)
            assert np.array_equal(d.stream.step(), d.q)
    assert followed >= 8


@settings(max_examples=40)
@given(strategies.chains(max_joints=8), strategies.SEEDS, st.sampled_from(ACCELERATIONS))
def test_any_chain_moves_within_its_bounds(made, seed, acceleration):
    arm, rng = made_arm(made), np.random.default_rng(seed)
    start = arm.kinematics.random_configuration(rng, arm.joint_names)
    d = Drive(arm, made.urdf, {n: start[n] for n in arm.joint_names}, max_acceleration=acceleration)
    for _ in range(3):
        T = arm.pose(arm.kinematics.random_configuration(rng, arm.joint_names))
        followed = not d.follow(T)
        d.step(20)
    if followed:
        d.settle()
        d.assert_at(T)


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("name", ["demo_arm", "so100"])
def test_every_solver_leads_near_and_far(name, solver):
    """Five joints (so100) cannot go straight, only as straight as they can."""
    followed = 0
    for seed in range(6):
        d = drive(name, seed=seed, solver={"solver": solver}, max_velocity_scale=1.0)
        rng = np.random.default_rng(seed)
        q = {j: p + rng.uniform(-0.5, 0.5) * (seed % 2 + 0.2) for j, p in d.positions.items()}
        if any(not low <= q[j] <= high for j in q for low, high in [d.arm.kinematics.limits(j)]):
            continue
        if not d.follow(d.arm.pose(q)):
            followed += 1
            d.settle()
            d.assert_at(d.arm.pose(q))
    assert followed >= 3


def test_a_bound_on_the_jump_is_kept_by_streams_too():
    q = (0.2, -0.3, -0.8, 0.4, -1.0, 0.5)
    for jump, is_followed in ((0.1, False), (0.6, True)):
        d = drive("demo_arm", q, solver={"max_joint_jump": jump})
        refusal = d.follow(d.pose @ transform(rotation_about([0, 0, 1], 0.5), np.zeros(3)))
        assert (refusal == "") == is_followed, refusal
        assert is_followed or "moves joint 'joint_6' by 0.5 rad" in refusal


# --- one branch ---


@pytest.mark.parametrize("name", ARMS)
def test_a_slow_path_ends_where_tracking_ends(name):
    """Tracking: each pose solved by itself, from the answer before; of six joints it is unique."""
    longest = 0
    for seed in range(5):
        d = drive(name, seed=seed, max_velocity_scale=1.0)
        rng, start, path = np.random.default_rng(seed), d.q, [d.pose]
        for _ in range(40):
            T = nudged(path[-1], rng, 0.005, 0.01)
            if d.follow(T):
                break
            path.append(T)
            d.settle()
        d.step()
        longest = max(longest, len(path))
        if len(d.names) == 6 and len(path) > 1:
            assert np.abs(d.q - tracked(d, start, path)).max() < 1e-3
    assert longest > 30


# --- singularities ---


def shoulder_singular_ur5():
    """A configuration of the UR5 with its wrist above the shoulder's axis, by bisection."""
    arm = robot_arm("ur5")

    def off_axis_m(lift):
        q = dict(zip(arm.joint_names, (0.4, lift, 1.3, -0.9, 1.2, 0.2)))
        at = arm.kinematics.relative(q, "base_link", "wrist_2_link")[:3, 3]
        return float(at @ [math.cos(0.4), math.sin(0.4), 0.0])

    low, high = -2.6, -1.6
    assert off_axis_m(low) * off_axis_m(high) < 0.0
    for _ in range(60):
        middle = 0.5 * (low + high)
        if off_axis_m(low) * off_axis_m(middle) <= 0.0:
            high = middle
        else:
            low = middle
    return (0.4, low, 1.3, -0.9, 1.2, 0.2)


@pytest.mark.parametrize("acceleration", ACCELERATIONS)
@pytest.mark.parametrize(("name", "kind"), SINGULAR)
def test_paths_through_a_singularity_stay_bounded_and_leave_it(name, kind, acceleration):
    q = SINGULAR[name, kind] or shoulder_singular_ur5()
    rng = np.random.default_rng(7)
    for start in ("at", "beside"):
        d = drive(name, q, max_acceleration=acceleration)
        singular = d.pose
        if start == "beside":
            d = drive(name, np.array(q) - 0.15 * np.array([1] * (len(q) - 1) + [0]))
        for direction in range(6):
            axis = np.eye(3)[direction % 3] * (1 if direction < 3 else -1)
            for way in np.linspace(-0.06, 0.06, 25):
                d.follow(singular @ transform(rotation_about(rng.normal(size=3), way), way * axis))
                d.step(4)
        home = drive(name, np.array(q) - 0.15).pose
        if not d.follow(home):
            d.settle()
            d.assert_at(home)
        left = d.q.copy()
        assert d.follow(nudged(d.pose, rng, 0.002, 0.005)) == ""
        d.settle()
        assert np.abs(d.q - left).max() > 1e-4


# --- seams ---


def test_a_turning_joint_goes_on_past_half_a_turn():
    made = continuous_7r()
    arm = made_arm(made)
    start = dict(zip(arm.joint_names, (3.0, 0.6, 0.1, 0.8, 0.2, 0.7, 0.3)))
    d = Drive(arm, made.urdf, start, max_velocity_scale=1.0, max_acceleration=0.0)
    T_start = d.pose
    for turned in np.linspace(0.0, 2 * math.pi, 200):
        turn = transform(rotation_about([0, 0, 1], turned), np.zeros(3))
        assert d.follow(turn @ T_start) == ""
        d.step(5)
    d.settle()
    d.assert_at(T_start)
    assert d.q[0] > 2 * math.pi
    wrapped = d.positions | {"roll_1": math.remainder(d.q[0], 2 * math.pi)}
    d.stream.watch(wrapped)  # many drivers report it so


def test_a_quaternion_and_its_negative_are_one_target():
    d = drive("ur5", (0.4, -1.2, 1.3, -0.9, 1.2, 0.2))
    *xyz, qx, qy, qz, qw = xyz_quat_from_transform(nudged(d.pose, np.random.default_rng(0)))
    one, other = (
        IKRequest.from_xyz_quat(xyz, np.array([qx, qy, qz, qw]) * sign).T_base_target
        for sign in (1.0, -1.0)
    )
    assert d.stream.follow(one, 30.0) == ""
    d.settle()
    there = d.q.copy()
    for target in (other, one, other):
        assert d.stream.follow(target, 30.0) == ""
        d.step(10)
        assert np.abs(d.q - there).max() < 1e-5


def test_at_a_joint_limit_it_holds_instead_of_turning_round():
    """A joint of range ±2π at its end: the same pose a turn away is another branch."""
    d = drive("ur5", (0.3, -1.2, 1.3, -0.9, 1.2, 6.2))
    T = d.pose
    refusals = []
    for turned in np.linspace(0.0, 0.4, 40):
        refusals.append(d.follow(T @ transform(rotation_about([0, 0, 1], turned), np.zeros(3))))
        d.step(10)
    assert not refusals[0]
    assert "another branch" in refusals[-1]
    assert 6.15 < d.q[5] <= 2 * math.pi
    assert d.follow(T) == ""
    d.settle()
    d.assert_at(T)


# --- holding ---


@pytest.mark.parametrize("acceleration", ACCELERATIONS)
def test_out_of_reach_it_comes_to_rest_and_goes_on_from_there(acceleration):
    d = drive("demo_arm", (0.2, -0.3, -0.8, 0.4, -1.0, 0.5), max_acceleration=acceleration)
    T = d.pose
    aside = T @ transform(np.eye(3), [0.0, 0.08, 0.0])
    assert d.follow(aside) == ""
    d.step(5)
    assert not d.stream.is_at_rest
    far = transform(T[:3, :3], [5.0, 0.0, 0.0])
    assert "reach" in d.follow(far)
    d.settle(most=100)
    at = d.q.copy()
    assert "reach" in d.follow(far)
    d.step(20)
    assert np.array_equal(d.q, at)
    assert d.follow(aside) == ""
    d.settle()
    d.assert_at(aside)


def test_only_the_newest_target_counts():
    d = drive("ur5", seed=5, max_velocity_scale=1.0)
    rng = np.random.default_rng(1)
    first, last = nudged(d.pose, rng, 0.02, 0.1), nudged(d.pose, rng, 0.02, 0.1)
    assert d.follow(first) == ""
    assert d.follow(last) == ""
    d.settle()
    d.assert_at(last)


# --- starting, watching ---


def test_a_start_a_hair_outside_is_a_start_on_the_limit_and_farther_out_is_refused():
    upper = robot_arm("demo_arm").kinematics.limits("joint_3")[1]
    q = [0.2, -0.3, upper + 1e-6, 0.4, -1.0, 0.5]
    d = drive("demo_arm", q)
    d.step()
    assert d.q[2] == upper
    q[2] = upper + 0.1
    with pytest.raises(StreamError, match=r"'joint_3' 0\.1 rad above its limit"):
        drive("demo_arm", q)
    q[2] = math.nan
    with pytest.raises(StreamError):
        drive("demo_arm", q)


@pytest.mark.parametrize("moved", [0.5, -0.5, math.nan, math.inf])
def test_a_robot_that_is_elsewhere_stops_the_stream(moved):
    d = drive("demo_arm", (0.2, -0.3, -0.8, 0.4, -1.0, 0.5))
    d.step()
    elsewhere = d.positions | {"joint_2": d.q[1] + moved}
    with pytest.raises(StreamError, match=r"joint 'joint_2' .*stream_max_deviation"):
        d.stream.watch(elsewhere)


def test_a_lag_of_half_a_second_is_no_deviation_and_standing_still_is():
    d = drive("demo_arm", (0.2, -0.3, -0.8, 0.4, -1.0, 0.5), max_velocity_scale=1.0)
    standing = d.positions
    assert d.follow(d.pose @ transform(rotation_about([0, 0, 1], 1.5), np.zeros(3))) == ""
    d.step(45)
    assert abs(d.q[5] - standing["joint_6"]) > 0.3
    d.stream.watch(standing)
    d.step(60)
    with pytest.raises(StreamError, match=r"'joint_6'"):
        d.stream.watch(standing)


def test_a_bound_on_the_acceleration_without_ruckig_is_refused_in_one_sentence(monkeypatch):
    monkeypatch.setattr(limiter, "ruckig", None)
    q = (0.2, -0.3, -0.8, 0.4, -1.0, 0.5)
    with pytest.raises(
        MissingDependencyError, match=r"stream_max_acceleration.*pip install ruckig"
    ):
        drive("demo_arm", q)
    d = drive("demo_arm", q, max_acceleration=0.0)
    T = nudged(d.pose, np.random.default_rng(0))
    assert d.follow(T) == ""
    d.settle()
    d.assert_at(T)


def test_a_joint_without_a_velocity_limit_cannot_stream():
    made = one_prismatic()
    without = made.urdf.replace('velocity="3.0"', 'velocity="0"')
    assert without != made.urdf
    arm = made_arm(made)
    assert Drive(arm, made.urdf, {"slide": 0.1}).follow(arm.pose({"slide": 0.3})) == ""
    with pytest.raises(StreamError, match="no velocity limit for 'slide'"):
        Drive(
            made_arm(type(made)(without, made.base, made.tip, made.joint_names)),
            without,
            {"slide": 0.1},
        )
