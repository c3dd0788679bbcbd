# SPDX-License-Identifier: Apache-2.0
"""The rotation formulas that judge the package obey the laws, and agree with Pinocchio."""

from __future__ import annotations

import math

import numpy as np
import pinocchio as pin
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support import strategies
from support.poses import (
    inverse,
    orientation_error_rad,
    position_error_m,
    quat_xyzw_from_rotation,
    rotation_about,
    rotation_from_quat_xyzw,
    rotation_from_rpy,
    rotation_from_vector,
    transform,
    transform_from_xyz_quat,
    xyz_quat_from_transform,
)

A_FEW_ULPS = 4e-15


@given(strategies.rotation_vectors())
def test_rotations_are_orthonormal_and_right_handed(vector):
    R = rotation_from_vector(vector)
    assert pytest.approx(np.eye(3), abs=A_FEW_ULPS) == R @ R.T
    assert np.linalg.det(R) == pytest.approx(1.0, abs=A_FEW_ULPS)


@given(strategies.rotation_vectors())
def test_the_orientation_error_is_the_angle_also_near_zero_and_half_a_turn(vector):
    error_rad = orientation_error_rad(np.eye(3), rotation_from_vector(vector))
    assert error_rad == pytest.approx(np.linalg.norm(vector), abs=A_FEW_ULPS)


@given(strategies.rotations(), strategies.rotations())
def test_the_orientation_error_does_not_depend_on_the_order(R_a, R_b):
    there, back = orientation_error_rad(R_a, R_b), orientation_error_rad(R_b, R_a)
    assert there == pytest.approx(back, abs=A_FEW_ULPS)


def test_the_orientation_error_does_not_mistake_a_reversed_axis():
    R_a, R_b = rotation_about([0, 0, 1], 0.3), rotation_about([0, 0, 1], -0.3)
    assert orientation_error_rad(R_a, R_b) == pytest.approx(0.6, abs=A_FEW_ULPS)


@given(strategies.unit_quats_xyzw(), st.floats(0.01, 100.0))
def test_quaternions_survive_the_way_through_a_matrix(quat_xyzw, scale):
    back = quat_xyzw_from_rotation(rotation_from_quat_xyzw(scale * quat_xyzw))
    assert min(np.abs(back - quat_xyzw).max(), np.abs(back + quat_xyzw).max()) < A_FEW_ULPS


@given(strategies.unit_quats_xyzw())
def test_quaternions_agree_with_pinocchio(quat_xyzw):
    expected = pin.Quaternion(quat_xyzw).toRotationMatrix()
    assert rotation_from_quat_xyzw(quat_xyzw) == pytest.approx(expected, abs=A_FEW_ULPS)


def test_roll_pitch_yaw_agrees_with_pinocchio_for_an_asymmetric_rotation():
    expected = pin.rpy.rpyToMatrix(0.1, 0.5, -1.2)
    assert rotation_from_rpy([0.1, 0.5, -1.2]) == pytest.approx(expected, abs=A_FEW_ULPS)


@given(strategies.poses(), strategies.poses())
def test_group_laws(T_a_b, T_b_c):
    assert T_a_b @ inverse(T_a_b) == pytest.approx(np.eye(4), abs=2 * A_FEW_ULPS)
    assert inverse(T_a_b @ T_b_c) == pytest.approx(
        inverse(T_b_c) @ inverse(T_a_b), abs=2 * A_FEW_ULPS
    )


@given(strategies.poses())
def test_seven_numbers_hold_a_pose(T_a_b):
    numbers = xyz_quat_from_transform(T_a_b)
    assert transform_from_xyz_quat(numbers[:3], numbers[3:]) == pytest.approx(T_a_b, abs=A_FEW_ULPS)


def test_batches_equal_single_poses():
    angles_rad = np.linspace(-3.0, 3.0, 7)
    T = transform(rotation_about([1, 2, 3], angles_rad), np.outer(angles_rad, [1, 0, 2]))
    for k, angle_rad in enumerate(angles_rad):
        single = transform(rotation_about([1, 2, 3], angle_rad), [angle_rad, 0, 2 * angle_rad])
        assert np.array_equal(T[k], single)
        assert np.array_equal(inverse(T)[k], inverse(single))
        assert position_error_m(T, T[0])[k] == position_error_m(single, T[0])
        assert orientation_error_rad(T, T[0])[k] == orientation_error_rad(single, T[0])


@pytest.mark.parametrize(
    "faulty",
    [lambda: rotation_about([0, 0, 0], 1.0), lambda: rotation_from_quat_xyzw([0, 0, 0, 0])],
)
def test_zero_is_neither_an_axis_nor_a_rotation(faulty):
    with pytest.raises(ValueError, match="zero"):
        faulty()


def test_examples_are_the_same_every_day_and_have_no_deadline():
    assert settings.default.derandomize
    assert settings.default.deadline is None


@given(strategies.unit_quats_xyzw(), strategies.rotation_vectors(), strategies.directions())
def test_what_is_called_unit_has_unit_length(quat_xyzw, vector, direction):
    assert np.linalg.norm(quat_xyzw) == pytest.approx(1.0, abs=A_FEW_ULPS)
    assert np.linalg.norm(direction) == pytest.approx(1.0, abs=A_FEW_ULPS)
    assert np.linalg.norm(vector) <= math.pi + A_FEW_ULPS


@given(strategies.NON_FINITE_FLOATS, strategies.joint_name_lists(2, 5))
def test_non_finite_floats_are_not_finite_and_names_are_distinct(value, names):
    assert not math.isfinite(value)
    assert 2 <= len(set(names)) == len(names) <= 5
    assert all(names)
