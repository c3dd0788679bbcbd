# SPDX-License-Identifier: Apache-2.0
"""Forward kinematics through the real node, held against a kinematics that is not ours."""

from __future__ import annotations

import math

import numpy as np
import pytest

from ik_solver_ros import Status
from ik_solver_ros.srv import ComputeFK
from support.poses import rotation_from_rpy, transform, xyz_quat_from_transform
from support.robots import robot_urdf
from support.ros_harness import (
    Cell,
    Program,
    joint_state,
    positions_of,
    request_for,
    set_pose,
)
from support.urdf_fk import Mimic, UrdfKinematics
from support.urdf_writer import JointSpec, urdf_text

PARAMETERS = {"max_joint_state_age": 0, "tcp_offset": [0.0, 0.01, 0.1, 0.0, 0.3, 0.0]}
TOOL = transform(rotation_from_rpy((0.0, 0.3, 0.0)), (0.0, 0.01, 0.1))
OFFSET = transform(rotation_from_rpy((0.1, 0.5, -1.2)), (0.3, -0.2, 0.1))


@pytest.fixture(scope="module", autouse=True)
def joint_states_are_known(cell, arm):
    probe = request_for(arm.pose(arm.start) @ TOOL, dry_run=True)
    cell.move_joints(arm.start, lambda: cell.call(probe).success)


def compute(cell, positions=None, **fields):
    request = ComputeFK.Request(**fields)
    if positions is not None:
        request.joint_state = joint_state(positions)
    return cell.ask("compute_fk", ComputeFK, request)


def matrix(stamped):
    at, turned = stamped.pose.position, stamped.pose.orientation
    x, y, z, w = turned.x, turned.y, turned.z, turned.w
    assert math.hypot(x, y, z, w) == pytest.approx(1.0, abs=1e-12)
    rotation = np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
        ]
    )
    return transform(rotation, (at.x, at.y, at.z))


def assert_is_refused(answer, status, words):
    assert (answer.status, answer.success) == (status, False)
    assert words in answer.message
    assert list(answer.poses) == []


def test_several_frames_at_the_latest_joint_state(cell, arm):
    links = ["tool0", "elbow_link", "base_link", "tool0"]
    answer = compute(cell, frames=links)

    assert (answer.status, answer.success) == (Status.SOLVED, True)
    assert answer.state_source == "joint_states"
    assert len(answer.poses) == len(links)
    for link, stamped in zip(links, answer.poses):
        assert stamped.header.frame_id == "base_link"
        assert stamped.header.stamp.sec > 0
        np.testing.assert_allclose(matrix(stamped), arm.pose(arm.start, link), atol=1e-12)


def test_any_joint_state(cell, arm):
    answer = compute(cell, arm.near, frames=["tool0"])
    assert answer.state_source == "request"
    np.testing.assert_allclose(matrix(answer.poses[0]), arm.pose(arm.near), atol=1e-12)


def test_a_part_of_the_joints_overrides_the_latest_joint_state_by_name(cell, arm):
    answer = compute(cell, {"joint_4": 1.1, "joint_2": 0.3}, frames=["tool0"])
    assert answer.state_source == "request+joint_states"
    expected = arm.pose(arm.start | {"joint_4": 1.1, "joint_2": 0.3})
    np.testing.assert_allclose(matrix(answer.poses[0]), expected, atol=1e-12)


@pytest.mark.parametrize("reference", ["shoulder_link", "tool0"])
def test_the_reference_is_at_the_same_joint_positions(cell, arm, reference):
    answer = compute(cell, arm.near, frames=["tool0", "elbow_link"], reference_frame=reference)
    for link, stamped in zip(("tool0", "elbow_link"), answer.poses):
        assert stamped.header.frame_id == reference
        expected = arm.pose(arm.near, link, reference)
        np.testing.assert_allclose(matrix(stamped), expected, atol=1e-12)


def test_a_point_fixed_to_the_frames(cell, arm):
    request = {"tcp_offset": ComputeFK.Request().tcp_offset, "frames": ["tool0", "elbow_link"]}
    set_pose(request["tcp_offset"], xyz_quat_from_transform(OFFSET))
    answer = compute(cell, arm.near, **request)
    for link, stamped in zip(request["frames"], answer.poses):
        expected = arm.pose(arm.near, link) @ OFFSET
        np.testing.assert_allclose(matrix(stamped), expected, atol=1e-12)


@pytest.mark.parametrize("frames", [[], [""]])
def test_without_a_frame_it_is_what_solve_ik_brings_to_its_target(cell, arm, frames):
    target = arm.pose(arm.near) @ TOOL
    np.testing.assert_allclose(
        matrix(compute(cell, arm.near, frames=frames).poses[0]), target, atol=1e-12
    )
    found = cell.call(request_for(target, seed=arm.near))
    assert found.success, found.message
    there = compute(cell, positions_of(found.solution), frames=frames)
    np.testing.assert_allclose(matrix(there.poses[0]), target, atol=1e-4)


def test_a_link_by_name_is_the_link_and_not_its_tool(cell, arm):
    answer = compute(cell, arm.near, frames=["tool0"])
    np.testing.assert_allclose(matrix(answer.poses[0]), arm.pose(arm.near), atol=1e-12)


