# SPDX-License-Identifier: Apache-2.0
"""What the user does and what is shown then, without a browser."""

from __future__ import annotations

import math

import numpy as np
import pytest

from ik_solver_ros import IKSolver, RobotModel, Status
from ik_solver_ros.core.pinocchio_import import pin
from ik_solver_ros.viewer.backend import Answer, LocalBackend
from ik_solver_ros.viewer.kinematics import ArmKinematics
from ik_solver_ros.viewer.scene import Tone
from ik_solver_ros.viewer.session import Session
from ik_solver_ros.viewer.task import Task
from support.hand_robots import continuous_7r
from support.robots import robot_urdf
from support.viewing import moved, session_of

ROBOTS = ("demo_arm", "panda", "ur5", "tiago", "kinova", "so100")


def misses(view):
    """How far the tool is from the target, m and rad."""
    error = pin.log6(view.T_base_target.actInv(view.T_base_tool))
    return float(np.linalg.norm(error.linear)), float(np.linalg.norm(error.angular))


def assert_is_reached(view):
    position, angle = misses(view)
    assert position <= 1e-4
    assert angle <= 1e-3


@pytest.mark.parametrize("name", ROBOTS)
def test_it_begins_solved_bent_and_above_the_ground(name):
    session = session_of(name)
    view = session.view()
    assert view.tone is Tone.SOLVED
    assert_is_reached(view)
    singular_values = np.linalg.svd(session.kinematics.jacobian(view.positions), compute_uv=False)
    assert singular_values[-1] > 0.02
    assert {row.name for row in view.rows} == set(session.kinematics.joint_names)
    assert all(row.margin >= 0.0 for row in view.rows)


@pytest.mark.parametrize("name", ROBOTS)
def test_random_targets_are_reached_and_the_same_every_time(name):
    first, second = session_of(name), session_of(name)
    for _ in range(5):
        first.go_to_random()
        second.go_to_random()
        view = first.view()
        assert view.tone is Tone.SOLVED, view.message
        assert_is_reached(view)
        assert view.positions == second.view().positions


def test_the_arm_goes_where_the_tool_is_dragged_and_stays_on_its_branch(demo):
    for _ in range(20):
        before = demo.view().positions
        demo.move_target(moved(demo.view().T_base_target, x=0.004, y=0.004, z=-0.006))
        view = demo.view()
        assert view.tone is Tone.SOLVED
        assert_is_reached(view)
        assert max(abs(view.positions[n] - before[n]) for n in before) < 0.1
    assert len(view.trace) > 10


def test_out_of_reach_it_says_so_shows_the_closest_and_comes_back_to_where_it_was(demo):
    start = demo.view()
    demo.move_target(moved(start.T_base_target, x=3.0))
    view = demo.view()
    assert view.tone is Tone.FAILED
    assert view.headline == "unreachable"
    assert "out of reach" in view.message
    assert "closest: off by" in view.details
    assert view.positions != start.positions
    assert len(view.trace) == len(start.trace)
    demo.move_target(start.T_base_target)
    assert demo.view().positions == pytest.approx(start.positions, abs=1e-3)


def test_a_limit_in_the_way_is_named_and_marked_at_its_joint(demo):
    upper = demo.kinematics.robot.joints["joint_5"].upper
    beyond = {**demo.start, "joint_1": 0.5, "joint_2": 0.8, "joint_3": -0.9, "joint_5": upper + 0.4}
    demo.move_target(demo.kinematics.tool_pose(beyond))
    view = demo.view()
    assert view.headline == "joint limits"
    (mark,) = view.marked
    assert mark.name == "joint_5"
    assert mark.text == "joint_5: lower limit -215°"
    np.testing.assert_allclose(mark.position_m, view.links["wrist_link"].translation)
    np.testing.assert_allclose(np.linalg.norm(mark.axis), 1.0)
    assert [row.name for row in view.rows if row.is_blocking] == ["joint_5"]


def test_a_slider_puts_one_joint_and_the_target_goes_with_the_tool(demo):
    before = demo.view().positions
    demo.set_joint("joint_2", 0.3)
    view = demo.view()
    assert view.positions == pytest.approx({**before, "joint_2": 0.3}, abs=1e-9)
    assert_is_reached(view)
    demo.set_joint("joint_2", 99.0)
    assert demo.view().positions["joint_2"] == demo.kinematics.robot.joints["joint_2"].upper


def test_every_branch_is_another_answer_and_the_next_ones_come_round(demo):
    demo.go_to_random()
    demo.set_task(Task(show_branches=True))
    view = demo.view()
    assert view.branches > 2
    assert len(view.ghosts) == view.branches - 1
    tip = demo.kinematics.tip_frame
    for ghost in view.ghosts:
        assert ghost[tip].isApprox(view.T_base_target, 2e-3)
    shown = []
    for _ in range(view.branches):
        assert_is_reached(demo.view())
        shown.append(tuple(demo.view().positions.values()))
        demo.next_branch()
    assert len(set(shown)) == view.branches
    assert tuple(demo.view().positions.values()) == shown[0]


