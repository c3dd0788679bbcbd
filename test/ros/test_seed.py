# SPDX-License-Identifier: Apache-2.0
"""Where the search starts: request over joint states, by name, with followers and held joints."""

from __future__ import annotations

import pytest

from ik_solver_ros import IKSolver, JointStateError, RobotModel
from ik_solver_ros.ros.joint_state_cache import JointStateCache
from ik_solver_ros.ros.seed import current_positions, seed_of
from support.urdf_fk import Mimic
from support.urdf_writer import JointSpec, urdf_text

URDF = urdf_text(
    "made",
    [
        JointSpec("lift", "prismatic", "base", "column", lower=0.0, upper=0.5),
        JointSpec("turn", "continuous", "column", "arm"),
        JointSpec("held", "revolute", "arm", "wrist", lower=0.25, upper=0.25),
        JointSpec("bend", "revolute", "wrist", "hand", axis=(0, 1, 0)),
        JointSpec("same", "revolute", "hand", "tip", axis=(0, 1, 0), mimic=Mimic("bend", 2.0, 0.1)),
        JointSpec("beside", "revolute", "base", "camera"),
    ],
)


@pytest.fixture
def arm():
    return IKSolver(RobotModel.from_urdf(URDF), "tip").arm()


@pytest.fixture
def heard():
    return JointStateCache(lambda: 0.0)


def hear(cache, **positions):
    assert cache.hear(list(positions), list(positions.values()), 0.0) == ""


def test_all_from_joint_states(arm, heard):
    hear(heard, lift=0.1, turn=2.0, bend=0.3, beside=9.0)
    assert seed_of(arm, {}, heard, 1.0) == ({"lift": 0.1, "turn": 2.0, "bend": 0.3}, "joint_states")


def test_all_from_the_request_needs_no_joint_state(arm, heard):
    asked = {"lift": 0.1, "turn": 2.0, "bend": 0.3}
    assert seed_of(arm, asked, heard, 1.0) == (asked, "request")


def test_a_part_from_the_request_overrides_by_name(arm, heard):
    hear(heard, lift=0.1, turn=2.0, bend=0.3)
    seed, source = seed_of(arm, {"turn": -1.0}, heard, 1.0)
    assert (seed, source) == ({"lift": 0.1, "turn": -1.0, "bend": 0.3}, "request+joint_states")


def test_only_what_the_request_leaves_open_must_have_been_heard(arm, heard):
    hear(heard, lift=0.1)
    with pytest.raises(JointStateError) as refusal:
        seed_of(arm, {"turn": 1.0}, heard, 1.0)
    assert refusal.value.joints == ("bend",)


def test_joints_beside_the_arm_are_no_seed(arm, heard):
    hear(heard, lift=0.1, turn=2.0, bend=0.3)
    seed, source = seed_of(arm, {"beside": 1.0}, heard, 1.0)
    assert source == "joint_states"
    assert seed["turn"] == 2.0


def test_a_follower_tells_where_its_master_is(arm, heard):
    hear(heard, lift=0.1, turn=2.0, same=0.7)
    seed, _ = seed_of(arm, {}, heard, 1.0)
    assert seed["bend"] == pytest.approx(0.3)


def test_a_follower_in_the_request_beats_its_master_in_the_joint_states(arm, heard):
    hear(heard, lift=0.1, turn=2.0, bend=0.3, same=0.7)
    seed, source = seed_of(arm, {"same": 1.1}, heard, 1.0)
    assert source == "request+joint_states"
    assert arm.seed(seed).tolist() == pytest.approx([0.1, 2.0, 0.25, 0.5])


def test_a_master_that_was_heard_is_not_told_by_its_follower(arm, heard):
    hear(heard, bend=0.3, same=99.0)
    assert current_positions(arm.robot, ["bend"], heard, 1.0) == {"bend": 0.3}


def test_a_held_joint_is_where_its_limits_put_it(arm, heard):
    assert current_positions(arm.robot, ["held"], heard, 1.0) == {"held": 0.25}
    hear(heard, turn=1.0)
    both = current_positions(arm.robot, ["held", "turn"], heard, 1.0)
    assert both == {"held": 0.25, "turn": 1.0}
