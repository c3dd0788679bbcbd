# SPDX-License-Identifier: Apache-2.0
"""The robot by joint and link name, against a forward kinematics that shares nothing with it."""

from __future__ import annotations

import dataclasses
import math
import threading

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ik_solver_ros import InvalidRequestError, RobotModel, RobotModelError, UnknownFrameError
from ik_solver_ros.core.pinocchio_import import pin
from support import hand_robots, strategies
from support.judging import assert_sentence, refused, robot_arm
from support.robots import ROBOTS, robot_urdf, robot_urdf_path
from support.urdf_fk import Mimic, UrdfKinematics
from support.urdf_writer import JointSpec, serial_robot, urdf_text

ROUNDING = 1e-12


def far_positions(kinematics, rng):
    """Positions far outside any limit: kinematics knows none."""
    return {name: float(rng.uniform(-20, 20)) for name in kinematics.moving_joints}


# --- forward kinematics ---


@pytest.mark.parametrize("entry", ROBOTS, ids=str)
def test_every_link_of_every_robot_is_where_the_urdf_puts_it(entry):
    arm, rng = robot_arm(entry.name), np.random.default_rng(3)
    joints = arm.kinematics.joints
    for _ in range(2):
        positions = {
            name: value
            for name, value in far_positions(arm.kinematics, rng).items()
            if joints[name].mimic is None
        }
        for link in arm.kinematics.links:
            expected = arm.kinematics.forward(positions, link)
            found = arm.model.forward_kinematics(positions, link)
            assert pytest.approx(expected, abs=1e-11) == found


@settings(max_examples=40)
@given(strategies.chains(), strategies.SEEDS)
def test_random_chains_are_read_right(chain, seed):
    kinematics, model = UrdfKinematics(chain.urdf), RobotModel.from_urdf(chain.urdf)
    rng = np.random.default_rng(seed)
    positions = kinematics.random_configuration(rng, kinematics.moving_joints)
    expected = kinematics.relative(positions, chain.base, chain.tip)
    found = model.forward_kinematics(positions, chain.tip, chain.base)
    assert pytest.approx(expected, abs=ROUNDING) == found
    masters = {name: p for name, p in positions.items() if kinematics.mimic(name) is None}
    followed = model.forward_kinematics(masters, chain.tip, chain.base)
    assert pytest.approx(expected, abs=ROUNDING) == followed
    as_array = [positions[name] for name in model.joint_names]
    assert np.array_equal(model.forward_kinematics(as_array, chain.tip, chain.base), found)


def test_any_link_may_be_the_base_also_beside_the_chain():
    arm, rng = robot_arm("tiago"), np.random.default_rng(5)
    names = arm.kinematics.moving_joints
    positions = arm.kinematics.random_configuration(rng, names)
    for base, link in (("arm_3_link", "head_2_link"), ("hand_grasping_frame", "base_link")):
        expected = arm.kinematics.relative(positions, base, link)
        found = arm.model.forward_kinematics(positions, link, base)
        assert pytest.approx(expected, abs=ROUNDING) == found


def test_array_input_is_in_the_order_of_joint_names_which_is_that_of_the_file():
    arm = robot_arm("tiago")
    assert list(arm.model.joint_names) == arm.kinematics.moving_joints
    assert list(arm.model.joint_names) != sorted(arm.model.joint_names)
    assert arm.model.link_names == tuple(arm.kinematics.links)
    assert arm.model.root_link == arm.kinematics.root


@pytest.mark.parametrize("turns", [-16, -1, 1, 3])
def test_a_continuous_joint_is_one_angle_and_forgets_whole_turns(turns):
    arm, rng = robot_arm("pr2"), np.random.default_rng(1)
    positions = arm.kinematics.random_configuration(rng, arm.joint_names)
    (continuous, *_) = [n for n in arm.joint_names if arm.model.joints[n].kind == "continuous"]
    turned = positions | {continuous: positions[continuous] + turns * 2 * math.pi}
    before, after = (arm.model.forward_kinematics(p, arm.tip) for p in (positions, turned))
    assert pytest.approx(before, abs=1e-12) == after


def test_a_follower_follows_unless_it_is_named():
    arm = robot_arm("panda")
    master, follower = "panda_finger_joint1", "panda_finger_joint2"
    followed = arm.model.forward_kinematics({master: 0.02}, "panda_rightfinger")
    named = arm.model.forward_kinematics({master: 0.02, follower: 0.02}, "panda_rightfinger")
    other = arm.model.forward_kinematics({master: 0.02, follower: 0.01}, "panda_rightfinger")
    assert np.array_equal(followed, named)
    assert np.linalg.norm((other - followed)[:3, 3]) == pytest.approx(0.01)


