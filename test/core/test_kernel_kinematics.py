# SPDX-License-Identifier: Apache-2.0
"""The kernel's forward kinematics and Jacobian against kinematics that share no code with it."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings

from ik_solver_ros.core.pinocchio_import import pin
from support import hand_robots, strategies
from support.kernel import KernelArm
from support.robots import ROBOTS, robot_urdf

STEP = 1e-6  # of a central difference: its error is 1e-12, rounding adds 1e-10


def pinocchio_pose_and_jacobian(urdf, arm, q):
    """T_base_tip (3, 4) and the Jacobian (6, m) in the base frame, by Pinocchio."""
    model = pin.buildModelFromXML(urdf)
    data = model.createData()
    configuration = pin.neutral(model)
    for name, position in zip(arm.names, q):
        joint = model.joints[model.getJointId(name)]
        is_angle_pair = joint.nq == 2  # continuous
        values = [math.cos(position), math.sin(position)] if is_angle_pair else [position]
        configuration[joint.idx_q : joint.idx_q + joint.nq] = values
    pin.computeJointJacobians(model, data, configuration)
    pin.updateFramePlacements(model, data)
    base, tip = (model.getFrameId(link, pin.FrameType.BODY) for link in (arm.base, arm.tip))
    jacobian = pin.getFrameJacobian(model, data, tip, pin.LOCAL_WORLD_ALIGNED)
    base_jacobian = pin.getFrameJacobian(model, data, base, pin.LOCAL_WORLD_ALIGNED)
    columns = [model.joints[model.getJointId(name)].idx_v for name in arm.names]
    assert not base_jacobian[:, columns].any()  # so the base is at rest
    R_base_world = data.oMf[base].rotation.T
    rows = np.vstack((R_base_world @ jacobian[:3], R_base_world @ jacobian[3:]))
    return (data.oMf[base].inverse() * data.oMf[tip]).homogeneous[:3], rows[:, columns]


@pytest.mark.parametrize("robot", ROBOTS, ids=str)
def test_pose_and_jacobian_are_those_of_pinocchio(robot):
    arm = KernelArm.of(robot.name)
    for q in arm.random(20, seed=1):
        pose, jacobian = pinocchio_pose_and_jacobian(robot_urdf(robot.name), arm, q)
        assert arm.chain.forward(q) == pytest.approx(pose, abs=1e-12)
        assert arm.chain.jacobian(q) == pytest.approx(jacobian, abs=1e-12)


@pytest.mark.parametrize("robot", ROBOTS, ids=str)
def test_the_pose_is_that_of_the_urdf(robot):
    arm = KernelArm.of(robot.name)
    q = arm.random(50, seed=2)
    poses = np.array([arm.chain.forward(row) for row in q])
    assert poses == pytest.approx(arm.forward(q)[:, :3], abs=1e-12)


@settings(max_examples=150)
@given(strategies.chains(), strategies.SEEDS)
def test_any_chain_with_mimic_and_prismatic_joints(made, seed):
    arm = KernelArm.made(made)
    (q,) = arm.random(1, seed)
    assert arm.chain.forward(q) == pytest.approx(arm.forward(q)[:3], abs=1e-12)


@settings(max_examples=150)
@given(strategies.chains(), strategies.SEEDS)
def test_the_jacobian_is_the_derivative_of_the_pose(made, seed):
    arm = KernelArm.made(made)
    (q,) = arm.random(1, seed)
    jacobian = arm.chain.jacobian(q)
    assert jacobian.shape == (6, len(q))
    R = arm.chain.forward(q)[:, :3]
    for i in range(len(q)):
        step = STEP * np.eye(len(q))[i]
        change = (arm.chain.forward(q + step) - arm.chain.forward(q - step)) / (2.0 * STEP)
        skew = change[:, :3] @ R.T
        assert jacobian[:3, i] == pytest.approx(change[:, 3], abs=1e-8)
        turning = [skew[2, 1], skew[0, 2], skew[1, 0]]
        assert jacobian[3:, i] == pytest.approx(turning, abs=1e-8)


def test_a_crank_by_hand():
    arm = KernelArm.made(hand_robots.one_revolute(length_m=0.5))
    angle = 0.7
    expected = [0.5 * math.cos(angle), 0.5 * math.sin(angle), 0.0]
    assert arm.chain.forward([angle])[:, 3] == pytest.approx(expected, abs=1e-15)
    expected = [-0.5 * math.sin(angle), 0.5 * math.cos(angle), 0.0, 0.0, 0.0, 1.0]
    assert arm.chain.jacobian([angle])[:, 0] == pytest.approx(expected, abs=1e-15)


@pytest.mark.parametrize("angle", [0.0, 1e-300, math.pi / 4, math.pi, 1e3, -12345.678, 1e6, -1e6])
def test_sines_stay_exact_far_from_zero(angle):
    """As exact as the angle: to its last digit."""
    chain = KernelArm.made(hand_robots.one_revolute()).chain
    cosine, sine = chain.forward([angle])[:2, 0]
    last_digit = max(2.2e-16, math.ulp(angle))
    assert cosine == pytest.approx(math.cos(angle), abs=1.5 * last_digit)
    assert sine == pytest.approx(math.sin(angle), abs=1.5 * last_digit)


def test_axes_that_are_nearly_parallel_lose_no_digits():
    """Where Denavit-Hartenberg parameters grow without bound, as in calibrated robots."""
    for tilt in [0.0, 1e-15, 1e-12, 1e-9, 1e-6, 1e-3]:
        c, s = math.cos(tilt), math.sin(tilt)
        placement = np.array([[1, 0, 0, 0.4], [0, c, -s, 0.1], [0, s, c, 0.2]])
        flat = KernelArm.made(hand_robots.planar_2r()).flat
        flat["placements"] = np.array([flat["placements"][0], placement])
        chain = type(KernelArm.of("panda").chain)(**flat)
        q = np.array([0.3, -1.1])
        expected = np.eye(4)
        for rows, angle in zip(flat["placements"], q):
            turn = np.eye(4)
            turn[:2, :2] = [[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]]
            expected = expected @ np.vstack((rows, [0, 0, 0, 1])) @ turn
        expected = expected @ np.vstack((flat["T_last_tip"], [0, 0, 0, 1]))
        assert chain.forward(q) == pytest.approx(expected[:3], abs=1e-15)


def test_rotations_stay_rotations():
    chain = KernelArm.of("panda").chain
    for q in KernelArm.of("panda").random(20, seed=3):
        R = chain.forward(q)[:, :3]
        product = R @ R.T
        assert product == pytest.approx(np.eye(3), abs=1e-14)
        assert np.linalg.det(R) > 0.0
