# SPDX-License-Identifier: Apache-2.0
"""``pose_error`` for n poses at once, in NumPy; vectors are (3, n), quaternions (4, n)."""

from __future__ import annotations

import numpy as np

from .batch_frames import Floats, Frames, dots, norms
from .tolerance import Tolerance


def batch_pose_errors(
    T_base_tcps: Frames, T_base_targets: Frames, tolerance: Tolerance
) -> tuple[Floats, Floats]:
    """What ``pose_error`` measures, n times: position (3, n) in m, orientation (3, n) in rad."""
    axes = T_base_targets[:3]
    away = T_base_tcps.origin - T_base_targets.origin
    position = np.stack([dots(axis, away) for axis in axes])
    position[list(tolerance.position.free)] = 0.0
    free = tolerance.orientation.free
    if all(free):
        return position, np.zeros_like(position)
    x, y, z = (np.stack([dots(axis, column) for axis in axes]) for column in T_base_tcps[:3])
    return position, _orientation_errors(Frames(x, y, z, position).quats_xyzw(), free)


def _orientation_errors(quats: Floats, free: tuple[bool, bool, bool]) -> Floats:
    """See ``pose_error``: the rotation vector, the swing left by one free axis, or one twist."""
    if sum(free) == 2:
        axis = free.index(False)
        errors = np.zeros_like(quats[:3])
        twist = 2.0 * np.arctan2(quats[axis], quats[3])
        errors[axis] = np.arctan2(np.sin(twist), np.cos(twist))
        return errors
    if sum(free) == 1:
        quats = _swings(quats, free.index(True))
    sines = norms(quats[:3])
    angles = 2.0 * np.arctan2(sines, np.abs(quats[3]))
    scale = np.divide(angles, sines, out=np.full_like(sines, 2.0), where=sines > 0.0)
    return quats[:3] * np.where(quats[3] < 0.0, -scale, scale)


def _swings(quats: Floats, axis: int) -> Floats:
    """Each rotation without its twist about a coordinate axis, which is taken out on its right."""
    inverse = np.zeros_like(quats)
    norm = np.hypot(quats[axis], quats[3])
    is_any = norm == 0.0  # half a turn across: every twist is as good
    norm = np.where(is_any, 1.0, norm)
    inverse[axis] = -quats[axis] / norm
    inverse[3] = np.where(is_any, 1.0, quats[3] / norm)
    return _quat_products(quats, inverse)


def _quat_products(a_xyzw: Floats, b_xyzw: Floats) -> Floats:
    """Hamilton products a b, one by one."""
    a, aw, b, bw = a_xyzw[:3], a_xyzw[3], b_xyzw[:3], b_xyzw[3]
    vector = aw * b + bw * a + np.cross(a, b, axis=0)
    return np.vstack((vector, aw * bw - dots(a, b)))
