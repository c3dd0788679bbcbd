# SPDX-License-Identifier: Apache-2.0
"""Which robot is used: from parameter or topic, early or late, replaced or kept."""

from __future__ import annotations

import numpy as np
import pytest

from ik_solver_ros import (
    IKSolverError,
    NoChainError,
    RobotModelError,
    SolverSettings,
    Status,
    UnknownFrameError,
)
from ik_solver_ros.ros.description import RobotInUse
from ik_solver_ros.ros.parameters import NodeSettings
from support.hand_robots import one_revolute, planar_2r
from support.poses import rotation_from_rpy
from support.robots import robot_urdf
from support.urdf_writer import JointSpec, urdf_text

DEMO = robot_urdf("demo_arm")
PLANAR = planar_2r().urdf
TWO_ARMS = urdf_text(
    "two_arms",
    [
        JointSpec("turn_left", "revolute", "base", "left"),
        JointSpec("turn_right", "revolute", "base", "right"),
    ],
)
BROKEN = DEMO.replace('<limit lower="-2.9671" upper="2.9671" effort="110" velocity="2.6"/>', "", 1)


class Log:
    """Remembers what was logged."""

    def __init__(self):
        self.infos, self.warnings, self.errors = [], [], []
        self.info, self.warning = self.infos.append, self.warnings.append
        self.error = self.errors.append


@pytest.fixture
def log():
    return Log()


def in_use(log, **settings):
    return RobotInUse(NodeSettings(**settings), "/cell/robot_description", log)


def joints(robot):
    return robot.setup().solver.joint_names


def test_before_any_description_the_reason_names_both_sources(log):
    robot = in_use(log)
    with pytest.raises(RobotModelError, match=r"parameter.*/cell/robot_description") as refusal:
        robot.setup()
    assert refusal.value.status == Status.NO_ROBOT_MODEL
    (told,) = log.infos
    assert "waiting for a robot description on /cell/robot_description" in told


def test_the_parameter_is_used_and_introduced_once(log):
    robot = in_use(log, robot_description=DEMO)
    assert len(joints(robot)) == 6
    (told,) = log.infos
    assert "'demo_arm': 6 joints from 'base_link' to 'tool0' (joint_1, joint_2" in told


def test_the_topic_is_used_without_the_parameter(log):
    robot = in_use(log)
    robot.hear(PLANAR)
    assert joints(robot) == ("shoulder", "elbow")


def test_the_topic_does_not_matter_beside_the_parameter(log):
    robot = in_use(log, robot_description=DEMO)
    robot.hear(PLANAR)
    robot.hear("<broken")
    assert len(joints(robot)) == 6


def test_a_parameter_that_cannot_be_used_ends_the_start(log):
    with pytest.raises(RobotModelError, match="joint_1"):
        in_use(log, robot_description=BROKEN)
    with pytest.raises(UnknownFrameError, match="did you mean 'tool0'"):
        in_use(log, robot_description=DEMO, tip_frame="tool")
    with pytest.raises(NoChainError, match="'left', 'right'"):
        in_use(log, robot_description=TWO_ARMS)


def test_a_second_description_replaces_the_first_and_an_earlier_setup_stays_whole(log):
    robot = in_use(log)
    robot.hear(DEMO)
    before = robot.setup()
    robot.hear(PLANAR)

    assert joints(robot) == ("shoulder", "elbow")
    assert len(before.solver.joint_names) == 6
    assert before.solver.robot.name == "demo_arm"


@pytest.mark.parametrize(
    ("second", "why"),
    [(BROKEN, "joint_1"), ("", "robot description"), (TWO_ARMS, "'left', 'right'")],
)
def test_a_second_one_that_cannot_be_used_changes_nothing_and_says_why(log, second, why):
    robot = in_use(log)
    robot.hear(DEMO)
    before = robot.setup()
    robot.hear(second)

    assert robot.setup() is before
    (told,) = log.errors
    assert why in told
    assert "the one before stays in use" in told


def test_a_first_one_that_cannot_be_used_is_the_reason_for_having_none(log):
    robot = in_use(log)
    robot.hear(BROKEN)
    with pytest.raises(RobotModelError, match=r"cannot be used: .*joint_1"):
        robot.setup()
    robot.hear(DEMO)
    assert len(joints(robot)) == 6


