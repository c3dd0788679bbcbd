# SPDX-License-Identifier: Apache-2.0
"""Roll, pitch, yaw of parameters, by whichever rotation package is there."""

from __future__ import annotations

import sys
import types

import pytest
from hypothesis import given

from ik_solver_ros import MissingDependencyError
from ik_solver_ros.ros.rotations import quat_xyzw_from_rpy
from support.poses import orientation_error_rad, rotation_from_quat_xyzw, rotation_from_rpy
from support.strategies import vectors


@given(rpy_rad=vectors(3, 7.0))
def test_it_is_the_rotation_that_urdf_defines(rpy_rad):
    turned = rotation_from_quat_xyzw(quat_xyzw_from_rpy(*rpy_rad.tolist()))
    assert orientation_error_rad(rotation_from_rpy(rpy_rad), turned) < 1e-12


@pytest.fixture
def without_packages(monkeypatch):
    for name in ("tf_transformations", "transforms3d", "transforms3d.euler"):
        monkeypatch.setitem(sys.modules, name, None)


def test_tf_transformations_comes_first_and_keeps_its_order_x_y_z_w(monkeypatch, without_packages):
    asked = []

    def quaternion_from_euler(roll, pitch, yaw, axes):
        asked.append((roll, pitch, yaw, axes))
        return 0.1, 0.2, 0.3, 0.9

    package = types.SimpleNamespace(quaternion_from_euler=quaternion_from_euler)
    monkeypatch.setitem(sys.modules, "tf_transformations", package)

    assert quat_xyzw_from_rpy(1.0, 2.0, 3.0) == (0.1, 0.2, 0.3, 0.9)
    assert asked == [(1.0, 2.0, 3.0, "sxyz")]


def test_without_both_a_rotation_is_refused_with_what_to_install(monkeypatch, without_packages):
    monkeypatch.setenv("ROS_DISTRO", "jazzy")
    with pytest.raises(MissingDependencyError, match=r"tcp_offset.*ros-jazzy-tf-transformations"):
        quat_xyzw_from_rpy(0.0, 0.1, 0.0)


def test_no_rotation_needs_no_package(without_packages):
    assert quat_xyzw_from_rpy(0.0, 0.0, 0.0) == (0.0, 0.0, 0.0, 1.0)
