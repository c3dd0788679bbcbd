# SPDX-License-Identifier: Apache-2.0
"""A robot at rest: all of its joints, inside their limits, followers where masters put them."""

from __future__ import annotations

import math

import pytest
from sensor_msgs.msg import JointState

from ik_solver_ros import RobotModel
from ik_solver_ros.ros.fake_joint_states import resting_positions
from support.robots import REQUIRED, robot_urdf
from support.ros_harness import Cell, Program, positions_of, request_for, wait_until
from support.urdf_fk import UrdfKinematics
from support.urdf_writer import JointSpec, urdf_text


@pytest.mark.parametrize("robot", REQUIRED, ids=str)
def test_every_joint_rests_inside_its_limits_or_follows(robot):
    urdf = robot_urdf(robot.name)
    kinematics = UrdfKinematics(urdf)
    rest = resting_positions(RobotModel.from_urdf(urdf).joints.values())

    assert list(rest) == kinematics.moving_joints
    for joint, position in rest.items():
        lower, upper = kinematics.limits(joint)
        assert kinematics.mimic(joint) or lower <= position <= upper
        assert position == pytest.approx(kinematics.position(rest, joint), abs=1e-12)


@pytest.mark.parametrize(
    ("kind", "lower", "upper", "position"),
    [
        ("revolute", -1.0, 2.0, 0.0),
        ("revolute", -2 * math.pi, 2.1 * math.pi, 0.0),
        ("revolute", 1.0, 8.0, 4.5),
        ("revolute", -3.0, -0.5, -1.75),
        ("prismatic", 0.0, 0.4, 0.0),
        ("prismatic", -1e16, -0.1, -0.1),
        ("prismatic", -1e16, 1e16, 0.0),
        ("prismatic", 0.1, 1e16, 0.1),
        ("continuous", 0.0, 0.0, 0.0),
    ],
)
def test_zero_or_mid_range(kind, lower, upper, position):
    urdf = urdf_text("one", [JointSpec("j", kind, "base", "tip", lower=lower, upper=upper)])
    assert resting_positions(RobotModel.from_urdf(urdf).joints.values()) == {"j": position}


def first_joint_state(cell, program):
    heard = []
    cell.node.create_subscription(JointState, "joint_states", heard.append, 10)
    program.wait_until(lambda: heard, "a joint state")
    return heard[-1]


@pytest.mark.parametrize("source", ["parameter", "topic"])
def test_the_executable_publishes_for_either_source(tmp_path, domain, arm, source):
    parameters = {"rate": 100} | ({"robot_description": arm.urdf} if source == "parameter" else {})
    with (
        Program(tmp_path, "fake_joint_states", domain, parameters) as program,
        Cell(domain) as cell,
    ):
        if source == "topic":
            cell.describe(arm.urdf)
        message = first_joint_state(cell, program)
        assert list(positions_of(message)) == arm.joints
        assert message.header.stamp.sec > 0


def test_a_description_that_cannot_be_used_is_told_and_a_later_one_is_used(tmp_path, domain, arm):
    with Program(tmp_path, "fake_joint_states", domain, {}) as program, Cell(domain) as cell:
        cell.describe(arm.urdf.replace('upper="2.9671"', 'upper="much"'))
        program.wait_for("cannot be used: ")
        assert "joint_1" in program.log
        cell.describe(arm.urdf)
        assert list(first_joint_state(cell, program).name) == arm.joints
    assert "Traceback" not in program.log


def test_it_feeds_the_node(tmp_path, domain, arm):
    parameters = {"robot_description": arm.urdf}
    with (
        Program(tmp_path, "ik_node", domain, parameters),
        Program(tmp_path, "fake_joint_states", domain, parameters),
        Cell(domain) as cell,
    ):
        cell.find_service()
        wait_until(lambda: cell.call(request_for(arm.pose(arm.near))).success, "an answer")
