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

from .batch_pose_error import batch_pose_errors, norms
from .pinocchio_import import pin
from .robot_model import MOVING_TYPES, RobotModel
from .tolerance import AxisTolerance, Tolerance
from .verification import MIMIC_DEFECT, followers_elsewhere

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]


class Frames(NamedTuple):
    """n frames: the columns x, y, z of their rotations and their origins, (3, n) each."""

    x: Floats
    y: Floats
    z: Floats
    origin: Floats

    def as_rows(self) -> Floats:
        """The same as (n, 3, 4)."""
        return np.stack((self.x.T, self.y.T, self.z.T, self.origin.T), axis=2)

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


class _Turn(NamedTuple):
    """A moving joint of the path, seen with its axis as z.

    Attributes:
        T_before_joint: its pose in the frame of the joint before.
        column: where its position stands in a row.
        is_prismatic: whether it slides instead of turning.
    """

    T_before_joint: Floats
    column: int
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
        self._joints = [robot.joint(name) for name in joint_names]
        self._elsewhere = followers_elsewhere(robot, self._names)
        self._turns: list[_Turn] = []
        T = np.eye(4)  # from the joint before
        for joint in robot.tree.path(base_frame, tip_frame):
            T = T @ _placement(joint.xyz, joint.rpy)
            if joint.type in MOVING_TYPES:
                turn, column = _turning_z_onto(joint.axis), self._names.index(joint.name)
                self._turns.append(_Turn(T @ turn, column, joint.type == "prismatic"))
                T = turn.T
        self._T_last_tcp = T if T_tip_tcp is None else T @ np.array(T_tip_tcp.homogeneous)

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
        return passed, norms(position), norms(orientation)

    def poses(self, values: Floats) -> Floats:
        """T_base_tcp of each row, (n, 3, 4), by the URDF's own numbers."""
        n = len(values)
        x, y, z = (np.repeat(np.eye(3)[:, k : k + 1], n, axis=1) for k in range(3))
        frames = Frames(x, y, z, np.zeros((3, n)))
        for turn in self._turns:
            frames, q = frames.times(turn.T_before_joint), values[:, turn.column]
            frames = frames.slid(q) if turn.is_prismatic else frames.turned(q)
        return frames.times(self._T_last_tcp).as_rows()

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
        for joint, column in self._elsewhere:
            position = joint.multiplier * values[:, column] + joint.offset
            follows &= (joint.lower <= position) & (position <= joint.upper)
        return follows


def _within(errors: Floats, tolerance: AxisTolerance) -> Mask:
    """``AxisTolerance.accepts`` for rows; NaN is never within."""
    bounds = np.array(tolerance.axes)
    by_norm = bounds == 0.0
    axis_wise = (np.abs(errors) <= np.where(by_norm, np.inf, bounds)).all(axis=1)
    within: Mask = axis_wise & (norms(errors[:, by_norm]) <= tolerance.norm)
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
