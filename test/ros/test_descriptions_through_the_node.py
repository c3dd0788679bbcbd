# SPDX-License-Identifier: Apache-2.0
"""Robot descriptions: missing, late, replaced, broken, replaced while a request is on its way."""

from __future__ import annotations

import numpy as np
import pytest
from builtin_interfaces.msg import Duration

from ik_solver_ros import Status
from support.hand_robots import ur_like_6r
from support.ros_harness import Cell, Program, node_in_cell, request_for, wait_until
from support.urdf_fk import UrdfKinematics
from support.urdf_writer import JointSpec, urdf_text

OTHER = ur_like_6r()
FLOATING = urdf_text(
    "ship",
    [
        JointSpec("waves", "floating", "harbour", "deck"),
        JointSpec("turn", "revolute", "deck", "arm"),
        JointSpec("end", "fixed", "arm", "tip", xyz_m=(0.5, 0, 0)),
    ],
)


@pytest.fixture
def started(tmp_path, domain):
    """Starts the node with parameters, and opens the cell around it."""
    return lambda **parameters: node_in_cell(tmp_path, domain, {"timeout": 5.0} | parameters)


def seeded(arm, **fields):
    return request_for(arm.pose(arm.near), seed=arm.start, **fields)


def solves_for(cell, request, joints):
    return lambda: list(cell.call(request).solution.name) == list(joints)


def other_request():
    kinematics = UrdfKinematics(OTHER.urdf)
    positions = dict(zip(OTHER.joint_names, (0.2, -0.9, 1.2, 0.3, 0.8, -0.4)))
    return request_for(kinematics.relative(positions, OTHER.base, OTHER.tip), seed=positions)


def test_a_request_before_any_description_is_refused_and_one_after_it_works(started, arm):
    with started() as (_, cell):
        refused = cell.call(seeded(arm))
        assert refused.status == Status.NO_ROBOT_MODEL
        assert "/robot_description" in refused.message

        cell.describe(arm.urdf)
        wait_until(solves_for(cell, seeded(arm), arm.joints), "an answer for the late robot")


def test_a_description_from_before_the_start_is_heard(tmp_path, domain, arm):
    with Cell(domain) as cell:
        cell.describe(arm.urdf)
        with Program(tmp_path, "ik_node", domain, {"timeout": 5.0}):
            cell.find_service()
            wait_until(solves_for(cell, seeded(arm), arm.joints), "an answer for the early robot")


def test_descriptions_replace_each_other_and_a_broken_one_changes_nothing(started, arm):
    with started() as (node, cell):
        cell.describe(arm.urdf)
        wait_until(solves_for(cell, seeded(arm), arm.joints), "the first robot")
        cell.describe(OTHER.urdf)
        wait_until(solves_for(cell, other_request(), OTHER.joint_names), "the second robot")

        cell.describe(arm.urdf.replace('upper="2.9671"', 'upper="2,9671"'))
        node.wait_for("the one before stays in use")
        assert "joint_1" in node.log
        assert cell.call(other_request()).success


def test_a_request_on_its_way_ends_on_the_robot_it_began_with(started, arm):
    with started(robot_description=arm.urdf, solver="reference", max_attempts=100_000) as (_, cell):
        long = request_for(arm.pose(arm.beyond), seed=arm.start, timeout=Duration(sec=2))
        answer = cell.start_call(long)
        (accepted,) = cell.set_parameters(robot_description=OTHER.urdf)
        assert accepted.successful, accepted.reason
        assert not answer.done()

        wait_until(answer.done, "the end of the long request")
        assert answer.result().status in (Status.TIMEOUT, Status.JOINT_LIMITS)
        assert list(answer.result().closest.name) == arm.joints
        assert cell.call(other_request()).success


def test_a_parameter_set_while_running_is_a_new_robot_or_refused(started, arm):
    with started(robot_description=arm.urdf) as (_, cell):
        (refused,) = cell.set_parameters(robot_description="<robot")
        assert not refused.successful
        assert refused.reason
        assert cell.call(seeded(arm)).success

        (accepted,) = cell.set_parameters(robot_description=OTHER.urdf)
        assert accepted.successful, accepted.reason
        assert cell.call(other_request()).success
        (wrong,) = cell.set_parameters(tip_frame="tool0")
        assert not wrong.successful
        assert "'tool0'" in wrong.reason


def test_a_robot_with_several_ends_asks_for_a_tip(started):
    with started() as (_, cell):
        cell.describe(
            urdf_text(
                "two_arms",
                [
                    JointSpec("turn_left", "revolute", "base", "left"),
                    JointSpec("turn_right", "revolute", "base", "right"),
                ],
            )
        )
        request = request_for(np.eye(4))
        wait_until(lambda: "'left', 'right'" in cell.call(request).message, "a list of the ends")
        (accepted,) = cell.set_parameters(tip_frame="right")
        assert accepted.successful, accepted.reason
        request.seed.name, request.seed.position = ["turn_right"], [0.1]
        assert cell.call(request).success


def test_a_frame_behind_a_floating_joint_is_not_guessed(started):
    with started(robot_description=FLOATING, base_frame="deck") as (_, cell):
        request = request_for(np.eye(4), seed={"turn": 0.0})
        request.target.header.frame_id = "harbour"
        answer = cell.call(request)
        assert answer.status == Status.FRAME_UNAVAILABLE
        assert "'harbour'" in answer.message
