# SPDX-License-Identifier: Apache-2.0
"""Poses from numbers: the quaternion order, normalising, matrices, and what is refused."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ik_solver_ros import InvalidRequestError
from ik_solver_ros.core import transforms
from ik_solver_ros.core.pinocchio_import import pin
from support import poses, strategies
from support.judging import refused

ASYMMETRIC_RPY_RAD = (0.1, 0.5, -1.2)
ROUNDING = 1e-14
IDENTITY_QUAT_XYZW = (0.0, 0.0, 0.0, 1.0)


def matrix_from(xyz_m, quat_xyzw):
    return transforms.se3_from_xyz_quat(xyz_m, quat_xyzw).homogeneous


# --- the order of a quaternion ---


def test_quaternions_are_read_as_x_y_z_w():
    """Half of all orders give the right answer for a half turn or for the identity: not here."""
    R = poses.rotation_from_rpy(ASYMMETRIC_RPY_RAD)
    quat_xyzw = poses.quat_xyzw_from_rotation(R)
    assert len({round(abs(c), 6) for c in quat_xyzw}) == 4
    assert pytest.approx(poses.transform(R, [1, 2, 3]), abs=ROUNDING) == matrix_from(
        [1, 2, 3], quat_xyzw
    )


@given(strategies.unit_quats_xyzw(), strategies.vectors(3, 10.0))
def test_a_pose_is_what_the_textbook_says(quat_xyzw, xyz_m):
    expected = poses.transform_from_xyz_quat(xyz_m, quat_xyzw)
    assert pytest.approx(expected, abs=ROUNDING) == matrix_from(xyz_m, quat_xyzw)


@given(strategies.unit_quats_xyzw(), strategies.vectors(3, 10.0))
def test_a_quaternion_comes_back_or_its_negative(quat_xyzw, xyz_m):
    pose = transforms.se3_from_xyz_quat(xyz_m, quat_xyzw)
    xyz_back_m, quat_back_xyzw = transforms.xyz_quat_from_se3(pose)
    assert xyz_back_m == tuple(xyz_m)
    sign = math.copysign(1.0, float(np.dot(quat_xyzw, quat_back_xyzw)))
    assert sign * np.array(quat_back_xyzw) == pytest.approx(quat_xyzw, abs=ROUNDING)


# --- group laws ---


@given(strategies.poses(), strategies.poses(), strategies.poses())
def test_poses_are_a_group(T_a_b, T_b_c, T_c_d):
    a_b, b_c, c_d = map(transforms.se3_from_matrix, (T_a_b, T_b_c, T_c_d))
    a_d = ((a_b * b_c) * c_d).homogeneous
    assert pytest.approx((a_b * (b_c * c_d)).homogeneous, abs=1e-13) == a_d
    assert pytest.approx(T_a_b @ T_b_c @ T_c_d, abs=1e-13) == a_d
    assert pytest.approx(np.eye(4), abs=1e-13) == (a_b * a_b.inverse()).homogeneous
    assert pytest.approx(np.eye(4), abs=1e-13) == (a_b.inverse() * a_b).homogeneous


@given(strategies.poses())
def test_a_matrix_comes_back(T):
    assert pytest.approx(T, abs=ROUNDING) == transforms.se3_from_matrix(T).homogeneous


# --- norms ---


@given(
    strategies.unit_quats_xyzw(),
    st.one_of(
        st.sampled_from([1.1e-6, 1e-5, 0.5, 2.0, 1e150, 1e154, 1e160, 1e300, 8e307]),
        st.floats(2e-6, 1e9),
    ),
)
def test_any_norm_gives_the_same_rotation(quat_xyzw, norm):
    R = matrix_from([0, 0, 0], norm * quat_xyzw)[:3, :3]
    assert pytest.approx(poses.rotation_from_quat_xyzw(quat_xyzw), abs=1e-13) == R
    assert abs(np.linalg.det(R) - 1.0) < 1e-13


def test_the_largest_numbers_there_are_do_not_overflow():
    largest = np.finfo(float).max
    R = matrix_from([0, 0, 0], (largest, largest, largest, largest))[:3, :3]
    assert pytest.approx(poses.rotation_from_quat_xyzw([1, 1, 1, 1]), abs=ROUNDING) == R


@pytest.mark.parametrize("decimals", [3, 4, 6])
@given(strategies.unit_quats_xyzw())
def test_a_rounded_quaternion_is_a_rotation_near_the_exact_one(decimals, quat_xyzw):
    R = matrix_from([0, 0, 0], np.round(quat_xyzw, decimals))[:3, :3]
    exact = poses.rotation_from_quat_xyzw(quat_xyzw)
    assert abs(np.linalg.det(R) - 1.0) < 1e-13
    assert poses.orientation_error_rad(R, exact) <= 4.0 * 10.0**-decimals


def test_two_roundings_of_a_right_angle_are_the_same_to_their_precision():
    coarse, fine = ((0, 0, 0.7071, 0.7071), (0, 0, 0.707107, 0.707107))
    assert pytest.approx(matrix_from([0, 0, 0], fine), abs=1e-15) == matrix_from([0, 0, 0], coarse)


NO_DIRECTION = [
    (0.0, 0.0, 0.0, 0.0),
    (-0.0, 0.0, -0.0, 0.0),
    (0.0, 0.0, 0.0, 9.9e-7),
    (4.9e-7, 4.9e-7, 4.9e-7, 4.9e-7),
    (1e-200, 0.0, 0.0, 1e-200),
    (5e-324, 0.0, 0.0, 0.0),
]


@pytest.mark.parametrize("quat_xyzw", NO_DIRECTION)
def test_a_quaternion_without_direction_is_refused(quat_xyzw):
    with refused("target.orientation", "has no direction"):
        transforms.se3_from_xyz_quat([0, 0, 0], quat_xyzw)


def test_a_norm_of_1e_6_is_the_smallest_that_has_a_direction():
    transforms.unit_quat_xyzw((0.0, 0.0, 0.0, 1e-6))
    with refused("orientation"):
        transforms.unit_quat_xyzw((0.0, 0.0, 0.0, math.nextafter(1e-6, 0.0)))


def test_nobody_looks_at_a_zero_quaternion_where_the_orientation_is_free():
    pose = transforms.se3_from_xyz_quat([1, 2, 3], (0, 0, 0, 0), orientation_free=True)
    assert np.array_equal(pose.homogeneous, poses.transform(np.eye(3), [1, 2, 3]))


@pytest.mark.parametrize("quat_xyzw", [(0, 0, 0, math.nan), (0, 0, math.inf, 0), (0, 0, 1)])
def test_a_broken_quaternion_is_refused_even_where_the_orientation_is_free(quat_xyzw):
    with refused("target.orientation"):
        transforms.se3_from_xyz_quat([0, 0, 0], quat_xyzw, orientation_free=True)


# --- numbers of no use ---

NO_NUMBERS = ["abc", None, True, [True, True, True], ["1", "2", "3"], {"x": 1}, {1, 2, 3}, object()]
NO_NUMBERS += [[1j, 0, 0], [None, 0, 0], [[1, 2], [3]], np.array(["a", "b", "c"]), b"abc"]
WRONG_SHAPES = [1.0, [], [1], [1, 2], [1, 2, 3, 4], [[1, 2, 3]], np.zeros((3, 1)), np.zeros((0, 3))]


@pytest.mark.parametrize("xyz_m", [*NO_NUMBERS, *WRONG_SHAPES], ids=repr)
def test_positions_that_are_no_three_numbers_are_refused(xyz_m):
    with refused("target.position", "x, y, z in metres"):
        transforms.se3_from_xyz_quat(xyz_m, IDENTITY_QUAT_XYZW)


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, 1.0000001e6, -1e7, 1e300])
@pytest.mark.parametrize("axis", range(3))
def test_positions_that_nothing_reaches_are_refused(axis, value):
    xyz_m = [0.0, 0.0, 0.0]
    xyz_m[axis] = value
    with refused("target.position"):
        transforms.se3_from_xyz_quat(xyz_m, IDENTITY_QUAT_XYZW)
    matrix = np.eye(4)
    matrix[:3, 3] = xyz_m
    for pose in (matrix, pin.SE3(np.eye(3), np.array(xyz_m))):
        with pytest.raises(InvalidRequestError, match=r"^target(\.position)?: "):
            transforms.checked_se3(pose, "target")


@pytest.mark.parametrize("xyz_m", [(1, 2, 3), np.array([1, 2, 3]), np.array([1, 2, 3], np.float32)])
def test_any_three_real_numbers_are_a_position(xyz_m):
    pose = transforms.se3_from_xyz_quat(xyz_m, IDENTITY_QUAT_XYZW)
    assert pose.translation.tolist() == [1.0, 2.0, 3.0]


# --- matrices ---


@given(strategies.poses(), st.floats(-4e-4, 4e-4), st.integers(0, 8))
def test_a_slightly_torn_matrix_is_made_a_rotation(T, tear, element):
    torn = T.copy()
    torn[:3, :3].flat[element] += tear
    pose = transforms.se3_from_matrix(torn)
    R = pose.rotation
    assert abs(np.linalg.det(R) - 1.0) < 1e-9
    assert pytest.approx(np.eye(3), abs=1e-9) == R.T @ R
    assert poses.orientation_error_rad(R, T) <= 1e-3


NO_POSES = {
    "shape (3, 4)": np.eye(4)[:3],
    "shape (3, 3)": np.eye(3),
    "16 numbers": np.eye(4).ravel(),
    "text": "eye",
    "None": None,
    "torn rows": [[1, 0], [1]],
    "booleans": np.eye(4, dtype=bool),
    "zero": np.zeros((4, 4)),
    "scaled": np.diag([2.0, 2.0, 2.0, 1.0]),
    "slightly scaled": np.diag([1.001, 1.001, 1.001, 1.0]),
    "mirrored": np.diag([1.0, 1.0, -1.0, 1.0]),
    "turned inside out": np.diag([-1.0, -1.0, -1.0, 1.0]),
    "huge": np.diag([1e200, 1e200, 1e200, 1.0]),
    "sheared": np.array([[1, 0.01, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1.0]]),
    "symmetrically sheared": np.array(
        [[1, 0.01, 0, 0], [0.01, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1.0]]
    ),
    "last row zero": np.diag([1.0, 1.0, 1.0, 0.0]),
    "transposed": poses.transform(np.eye(3), [1, 2, 3]).T,
    "NaN in the rotation": np.where(np.eye(4) == 1, np.nan, 0.0),
    "inf in the last row": np.vstack([np.eye(4)[:3], [np.inf, 0, 0, 1]]),
}


@pytest.mark.parametrize("matrix", NO_POSES.values(), ids=NO_POSES)
def test_what_is_no_pose_matrix_is_refused(matrix):
    with refused("target", "pose matrix"):
        transforms.se3_from_matrix(matrix)


@pytest.mark.parametrize("name", ["scaled", "mirrored", "sheared", "symmetrically sheared", "zero"])
def test_what_pinocchio_takes_for_a_pose_is_checked_like_a_matrix(name):
    pose = pin.SE3(np.ascontiguousarray(NO_POSES[name][:3, :3]), np.zeros(3))
    with refused("tcp_offset", "not a rotation"):
        transforms.checked_se3(pose, "tcp_offset")


@given(strategies.poses(), st.sampled_from([0.0, 1e-13, 1e-8, 1e-5]))
def test_a_pose_that_was_checked_is_a_rotation_and_a_copy(T, tear):
    given_pose = pin.SE3(T[:3, :3] + tear * np.ones((3, 3)), T[:3, 3])
    pose = transforms.checked_se3(given_pose, "target")
    assert abs(np.linalg.det(pose.rotation) - 1.0) < 1e-9
    given_pose.translation = np.array([9.0, 9.0, 9.0])
    assert pytest.approx(T, abs=10 * tear + 1e-12) == pose.homogeneous


# --- tool offsets ---


@pytest.mark.parametrize("pair", [((0, 0, 0.1), (0, 0, 0, 2)), [[0, 0, 0.1], [0, 0, 0, 2]]])
def test_a_tool_offset_may_be_a_position_and_a_quaternion(pair):
    offset = transforms.tcp_pose(pair)
    assert np.array_equal(offset.homogeneous, poses.transform(np.eye(3), [0, 0, 0.1]))


def test_a_tool_offset_may_be_a_matrix_a_pose_or_none():
    T_tip_tcp = poses.transform(poses.rotation_from_rpy(ASYMMETRIC_RPY_RAD), [0, 0, 0.1])
    as_pose = pin.SE3(T_tip_tcp[:3, :3], T_tip_tcp[:3, 3])
    for offset in (T_tip_tcp, as_pose, T_tip_tcp.tolist()):
        assert pytest.approx(T_tip_tcp) == transforms.tcp_pose(offset).homogeneous
    assert transforms.tcp_pose(None) is None


@pytest.mark.parametrize(
    "offset", ["tool0", 0.1, (0, 0, 0.1), ((0, 0), (0, 0, 0, 1)), (None, None)]
)
def test_what_is_no_tool_offset_is_refused_by_name(offset):
    with pytest.raises(InvalidRequestError, match=r"^tcp_offset(\.\w+)?: "):
        transforms.tcp_pose(offset)


def test_only_the_identity_is_the_identity():
    assert transforms.is_identity(pin.SE3.Identity())
    assert not transforms.is_identity(pin.SE3(np.eye(3), np.array([0, 0, 1e-300])))
