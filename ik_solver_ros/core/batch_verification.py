# SPDX-License-Identifier: Apache-2.0
"""The gate of ``verification.py`` for many rows at once.

The forward kinematics is a third one: NumPy over the joints as they stand in the URDF, for all rows
together. It shares nothing with the solvers, and tests hold it against Pinocchio.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .batch_frames import Floats, Frames, norms
from .batch_pose_error import batch_pose_errors
from .pinocchio_import import pin
from .robot_model import MOVING_TYPES, RobotModel
from .tolerance import AxisTolerance, Tolerance
from .verification import MIMIC_DEFECT, followers_elsewhere

Mask = NDArray[np.bool_]
_LARGEST = sys.float_info.max


class _Turn(NamedTuple):
    """A moving joint of the path, seen with its axis as z.

    Attributes:
        T_before_joint: its pose (4, 4) in the frame of the joint before, fixed joints folded in.
        joint: where its position stands in a row.
        is_prismatic: whether it slides instead of turning.
    """

    T_before_joint: Floats
    joint: int
    is_prismatic: bool


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
        self._names = tuple(joint_names)
        joints = [robot.joint(name) for name in joint_names]
        # Infinity is outside of all limits.
        self._lower = np.array([[max(joint.lower, -_LARGEST)] for joint in joints])
        self._upper = np.array([[min(joint.upper, _LARGEST)] for joint in joints])
        self._followers = [
            (i, self._names.index(joint.master), joint.multiplier, joint.offset)
            for i, joint in enumerate(joints)
            if joint.master is not None
        ]
        self._elsewhere = followers_elsewhere(robot, self._names)
        self._turns: list[_Turn] = []
        T = np.eye(4)  # from the joint before
        for joint in robot.tree.path(base_frame, tip_frame):
            T = T @ _placement(joint.xyz, joint.rpy)
            if joint.type in MOVING_TYPES:
                turn, i = _turning_z_onto(joint.axis), self._names.index(joint.name)
                self._turns.append(_Turn(T @ turn, i, joint.type == "prismatic"))
                T = turn.T
        self._T_last_tcp = T if T_tip_tcp is None else T @ T_tip_tcp.homogeneous

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
        by_joint = np.ascontiguousarray(values.T)
        reached, targets = self._frames(by_joint), Frames.of_rows(T_base_targets)
        position, orientation = batch_pose_errors(reached, targets, tolerance)
        off_m, off_rad = norms(position), norms(orientation)
        passed = self._inside_limits(by_joint) & self._following(by_joint)
        passed &= _within(position, off_m, tolerance.position)
        passed &= _within(orientation, off_rad, tolerance.orientation)
        return passed, off_m, off_rad

    def _frames(self, by_joint: Floats) -> Frames:
        """T_base_tcp for positions (k, n), by the URDF's own numbers."""
        frames = Frames.identity()
        for T_before_joint, joint, is_prismatic in self._turns:
            frames, q = frames.times(T_before_joint), by_joint[joint]
            frames = frames.slid(q) if is_prismatic else frames.turned(q)
        return frames.times(self._T_last_tcp)

    def _inside_limits(self, by_joint: Floats) -> Mask:
        inside = (self._lower <= by_joint) & (by_joint <= self._upper)  # NaN is not
        return np.asarray(inside.all(axis=0))

    def _following(self, by_joint: Floats) -> Mask:
        follows = np.ones(by_joint.shape[1], dtype=bool)
        for i, master, multiplier, offset in self._followers:
            wanted = multiplier * by_joint[master] + offset
            follows &= np.abs(by_joint[i] - wanted) <= MIMIC_DEFECT
        for joint, master in self._elsewhere:
            position = joint.multiplier * by_joint[master] + joint.offset
            follows &= (joint.lower <= position) & (position <= joint.upper)
        return follows


def _within(errors: Floats, norm: Floats, tolerance: AxisTolerance) -> Mask:
    """``AxisTolerance.accepts`` for errors (3, n) of such norms (n,); NaN is never within."""
    if tolerance.is_default:
        return np.asarray(norm <= tolerance.norm)
    by_norm = tolerance.bounds == 0.0
    bounds = np.where(by_norm, np.inf, tolerance.bounds)
    axis_wise = (np.abs(errors) <= bounds[:, None]).all(axis=0)
    within: Mask = axis_wise & (norms(errors * by_norm[:, None]) <= tolerance.norm)
    return within


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