def test_next_branch_works_without_the_ghosts(demo):
    demo.go_to_random()
    before = demo.view()
    demo.next_branch()
    assert demo.view().branch == 2
    assert demo.view().positions != before.positions
    assert_is_reached(demo.view())


@pytest.mark.parametrize("name", ["panda", "tiago", "talos_torso"])
def test_along_the_null_space_the_joints_move_and_the_tool_stays(name):
    session = session_of(name)
    start = session.view()
    assert start.null_range > 0.0
    for distance in (0.1, 0.25, -0.2, 3.0, -3.0, 0.0):
        session.slide_null_space(distance)
        view = session.view()
        assert view.tone is Tone.SOLVED
        assert view.null_value == distance
        assert_is_reached(view)
        assert view.T_base_target == start.T_base_target
    assert view.positions == pytest.approx(start.positions, abs=1e-9)
    session.slide_null_space(0.1)
    first = np.array(list(session.view().positions.values()))
    session.slide_null_space(0.2)
    second = np.array(list(session.view().positions.values()))
    assert 0.02 < np.linalg.norm(second - first) < 0.2


def test_the_null_space_ends_where_a_limit_is_met():
    session = session_of("tiago")
    session.slide_null_space(3.0)
    message = session.view().message
    assert "ends at the limit of " in message
    name = message.rpartition(" ")[2]
    (row,) = (row for row in session.view().rows if row.name == name)
    assert row.margin < 0.06 * (row.upper - row.lower)


def test_without_spare_joints_there_is_no_null_space_until_an_axis_is_free(demo):
    before = demo.view()
    assert before.null_range == 0.0
    demo.slide_null_space(0.5)
    assert demo.view().positions == before.positions
    demo.set_task(Task(free_rotation=(False, False, True)))
    assert demo.view().null_range > 0.0
    demo.slide_null_space(0.5)
    view = demo.view()
    assert misses(view)[0] <= 1e-4
    axis = view.T_base_target.rotation[:, 2] @ view.T_base_tool.rotation[:, 2]
    assert axis == pytest.approx(1.0, abs=1e-5)
    assert view.positions != before.positions


def test_free_axes_and_tolerances_reach_what_was_out_of_reach():
    session = session_of("so100")  # 5 joints
    target = moved(session.view().T_base_target, x=0.02, y=0.03)
    session.move_target(target)
    assert session.view().tone is Tone.FAILED
    session.set_task(Task(free_rotation=(True, True, True)))
    assert session.view().tone is Tone.SOLVED
    assert misses(session.view())[0] <= 1e-4
    session.set_task(Task(position_tolerance_m=0.05, orientation_tolerance_rad=1.0))
    assert session.view().tone is Tone.SOLVED
    session.set_task(Task())
    assert session.view().tone is Tone.FAILED


def test_with_every_axis_free_the_sentence_says_what_is_wrong(demo):
    every = (True, True, True)
    demo.set_task(Task(free_position=every, free_rotation=every))
    view = demo.view()
    assert view.tone is Tone.FAILED
    assert "every axis" in view.message
    demo.set_task(Task())
    assert demo.view().tone is Tone.SOLVED


def test_back_to_the_start(demo):
    demo.go_to_random()
    demo.go_to_start()
    view = demo.view()
    assert view.positions == demo.start
    assert len(view.trace) == 0


class Relaxed(LocalBackend):
    """Answers that meet the relaxed tolerances only."""

    def solve(self, request):
        answer = super().solve(request)
        return Answer(Status.SOLVED_RELAXED, "within relaxed tolerances", answer.solutions)


def test_a_relaxed_answer_is_amber():
    solver = IKSolver(RobotModel.from_urdf(robot_urdf("demo_arm")))
    view = Session(ArmKinematics(solver), Relaxed(solver)).view()
    assert view.tone is Tone.RELAXED
    assert view.headline == "solved, relaxed"


def test_joints_without_limits_are_shown_and_turn(tmp_path):
    robot = continuous_7r()
    solver = IKSolver(RobotModel.from_urdf(robot.urdf), "l7")
    session = Session(ArmKinematics(solver), LocalBackend(solver))
    rows = {row.name: row for row in session.view().rows}
    assert rows["roll_1"].share is None
    assert math.isinf(rows["roll_1"].margin)
    assert not rows["roll_1"].is_near
    session.set_joint("roll_1", 9.0)
    assert session.view().positions["roll_1"] == pytest.approx(9.0)
    assert_is_reached(session.view())
