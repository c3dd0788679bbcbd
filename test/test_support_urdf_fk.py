# SPDX-License-Identifier: Apache-2.0
"""The foreign forward kinematics agrees with Pinocchio, and the robots are what the list says."""

from __future__ import annotations

import math
from functools import partial
from pathlib import Path

import numpy as np
import pinocchio as pin
import pytest
from hypothesis import given, settings

from support import hand_robots, robots, strategies, targets
from support.poses import inverse
from support.robots import REQUIRED, ROBOTS, robot_urdf
from support.urdf_fk import Mimic, UrdfKinematics
from support.urdf_writer import JointSpec, MadeRobot, serial_robot

ROUNDING = 1e-13  # of a whole chain


@pytest.mark.parametrize("robot", ROBOTS, ids=str)
def test_it_agrees_with_pinocchio_on_every_robot(robot):
    kinematics = UrdfKinematics(robot_urdf(robot.name))
    model = pin.buildModelFromXML(robot_urdf(robot.name))
    rng = np.random.default_rng(1)
    for _ in range(10):
        configuration = kinematics.random_configuration(
            rng, kinematics.chain_joints(robot.base, robot.tip)
        )
        T_base_tip = kinematics.relative(configuration, robot.base, robot.tip)
        expected = pinocchio_relative(model, configuration, robot.base, robot.tip)
        assert T_base_tip == pytest.approx(expected, abs=ROUNDING)


@settings(max_examples=60)
@given(strategies.chains(), strategies.SEEDS)
def test_it_agrees_with_pinocchio_on_random_chains(chain, seed):
    kinematics = UrdfKinematics(chain.urdf)
    model = pin.buildModelFromXML(chain.urdf)
    configuration = kinematics.random_configuration(
        np.random.default_rng(seed), kinematics.moving_joints
    )
    T_root_tip = kinematics.forward(configuration, chain.tip)
    expected = pinocchio_relative(model, configuration, "base", chain.tip)
    assert T_root_tip == pytest.approx(expected, abs=ROUNDING)


def test_between_two_branches_only_the_joints_below_the_fork_count():
    kinematics = UrdfKinematics(robot_urdf("pr2"))
    rng = np.random.default_rng(2)
    grippers = ("l_gripper_tool_frame", "r_gripper_tool_frame")
    configuration = {}
    for gripper in grippers:
        names = kinematics.chain_joints("torso_lift_link", gripper)
        configuration |= kinematics.random_configuration(rng, names)
    T_left_right = kinematics.relative(configuration, *grippers)
    with_torso = configuration | {"torso_lift_joint": 0.2}
    T_root_left, T_root_right = (kinematics.forward(with_torso, link) for link in grippers)
    assert T_left_right == pytest.approx(inverse(T_root_left) @ T_root_right, abs=ROUNDING)


def test_arrays_of_positions_give_the_same_poses_one_by_one():
    robot = robots.robot("tiago")
    kinematics = UrdfKinematics(robot_urdf("tiago"))
    configurations, T_base_tip = targets.fk_targets(kinematics, robot.base, robot.tip, 5, seed=3)
    for configuration, T in zip(configurations, T_base_tip, strict=True):
        expected = kinematics.relative(configuration, robot.base, robot.tip)
        assert pytest.approx(expected, abs=ROUNDING) == T


def test_a_mimic_joint_follows_its_master_whatever_position_is_given_for_it():
    robot = geared_slides(multiplier=-2.0, offset=0.05)
    kinematics = UrdfKinematics(robot.urdf)
    assert kinematics.mimic("inner") == Mimic("outer", -2.0, 0.05)
    assert kinematics.mimic("outer") is None
    x_m = kinematics.forward({"outer": 0.1, "inner": 99.0}, "tip")[0, 3]
    assert x_m == pytest.approx(0.1 + (-0.2 + 0.05), abs=1e-15)


def test_a_mimic_joint_narrows_the_range_of_its_master():
    robot = geared_slides(multiplier=-2.0, offset=0.05)
    kinematics = UrdfKinematics(robot.urdf)
    (usable,) = kinematics.usable_ranges(["outer", "inner"]).values()
    # inner = 0.05 - 2 outer stays in [-0.1, 0.1] for outer in [-0.025, 0.075].
    assert usable == pytest.approx((-0.025, 0.075), abs=1e-15)
    assert kinematics.usable_ranges(["outer"]) == {"outer": (-0.3, 0.3)}