def test_joints_that_are_not_named_are_at_zero():
    model = robot_arm("ur5").model
    assert np.array_equal(
        model.forward_kinematics({}, "tool0"), model.forward_kinematics([0.0] * 6, "tool0")
    )


def test_the_result_is_the_callers_to_change():
    model = robot_arm("ur5").model
    first = model.forward_kinematics({}, "tool0")
    first[:] = 0.0
    assert model.forward_kinematics({}, "tool0")[3, 3] == 1.0


# --- planar, floating, odd ---


def anchored_by(kind):
    anchor = JointSpec("anchor", kind, "world", "base", xyz_m=(1, 2, 3), axis=(0, 0, 1))
    crank = JointSpec("crank", "revolute", "base", "tip", xyz_m=(0, 0, 1))
    return urdf_text("anchored", [anchor, crank])


@pytest.mark.parametrize("kind", ["planar", "floating"])
def test_a_planar_or_floating_joint_stays_at_its_neutral_pose(kind):
    urdf = anchored_by(kind)
    model = RobotModel.from_urdf(urdf)
    assert model.joint_names == ("crank",)
    T = model.forward_kinematics({"crank": 0.5}, "tip")
    assert pytest.approx(UrdfKinematics(urdf).forward({"crank": 0.5}, "tip"), abs=ROUNDING) == T
    assert T[:3, 3].tolist() == [1.0, 2.0, 4.0]


def test_a_link_may_share_its_name_with_a_joint():
    arm = robot_arm("z1")
    assert arm.tip in {joint.name for joint in arm.kinematics.joints.values()}
    expected = arm.kinematics.forward(dict.fromkeys(arm.joint_names, 0.3), arm.tip)
    found = arm.model.forward_kinematics(dict.fromkeys(arm.joint_names, 0.3), arm.tip)
    assert pytest.approx(expected, abs=ROUNDING) == found


def test_a_joint_as_callers_see_it():
    joints = [
        JointSpec("turn", "revolute", "base", "a", lower=-1.0, upper=2.0),
        JointSpec("spin", "continuous", "a", "b", lower=-1.0, upper=2.0),
        JointSpec("slide", "prismatic", "b", "c", lower=-0.1, upper=0.2),
        JointSpec("stuck", "revolute", "c", "d", lower=0.5, upper=0.5),
        JointSpec("geared", "revolute", "d", "tip", mimic=Mimic("turn", -0.5, 0.1)),
    ]
    robot = RobotModel.from_urdf(serial_robot("all", joints).urdf).joints
    assert (robot["turn"].lower, robot["turn"].upper, robot["turn"].unit) == (-1.0, 2.0, "rad")
    assert (robot["spin"].lower, robot["spin"].upper) == (-math.inf, math.inf)
    assert (robot["slide"].upper, robot["slide"].unit) == (0.2, "m")
    assert robot["slide"].is_prismatic
    assert robot["stuck"].is_held
    assert not robot["turn"].is_held
    assert robot["geared"].master == "turn"
    assert (robot["geared"].multiplier, robot["geared"].offset) == (-0.5, 0.1)
    assert robot["turn"].velocity == 3.0
    assert (robot["turn"].parent, robot["turn"].child) == ("base", "a")


# --- what is refused ---


def test_an_unknown_link_is_refused_with_near_matches():
    model = robot_arm("ur5").model
    with pytest.raises(UnknownFrameError) as info:
        model.forward_kinematics({}, "tool1")
    assert (info.value.frame, info.value.role) == ("tool1", "frame")
    assert "tool0" in info.value.near
    assert_sentence(info.value, "'tool1'", "did you mean 'tool0'")
    with pytest.raises(UnknownFrameError) as info:
        model.forward_kinematics({}, "tool0", "base_lnk")
    assert_sentence(info.value, "base_frame 'base_lnk'", "'base_link'")


@pytest.mark.parametrize(
    "name", ["qqqqqqqq", "", 5, None, "tool0 ", "TOOL0", b"tool0", "x" * 10000]
)
def test_whatever_is_no_link_is_refused_with_the_links_there_are(name):
    with pytest.raises(UnknownFrameError) as info:
        robot_arm("ur5").model.forward_kinematics({}, name)
    assert info.value.known
    assert "did you mean" in str(info.value) or "its links are" in str(info.value)


def test_a_joint_that_is_asked_for_as_a_link_says_which_link_it_moves():
    with pytest.raises(UnknownFrameError, match="it is a joint; its link is 'wrist_3_link'"):
        robot_arm("ur5").model.frame_id("wrist_3_joint")