def test_where_no_joint_moves_the_frame_no_joint_state_is_used(cell, arm):
    answer = compute(cell, frames=["base_link"])
    assert (answer.success, answer.state_source) == (True, "")
    np.testing.assert_allclose(matrix(answer.poses[0]), np.eye(4), atol=0)


REFUSED = {
    "frame": ({"frames": ["tool0", "tool"]}, Status.UNKNOWN_FRAME, "frame 'tool'"),
    "slash": ({"reference_frame": "/base_link"}, Status.UNKNOWN_FRAME, "reference_frame"),
    "joint": ({"positions": {"joint_9": 0.0}}, Status.INVALID_REQUEST, "'joint_9'"),
    "nan": ({"positions": {"joint_2": math.nan}}, Status.INVALID_REQUEST, "joint_2 = nan"),
    "inf": ({"positions": {"joint_2": math.inf}}, Status.INVALID_REQUEST, "joint_2 = inf"),
}


@pytest.mark.parametrize("fault", REFUSED)
def test_what_cannot_be_computed_is_refused_with_its_name(cell, fault):
    fields, status, words = REFUSED[fault]
    assert_is_refused(compute(cell, **fields), status, words)


def test_an_unknown_reference_frame_is_refused_at_once(cell):
    answer = compute(cell, reference_frame="camera")
    assert answer.status in (Status.UNKNOWN_FRAME, Status.FRAME_UNAVAILABLE)
    assert "reference_frame 'camera'" in answer.message


def test_names_and_positions_that_do_not_pair_up_are_refused(cell):
    request = ComputeFK.Request()
    request.joint_state.name = ["joint_1", "joint_2"]
    request.joint_state.position = [0.0]
    answer = cell.ask("compute_fk", ComputeFK, request)
    assert_is_refused(answer, Status.INVALID_REQUEST, "joint_state: 2 names but 1 positions")


@pytest.mark.parametrize(
    ("name", "position", "words"),
    [
        ("joint_9", 0.0, "joint_state: this robot has no moving joint 'joint_9'"),
        ("joint_1", math.nan, "joint_state: joint_1 = nan is not a finite number"),
        ("joint_1", -math.inf, "joint_state: joint_1 = -inf is not a finite number"),
    ],
)
def test_a_joint_state_of_no_use_is_refused_by_the_name_of_its_field(cell, name, position, words):
    answer = compute(cell, {name: position}, frames=["tool0"])
    assert_is_refused(answer, Status.INVALID_REQUEST, words)


def test_a_tool_without_direction_is_refused(cell):
    request = ComputeFK.Request()
    set_pose(request.tcp_offset, (1, 0, 0, 0, 0, 0, 0))
    answer = cell.ask("compute_fk", ComputeFK, request)
    assert_is_refused(answer, Status.INVALID_REQUEST, "tcp_offset")


def test_without_robot_and_without_joint_state_it_says_so(tmp_path, domain):
    with Program(tmp_path, "ik_node", domain, {}) as node, Cell(domain) as cell:
        cell.find_service()
        assert_is_refused(compute(cell), Status.NO_ROBOT_MODEL, "robot_description")

        cell.describe(robot_urdf("demo_arm"))
        node.wait_for("robot 'demo_arm'")
        assert_is_refused(compute(cell), Status.NO_JOINT_STATE, "'joint_1'")
        below_the_rest = compute(cell, {"joint_1": 0.1}, frames=["shoulder_link"])
        assert (below_the_rest.success, below_the_rest.state_source) == (True, "request")
        assert node.end() == 0


FOLLOWING = urdf_text(
    "following",
    [
        JointSpec("turn", "continuous", "base", "arm", xyz_m=(0, 0, 0.5)),
        JointSpec("bend", "revolute", "arm", "hand", xyz_m=(0.4, 0, 0), axis=(0, 1, 0)),
        JointSpec(
            "same", "revolute", "hand", "tip", xyz_m=(0.3, 0, 0), mimic=Mimic("bend", 0.5, 0.1)
        ),
        JointSpec("afloat", "floating", "base", "boat"),
    ],
)


def test_continuous_and_mimic_joints_and_what_is_afloat(tmp_path, domain):
    """Followers tell their masters, and stand where a request says they do."""
    kinematics = UrdfKinematics(FOLLOWING)
    parameters = {"robot_description": FOLLOWING, "tip_frame": "tip"}
    with (
        Program(tmp_path, "ik_node", domain, parameters) as node,
        Cell(domain) as cell,
    ):
        cell.find_service()
        wound = {"turn": 100.0, "bend": 0.4}
        told = matrix(compute(cell, wound).poses[0])
        np.testing.assert_allclose(told, kinematics.relative(wound, "base", "tip"), atol=1e-9)

        by_follower = compute(cell, {"turn": 100.0, "same": 0.3})
        np.testing.assert_allclose(matrix(by_follower.poses[0]), told, atol=1e-9)

        assert_is_refused(
            compute(cell, wound, frames=["boat"]), Status.FRAME_UNAVAILABLE, "'afloat'"
        )
        assert node.end() == 0
