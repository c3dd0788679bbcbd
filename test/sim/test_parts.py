# SPDX-License-Identifier: Apache-2.0
"""Controller, pace and physics, each by itself."""

from __future__ import annotations

import sys

import numpy as np
import pytest

from ik_solver_ros import RobotModel
from ik_solver_ros.core.errors import MissingDependencyError
from ik_solver_ros.sim.controller import TrajectoryController
from ik_solver_ros.sim.pace import Pace
from ik_solver_ros.sim.world import DRIVE_LAG_S, STEP_S, World
from support.gantry import gantry
from support.robots import robot_urdf

DEMO = RobotModel.from_urdf(robot_urdf("demo_arm"))
START = np.array([0.2, -0.3, -0.8, 0.4, -1.0, 0.5])


# --- controller ---


def test_a_goal_on_the_way_is_approached_along_a_line_and_a_last_one_along_a_cubic():
    controller = TrajectoryController(DEMO, START)
    controller.take({"joint_1": 1.2}, 2.0, rests=False, now_s=10.0)
    assert controller.setpoints(10.5)[0] == pytest.approx(0.45)
    assert controller.setpoints(99.0)[0] == 1.2
    assert controller.setpoints(99.0)[1:].tolist() == START[1:].tolist()
    controller.take({"joint_1": 0.2}, 2.0, rests=True, now_s=12.0)
    assert controller.setpoints(12.5)[0] == pytest.approx(1.2 - 0.15625)  # 3/16 - 2/64
    assert controller.setpoints(14.0)[0] == pytest.approx(0.2)


def test_a_new_goal_starts_where_the_setpoint_is():
    controller = TrajectoryController(DEMO, START)
    controller.take({"joint_1": 1.2}, 2.0, rests=False, now_s=0.0)
    assert not controller.has_done(1.0, 1.9)
    assert controller.has_done(0.5, 1.0)
    controller.take({"joint_1": 0.0}, 1.0, rests=False, now_s=1.0)
    assert controller.setpoints(1.0)[0] == pytest.approx(0.7)
    assert controller.setpoints(1.5)[0] == pytest.approx(0.35)


def test_joints_that_follow_others_are_led_by_them():
    robot = RobotModel.from_urdf(robot_urdf("panda"))
    followers = [joint for joint in robot.joints.values() if joint.master]
    assert followers
    controller = TrajectoryController(robot, np.zeros(len(robot.joints)))
    controller.take({followers[0].master: 0.03}, 1.0, rests=False, now_s=0.0)
    column = robot.joint_names.index(followers[0].name)
    expected = followers[0].multiplier * 0.03 + followers[0].offset
    assert controller.setpoints(1.0)[column] == pytest.approx(expected)


# --- pace ---


class Clock:
    def __init__(self):
        self.now_s, self.slept_s = 0.0, 0.0

    def wait(self, seconds):
        self.now_s += seconds
        self.slept_s += seconds


def test_steps_come_on_time_late_ones_are_caught_up_and_too_late_ones_are_lost():
    clock = Clock()
    pace = Pace(0.01, clock.wait, lambda: clock.now_s)
    for _ in range(10):
        pace.next_step()
    assert clock.now_s == pytest.approx(0.1)
    clock.now_s += 0.055  # held up
    for _ in range(10):
        pace.next_step()
    assert clock.now_s == pytest.approx(0.2)
    assert pace.late_steps == 4  # more than a step behind
    assert pace.lost_s == 0.0
    clock.now_s += 1.0
    pace.next_step()
    assert pace.lost_s == pytest.approx(0.99)
    pace.next_step()
    assert pace.behind_s == 0.0


# --- world ---


def test_drives_follow_an_even_motion_behind_by_their_lag_and_then_arrive():
    world = World(robot_urdf("demo_arm"), DEMO, START)
    for _ in range(500):
        world.step(START)
    assert np.abs(world.positions - START).max() < 1e-9  # gravity is compensated
    speed = 0.1
    for i in range(500):
        setpoints = START + speed * STEP_S * i
        world.step(setpoints)
    assert setpoints - world.positions == pytest.approx(speed * DRIVE_LAG_S, rel=0.15)
    for _ in range(500):
        world.step(setpoints)
    assert np.abs(world.positions - setpoints).max() < 1e-6
    assert world.time_s == pytest.approx(3.0)
    assert not world.saturated_steps.any()


def test_a_leap_is_seen_in_the_velocity_and_in_the_force():
    world = World(robot_urdf("demo_arm"), DEMO, START)
    for _ in range(100):
        world.step(START + 0.5)
    assert world.peak_velocity.max() > 2.0
    assert world.saturated_steps.any()


def test_an_effort_of_0_is_no_bound():
    urdf = gantry().replace('effort="1"', 'effort="0"')
    world = World(urdf, RobotModel.from_urdf(urdf), np.array([0.1, 0.1, 0.1]))
    for _ in range(300):
        world.step(np.array([0.3, 0.2, 0.0]))
    assert world.positions == pytest.approx([0.3, 0.2, 0.0], abs=1e-3)
    assert not world.saturated_steps.any()


@pytest.mark.parametrize("name", ["tiago", "pr2", "talos", "so100", "kinova", "romeo"])
def test_robots_of_all_kinds_have_the_same_kinematics_in_the_physics(name):
    robot = RobotModel.from_urdf(robot_urdf(name))
    start = np.array([min(max(0.0, j.lower), j.upper) for j in robot.joints.values()])
    World(robot_urdf(name), robot, start).step(start)  # it compares them itself


def test_without_mujoco_there_is_a_sentence(monkeypatch):
    monkeypatch.setitem(sys.modules, "mujoco", None)
    with pytest.raises(MissingDependencyError, match="pip install 'mujoco"):
        World(robot_urdf("demo_arm"), DEMO, START)
