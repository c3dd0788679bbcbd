# SPDX-License-Identifier: Apache-2.0
"""Poses, Jacobians, ellipsoids and null spaces of the shown arm, against finite differences."""

from __future__ import annotations

import numpy as np
import pytest

from ik_solver_ros import IKSolver, RobotModel
from ik_solver_ros.core.pinocchio_import import pin
from ik_solver_ros.viewer.kinematics import ArmKinematics
from ik_solver_ros.viewer.start import random_positions, shown_limits
from support.hand_robots import continuous_7r
from support.robots import robot, robot_urdf

CHAINS = ("demo_arm", "panda", "tiago", "talos", "talos_torso", "kinova")
STEP = 1e-6


def kinematics_of(name, **options):
    entry = robot(name)
    model = RobotModel.from_urdf(robot_urdf(name))
    return ArmKinematics(IKSolver(model, entry.tip, entry.base, **options))


def differences(arm, q):
    """(6, m) velocity of the tool by central differences of its pose."""
    columns = []
    for i in range(len(q)):
        step = STEP * np.eye(len(q))[i]
        ahead, behind = (arm.tool_pose(arm.positions(q + side * step)) for side in (1, -1))
        linear = (ahead.translation - behind.translation) / (2 * STEP)
        angular = pin.log3(ahead.rotation @ behind.rotation.T) / (2 * STEP)
        columns.append(np.concatenate((linear, angular)))
    return np.array(columns).T


@pytest.mark.parametrize("tool", [None, ([0.1, -0.05, 0.2], [0.5, 0.5, 0.5, 0.5])])
@pytest.mark.parametrize("name", CHAINS)
def test_the_jacobian_is_the_derivative_of_the_tool_pose(name, tool):
    arm, rng = kinematics_of(name, tcp_offset=tool), np.random.default_rng(5)
    for _ in range(3):
        positions = random_positions(arm, rng, 0.9)
        q = arm.variables(positions)
        np.testing.assert_allclose(arm.jacobian(positions), differences(arm, q), atol=1e-7)


@pytest.mark.parametrize("name", CHAINS)
def test_link_poses_are_those_of_the_robot(name):
    arm = kinematics_of(name)
    positions = random_positions(arm, np.random.default_rng(6), 0.9)
    for link, pose in arm.link_poses(positions).items():
        expected = arm.robot.forward_kinematics(positions, link, arm.base_frame)
        np.testing.assert_allclose(pose.homogeneous, expected, atol=1e-12)


@pytest.mark.parametrize("name", CHAINS)
def test_the_ellipsoid_is_where_unit_joint_speeds_can_bring_the_tool(name):
    arm, rng = kinematics_of(name), np.random.default_rng(7)
    positions = random_positions(arm, rng, 0.9)
    shape, J = arm.ellipsoid(positions), arm.jacobian(positions)[:3]
    np.testing.assert_allclose(shape.axes.T @ shape.axes, np.eye(3), atol=1e-12)
    assert np.linalg.det(shape.axes) == pytest.approx(1.0)
    # Yoshikawa's J J^T, put together again
    np.testing.assert_allclose(
        shape.axes @ np.diag(shape.radii**2) @ shape.axes.T, J @ J.T, atol=1e-12
    )
    speeds = rng.normal(size=(200, J.shape[1]))
    speeds /= np.linalg.norm(speeds, axis=1, keepdims=True)
    inside = (speeds @ J.T) @ shape.axes / shape.radii
    assert (np.linalg.norm(inside, axis=1) <= 1.0 + 1e-9).all()


def test_the_null_space_leaves_the_task_and_moves_no_held_joint(panda):
    arm = panda.kinematics
    positions = random_positions(arm, np.random.default_rng(8), 0.8)
    T_base_target = arm.tool_pose(positions)
    projector = arm.null_projector(positions, T_base_target, [False] * 6)
    np.testing.assert_allclose(projector @ projector, projector, atol=1e-12)
    assert np.trace(projector) == pytest.approx(1.0)
    np.testing.assert_allclose(arm.jacobian(positions) @ projector, 0.0, atol=1e-12)

    free = [False, False, False, False, False, True]
    wider = arm.null_projector(positions, T_base_target, free)
    assert np.trace(wider) == pytest.approx(2.0)
    turn = T_base_target.rotation.T
    J = arm.jacobian(positions) @ wider
    np.testing.assert_allclose(np.vstack((turn @ J[:3], (turn @ J[3:])[:2])), 0.0, atol=1e-12)


def test_a_six_axis_arm_has_no_null_space(demo):
    arm = demo.kinematics
    projector = arm.null_projector(demo.start, arm.tool_pose(demo.start), [False] * 6)
    np.testing.assert_allclose(projector, 0.0, atol=1e-12)


def test_sliders_have_finite_ends_inside_the_limits():
    arm = ArmKinematics(IKSolver(RobotModel.from_urdf(continuous_7r().urdf), "l7"))
    low, high = shown_limits(arm)
    assert np.isfinite([*low, *high]).all()
    assert (low >= arm.chain.limits.lower).all()
    assert (high <= arm.chain.limits.upper).all()
    assert (low < high).all()


def test_a_slider_spans_the_joints_own_limits(demo):
    low, high = shown_limits(demo.kinematics)
    np.testing.assert_array_equal(low, demo.kinematics.chain.limits.lower)
    np.testing.assert_array_equal(high, demo.kinematics.chain.limits.upper)
    assert high[5] == pytest.approx(np.radians(350), abs=1e-2)  # beyond half a turn


def test_a_slider_of_a_continuous_joint_spans_one_turn():
    arm = ArmKinematics(IKSolver(RobotModel.from_urdf(continuous_7r().urdf), "l7"))
    low, high = shown_limits(arm)
    endless = np.isinf(arm.chain.limits.upper)
    assert endless.any()
    np.testing.assert_array_equal(low[endless], -np.pi)
    np.testing.assert_array_equal(high[endless], np.pi)