def test_continuous_joints_have_no_limits_even_if_the_file_states_some():
    kinematics = UrdfKinematics(robot_urdf("kinova"))
    assert kinematics.limits("j2s6s200_joint_1") == (-math.inf, math.inf)
    assert kinematics.limits("j2s6s200_joint_2") == (0.820304748437, 5.46288055874)


def test_what_is_missing_is_named():
    robot = hand_robots.planar_2r()
    kinematics = UrdfKinematics(robot.urdf)
    with pytest.raises(KeyError, match="'elbow' has no position"):
        kinematics.forward({"shoulder": 0.0}, "tip")
    with pytest.raises(KeyError, match="no link 'tool'"):
        kinematics.forward({}, "tool")
    with pytest.raises(ValueError, match="'tip' is not above link 'base'"):
        kinematics.chain_joints("tip", "base")


def test_a_chain_without_moving_joints_is_empty():
    kinematics = UrdfKinematics(hand_robots.planar_2r().urdf)
    assert kinematics.chain_joints("forearm", "tip") == []
    assert kinematics.chain_joints("tip", "tip") == []


@pytest.mark.parametrize("robot", ROBOTS, ids=str)
def test_the_list_knows_the_chain(robot):
    kinematics = UrdfKinematics(robot_urdf(robot.name))
    assert len(kinematics.chain_joints(robot.base, robot.tip)) == robot.joint_count


def test_the_required_robots_cover_every_kind_of_joint():
    kinds = set()
    for robot in REQUIRED:
        kinematics = UrdfKinematics(robot_urdf(robot.name))
        names = kinematics.chain_joints(robot.base, robot.tip)
        kinds |= {kinematics.joints[name].kind for name in names}
    assert kinds == {"revolute", "continuous", "prismatic"}


def test_document_order_and_tree_order_differ_in_some_robots():
    shuffled = set()
    for robot in ROBOTS:
        kinematics = UrdfKinematics(robot_urdf(robot.name))
        chain = kinematics.chain_joints(robot.base, robot.tip)
        if chain != [name for name in kinematics.moving_joints if name in chain]:
            shuffled.add(robot.name)
    assert shuffled == {"so101", "pr2"}


def test_a_missing_package_is_named_with_the_command_that_installs_it(monkeypatch):
    monkeypatch.setitem(robots.DATA_FOLDERS, "rtb-data", Path("not/installed"))
    with pytest.raises(FileNotFoundError, match="pip install rtb-data"):
        robots.robot_urdf_path("iiwa14")


def test_an_unknown_robot_is_answered_with_the_list():
    with pytest.raises(KeyError, match=r"no test robot 'hal'.*panda"):
        robots.robot("hal")


def geared_slides(multiplier: float, offset: float) -> MadeRobot:
    """Return two slides along x; the inner one follows the outer one."""
    slide = partial(JointSpec, kind="prismatic", axis=(1, 0, 0))
    follow = Mimic("outer", multiplier, offset)
    return serial_robot(
        "geared_slides",
        [
            slide("outer", parent="base", child="rail", lower=-0.3, upper=0.3),
            slide("inner", parent="rail", child="tip", lower=-0.1, upper=0.1, mimic=follow),
        ],
    )


def pinocchio_relative(model, positions, base, link):
    """Return T_base_link by Pinocchio; mimic joints move by the positions given for them."""
    data, q = model.createData(), pin.neutral(model)
    for name, position in positions.items():
        joint = model.joints[model.getJointId(name)]
        # Pinocchio keeps an unbounded angle as its cosine and sine.
        q[joint.idx_q : joint.idx_q + joint.nq] = (
            [position] if joint.nq == 1 else [math.cos(position), math.sin(position)]
        )
    pin.framesForwardKinematics(model, data, q)
    # A joint and a link may share a name, so the kind of frame is part of the question.
    base_id, link_id = (model.getFrameId(name, pin.FrameType.BODY) for name in (base, link))
    return (data.oMf[base_id].inverse() * data.oMf[link_id]).homogeneous
