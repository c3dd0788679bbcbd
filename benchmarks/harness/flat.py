# SPDX-License-Identifier: Apache-2.0
"""Poses and Jacobians of many configurations at once, for making and labelling targets."""

from __future__ import annotations

import numpy as np

from support.poses import Matrix, transform

from .arm import Arm


def poses_and_jacobians(arm: Arm, q: Matrix) -> tuple[Matrix, Matrix]:
    """Return T_base_tip (n, 4, 4) and the geometric Jacobians (n, 6, m) in the base frame.

    Rows: linear velocity of the tip, then angular velocity. For arms without mimic joints.
    """
    T = np.broadcast_to(np.eye(4), (len(q), 4, 4))
    axes, origins = [], []
    for column, value in zip(arm.columns, q.T):
        T = T @ column.T_before_joint
        axes.append(T[:, :3, 2])
        origins.append(T[:, :3, 3])
        T = T @ _motion(column.prismatic, value)
    T = T @ arm.T_last_tip
    J = np.zeros((len(q), 6, len(arm.columns)))
    for i, (axis, origin) in enumerate(zip(axes, origins)):
        if arm.columns[i].prismatic:
            J[:, :3, i] = axis
        else:
            J[:, :3, i] = np.cross(axis, T[:, :3, 3] - origin)
            J[:, 3:, i] = axis
    return T, J


def _motion(prismatic: bool, value: Matrix) -> Matrix:
    """Return the (n, 4, 4) motion of a joint along or about its z axis."""
    zero, one = np.zeros_like(value), np.ones_like(value)
    if prismatic:
        return transform(np.eye(3), np.stack((zero, zero, value), axis=-1))
    c, s = np.cos(value), np.sin(value)
    rows = [np.stack(row, axis=-1) for row in ((c, -s, zero), (s, c, zero), (zero, zero, one))]
    return transform(np.stack(rows, axis=-2), np.zeros(3))