def test_a_repeated_description_is_not_read_again(log):
    robot = in_use(log)
    robot.hear(DEMO)
    before = robot.setup()
    robot.hear(DEMO)
    assert robot.setup() is before
    assert len(log.infos) == 2  # waiting, introduced


def test_oddities_of_a_robot_are_told_once(log):
    held = DEMO.replace('lower="-2.9671" upper="2.9671" ', "", 1)
    robot = in_use(log)
    robot.hear(held)
    robot.apply(NodeSettings(max_joint_state_age_s=2.0))
    (told,) = [warning for warning in log.warnings if "'joint_1'" in warning]
    assert "robot description" in told


def change(robot, settings):
    robot.check(settings)
    robot.apply(settings)


def test_settings_take_effect_with_the_robot_in_use(log):
    robot = in_use(log)
    robot.hear(DEMO)
    change(robot, NodeSettings(solver_settings=SolverSettings(timeout_s=1.0), tip_frame="flange"))

    setup = robot.setup()
    assert setup.solver.settings.timeout_s == 1.0
    assert setup.settings.tip_frame == setup.solver.tip_frame == "flange"


@pytest.mark.parametrize(
    "misfit",
    [
        {"tip_frame": "no_such_link"},
        {"base_frame": "no_such_link"},
        {"tip_frame": "base_link"},
        {"base_frame": "tool0"},
        {"robot_description": BROKEN},
        {"robot_description": TWO_ARMS},
    ],
)
def test_settings_that_make_no_arm_are_refused(log, misfit):
    robot = in_use(log)
    robot.hear(DEMO)
    with pytest.raises(IKSolverError):
        robot.check(NodeSettings(**misfit))
    assert len(joints(robot)) == 6


def test_without_a_robot_any_frame_is_accepted_until_one_comes(log):
    robot = in_use(log)
    change(robot, NodeSettings(tip_frame="elsewhere"))
    robot.hear(DEMO)
    with pytest.raises(RobotModelError, match="'elsewhere'"):
        robot.setup()


def test_a_robot_that_did_not_fit_is_used_once_the_settings_fit(log):
    robot = in_use(log)
    robot.hear(TWO_ARMS)
    change(robot, NodeSettings(max_joint_state_age_s=2.0))  # does not concern the arm: accepted
    with pytest.raises(RobotModelError, match="tip_frame"):
        robot.setup()
    change(robot, NodeSettings(tip_frame="right"))
    assert joints(robot) == ("turn_right",)


def test_a_description_that_did_not_fit_the_old_tip_is_used_with_the_new_tip(log):
    robot = in_use(log, tip_frame="tool0")
    robot.hear(DEMO)
    robot.hear(TWO_ARMS)
    assert len(joints(robot)) == 6
    change(robot, NodeSettings(tip_frame="left"))
    assert joints(robot) == ("turn_left",)


def test_the_parameter_replaces_the_topic_and_gives_way_to_it_again(log):
    robot = in_use(log)
    robot.hear(DEMO)
    change(robot, NodeSettings(robot_description=PLANAR))
    assert joints(robot) == ("shoulder", "elbow")
    change(robot, NodeSettings())
    assert len(joints(robot)) == 6


def test_an_emptied_parameter_keeps_its_robot_until_the_topic_brings_one(log):
    robot = in_use(log, robot_description=PLANAR)
    change(robot, NodeSettings(max_joint_state_age_s=2.0))
    assert joints(robot) == ("shoulder", "elbow")
    assert robot.setup().settings.max_joint_state_age_s == 2.0
    robot.hear(one_revolute().urdf)
    assert joints(robot) == ("crank",)


def test_the_tool_offset_is_x_y_z_roll_pitch_yaw(log):
    xyz, rpy = (0.01, -0.02, 0.1), (0.1, 0.5, -1.2)
    setup = in_use(log, robot_description=DEMO, tcp_offset=(*xyz, *rpy)).setup()
    plain = in_use(log, robot_description=DEMO).setup()

    offset = np.eye(4)
    offset[:3, :3], offset[:3, 3] = rotation_from_rpy(rpy), xyz
    T_last_tip = np.vstack([plain.solver.arm().chain.T_last_tcp, (0, 0, 0, 1)])
    expected = (T_last_tip @ offset)[:3]
    np.testing.assert_allclose(setup.solver.arm().chain.T_last_tcp, expected, atol=1e-12)
