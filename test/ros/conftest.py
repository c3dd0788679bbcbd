# SPDX-License-Identifier: Apache-2.0
"""The demo arm in its cell, with the real node as a process: one for each module that asks."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from support.poses import orientation_error_rad, position_error_m
from support.robots import DEMO_ARM, robot_urdf
from support.ros_harness import node_in_cell, own_domain, positions_of
from support.urdf_fk import UrdfKinematics

URDF = robot_urdf(DEMO_ARM.name)


class DemoArm:
    """What is known about the demo arm without asking our code."""

    def __init__(self):
        self.urdf, self.base, self.tip = URDF, DEMO_ARM.base, DEMO_ARM.tip
        self.kinematics = UrdfKinematics(URDF)
        self.joints = self.kinematics.chain_joints(self.base, self.tip)
        # Somewhere in the middle of everything, a bit away from there, and just out of reach:
        # 8 mrad beyond a limit are more than strict tolerances allow and less than relaxed ones.
        self.start = dict(zip(self.joints, (0.2, -0.3, -0.8, 0.4, -1.0, 0.5)))
        self.near = dict(zip(self.joints, (0.5, -0.1, -1.0, 0.2, -1.2, 0.9)))
        self.beyond = self.start | {"joint_3": 1.0472 + 0.008}

    def pose(self, positions, link="", base="") -> np.ndarray:
        """T_base_link (4, 4)."""
        return self.kinematics.relative(positions, base or self.base, link or self.tip)

    def assert_reaches(self, answer: Any, T_base_target: np.ndarray, link: str = "") -> None:
        """The answer is a success, and it is true."""
        assert answer.success, answer.message
        positions = positions_of(answer.solution)
        assert list(positions) == self.joints
        T_base_reached = self.pose(positions, link)
        assert position_error_m(T_base_target, T_base_reached) <= 1e-4
        assert orientation_error_rad(T_base_target, T_base_reached) <= 1e-3
        self.assert_within_limits(positions)

    def assert_within_limits(self, positions) -> None:
        for joint, position in positions.items():
            lower, upper = self.kinematics.limits(joint)
            assert lower <= position <= upper, f"{joint} at {position}"


@pytest.fixture(scope="session")
def arm():
    return DemoArm()


@pytest.fixture
def domain():
    with own_domain() as domain:
        yield domain


@pytest.fixture(scope="module")
def running(request, tmp_path_factory):
    """Process and cell of the demo arm; a module's PARAMETERS go to the node."""
    parameters = {"robot_description": URDF, "timeout": 5.0} | getattr(
        request.module, "PARAMETERS", {}
    )
    folder = tmp_path_factory.mktemp("node")
    with own_domain() as domain, node_in_cell(folder, domain, parameters) as node_and_cell:
        yield node_and_cell


@pytest.fixture(scope="module")
def cell(running):
    return running[1]
