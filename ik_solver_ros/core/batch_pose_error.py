# SPDX-License-Identifier: Apache-2.0
"""``pose_error`` for n poses at once, in NumPy."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .tolerance import Tolerance

Floats = NDArray[np.float64]


def batch_pose_errors(
    T_base_tcps: Floats, T_base_targets: Floats, tolerance: Tolerance
) -> tuple[Floats, Floats]:
    """What ``pose_error`` measures, n times: position (n, 3) in m, orientation (n, 3) in rad."""
    R_base_target = T_base_targets[:, :, :3]
    away = T_base_tcps[:, :, 3] - T_base_targets[:, :, 3]
    position = np.einsum("nij,ni->nj", R_base_target, away)
    position[:, list(tolerance.position.free)] = 0.0
    R_target_tcp = np.einsum("nij,nik->njk", R_base_target, T_base_tcps[:, :, :3])
    return position, _orientation_errors(_quats_xyzw(R_target_tcp), tolerance.orientation.free)


def _orientation_errors(quats_xyzw: Floats, free: tuple[bool, bool, bool]) -> Floats:
    """See ``pose_error``: the rotation vector, the swing left by one free axis, or one twist."""
    errors = np.zeros((len(quats_xyzw), 3))
    if sum(free) == 3:
        return errors
    if sum(free) == 2:
        axis = free.index(False)
        twist = 2.0 * np.arctan2(quats_xyzw[:, axis], quats_xyzw[:, 3])
        errors[:, axis] = np.arctan2(np.sin(twist), np.cos(twist))
        return errors
    if sum(free) == 1:
        quats_xyzw = _swings(quats_xyzw, free.index(True))
    quats_xyzw = np.where(quats_xyzw[:, 3:] < 0.0, -quats_xyzw, quats_xyzw)
    sines = norms(quats_xyzw[:, :3])
    angles = 2.0 * np.arctan2(sines, quats_xyzw[:, 3])
    scale = np.divide(angles, sines, out=np.full_like(sines, 2.0), where=sines > 0.0)
    return quats_xyzw[:, :3] * scale[:, None]


def _swings(quats_xyzw: Floats, axis: int) -> Floats:
    """Each rotation without its twist about a coordinate axis, which is taken out on its right."""
    inverse = np.zeros_like(quats_xyzw)
    norm = np.hypot(quats_xyzw[:, axis], quats_xyzw[:, 3])
    is_any = norm == 0.0  # half a turn across: every twist is as good
    norm = np.where(is_any, 1.0, norm)
    inverse[:, axis] = -quats_xyzw[:, axis] / norm
    inverse[:, 3] = np.where(is_any, 1.0, quats_xyzw[:, 3] / norm)
    return _quat_products(quats_xyzw, inverse)


def _quat_products(a_xyzw: Floats, b_xyzw: Floats) -> Floats:
    """Hamilton products a b, row by row."""
    a, aw, b, bw = a_xyzw[:, :3], a_xyzw[:, 3:], b_xyzw[:, :3], b_xyzw[:, 3:]
    vector = aw * b + bw * a + np.cross(a, b)
    return np.hstack((vector, aw * bw - (a * b).sum(axis=1, keepdims=True)))


def _quats_xyzw(R: Floats) -> Floats:
    """Unit quaternions of rotations (n, 3, 3), from each largest component (Shepperd 1978)."""
    xx, yy, zz = R[:, 0, 0], R[:, 1, 1], R[:, 2, 2]
    xy, xz, yz = R[:, 0, 1] + R[:, 1, 0], R[:, 0, 2] + R[:, 2, 0], R[:, 1, 2] + R[:, 2, 1]
    wx, wy, wz = R[:, 2, 1] - R[:, 1, 2], R[:, 0, 2] - R[:, 2, 0], R[:, 1, 0] - R[:, 0, 1]
    # Four times the products of the components with x, y, z and w; (4, n, 4).
    products = np.array(
        [
            [1 + xx - yy - zz, xy, xz, wx],
            [xy, 1 - xx + yy - zz, yz, wy],
            [xz, yz, 1 - xx - yy + zz, wz],
            [wx, wy, wz, 1 + xx + yy + zz],
        ]
    ).transpose(0, 2, 1)
    largest = np.argmax([products[k, :, k] for k in range(4)], axis=0)
    chosen = products[largest, np.arange(len(R))]
    return chosen / np.sqrt((chosen**2).sum(axis=1, keepdims=True))


def norms(rows: Floats) -> Floats:
    """Euclidean norm of each row, (n,)."""
    norms: Floats = np.sqrt((rows**2).sum(axis=1))
    return norms
