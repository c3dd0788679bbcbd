# SPDX-License-Identifier: Apache-2.0
"""Jacobians of rows, against differences of a foreign forward kinematics, and manipulability."""

from __future__ import annotations

import numpy as np
import pytest

from ik_solver_ros import IKSolver, RobotModel
from ik_solver_ros.core.jacobian import jacobians, manipulability
from support.robots import ROBOTS, robot_urdf
from support.urdf_fk import UrdfKinematics

STEP = 1e-6


def differences(kinematics, chain, q):
    """(n, 6, m) by central differences of the pose, without our code."""

    def poses(rows):
        values = dict(zip(chain.joint_names, chain.report_rows(rows).T, strict=True))
        return kinematics.relative(values, chain.base_frame, chain.tip_frame)

    J = np.empty((len(q), 6, q.shape[1]))
    rotation = poses(q)[:, :3, :3]
    for i in range(q.shape[1]):
        step = STEP * np.eye(q.shape[1])[i]
        slope = (poses(q + step) - poses(q - step)) / (2.0 * STEP)
        spin = slope[:, :3, :3] @ rotation.transpose(0, 2, 1)
        J[:, :3, i] = slope[:, :3, 3]
        J[:, 3:, i] = spin[:, [2, 0, 1], [1, 2, 0]]
    return J


@pytest.mark.parametrize("entry", ROBOTS, ids=str)
def test_jacobians_are_the_slopes_of_the_pose(entry):
    urdf = robot_urdf(entry.name)
    chain = IKSolver(RobotModel.from_urdf(urdf), entry.tip, entry.base).arm().chain
    low, high = np.maximum(chain.limits.lower, -3.0), np.minimum(chain.limits.upper, 3.0)
    q = low + np.random.default_rng(1).random((8, len(low))) * (high - low)
    J = jacobians(chain, q)
    assert np.abs(J - differences(UrdfKinematics(urdf), chain, q)).max() < 1e-7


def test_manipulability_is_yoshikawas_determinant_and_zero_where_an_arm_is_straight():
    chain = IKSolver(RobotModel.from_urdf(robot_urdf("demo_arm"))).arm().chain
    bent = np.array([[0.2, -0.3, -0.8, 0.4, -1.0, 0.5]])
    # joint_5 at -pi/2 lays the axes of joint_4 and joint_6 on one line.
    straight = bent.copy()
    straight[0, 4] = -np.pi / 2
    J = jacobians(chain, np.vstack((bent, straight)))
    w = manipulability(J)
    assert w[0] == pytest.approx(np.sqrt(np.linalg.det(J[0] @ J[0].T)), rel=1e-9)
    assert w[1] < 1e-12 < w[0]
    assert manipulability(J[:1, :, :4]) == pytest.approx(
        np.sqrt(np.linalg.det(J[0, :, :4].T @ J[0, :, :4])), rel=1e-9
    )
