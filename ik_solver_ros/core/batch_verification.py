# SPDX-License-Identifier: Apache-2.0
"""The gate of ``verification.py`` for many rows at once.

The forward kinematics is a third one: NumPy over the joints as they stand in the URDF, for all rows
together. It shares nothing with the solvers, and tests hold it against Pinocchio.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .pinocchio_import import pin
from .robot_model import MOVING_TYPES, RobotModel
from .tolerance import AxisTolerance, Tolerance
from .verification import MIMIC_DEFECT

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]


class Frames(NamedTuple):
    """n frames: the columns x, y, z of their rotations and their origins, (3, n) each."""

    x: Floats
    y: Floats
    z: Floats
    origin: Floats

    def times(self, T: Floats) -> Frames:
        """Each frame times one constant pose (4, 4)."""
        x, y, z, origin = (self.x * T[0, k] + self.y * T[1, k] + self.z * T[2, k] for k in range(4))
        return Frames(x, y, z, self.origin + origin)

    def turned(self, angles_rad: Floats) -> Frames:
        """Each frame turned about its own z axis, by one angle each."""
        c, s = np.cos(angles_rad), np.sin(angles_rad)
        return self._replace(x=self.x * c + self.y * s, y=self.y * c - self.x * s)

    def slid(self, lengths_m: Floats) -> Frames:
        """Each frame moved along its own z axis, by one length each."""
        return self._replace(origin=self.origin + self.z * lengths_m)


class BatchVerifier:
    """Judges rows of joint positions of one arm.

    Args:
        robot: the complete robot.
        base_frame, tip_frame: the links the targets are about.
        joint_names: the joints of a row, in its order.
        T_tip_tcp: tool centre point in the tip frame; None = the tip itself.
    """

    def __init__(
        self,
        robot: RobotModel,
        base_frame: str,
        tip_frame: str,
        joint_names: Sequence[str],
        T_tip_tcp: pin.SE3 | None,
    ) -> None:
        self._path = robot.tree.path(base_frame, tip_frame)
        self._names = tuple(joint_names)
        self._T_tip_tcp = np.eye(4) if T_tip_tcp is None else np.array(T_tip_tcp.homogeneous)
        self._joints = [robot.joint(name) for name in joint_names]

    def accepted(
        self, values: Floats, T_base_targets: Floats, tolerance: Tolerance
    ) -> tuple[Mask, Floats, Floats]:
        """Judge rows.

        Args:
            values: positions in rad or m, (n, k) in the order of ``joint_names``; rows with NaN
                are refused.
            T_base_targets: normalised targets, (n, 3, 4).
            tolerance: what is accepted.

        Returns:
            Which rows passed (n,), their position errors in m (n,) and orientation errors in rad
            (n,), measured on exactly these values.
        """
        position, orientation = batch_pose_errors(self.poses(values), T_base_targets, tolerance)
        passed = self._inside_limits(values) & self._following(values)
        passed &= _within(position, tolerance.position)
        passed &= _within(orientation, tolerance.orientation)
        return passed, _norms(position), _norms(orientation)

    def poses(self, values: Floats) -> Frames:
        """T_base_tcp of each row, by the URDF's own numbers."""
        n = len(values)
        x, y, z = (np.repeat(np.eye(3)[:, k : k + 1], n, axis=1) for k in range(3))
        frames = Frames(x, y, z, np.zeros((3, n)))
        column = {name: i for i, name in enumerate(self._names)}
        for joint in self._path:
            placement = _placement(joint.xyz, joint.rpy)
            if joint.type not in MOVING_TYPES:
                frames = frames.times(placement)
                continue
            turn, q = _turning_z_onto(joint.axis), values[:, column[joint.name]]
            frames = frames.times(placement @ turn)
            frames = frames.slid(q) if joint.type == "prismatic" else frames.turned(q)
            frames = frames.times(turn.T)
        return frames.times(self._T_tip_tcp)

    def _inside_limits(self, values: Floats) -> Mask:
        lower = np.array([joint.lower for joint in self._joints])
        upper = np.array([joint.upper for joint in self._joints])
        inside = (lower <= values) & (values <= upper) & np.isfinite(values)
        return np.asarray(inside.all(axis=1))

    def _following(self, values: Floats) -> Mask:
        follows = np.ones(len(values), dtype=bool)
        for i, joint in enumerate(self._joints):
            if joint.master is not None:
                master = values[:, self._names.index(joint.master)]
                wanted = joint.multiplier * master + joint.offset
                follows &= np.abs(values[:, i] - wanted) <= MIMIC_DEFECT
        return follows


def batch_pose_errors(
    frames: Frames, T_base_targets: Floats, tolerance: Tolerance
) -> tuple[Floats, Floats]:
    """What ``pose_error`` measures, n times: position (n, 3) in m, orientation (n, 3) in rad."""
    R_base_target, target = T_base_targets[:, :, :3], T_base_targets[:, :, 3]
    away = frames.origin.T - target
    position = np.einsum("nij,ni->nj", R_base_target, away)
    position[:, list(tolerance.position.free)] = 0.0
    R_base_tcp = np.stack((frames.x.T, frames.y.T, frames.z.T), axis=2)
    R_target_tcp = np.einsum("nij,nik->njk", R_base_target, R_base_tcp)
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
    sines = _norms(quats_xyzw[:, :3])
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


def _within(errors: Floats, tolerance: AxisTolerance) -> Mask:
    """``AxisTolerance.accepts`` for rows; NaN is never within."""
    bounds = np.array(tolerance.axes)
    by_norm = bounds == 0.0
    axis_wise = (np.abs(errors) <= np.where(by_norm, np.inf, bounds)).all(axis=1)
    within: Mask = axis_wise & (_norms(errors[:, by_norm]) <= tolerance.norm)
    return within


def _norms(rows: Floats) -> Floats:
    norms: Floats = np.sqrt((rows**2).sum(axis=1))
    return norms


def _placement(xyz_m: Sequence[float], rpy_rad: Sequence[float]) -> Floats:
    """Pose of fixed-axis roll, pitch, yaw, R = Rz(yaw) Ry(pitch) Rx(roll), as URDF defines it."""
    (cr, cp, cy), (sr, sp, sy) = np.cos(rpy_rad), np.sin(rpy_rad)
    pose = np.eye(4)
    pose[:3, :3] = [
        [cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr],
        [sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr],
        [-sp, cp * sr, cp * cr],
    ]
    pose[:3, 3] = xyz_m
    return pose


def _turning_z_onto(axis: Sequence[float]) -> Floats:
    """A rotation (4, 4) whose z axis is the unit vector ``axis``."""
    z = np.array(axis)
    x = np.cross(np.eye(3)[np.argmin(np.abs(z))], z)
    x /= np.linalg.norm(x)
    turn = np.eye(4)
    turn[:3, :3] = np.column_stack((x, np.cross(z, x), z))
    return turn
