# SPDX-License-Identifier: Apache-2.0
"""The examples without ROS do what they say, judged by a kinematics that shares no code."""

from __future__ import annotations

import numpy as np
import pytest

from support.examples import EXAMPLES, line_with, numbers_in, printed_by
from support.poses import orientation_error_rad, position_error_m, transform
from support.robots import DEMO_ARM, robot_urdf
from support.urdf_fk import UrdfKinematics

KINEMATICS = UrdfKinematics(robot_urdf(DEMO_ARM.name))
JOINTS = KINEMATICS.chain_joints(DEMO_ARM.base, DEMO_ARM.tip)
DOWN = np.diag((1.0, -1.0, -1.0))


def tool_pose(positions):
    assert len(positions) == len(JOINTS)
    for joint, position in zip(JOINTS, positions):
        lower, upper = KINEMATICS.limits(joint)
        assert lower - 1e-6 <= position <= upper + 1e-6
    return KINEMATICS.relative(dict(zip(JOINTS, positions)), DEMO_ARM.base, DEMO_ARM.tip)


def assert_same(one, other):
    assert position_error_m(one, other) <= 1e-4
    assert orientation_error_rad(one, other) <= 1e-3


def test_every_example_is_in_the_list():
    listed = (EXAMPLES / "README.md").read_text(encoding="utf-8")
    names = [path.relative_to(EXAMPLES).as_posix() for path in EXAMPLES.rglob("*.py")]
    assert len(names) == 11
    assert [name for name in names if f"({name})" not in listed] == []


def test_one_target():
    printed = printed_by("01_solve.py")
    assert_same(tool_pose(numbers_in(printed)), transform(DOWN, (0.5, 0.2, 0.4)))


def test_a_path_stays_on_its_branch():
    printed = printed_by("02_batch_path.py")
    assert "2000 of 2000 targets solved" in printed
    assert float(line_with("largest step", printed).split()[-2]) < 0.01
    assert float(line_with("position error", printed).split()[-2]) <= 1e-4


def test_all_branches_reach_the_same_pose():
    rows = [row for row in map(numbers_in, printed_by("03_all_branches.py").splitlines()) if row]
    assert len(rows) == 8
    for row in rows[1:]:
        assert_same(tool_pose(row), tool_pose(rows[0]))
    assert len({tuple(np.round(row, 2)) for row in rows}) == 8
    jumps = [max(map(abs, row)) for row in rows]
    assert jumps == pytest.approx(sorted(jumps), abs=1e-4)


def test_a_drill_spins_to_stay_near():
    exact, drill = (
        row for row in map(numbers_in, printed_by("04_free_axes.py").splitlines()) if row
    )
    for row in (exact, drill):
        pose = tool_pose(row)
        np.testing.assert_allclose(pose[:3, 3], (0.4, 0.3, 0.3), atol=1e-4)
        np.testing.assert_allclose(pose[:3, 2], (0.0, 0.0, -1.0), atol=1e-3)
    assert_same(tool_pose(exact), transform(np.diag((-1.0, 1.0, -1.0)), (0.4, 0.3, 0.3)))
    assert max(map(abs, drill)) < max(map(abs, exact)) - 1.0


def test_the_reasons_of_failures():
    parts = printed_by("05_why_not.py").strip().split("\n\n")
    reasons = [part.splitlines()[1].strip().partition(":")[0] for part in parts]
    assert reasons == [
        "UNREACHABLE",
        "JOINT_LIMITS",
        "JOINT_JUMP",
        "InvalidRequestError",
        "UnknownFrameError",
    ]
    assert "in the way: the limits of joint_3" in parts[1]
    assert "did you mean 'tool0'?" in parts[4]
