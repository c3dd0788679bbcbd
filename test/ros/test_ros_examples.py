# SPDX-License-Identifier: Apache-2.0
"""The example clients do what they say, with the real node and a robot that follows it."""

from __future__ import annotations

import numpy as np
import pytest

from support.examples import line_with, numbers_in, printed_by
from support.poses import (
    orientation_error_rad,
    position_error_m,
    transform,
    transform_from_xyz_quat,
)
from support.ros_harness import Cell, Program, isolated, own_domain, request_for, wait_until

DOWN = np.diag((1.0, -1.0, -1.0))


@pytest.fixture(scope="module")
def run(tmp_path_factory, arm):
    """Runs an example beside a node that knows where the robot is."""
    folder, described = tmp_path_factory.mktemp("examples"), {"robot_description": arm.urdf}
    with (
        own_domain() as domain,
        Program(folder, "ik_node", domain, described | {"timeout": 5.0}) as node,
        Program(
            folder, "fake_joint_states", domain, described | {"follow": "ik_solver/joint_targets"}
        ),
    ):
        node.wait_for("serving")
        with Cell(domain) as cell:
            cell.find_service()
            known = request_for(transform(DOWN, (0.5, 0.0, 0.4)), dry_run=True)
            wait_until(lambda: cell.call(known).success, "joint states")
        yield lambda example: printed_by(f"ros/{example}", isolated(domain))
        assert "Traceback" not in node.log


def assert_down_at(arm, positions, *xyz_m):
    pose = arm.pose(dict(zip(arm.joints, positions, strict=True)))
    assert position_error_m(transform(DOWN, xyz_m), pose) <= 1e-4
    assert orientation_error_rad(transform(DOWN, xyz_m), pose) <= 1e-3


def test_forward_kinematics_of_the_robot_at_rest_but_for_two_joints(run, arm):
    printed = run("05_compute_fk.py")
    bent = dict.fromkeys(arm.joints, 0.0) | {"joint_2": 0.5, "joint_3": -0.7}
    T_tool_point = transform(np.eye(3), (0.0, 0.0, 0.1))
    expected = {
        "forearm_link in base_link:": arm.pose(bent, "forearm_link"),
        "tool0        in base_link": arm.pose(bent),
        "tool0        in shoulder_link": arm.pose(bent, base="shoulder_link") @ T_tool_point,
    }
    for words, pose in expected.items():
        numbers = numbers_in(line_with(words, printed))
        told = transform_from_xyz_quat(numbers[:3], numbers[3:])
        assert position_error_m(pose, told) <= 2e-6
        assert orientation_error_rad(pose, told) <= 1e-5


def test_a_stream_is_followed(run):
    printed = run("03_stream.py")
    assert "800 targets" in printed
    words = line_with("tracking error", printed).replace(",", "").split()
    assert 0.0 < float(words[3]) < 20.0
    assert float(words[6]) < 40.0


def test_one_call(run, arm):
    assert_down_at(arm, numbers_in(run("01_one_call.py")), 0.5, 0.2, 0.4)


def test_a_batch(run, arm):
    printed = run("02_batch.py")
    assert "1000 of 1000 targets solved" in printed
    for row in (0, 500, 999):
        line = line_with(f"row {row:>3}", printed)
        assert_down_at(arm, numbers_in(line), 0.35 + 0.2 * row / 999, -0.25 + 0.5 * row / 999, 0.4)


def test_a_call_inside_a_callback(run, arm):
    printed = run("04_call_in_callback.py").splitlines()
    for height_m in (0.3, 0.4, 0.5):
        told = printed.index(next(line for line in printed if line.startswith(f"{height_m} m")))
        assert_down_at(arm, numbers_in(printed[told + 1]), 0.5, 0.0, height_m)


def test_who_must_act(run):
    lines = run("06_failures.py").splitlines()
    statuses = [int(line.rpartition(" ")[2]) for line in lines if ": status " in line]
    assert statuses == [1, 10, 11, 20, 24]
    advice = [line.split()[1] for line in lines if line.strip().startswith("->")]
    assert advice == ["go", "mend", "mend", "choose", "try"]