def test_an_unknown_joint_is_refused_with_near_matches():
    model = robot_arm("ur5").model
    with refused("joint", "'elbow'", "did you mean 'elbow_joint'?"):
        model.forward_kinematics({"elbow": 0.1}, "tool0")
    with refused("joint", "'elbow'"):
        model.joint("elbow")
    assert model.joint("elbow_joint").name == "elbow_joint"
    with refused("joint", "it has 'shoulder_pan_joint'"):
        model.joint("qqqqqq")


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, "0.1", None, [0.1], 1j])
def test_what_is_no_joint_position_is_refused(value):
    model = robot_arm("ur5").model
    with refused("joint", "elbow_joint", "is not a finite number"):
        model.forward_kinematics({"elbow_joint": value}, "tool0")


BAD_ROWS = [[0] * 5, [0] * 7, [], 0.0, "000000", None, [[0.0] * 6], [None] * 6, [math.nan] * 6]


@pytest.mark.parametrize("row", BAD_ROWS, ids=repr)
def test_what_is_no_row_of_all_joints_is_refused(row):
    with refused("q"):
        robot_arm("ur5").model.forward_kinematics(row, "tool0")


@pytest.mark.parametrize("text", [None, 5, b"<robot/>", ["<robot/>"]])
def test_what_is_no_text_is_no_description(text):
    with pytest.raises(RobotModelError, match="URDF text expected"):
        RobotModel.from_urdf(text)


def test_files_that_cannot_be_read_say_why(tmp_path):
    binary = tmp_path / "mesh.stl"
    binary.write_bytes(b"solid \xff\xfe\x00")
    for path, reason in (
        (tmp_path / "none.urdf", "No such file"),
        (tmp_path, "is a folder"),
        (binary, "is not UTF-8 text"),
    ):
        with pytest.raises(RobotModelError, match=reason) as info:
            RobotModel.from_urdf_file(path)
        assert str(path) in str(info.value)


def test_a_file_is_read_like_its_text(tmp_path):
    path = robot_urdf_path("ur5")
    assert RobotModel.from_urdf_file(str(path)).joint_names == robot_arm("ur5").model.joint_names
    marked = tmp_path / "marked.urdf"
    marked.write_text(robot_urdf("ur5"), encoding="utf-8-sig")  # as Windows editors write it
    assert RobotModel.from_urdf_file(marked).joint_names == robot_arm("ur5").model.joint_names


# --- shared ---


def test_each_thread_has_a_work_space_of_its_own():
    model = robot_arm("ur5").model
    spaces, gate = [], threading.Barrier(4)

    def look():
        gate.wait(10)
        spaces.append((model.data(), model.data()))
        gate.wait(10)

    threads = [threading.Thread(target=look) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(10)
    assert all(first is second for first, second in spaces)
    assert len({id(first) for first, _ in spaces}) == 4


@settings(max_examples=20)
@given(st.data())
def test_a_configuration_only_moves_what_it_names(data):
    model = robot_arm("pr2").model
    name = data.draw(st.sampled_from([n for n, j in model.joints.items() if j.master is None]))
    q = model.configuration({name: 0.25})
    changed = np.flatnonzero(q != pin.neutral(model.model))
    followers = [j for j in model.joints.values() if j.master == name]
    index, as_cos_sin = model.slot(name)
    allowed = {index, index + 1} if as_cos_sin else {index}
    allowed |= {model.slot(j.name)[0] + k for j in followers for k in (0, 1)}
    assert set(changed) <= allowed | {
        model.slot(j.name)[0] + k for j in model.joints.values() if j.offset for k in (0, 1)
    }
    assert index in changed


def test_the_model_is_not_touched_by_its_use():
    model = RobotModel.from_urdf(hand_robots.continuous_7r().urdf)
    before = model.model.copy()
    model.forward_kinematics([0.3] * 7, "tip")
    with pytest.raises(InvalidRequestError):
        model.forward_kinematics([0.3] * 6, "tip")
    assert model.model == before


def test_the_joints_of_a_robot_do_not_change():
    model = robot_arm("ur5").model
    with pytest.raises(TypeError):
        model.joints["elbow_joint"] = model.joints["wrist_1_joint"]
    with pytest.raises(dataclasses.FrozenInstanceError):
        model.joints["elbow_joint"].upper = 9.0


def test_a_robot_tells_its_size():
    assert repr(robot_arm("ur5").model) == "RobotModel('ur5', 6 moving joints, 11 links)"
