# SPDX-License-Identifier: Apache-2.0
"""A robot that stands in: inside its limits, at rest or on its way, and never beside another."""

from __future__ import annotations

import math

import pytest
from sensor_msgs.msg import JointState

from ik_solver_ros import RobotModel
from ik_solver_ros.ros.fake_robot import FakeRobot, resting_positions
from support.robots import REQUIRED, robot_urdf
from support.ros_harness import (
    Cell,
    Program,
    best_effort,
    joint_state,
    positions_of,
    request_for,
    wait_until,
)
from support.urdf_fk import Mimic, UrdfKinematics
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


MADE = urdf_text(
    "made",
    [
        JointSpec("fast", "revolute", "base", "a", lower=-1.0, upper=1.0, velocity=2.0),
        JointSpec("slow", "prismatic", "a", "b", lower=0.0, upper=0.5, velocity=0.1),
        JointSpec("twin", "revolute", "b", "c", velocity=9.0, mimic=Mimic("fast", -2.0, 0.1)),
        JointSpec("held", "revolute", "c", "d", lower=0.2, upper=0.2),
    ],
)


@pytest.fixture
def robot():
    return FakeRobot(RobotModel.from_urdf(MADE).joints.values())


def test_each_joint_goes_as_fast_as_it_may_and_followers_follow(robot):
    robot.go({"fast": 0.5, "slow": 0.5, "twin": 7.0, "unknown": 1.0})
    robot.step(0.1)
    expected = {"fast": 0.2, "slow": 0.01, "twin": -0.3, "held": 0.2}
    assert robot.positions == pytest.approx(expected)
    robot.step(0.1)
    robot.step(0.1)
    assert robot.positions == pytest.approx({"fast": 0.5, "slow": 0.03, "twin": -0.9, "held": 0.2})
    robot.step(100.0)
    assert robot.positions == pytest.approx({"fast": 0.5, "slow": 0.5, "twin": -0.9, "held": 0.2})


def test_no_target_leads_it_out_of_its_limits_or_to_no_number(robot):
    robot.go({"fast": -3.0, "slow": math.nan, "held": 1.0})
    robot.step(100.0)
    assert robot.positions == pytest.approx({"fast": -1.0, "slow": 0.0, "twin": 2.1, "held": 0.2})
    robot.go({"fast": math.inf})
    robot.step(100.0)
    assert robot.positions["fast"] == -1.0


def test_it_goes_where_the_node_says(tmp_path, domain, arm):
    parameters = {"robot_description": arm.urdf}
    follow = parameters | {"follow": "ik_solver/joint_targets"}
    with (
        Program(tmp_path, "ik_node", domain, parameters) as node,
        Program(tmp_path, "fake_joint_states", domain, follow) as robot,
        Cell(domain) as cell,
    ):
        heard = []
        cell.node.create_subscription(JointState, "joint_states", heard.append, best_effort())
        cell.find_service()
        robot.wait_until(lambda: heard, "a joint state")
        request = request_for(arm.pose(arm.near), seed=arm.near)
        robot.wait_until(lambda: cell.call(request).success, "an answer")
        solution = cell.call(request).solution

        def has_arrived():
            at = positions_of(heard[-1])
            return all(abs(at[j] - q) < 1e-9 for j, q in positions_of(solution).items())

        robot.wait_until(has_arrived, "the robot where the node said")
        for message in heard:
            arm.assert_within_limits(positions_of(message))
        assert node.is_running()


def test_a_description_that_is_repeated_does_not_move_it(tmp_path, domain, arm):
    with (
        Program(tmp_path, "fake_joint_states", domain, {"rate": 100, "follow": "goal"}) as robot,
        Cell(domain) as cell,
    ):
        heard = []
        cell.node.create_subscription(JointState, "joint_states", heard.append, best_effort())
        goal = cell.node.create_publisher(JointState, "goal", 10)
        cell.describe(arm.urdf)
        robot.wait_until(lambda: heard, "a joint state")

        def is_there():
            goal.publish(joint_state(arm.near))
            at = positions_of(heard[-1])
            return all(abs(at[joint] - position) < 1e-9 for joint, position in arm.near.items())

        robot.wait_until(is_there, "the robot where it was told to go")
        before = len(heard)
        cell.describe(arm.urdf)
        robot.wait_until(lambda: len(heard) > before + 50, "fifty more joint states")
        for message in heard[before:]:
            assert positions_of(message) == pytest.approx(arm.near, abs=1e-9)


def test_it_ends_beside_a_robot_that_tells_the_same_joints(tmp_path, domain, arm):
    parameters = {"robot_description": arm.urdf}
    with (
        Program(tmp_path, "fake_joint_states", domain, parameters) as program,
        Cell(domain) as cell,
    ):
        first_joint_state(cell, program)
        with cell.moving_joints({"gripper": 0.1}):
            heard = []
            cell.node.create_subscription(JointState, "joint_states", heard.append, 10)
            program.wait_until(lambda: len(heard) > 50, "a gripper beside it")
        with cell.moving_joints({"joint_2": 0.1}):
            assert program.exit_code() == 1
    assert "somebody else publishes joint 'joint_2' on /joint_states" in program.stderr
    assert "Traceback" not in program.log
