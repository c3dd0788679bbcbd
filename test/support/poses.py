# SPDX-License-Identifier: Apache-2.0
"""Rotations and pose errors in plain NumPy, written from the textbook and not from the package.

Rotation formulas: Rodrigues' formula, URDF's fixed-axis roll-pitch-yaw, and Shepperd's method
(S. W. Shepperd, "Quaternion from rotation matrix", J. Guidance and Control 1(3), 1978).
Where an argument is said to be (..., k), leading dimensions are a batch.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

Matrix = npt.NDArray[np.float64]
Vector = npt.NDArray[np.float64]


def cross_matrix(v: npt.ArrayLike) -> Matrix:
    """Return the (3, 3) matrix that maps x to v × x."""
    x, y, z = np.asarray(v, dtype=float)
    return np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])


def rotation_about(axis: npt.ArrayLike, angle_rad: npt.ArrayLike) -> Matrix:
    """Return the (..., 3, 3) rotations by `angle_rad` (...,) about a non-zero `axis` (3,)."""
    axis = np.asarray(axis, dtype=float)
    length = np.linalg.norm(axis)
    if not length > 0.0:
        raise ValueError(f"a rotation axis must not be zero, got {axis}")
    K = cross_matrix(axis / length)
    angle = np.asarray(angle_rad, dtype=float)[..., None, None]
    return np.eye(3) + np.sin(angle) * K + (1.0 - np.cos(angle)) * (K @ K)


def rotation_from_rpy(rpy_rad: npt.ArrayLike) -> Matrix:
    """Return Rz(yaw) Ry(pitch) Rx(roll): about fixed axes, roll first, as URDF defines it."""
    roll, pitch, yaw = np.asarray(rpy_rad, dtype=float)
    return (
        rotation_about([0, 0, 1], yaw)
        @ rotation_about([0, 1, 0], pitch)
        @ rotation_about([1, 0, 0], roll)
    )


def rotation_from_vector(rotation_vector_rad: npt.ArrayLike) -> Matrix:
    """Return the (3, 3) rotation whose axis times angle is `rotation_vector_rad`."""
    vector = np.asarray(rotation_vector_rad, dtype=float)
    angle_rad = float(np.linalg.norm(vector))
    return rotation_about(vector, angle_rad) if angle_rad > 0.0 else np.eye(3)


def rotation_from_quat_xyzw(quat_xyzw: npt.ArrayLike) -> Matrix:
    """Return the (3, 3) rotation of a quaternion x, y, z, w of any length but zero."""
    quat = np.asarray(quat_xyzw, dtype=float)
    length = np.linalg.norm(quat)
    if not length > 0.0:
        raise ValueError(f"a zero quaternion is no rotation, got {quat}")
    x, y, z, w = quat / length
    K = cross_matrix([x, y, z])
    return np.eye(3) + 2.0 * w * K + 2.0 * (K @ K)


def quat_xyzw_from_rotation(rotation: npt.ArrayLike) -> Vector:
    """Return the unit quaternion x, y, z, w (w >= 0) of a (3, 3) rotation."""
    R = np.asarray(rotation, dtype=float)
    # Four times the squares of x, y, z, w; the largest one divides the others without cancellation.
    squares = np.array([*(1.0 + 2.0 * np.diag(R) - np.trace(R)), 1.0 + np.trace(R)])
    largest = int(np.argmax(squares))
    # Four times the products of the quaternion's elements with each other.
    xy, xz, yz = R[0, 1] + R[1, 0], R[0, 2] + R[2, 0], R[1, 2] + R[2, 1]
    xw, yw, zw = R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]
    products = np.array(
        [
            [squares[0], xy, xz, xw],
            [xy, squares[1], yz, yw],
            [xz, yz, squares[2], zw],
            [xw, yw, zw, squares[3]],
        ]
    )
    quat = products[largest] / np.linalg.norm(products[largest])
    return -quat if quat[3] < 0.0 else quat


def transform(rotation: npt.ArrayLike, translation_m: npt.ArrayLike) -> Matrix:
    """Return the (..., 4, 4) transform of a rotation (..., 3, 3) and a translation (..., 3)."""
    rotation, translation_m = np.asarray(rotation), np.asarray(translation_m)
    batch = np.broadcast_shapes(rotation.shape[:-2], translation_m.shape[:-1])
    T = np.zeros((*batch, 4, 4))
    T[..., :3, :3] = rotation
    T[..., :3, 3] = translation_m
    T[..., 3, 3] = 1.0
    return T


def inverse(T_a_b: Matrix) -> Matrix:
    """Return T_b_a; both (..., 4, 4)."""
    R_b_a = np.swapaxes(T_a_b[..., :3, :3], -1, -2)
    return transform(R_b_a, -(R_b_a @ T_a_b[..., :3, 3:])[..., 0])


def transform_from_xyz_quat(xyz_m: npt.ArrayLike, quat_xyzw: npt.ArrayLike) -> Matrix:
    """Return the (4, 4) transform of a position and a quaternion x, y, z, w."""
    return transform(rotation_from_quat_xyzw(quat_xyzw), xyz_m)


def xyz_quat_from_transform(T_a_b: Matrix) -> Vector:
    """Return the seven numbers x, y, z, qx, qy, qz, qw of a (4, 4) transform."""
    return np.concatenate([T_a_b[:3, 3], quat_xyzw_from_rotation(T_a_b[:3, :3])])


def position_error_m(T_a_b: Matrix, T_a_c: Matrix) -> Any:
    """Return the distances (...,) between the origins of frames (..., 4, 4)."""
    return np.linalg.norm(T_a_b[..., :3, 3] - T_a_c[..., :3, 3], axis=-1)


def orientation_error_rad(R_a: Matrix, R_b: Matrix) -> Any:
    """Return the angles (...,) in [0, π] between orientations, (..., 3, 3) or (..., 4, 4) matrices.

    The sine comes from the antisymmetric part and the cosine from the trace: each is accurate where
    the other is flat, so the angle is accurate to a few 1e-16 everywhere, also near 0 and π.
    """
    R_rel = np.swapaxes(R_a[..., :3, :3], -1, -2) @ R_b[..., :3, :3]
    antisymmetric = R_rel - np.swapaxes(R_rel, -1, -2)
    sine = 0.5 * np.linalg.norm(antisymmetric[..., [2, 0, 1], [1, 2, 0]], axis=-1)
    cosine = 0.5 * (np.trace(R_rel, axis1=-2, axis2=-1) - 1.0)
    return np.arctan2(sine, cosine)
