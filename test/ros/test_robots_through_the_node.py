# SPDX-License-Identifier: Apache-2.0
"""The whole way for real robots: process, DDS, service; judged by an FK that is not ours."""

from __future__ import annotations

import math

import numpy as np
import pytest

from ik_solver_ros import Status
from support.poses import orientation_error_rad, position_error_m
from support.robots import REQUIRED, robot_urdf
from support.ros_harness import (
    node_in_cell,
    own_domain,
    positions_of,
    repeating,
    request_for,
    wait_until,
)
from support.targets import fk_targets
from support.urdf_fk import UrdfKinematics

TARGETS = 100
TOLERANCE_M, TOLERANCE_RAD = 1e-4, 1e-3  # the defaults


class Arm:
    """One robot in a cell, with its node."""

    def __init__(self, robot, cell):
        self.robot, self.cell = robot, cell
        self.kinematics = UrdfKinematics(robot_urdf(robot.name))
        self.joints = self.kinematics.chain_joints(robot.base, robot.tip)

    def reached(self, positions):
        return self.kinematics.relative(positions, self.robot.base, self.robot.tip)

    def reachable(self, n, seed):
        return fk_targets(self.kinematics, self.robot.base, self.robot.tip, n, seed)[1]

    def out_of_reach(self):
        T = np.eye(4)
        T[:3, 3] = 50.0, 0.0, 0.0
        return T


@pytest.fixture(scope="module", params=REQUIRED, ids=str)
def arm(request, tmp_path_factory):
    robot = request.param
    parameters = {
        "robot_description": robot_urdf(robot.name),
        "base_frame": robot.base,
        "tip_frame": robot.tip,
        "timeout": 1.0,  # of a machine that may be busy with other things
    }
    folder = tmp_path_factory.mktemp(robot.name)
    with own_domain() as domain, node_in_cell(folder, domain, parameters) as (_, cell):
        cell.hear_targets()
        arm = Arm(robot, cell)
        with repeating(split_and_shuffled(arm), 50.0):
            wait_until(lambda: knows_the_joints(arm), "the node knows all joints")
            yield arm


def split_and_shuffled(arm):
    """Publishes the robot's joints in two messages, each in another order every time."""
    rng = np.random.default_rng(7)
    rest = arm.kinematics.random_configuration(rng, arm.kinematics.moving_joints, margin=0.1)

    def publish():
        names = rng.permutation(list(rest)).tolist()
        half = rng.integers(1, len(names))
        for part in (names[:half], names[half:]):
            message = arm.cell.joint_state({name: rest[name] for name in part})
            arm.cell.joint_states.publish(message)

    return publish


def knows_the_joints(arm):
    answer = arm.cell.call(request_for(arm.reachable(1, seed=0)[0], dry_run=True))
    return answer.status != Status.NO_JOINT_STATE


def test_no_false_success_and_one_publication_for_each_success(arm):
    before = len(arm.cell.targets)
    answers = [arm.cell.call(request_for(T)) for T in arm.reachable(TARGETS, seed=1)]

    assert [a.status for a in answers] == [Status.SOLVED] * TARGETS, [a.message for a in answers]
    for T_base_target, answer in zip(arm.reachable(TARGETS, seed=1), answers):
        positions = positions_of(answer.solution)
        assert list(positions) == arm.joints
        for name, position in positions.items():
            lower, upper = arm.kinematics.limits(name)
            assert lower <= position <= upper, f"{name} at {position}"
        T_base_reached = arm.reached(positions)
        error_m = position_error_m(T_base_target, T_base_reached)
        error_rad = orientation_error_rad(T_base_target, T_base_reached)
        assert error_m <= TOLERANCE_M
        assert error_rad <= TOLERANCE_RAD
        assert answer.position_error == pytest.approx(error_m, abs=1e-9)
        assert answer.orientation_error == pytest.approx(error_rad, abs=1e-9)
        assert answer.seed_source == "joint_states"
    wait_until(lambda: len(arm.cell.targets) >= before + TARGETS, "a publication for each success")
    # The very message of the response, in order, and nothing else.
    assert arm.cell.targets[before:] == [answer.solution for answer in answers]


def test_refusals_and_dry_runs_publish_nothing(arm):
    reachable = arm.reachable(3, seed=2)
    before = len(arm.cell.targets)
    no_direction = request_for(reachable[0])
    no_direction.target.pose.orientation.w = math.nan

    assert arm.cell.call(request_for(reachable[0], dry_run=True)).success
    assert not arm.cell.call(request_for(arm.out_of_reach())).success
    assert not arm.cell.call(no_direction).success
    assert not arm.cell.call(request_for(reachable[1], tip_frame="no_such_tip")).success
    last = arm.cell.call(request_for(reachable[2]))

    # Messages keep their order: whatever the calls before had published would have come first.
    wait_until(lambda: len(arm.cell.targets) > before, "the publication of the last call")
    assert arm.cell.targets[before:] == [last.solution]
