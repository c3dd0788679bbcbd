# SPDX-License-Identifier: Apache-2.0
"""Robots that the tests make up: solved on paper, or drawn at random."""

from __future__ import annotations

import math
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support import hand_robots, strategies
from support.poses import rotation_about
from support.random_chains import random_chain
from support.urdf_fk import UrdfKinematics
from support.urdf_writer import JointSpec, serial_robot

A_FEW_ULPS = 4e-15


@given(strategies.finite_floats(3.0), strategies.finite_floats(3.0))
def test_planar_2r_is_the_textbook_arm(shoulder, elbow):
    kinematics = UrdfKinematics(hand_robots.planar_2r().urdf)
    T_base_tip = kinematics.forward({"shoulder": shoulder, "elbow": elbow}, "tip")
    expected_xyz_m = [
        0.5 * math.cos(shoulder) + 0.3 * math.cos(shoulder + elbow),
        0.5 * math.sin(shoulder) + 0.3 * math.sin(shoulder + elbow),
        0.0,
    ]
    assert T_base_tip[:3, 3] == pytest.approx(expected_xyz_m, abs=A_FEW_ULPS)
    R_z = rotation_about([0, 0, 1], shoulder + elbow)
    assert T_base_tip[:3, :3] == pytest.approx(R_z, abs=A_FEW_ULPS)


@given(st.floats(0.21, 0.79), strategies.finite_floats(3.0))
def test_planar_2r_is_solved_by_hand_with_both_elbows(radius_m, direction_rad):
    x_m, y_m = radius_m * math.cos(direction_rad), radius_m * math.sin(direction_rad)
    answers = hand_robots.planar_2r_angles(x_m, y_m)
    assert answers[0][1] == -answers[1][1] > 0
    kinematics = UrdfKinematics(hand_robots.planar_2r().urdf)
    for shoulder, elbow in answers:
        T_base_tip = kinematics.forward({"shoulder": shoulder, "elbow": elbow}, "tip")
        assert T_base_tip[:2, 3] == pytest.approx([x_m, y_m], abs=1e-14)


def test_planar_2r_has_no_answer_out_of_reach():
    assert hand_robots.planar_2r_angles(0.9, 0.0) == []
    assert hand_robots.planar_2r_angles(0.1, 0.0) == []


def test_one_joint_robots_move_their_tip_as_drawn():
    crank = UrdfKinematics(hand_robots.one_revolute().urdf)
    assert crank.forward({"crank": math.pi / 2}, "tip")[:3, 3] == pytest.approx([0, 0.5, 0])
    slide = UrdfKinematics(hand_robots.one_prismatic().urdf)
    assert slide.forward({"slide": 0.25}, "tip")[:3, 3] == pytest.approx([0.25, 0, 0.1])


def test_the_ur_like_arm_has_three_parallel_axes_and_no_spherical_wrist():
    robot = hand_robots.ur_like_6r()
    kinematics = UrdfKinematics(robot.urdf)
    zero = dict.fromkeys(robot.joint_names, 0.0)
    frames = [kinematics.forward(zero, kinematics.joints[n].child) for n in robot.joint_names]
    axes = [
        T[:3, :3] @ kinematics.joints[n].axis
        for T, n in zip(frames, robot.joint_names, strict=True)
    ]
    assert np.array_equal(axes[1], axes[2])
    assert np.array_equal(axes[2], axes[3])
    # The first and the last wrist axis are parallel here, and 0.09 m apart.
    between = (frames[5] - frames[3])[:3, 3]
    assert np.linalg.norm(np.cross(axes[3], between)) == pytest.approx(0.09)


def test_the_seven_joint_arm_has_four_continuous_joints():
    robot = hand_robots.continuous_7r()
    kinematics = UrdfKinematics(robot.urdf)
    kinds = [kinematics.joints[name].kind for name in robot.joint_names]
    assert kinds == ["continuous", "revolute"] * 3 + ["continuous"]


@settings(max_examples=60)
@given(strategies.chains())
def test_the_text_describes_the_chain_it_claims(chain):
    kinematics = UrdfKinematics(chain.urdf)
    assert kinematics.root == chain.base
    assert tuple(kinematics.chain_joints(chain.base, chain.tip)) == chain.joint_names


def test_the_same_arguments_give_the_same_text_and_another_seed_another():
    def text(seed):
        return random_chain(seed, 6, mimic_count=2, shuffled=True).urdf

    assert text(4) == text(4)
    assert text(4) != text(5)


@pytest.mark.parametrize("kind", ["revolute", "continuous", "prismatic"])
def test_the_kinds_of_joint_can_be_chosen(kind):
    chain = random_chain(6, 5, kinds=[kind])
    assert chain.urdf.count(f'type="{kind}"') == 5


def test_mimic_joints_follow_joints_above_and_below_them():
    above_and_below = set()
    for seed in range(10):
        chain = random_chain(seed, 6, mimic_count=2)
        kinematics = UrdfKinematics(chain.urdf)
        mimics = {name: kinematics.mimic(name) for name in chain.joint_names}
        followers = [name for name, mimic in mimics.items() if mimic]
        assert len(followers) == 2
        order = chain.joint_names.index
        above_and_below |= {order(name) > order(mimics[name].joint) for name in followers}
    assert above_and_below == {True, False}


def test_more_followers_than_joints_are_refused():
    with pytest.raises(ValueError, match="3 of 3 joints"):
        random_chain(0, 3, mimic_count=3)


def test_tight_limits_are_tight():
    kinematics = UrdfKinematics(random_chain(7, 10, tight_limits=True).urdf)
    bounded = [n for n in kinematics.moving_joints if kinematics.joints[n].kind != "continuous"]
    widths = np.array([np.diff(kinematics.limits(name)) for name in bounded])
    assert len(bounded) > 3
    assert np.all(widths > 0)
    assert np.all(widths <= 0.4)


def test_shuffled_names_and_documents_hide_the_order_of_the_chain():
    chain = random_chain(8, 7, shuffled=True)
    kinematics = UrdfKinematics(chain.urdf)
    in_document = [name for name in kinematics.moving_joints if name in chain.joint_names]
    assert list(chain.joint_names) != in_document
    assert list(chain.joint_names) != sorted(chain.joint_names)
    assert "a_side_joint" in kinematics.moving_joints
    assert "a_side_joint" not in chain.joint_names


def test_numbers_in_the_text_read_back_exactly():
    joint = JointSpec("j", "revolute", "a", "b", (0.1, 1 / 3, 2e-17), lower=-1 / 7, upper=0.3)
    urdf = serial_robot("exact", [joint]).urdf
    limit = ElementTree.fromstring(urdf).find("joint/limit").attrib
    assert float(limit["lower"]) == -1 / 7
    kinematics = UrdfKinematics(urdf)
    assert tuple(kinematics.joints["j"].T_parent_joint[:3, 3]) == (0.1, 1 / 3, 2e-17)
