# SPDX-License-Identifier: Apache-2.0
"""What "error" means: how far a pose is from its target, over the axes that are not free."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from .pinocchio_import import pin
from .tolerance import Axes, Tolerance


class PoseError(NamedTuple):
    """How far a pose is from its target, in the target frame; free axes are 0.

    Attributes:
        position: x, y, z in metres.
        orientation: rotation vector in rad; with one free axis, that of the remaining swing.
    """

    position: Axes
    orientation: Axes

    @property
    def position_m(self) -> float:
        """Norm of the position error over the axes that are not free."""
        x, y, z = self.position
        return math.sqrt(x * x + y * y + z * z)

    @property
    def orientation_rad(self) -> float:
        """Angle of the orientation error over the axes that are not free."""
        x, y, z = self.orientation
        return math.sqrt(x * x + y * y + z * z)


def pose_error(T_target_tcp: pin.SE3, tolerance: Tolerance) -> PoseError:
    """Error of a pose given in the target frame, over the axes that are not free.

    The orientation error is the rotation vector 2 atan2(|v|, w) v/|v| of the unit quaternion
    (v, w). One free axis: only the swing of the swing-twist decomposition about it counts. Two:
    only the twist about the third (Dobrowolski, "Swing-twist decomposition in Clifford algebra",
    2015).
    """
    x, y, z, qx, qy, qz, qw = pin.SE3ToXYZQUATtuple(T_target_tcp)
    if tolerance.constraints == 6:
        return PoseError((x, y, z), _rotation_vector(qx, qy, qz, qw))
    px, py, pz = tolerance.position.free
    position = (0.0 if px else x, 0.0 if py else y, 0.0 if pz else z)
    return PoseError(position, _orientation_error((qx, qy, qz, qw), tolerance.orientation.free))


def _orientation_error(quat_xyzw: Sequence[float], free: tuple[bool, bool, bool]) -> Axes:
    free_axes = sum(free)
    if free_axes == 3:
        return (0.0, 0.0, 0.0)
    if free_axes == 2:
        error = [0.0, 0.0, 0.0]
        bounded = free.index(False)
        error[bounded] = _wrapped(2.0 * math.atan2(quat_xyzw[bounded], quat_xyzw[3]))
        return (error[0], error[1], error[2])
    if free_axes == 1:
        return _rotation_vector(*_swing(quat_xyzw, free.index(True)))
    return _rotation_vector(*quat_xyzw)


def _rotation_vector(x: float, y: float, z: float, w: float) -> Axes:
    if w < 0.0:
        x, y, z, w = -x, -y, -z, -w
    sine = math.sqrt(x * x + y * y + z * z)
    scale = 2.0 * math.atan2(sine, w) / sine if sine > 0.0 else 2.0
    return scale * x, scale * y, scale * z


def _swing(quat_xyzw: Sequence[float], axis: int) -> tuple[float, float, float, float]:
    """The rotation left when the twist about a coordinate axis is taken out, on its right."""
    x, y, z, w = quat_xyzw
    twist, norm = quat_xyzw[axis], math.hypot(quat_xyzw[axis], w)
    if norm == 0.0:  # half a turn across: every twist is as good
        return x, y, z, w
    c, s = w / norm, -twist / norm  # inverse of the twist
    if axis == 0:
        return x * c + w * s, y * c + z * s, z * c - y * s, w * c - x * s
    if axis == 1:
        return x * c - z * s, y * c + w * s, z * c + x * s, w * c - y * s
    return x * c + y * s, y * c - x * s, z * c + w * s, w * c - z * s


def _wrapped(angle: float) -> float:
    return math.remainder(angle, 2.0 * math.pi)
