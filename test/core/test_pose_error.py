# SPDX-License-Identifier: Apache-2.0
"""What counts as an error when some axes are free: against searches over the free motions."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from ik_solver_ros.core.pinocchio_import import pin
from ik_solver_ros.core.pose_error import pose_error
from ik_solver_ros.core.tolerance import AxisTolerance, Tolerance
from support import poses, strategies

INF = math.inf
MASKS = list(itertools.product([0.0, INF], repeat=3))
AXES = np.eye(3)
FEW = settings(max_examples=40)  # for each of several parameters


def error_of(R, xyz_m=(0, 0, 0), position=(0, 0, 0), orientation=(0, 0, 0)):
    tolerance = Tolerance(AxisTolerance.of(position, 1.0), AxisTolerance.of(orientation, 1.0))
    return pose_error(pin.SE3(np.array(R), np.array(xyz_m, dtype=float)), tolerance)


def mask(*free_axes):
    return tuple(INF if axis in free_axes else 0.0 for axis in range(3))


def least_angle_over_turns(R, axis):
    """Smallest angle of R · turn about `axis`, by ever finer grids."""
    center, half_width = 0.0, math.pi
    for _ in range(12):
        turns = center + half_width * np.linspace(-1.0, 1.0, 65)
        angles = poses.orientation_error_rad(R @ poses.rotation_about(AXES[axis], turns), np.eye(3))
        center, half_width = turns[np.argmin(angles)], half_width / 16
    return float(angles.min())


def turn_left_after_shortest_swing(R, axis):
    """Angle about `axis` that is left when its image is swung back on the shortest way."""
    z, image = AXES[axis], R @ AXES[axis]
    swing = np.cross(z, image)
    angle = math.atan2(np.linalg.norm(swing), z @ image)
    left = poses.rotation_from_vector(swing / np.linalg.norm(swing) * -angle) @ R
    x = AXES[(axis + 1) % 3]
    return math.atan2(np.cross(x, left @ x) @ z, x @ left @ x)


# --- no axis free ---


@given(strategies.rotation_vectors())
def test_the_orientation_error_is_the_rotation_vector(vector):
    error = error_of(poses.rotation_from_vector(vector))
    again = poses.rotation_from_vector(error.orientation)
    assert poses.orientation_error_rad(again, poses.rotation_from_vector(vector)) < 1e-14
    assert error.orientation_rad == pytest.approx(np.linalg.norm(vector), abs=1e-14)


@pytest.mark.parametrize("angle_rad", [1e-300, 1e-16, 1e-12, 1e-8, 1e-4])
def test_tiny_rotations_keep_their_digits(angle_rad):
    axis = np.array([0.6, 0.0, -0.8])
    quat = pin.Quaternion(math.cos(angle_rad / 2), *(math.sin(angle_rad / 2) * axis))
    R = poses.cross_matrix(axis) * angle_rad + np.eye(3)
    assert quat.toRotationMatrix() == pytest.approx(R, abs=angle_rad**2 + 1e-16)
    error = error_of(R)
    expected = angle_rad if angle_rad > 1e-15 else 0.0
    assert error.orientation_rad == pytest.approx(
        expected, rel=1e-3 * (angle_rad > 1e-13), abs=1e-15
    )


@FEW
@pytest.mark.parametrize("short_of_pi", [0.0, 1e-15, 1e-12, 1e-9, 1e-6])
@given(strategies.directions())
def test_half_turns_are_accurate(short_of_pi, axis):
    error = error_of(poses.rotation_about(axis, math.pi - short_of_pi))
    assert error.orientation_rad == pytest.approx(math.pi - short_of_pi, abs=1e-14)
    along = abs(np.dot(error.orientation, axis)) / math.pi
    assert along == pytest.approx(1.0, abs=1e-6)


def test_no_rotation_is_no_error():
    for orientation in MASKS:
        assert error_of(np.eye(3), orientation=orientation).orientation == (0.0, 0.0, 0.0)


# --- positions ---


@FEW
@pytest.mark.parametrize("position", MASKS)
@given(strategies.vectors(3, 1e3), strategies.rotations())
def test_free_position_axes_do_not_count_and_the_others_count_fully(position, xyz_m, R):
    error = error_of(R, xyz_m, position=position)
    expected = np.where(np.isinf(position), 0.0, xyz_m)
    assert error.position == tuple(expected)
    assert error.position_m == pytest.approx(np.linalg.norm(expected), rel=1e-14)


# --- free rotations ---


@FEW
@pytest.mark.parametrize("axis", range(3))
@given(strategies.rotations())
def test_with_one_free_axis_the_error_is_the_least_over_all_turns_about_it(axis, R):
    error = error_of(R, orientation=mask(axis))
    assert error.orientation[axis] == pytest.approx(0.0, abs=1e-15)
    assert error.orientation_rad == pytest.approx(least_angle_over_turns(R, axis), abs=1e-7)


@FEW
@pytest.mark.parametrize("axis", range(3))
@given(strategies.rotations(), st.floats(-7.0, 7.0))
def test_turns_about_the_free_axis_change_nothing(axis, R, turn_rad):
    turned = R @ poses.rotation_about(AXES[axis], turn_rad)
    before, after = (error_of(X, orientation=mask(axis)) for X in (R, turned))
    assume(before.orientation_rad < math.pi - 1e-3)  # at a half turn across, the direction is moot
    assert after.orientation == pytest.approx(before.orientation, abs=1e-9)


@FEW
@pytest.mark.parametrize("axis", range(3))
@given(strategies.rotations(), st.floats(-7.0, 7.0))
def test_turns_of_the_target_about_its_free_axis_keep_the_size(axis, R, turn_rad):
    turned = poses.rotation_about(AXES[axis], turn_rad) @ R
    before, after = (error_of(X, orientation=mask(axis)) for X in (R, turned))
    assert after.orientation_rad == pytest.approx(before.orientation_rad, abs=1e-12)


@pytest.mark.parametrize("axis", range(3))
def test_a_half_turn_across_the_free_axis_is_a_half_turn(axis):
    across = poses.rotation_about(AXES[(axis + 1) % 3], math.pi)
    error = error_of(across, orientation=mask(axis))
    assert error.orientation_rad == pytest.approx(math.pi)
    assert error.orientation[axis] == 0.0


@FEW
@pytest.mark.parametrize("axis", range(3))
@given(st.floats(-math.pi, math.pi), strategies.directions(), st.floats(0.0, math.pi - 1e-2))
def test_with_one_bounded_axis_the_error_is_the_turn_about_it(axis, turn_rad, across, swing_rad):
    """Whatever swings across that axis come before or after the turn."""
    across = across - across[axis] * AXES[axis]
    assume(np.linalg.norm(across) > 0.1)
    assume(abs(abs(turn_rad) - math.pi) > 1e-6)  # where the sign is moot
    S = poses.rotation_about(across, swing_rad)
    Z = poses.rotation_about(AXES[axis], turn_rad)
    expected = np.zeros(3)
    expected[axis] = turn_rad
    free = mask(*({0, 1, 2} - {axis}))
    for R in (S @ Z, Z @ S):
        assert error_of(R, orientation=free).orientation == pytest.approx(expected, abs=1e-11)


@pytest.mark.parametrize("axis", range(3))
def test_the_turn_is_what_the_shortest_swing_leaves(axis):
    for vector in np.random.default_rng(axis).uniform(-1.8, 1.8, (200, 3)):
        R = poses.rotation_from_vector(vector)
        error = error_of(R, orientation=mask(*({0, 1, 2} - {axis})))
        difference = error.orientation[axis] - turn_left_after_shortest_swing(R, axis)
        assert math.remainder(difference, 2 * math.pi) == pytest.approx(0.0, abs=1e-9)
        assert abs(error.orientation[axis]) <= math.pi


@given(strategies.poses())
def test_with_everything_free_there_is_no_error(T):
    error = error_of(T[:3, :3], T[:3, 3], position=mask(0, 1, 2), orientation=mask(0, 1, 2))
    assert error.position == error.orientation == (0.0, 0.0, 0.0)


@FEW
@pytest.mark.parametrize("orientation", MASKS)
@given(strategies.rotations())
def test_an_error_is_finite_at_most_a_half_turn_and_zero_along_free_axes(orientation, R):
    error = error_of(R, orientation=orientation)
    assert error.orientation_rad <= math.pi + 1e-12
    for axis, free in enumerate(map(math.isinf, orientation)):
        assert not free or abs(error.orientation[axis]) < 1e-15


@pytest.mark.parametrize("orientation", MASKS[:-1])
def test_a_nan_pose_is_inside_no_tolerance(orientation):
    wide = Tolerance(AxisTolerance.of((0, 0, 0), 1e6), AxisTolerance.of(orientation, 1e6))
    pose = pin.SE3(np.eye(3), np.full(3, np.nan))
    error = pose_error(pose, wide)
    assert not wide.accepts(error.position, error.orientation)
