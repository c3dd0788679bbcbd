# SPDX-License-Identifier: Apache-2.0
"""The arm as flat arrays: composed by hand they give the pose, and what is no arm is refused."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ik_solver_ros import (
    IKRequest,
    IKSolver,
    NoChainError,
    RobotModel,
    RobotModelError,
    UnknownFrameError,
)
from ik_solver_ros.core.chain import build_chain, only_end
from ik_solver_ros.core.pinocchio_import import pin
from support import hand_robots, strategies
from support.judging import assert_sentence, robot_arm
from support.poses import rotation_about, transform
from support.robots import ROBOTS
from support.urdf_fk import Mimic, UrdfKinematics
from support.urdf_writer import JointSpec, serial_robot, urdf_text

Z = (0.0, 0.0, 1.0)


def pose_by_hand(chain, q):
    """T_base_tcp for variables q, from nothing but the arrays."""
    T = np.eye(4)
    for i, rows in enumerate(chain.placements):
        position = chain.multiplier[i] * q[chain.variable[i]] + chain.offset[i]
        if chain.prismatic[i]:
            motion = transform(np.eye(3), [0.0, 0.0, position])
        else:
            motion = transform(rotation_about(Z, position), np.zeros(3))
        T = T @ np.vstack([rows, [0, 0, 0, 1]]) @ motion
    return T @ np.vstack([chain.T_last_tcp, [0, 0, 0, 1]])


def chain_of(joints, base="", tip=""):
    made = serial_robot("made", joints)
    return build_chain(RobotModel.from_urdf(made.urdf), base or made.base, tip or made.tip)


def assert_arrays_give_the_pose(chain, kinematics, base, tip, rng):
    q = rng.uniform(-3, 3, len(chain.variable_names))
    positions = dict(zip(chain.joint_names, chain.report(q).tolist(), strict=True))
    expected = kinematics.relative(positions, base, tip)
    assert pytest.approx(expected, abs=1e-12) == pose_by_hand(chain, q)


# --- the arrays ---


@settings(max_examples=60)
@given(strategies.chains(), strategies.SEEDS)
def test_arrays_of_random_chains_give_the_pose(made, seed):
    kinematics = UrdfKinematics(made.urdf)
    chain = build_chain(RobotModel.from_urdf(made.urdf), made.base, made.tip)
    rng = np.random.default_rng(seed)
    assert_arrays_give_the_pose(chain, kinematics, made.base, made.tip, rng)


@pytest.mark.parametrize("entry", ROBOTS, ids=str)
def test_arrays_of_every_robot_give_the_pose(entry):
    arm = robot_arm(entry.name)
    chain = build_chain(arm.model, arm.base, arm.tip)
    assert list(chain.joint_names) == arm.joint_names
    assert len(chain.joint_names) == entry.joint_count
    rng = np.random.default_rng(4)
    assert_arrays_give_the_pose(chain, arm.kinematics, arm.base, arm.tip, rng)


def test_a_chain_may_start_and_end_anywhere_on_the_way():
    arm = robot_arm("tiago")
    chain = build_chain(arm.model, "arm_2_link", "arm_6_link")
    assert chain.joint_names == ("arm_3_joint", "arm_4_joint", "arm_5_joint", "arm_6_joint")
    rng = np.random.default_rng(4)
    assert_arrays_give_the_pose(chain, arm.kinematics, "arm_2_link", "arm_6_link", rng)


@given(strategies.directions())
def test_a_turned_axis_is_turned_back(direction):
    chain = chain_of([JointSpec("j", "revolute", "base", "tip", axis=tuple(direction))])
    expected = transform(rotation_about(direction, 0.7), np.zeros(3))
    assert pytest.approx(expected, abs=1e-12) == pose_by_hand(chain, [0.7])


def test_axes_along_the_coordinate_axes_are_exact():
    for direction in (*np.eye(3), *-np.eye(3)):
        chain = chain_of([JointSpec("j", "prismatic", "base", "tip", axis=tuple(direction))])
        assert set(np.abs(chain.placements).ravel()) <= {0.0, 1.0}


@given(strategies.poses())
def test_a_tool_centre_point_is_behind_the_tip(T_tip_tcp):
    arm = robot_arm("ur5")
    chain = build_chain(arm.model, arm.base, arm.tip)
    with_tool = chain.with_tcp(pin.SE3(T_tip_tcp[:3, :3], T_tip_tcp[:3, 3]))
    q = np.linspace(-1, 1, 6)
    assert pytest.approx(pose_by_hand(chain, q) @ T_tip_tcp, abs=1e-12) == pose_by_hand(
        with_tool, q
    )
    assert with_tool.limits is chain.limits


def test_arrays_are_read_only():
    chain = build_chain(robot_arm("ur5").model, "base_link", "tool0")
    for array in (chain.placements, chain.multiplier, chain.T_last_tcp, chain.limits.lower):
        assert not array.flags.writeable


# --- followers ---


def geared(**geared_joint):
    """A joint, one that follows it, and one more."""
    follower = {"mimic": Mimic("first", -2.0, 0.5), "lower": -9.0, "upper": 9.0, **geared_joint}
    return [
        JointSpec("first", "revolute", "base", "a", lower=-1.0, upper=2.0),
        JointSpec("geared", "revolute", "a", "b", xyz_m=(0.3, 0, 0), **follower),
        JointSpec("last", "revolute", "b", "tip", xyz_m=(0.2, 0, 0), lower=-3.0, upper=3.0),
    ]


def test_a_follower_adds_to_the_column_of_its_master():
    chain = chain_of(geared())
    assert chain.joint_names == ("first", "geared", "last")
    assert chain.variable_names == ("first", "last")
    assert chain.variable.tolist() == [0, 0, 1]
    assert chain.multiplier.tolist() == [1.0, -2.0, 1.0]
    assert chain.report(np.array([0.25, 0.1])).tolist() == [0.25, 0.0, 0.1]


@pytest.mark.parametrize(
    ("lower", "upper", "expected"),
    [
        (-9.0, 9.0, (-1.0, 2.0)),  # the master's own
        (-1.5, 9.0, (-1.0, 1.0)),  # -2 q + 0.5 >= -1.5
        (-9.0, 1.5, (-0.5, 2.0)),
        (0.5, 0.5, (0.0, 0.0)),
    ],
)
def test_limits_of_a_follower_bound_its_master(lower, upper, expected):
    limits = chain_of(geared(lower=lower, upper=upper)).limits
    assert (limits.lower[0], limits.upper[0]) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(
    ("multiplier", "offset", "lower", "upper", "expected"),
    [
        (2.0, 0.5, -0.5, 9.0, (-0.5, 2.0)),
        (2.0, 0.5, -9.0, 1.5, (-1.0, 0.5)),
        (-2.0, 0.5, -1.5, 9.0, (-1.0, 1.0)),
        (-2.0, -0.5, -9.0, 0.5, (-0.5, 2.0)),
        (0.0, 0.5, -0.1, 0.1, (-1.0, 2.0)),  # it does not move
    ],
)
def test_limits_of_a_follower_elsewhere_on_the_robot_bound_its_master(
    multiplier, offset, lower, upper, expected
):
    """It is not on the way to the tip, but the real robot has to move it all the same."""
    joints = [
        JointSpec("first", "revolute", "base", "a", lower=-1.0, upper=2.0),
        JointSpec("last", "revolute", "a", "tip", (0.4, 0, 0)),
        JointSpec(
            "beside", "revolute", "base", "other", lower=lower, upper=upper,
            mimic=Mimic("first", multiplier, offset),
        ),
    ]  # fmt: skip
    robot = RobotModel.from_urdf(urdf_text("beside", joints))
    chain = build_chain(robot, "base", "tip")
    assert chain.joint_names == ("first", "last")
    limits = chain.limits
    assert (limits.lower[0], limits.upper[0]) == pytest.approx(expected, abs=1e-12)
    solver = IKSolver(robot, "tip", "base")
    for bound, wanted in ((expected[0], True), (expected[1] + 0.1, False)):
        T = robot.forward_kinematics({"first": bound, "last": 0.7}, "tip", "base")
        result = solver.solve(IKRequest.from_matrix(T))
        assert result.success == wanted
        assert solver.solve_batch(T[None]).success.tolist() == [wanted]
        if not wanted:
            assert result.blocking_joints == ("first",)
            assert f"above its limit {expected[1]:.5g}" in result.message


def test_a_follower_whose_limits_exclude_its_masters_is_refused():
    with pytest.raises(RobotModelError, match="'first' cannot move") as info:
        chain_of(geared(lower=7.0, upper=9.0))
    assert_sentence(info.value, "no position in common")


@pytest.mark.parametrize(("offset", "is_inside"), [(0.5, True), (0.7, False), (-0.7, False)])
def test_a_joint_that_stands_still_outside_its_limits_leaves_nothing_to_solve(offset, is_inside):
    joints = [
        JointSpec("turn", "revolute", "base", "a"),
        JointSpec(
            "still", "revolute", "a", "tip", (0.1, 0, 0), lower=-0.5, upper=0.5,
            mimic=Mimic("turn", 0.0, offset),
        ),
    ]  # fmt: skip
    if is_inside:
        assert chain_of(joints).joint_names == ("turn", "still")
        return
    with pytest.raises(RobotModelError, match="'still' follows 'turn' times 0") as info:
        chain_of(joints)
    assert_sentence(info.value, f"it stands at {offset:g}, outside its own limits", "correct")


@settings(max_examples=100)
@given(
    st.sampled_from([1.0, -1.0, 2.0, 0.5, -0.7, 3.3, 1e-3, 100.0]),
    st.floats(-3.0, 3.0),
    st.floats(-3.0, 3.0),
    st.floats(0.01, 3.0),
)
def test_at_the_masters_limit_no_follower_is_outside_its_own_by_rounding(mult, offset, low, width):
    """Where a bound comes from the follower, master and follower both have to be inside."""
    lower, upper = sorted((mult * low + offset, mult * (low + width) + offset))
    joints = [
        JointSpec("master", "revolute", "base", "a", lower=-50.0, upper=50.0),
        JointSpec(
            "follower", "revolute", "a", "tip", lower=lower, upper=upper,
            mimic=Mimic("master", mult, offset),
        ),
    ]  # fmt: skip
    chain = chain_of(joints)
    for bound in (chain.limits.lower, chain.limits.upper):
        _, follower = chain.report(bound).tolist()
        assert lower <= follower <= upper
    assert chain.limits.lower[0] == pytest.approx(low, abs=1e-9)
    assert chain.limits.upper[0] == pytest.approx(low + width, abs=1e-9)


def test_a_master_beside_the_chain_is_a_variable_and_is_reported_before_its_follower():
    joints = [
        JointSpec("first", "revolute", "base", "a"),
        JointSpec("geared", "revolute", "a", "tip", mimic=Mimic("motor", 0.5, 0.0)),
        JointSpec("motor", "revolute", "base", "wheel", lower=-1.0, upper=1.0),
    ]
    chain = build_chain(RobotModel.from_urdf(urdf_text("side", joints)), "base", "tip")
    assert chain.joint_names == ("first", "motor", "geared")
    assert chain.variable_names == ("first", "motor")
    assert chain.limits.upper.tolist() == [3.0, 1.0]
    assert chain.multiplier.tolist() == [1.0, 0.5]


def test_only_whole_gears_make_a_turn_of_the_master_the_same_pose():
    def is_free(multiplier, kind="revolute"):
        joints = [
            JointSpec("spin", "continuous", "base", "a"),
            JointSpec(
                "geared", kind, "a", "tip", lower=-1e4, upper=1e4,
                mimic=Mimic("spin", multiplier, 0.1),
            ),
        ]  # fmt: skip
        return bool(chain_of(joints).limits.free_turn[0])

    assert is_free(2.0)
    assert is_free(-1.0)
    assert not is_free(0.5)
    assert not is_free(1.0, kind="prismatic")


@given(strategies.vectors(2, 3.0), st.floats(0.01, 5.0))
def test_largest_moves_keep_every_reported_joint_within_the_jump(q, jump):
    chain = chain_of(geared())
    moves = chain.largest_moves(jump)
    assert moves.tolist() == [jump / 2.0, jump]
    changes = np.abs(chain.report(q + moves) - chain.report(q))
    assert changes.max() == pytest.approx(jump)


# --- limits ---


def test_limits_that_mean_none_are_none():
    joints = [
        JointSpec("a", "revolute", "base", "l1", lower=-1e16, upper=1e16),
        JointSpec("b", "prismatic", "l1", "l2", lower=-1e3, upper=0.5),
        JointSpec("c", "revolute", "l2", "tip", lower=-999.0, upper=999.0),
    ]
    limits = chain_of(joints).limits
    assert limits.lower.tolist() == [-math.inf, -math.inf, -999.0]
    assert limits.upper.tolist() == [math.inf, 0.5, 999.0]


def test_joints_that_cannot_move_are_held():
    joints = [
        JointSpec("held", "revolute", "base", "a", lower=0.0, upper=0.0),
        JointSpec("free", "revolute", "a", "tip"),
    ]
    chain = chain_of(joints)
    assert chain.held_joints == ("held",)
    assert chain.variable_names == ("held", "free")


# --- what is no arm ---


def refused_chain(model, base, tip, *parts):
    with pytest.raises(NoChainError) as info:
        IKSolver(model, tip, base)
    assert (info.value.base_frame, info.value.tip_frame) == (base, tip)
    assert_sentence(info.value, f"'{base}'", f"'{tip}'", *parts)


@pytest.mark.parametrize("tip", ["base_link", "base"])
def test_a_tip_that_nothing_moves_is_refused(tip):
    """The base itself, and a link that is bolted to it."""
    refused_chain(robot_arm("ur5").model, "base_link", tip, "no moving joint between them")


@pytest.mark.parametrize(
    ("base", "tip"), [("tool0", "base_link"), ("wrist_1_link", "shoulder_link"), ("tool0", "base")]
)
def test_a_base_that_is_not_above_the_tip_is_refused_with_one_that_is(base, tip):
    refused_chain(robot_arm("ur5").model, base, tip, "is not above", "such as 'world'")


def test_links_that_do_not_exist_are_refused_by_their_role():
    model = robot_arm("ur5").model
    with pytest.raises(UnknownFrameError, match="tip_frame 'tool1'"):
        IKSolver(model, "tool1", "base_link")
    with pytest.raises(UnknownFrameError, match=r"base_frame 'bse_link'.*'base_link'"):
        IKSolver(model, "tool0", "bse_link")
    with pytest.raises(UnknownFrameError, match=r"base_frame 'bse_link'.*'base_link'"):
        IKSolver(model, base_frame="bse_link")
    solver = IKSolver(model, "tool0", "base_link")
    with pytest.raises(UnknownFrameError, match="tip_frame 'tool1'"):
        solver.solve(IKRequest.from_matrix(np.eye(4), tip_frame="tool1"))


def with_joint(kind, above=False):
    odd = JointSpec("odd", kind, "base" if above else "a", "a" if above else "b", axis=Z)
    turn = JointSpec("turn", "revolute", "a" if above else "base", "b" if above else "a")
    last = JointSpec("last", "revolute", "b", "tip", xyz_m=(0.5, 0, 0))
    joints = [odd, turn, last] if above else [turn, odd, last]
    return RobotModel.from_urdf(urdf_text("odd", joints))


@pytest.mark.parametrize("kind", ["planar", "floating"])
def test_a_joint_without_a_single_position_inside_the_chain_is_refused_with_a_base_behind_it(kind):
    model = with_joint(kind)
    refused_chain(model, "base", "tip", "'odd'", kind, "such as 'b'")
    assert build_chain(model, "b", "tip").joint_names == ("last",)


@pytest.mark.parametrize("kind", ["planar", "floating"])
def test_the_same_above_the_arm_is_no_obstacle(kind):
    model = with_joint(kind, above=True)
    refused_chain(model, "base", "tip", "'odd'")
    assert build_chain(model, "a", "tip").joint_names == ("turn", "last")


def test_the_only_end_is_found_and_several_are_listed():
    assert only_end(robot_arm("demo_arm").model, "base_link") == "tool0"
    with pytest.raises(NoChainError) as info:
        only_end(robot_arm("panda").model, "panda_link0")
    assert_sentence(info.value, "give a tip_frame", "'panda_hand_tcp'", "'panda_leftfinger'")
    assert "''" not in str(info.value)
    with pytest.raises(NoChainError, match="nothing below it moves"):
        only_end(robot_arm("ur5").model, "tool0")


def test_ends_that_nothing_can_be_solved_for_are_listed_but_not_proposed():
    joints = [
        JointSpec("turn", "revolute", "base", "arm"),
        JointSpec("afloat", "floating", "arm", "boat"),
        JointSpec("adrift", "floating", "arm", "raft"),
    ]
    with pytest.raises(NoChainError) as info:
        only_end(RobotModel.from_urdf(serial_robot("harbour", joints).urdf), "base")
    assert_sentence(info.value, "give a tip_frame; its ends are 'boat', 'raft'")


def test_the_order_of_joints_is_that_of_the_chain_not_of_the_file_or_the_alphabet():
    made = hand_robots.planar_2r()
    lines = made.urdf.splitlines()
    elbow = next(i for i, line in enumerate(lines) if 'joint name="elbow"' in line)
    moved = "\n".join([lines[0], *lines[elbow : elbow + 7], *lines[1:elbow], *lines[elbow + 7 :]])
    chain = build_chain(RobotModel.from_urdf(moved), made.base, made.tip)
    assert chain.joint_names == made.joint_names == ("shoulder", "elbow")
    assert RobotModel.from_urdf(moved).joint_names == ("elbow", "shoulder")
