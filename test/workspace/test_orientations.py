# SPDX-License-Identifier: Apache-2.0
"""Sets of orientations: valid, spread evenly, and the same every time."""

from __future__ import annotations

import math

import numpy as np
import pytest

from ik_solver_ros.core.errors import InvalidRequestError
from ik_solver_ros.workspace import OrientationSet
from support.poses import orientation_error_rad, rotation_from_quat_xyzw


def rotations(orientations):
    return np.stack([rotation_from_quat_xyzw(quat) for quat in orientations.quats_xyzw])


def closest_pair_rad(R):
    apart = orientation_error_rad(R[:, None], R[None])
    return (apart + 9.0 * np.eye(len(R))).min()


@pytest.mark.parametrize("count", [1, 2, 32, 200])
def test_even_orientations_are_unit_quaternions_far_from_each_other(count):
    orientations = OrientationSet.even(count)
    quats = np.array(orientations.quats_xyzw)
    assert quats.shape == (count, 4)
    assert np.linalg.norm(quats, axis=1) == pytest.approx(1.0, abs=1e-12)
    if count > 2:
        drawn = np.random.default_rng(0).normal(size=(count, 4))
        at_random = closest_pair_rad(np.stack([rotation_from_quat_xyzw(quat) for quat in drawn]))
        assert closest_pair_rad(rotations(orientations)) > 2.0 * at_random


def test_even_orientations_do_not_lean_to_any_side():
    # The mean of all rotation matrices is zero.
    assert np.abs(rotations(OrientationSet.even(500)).mean(axis=0)).max() < 0.02


def test_directions_are_a_lattice_on_the_sphere_with_a_free_roll():
    orientations = OrientationSet.even_directions(100)
    z = rotations(orientations)[:, :, 2]
    assert z[:, 2] == pytest.approx(1.0 - (2.0 * np.arange(100) + 1.0) / 100)
    assert np.abs(z.mean(axis=0)).max() < 0.01
    assert orientations.tolerance == (0.0, 0.0, math.inf)


def test_targets_hold_every_orientation_at_every_place():
    orientations = OrientationSet.even(3)
    targets = orientations.targets(np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]))
    assert targets.shape == (6, 7)
    assert targets[:3, :3].tolist() == [[1.0, 2.0, 3.0]] * 3
    assert targets[3:, 3:].tolist() == [list(quat) for quat in orientations.quats_xyzw]


def test_given_orientations_are_normalised_and_nonsense_is_refused():
    assert OrientationSet.given([(0, 0, 0, 2)]).quats_xyzw == ((0.0, 0.0, 0.0, 1.0),)
    for wrong in ([(0, 0, 0, 0)], [(0, 0, math.nan, 1)], [(0, 0, 1)], []):
        with pytest.raises(InvalidRequestError):
            OrientationSet.given(wrong)
    for count in (0, -1, 10_001):
        with pytest.raises(InvalidRequestError, match="orientations"):
            OrientationSet.even(count)
