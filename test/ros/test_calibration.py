# SPDX-License-Identifier: Apache-2.0
"""Calibration at run time: the corrected URDF is published, and the next answer is right for it."""

from __future__ import annotations

import numpy as np
import pytest

from ik_solver_ros import Status
from support.edited_urdf import (
    added_tool,
    edited,
    moved_origin,
    other_axis,
    other_limits,
    turned_origin,
)
from support.poses import orientation_error_rad, position_error_m
from support.robots import DEMO_ARM, robot_urdf
from support.ros_harness import node_in_cell, positions_of, request_for, wait_until
from support.urdf_fk import UrdfKinematics

MEASURED = robot_urdf(DEMO_ARM.name)
SQUINT = np.array([0.02, 1.0, -0.03])
CORRECTIONS = {
    "a longer link": moved_origin("joint_3", [0.0, 0.0, 0.003]),
    "a joint that stands askew": turned_origin("joint_4", [0.01, -0.02, 0.015]),
    "an axis that squints": other_axis("joint_2", SQUINT),
    "all at once": lambda robot: [
        edit(robot)
        for edit in (
            moved_origin("joint_5", [0.001, -0.002, 0.0]),
            turned_origin("joint_1", [0.0, 0.0, 0.05]),
            other_axis("joint_6", [1.0, 0.01, 0.02]),
        )
    ],
}


@pytest.fixture
def cell(tmp_path, domain):
    with node_in_cell(tmp_path, domain, {"timeout": 5.0}) as (_, cell):
        cell.describe(MEASURED)
        yield cell


def off(answer, kinematics, T_base_target, tip=DEMO_ARM.tip):
    """Errors in m and rad of an answer, by a kinematics of the tests."""
    T_base_tip = kinematics.relative(positions_of(answer.solution), DEMO_ARM.base, tip)
    return (
        position_error_m(T_base_target, T_base_tip),
        orientation_error_rad(T_base_target, T_base_tip),
    )


def is_right(answer, kinematics, T_base_target, tip=DEMO_ARM.tip):
    if not answer.success:
        return False
    off_m, off_rad = off(answer, kinematics, T_base_target, tip)
    return off_m <= 1e-4 and off_rad <= 1e-3


@pytest.mark.parametrize("name", CORRECTIONS)
def test_the_next_answer_is_right_for_the_corrected_robot(cell, arm, name):
    before = UrdfKinematics(MEASURED)
    urdf = edited(MEASURED, CORRECTIONS[name])
    after = UrdfKinematics(urdf)
    T_base_target = before.relative(arm.near, DEMO_ARM.base, DEMO_ARM.tip)
    request = request_for(T_base_target, seed=arm.start)
    wait_until(lambda: is_right(cell.call(request), before, T_base_target), "the robot as measured")

    cell.describe(urdf)
    wait_until(lambda: is_right(cell.call(request), after, T_base_target), "the corrected robot")
    answer = cell.call(request)
    assert not is_right(answer, before, T_base_target)  # the correction made a difference
    assert answer.position_error == pytest.approx(off(answer, after, T_base_target)[0], abs=1e-9)

    cell.describe(MEASURED)
    wait_until(lambda: is_right(cell.call(request), before, T_base_target), "the old robot again")


def test_corrected_limits_count_from_the_next_answer_on(cell, arm):
    T_base_target = arm.pose(arm.near)
    request = request_for(T_base_target, seed=arm.near)
    wait_until(lambda: cell.call(request).success, "an answer inside the limits of the file")
    cell.describe(edited(MEASURED, other_limits("joint_1", -0.4, 0.4)))

    def respects_them():
        answer = cell.call(request)
        if answer.success:  # another configuration
            return abs(positions_of(answer.solution)["joint_1"]) <= 0.4
        return answer.status in (Status.JOINT_LIMITS, Status.UNREACHABLE)

    assert arm.near["joint_1"] > 0.4
    wait_until(respects_them, "an answer inside the corrected limits")


def test_a_tool_that_was_added_can_be_asked_for(cell, arm):
    tool = added_tool("probe", DEMO_ARM.tip, [0.0, 0.01, 0.12], [0.1, -0.2, 0.3])
    urdf = edited(MEASURED, tool)
    kinematics = UrdfKinematics(urdf)
    T_base_target = kinematics.relative(arm.near, DEMO_ARM.base, "probe")
    request = request_for(T_base_target, tip_frame="probe", seed=arm.start)
    wait_until(
        lambda: cell.call(request).status == Status.UNKNOWN_FRAME, "the robot without the tool"
    )
    cell.describe(urdf)
    wait_until(
        lambda: is_right(cell.call(request), kinematics, T_base_target, "probe"),
        "an answer for the new tool",
    )
    request.tip_frame = ""  # the end of the robot is another one now
    assert is_right(cell.call(request), kinematics, T_base_target, "probe")
