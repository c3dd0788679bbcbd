# SPDX-License-Identifier: Apache-2.0
"""The one place where numbers from outside become a ``pin.SE3``.

ROS and this package write quaternions as x, y, z, w (the order is in the name: ``quat_xyzw``), and
so does ``pin.XYZQUATToSE3``; ``pin.Quaternion`` takes scalars as w, x, y, z. Nothing else in the
package builds a pose from a quaternion, so the order can be wrong in one place only, and is tested
there.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .errors import InvalidRequestError
from .pinocchio_import import pin
from .pose_matrix import CLEAN, check_pose_matrix, rotation_defect
from .rows import check_finite, finite_numbers, numbers, real_array, shape_text

_MIN_QUATERNION_NORM = 1e-6  # below this a quaternion carries no direction
_PLAIN_SQUARES = (1e-6, 1e6)  # norms whose square neither overflows nor vanishes
MAX_POSITION_M = 1e6  # beyond this, float64 no longer resolves the default tolerance reliably


def unit_quat_xyzw(
    quat_xyzw: ArrayLike, field: str = "orientation"
) -> tuple[float, float, float, float]:
    """Normalise a quaternion.

    Args:
        quat_xyzw: four finite numbers x, y, z, w of any norm from 1e-6 on.
        field: how to call it in the error.

    Returns:
        x, y, z, w with norm 1.

    Raises:
        InvalidRequestError: for a wrong shape, a number that is not finite, or a norm below 1e-6.
    """
    x, y, z, w = numbers(quat_xyzw, 4, field, "a quaternion x, y, z, w")
    square = x * x + y * y + z * z + w * w
    if _PLAIN_SQUARES[0] <= square <= _PLAIN_SQUARES[1]:  # all finite, then
        norm = math.sqrt(square)
        return x / norm, y / norm, z / norm, w / norm
    return _unit_of_any_size((x, y, z, w), field)


def _unit_of_any_size(
    quat_xyzw: tuple[float, float, float, float], field: str
) -> tuple[float, float, float, float]:
    """Scaled first: squares of 1e200 overflow and squares of 1e-200 vanish."""
    x, y, z, w = quat_xyzw
    check_finite(quat_xyzw, field)
    largest = max(abs(x), abs(y), abs(z), abs(w))
    norm = largest * math.sqrt(sum((c / largest) ** 2 for c in quat_xyzw)) if largest else 0.0
    if not norm >= _MIN_QUATERNION_NORM:
        raise InvalidRequestError(
            field,
            f"the quaternion (x, y, z, w) = ({x:g}, {y:g}, {z:g}, {w:g}) has no direction; "
            "no rotation is (0, 0, 0, 1)",
        )
    if math.isinf(norm):
        x, y, z, w = x / largest, y / largest, z / largest, w / largest
        norm = math.sqrt(x * x + y * y + z * z + w * w)
    return x / norm, y / norm, z / norm, w / norm


def se3_from_xyz_quat(
    xyz_m: ArrayLike, quat_xyzw: ArrayLike, field: str = "target", orientation_free: bool = False
) -> pin.SE3:
    """Build a pose from a position and an x, y, z, w quaternion.

    Args:
        xyz_m: position, 3 numbers in metres.
        quat_xyzw: quaternion x, y, z, w; normalised here.
        field: how to call the pose in errors.
        orientation_free: accept a zero quaternion, since nobody will look at the orientation.

    Raises:
        InvalidRequestError: for wrong shapes, numbers that are not finite, positions beyond 1e6 m
            or a quaternion without direction.
    """
    position = _position(xyz_m, f"{field}.position")
    if orientation_free and not any(
        finite_numbers(quat_xyzw, 4, f"{field}.orientation", "numbers")
    ):
        quat_xyzw = (0.0, 0.0, 0.0, 1.0)
    return pin.XYZQUATToSE3([*position, *unit_quat_xyzw(quat_xyzw, f"{field}.orientation")])


def se3_from_xyz_rpy(xyz_m: ArrayLike, rpy_rad: ArrayLike, field: str = "target") -> pin.SE3:
    """Build a pose from a position and roll, pitch, yaw about fixed axes, as in URDF.

    Args:
        xyz_m: position, 3 numbers in metres.
        rpy_rad: roll about x, then pitch about y, then yaw about z, in radians.
        field: how to call the pose in errors.

    Raises:
        InvalidRequestError: like :func:`se3_from_xyz_quat`.
    """
    position = _position(xyz_m, f"{field}.position")
    angles = finite_numbers(rpy_rad, 3, f"{field}.orientation", "roll, pitch, yaw in radians")
    return pin.SE3(pin.rpy.rpyToMatrix(*angles), np.array(position))


def se3_from_matrix(matrix: ArrayLike, field: str = "target") -> pin.SE3:
    """Build a pose from a 4x4 homogeneous matrix, cleaned to an exact rotation.

    Raises:
        InvalidRequestError: if it is not (4, 4), not finite, its last row is not 0, 0, 0, 1, or its
            upper left part is further than 1e-3 from a rotation.
    """
    values = real_array(matrix, field, "a 4 x 4 pose matrix")
    if values.shape != (4, 4):
        raise InvalidRequestError(field, f"a pose matrix is 4 x 4, not {shape_text(values)}")
    rows = values.tolist()
    defect = rotation_defect(rows)
    check_pose_matrix(rows, defect, field)
    position = np.array(_position([row[3] for row in rows[:3]], f"{field}.position"))
    if defect <= CLEAN:
        return pin.SE3(values[:3, :3], position)
    quaternion = pin.Quaternion(np.ascontiguousarray(values[:3, :3]))
    quaternion.normalize()
    return pin.SE3(quaternion, position)


def checked_se3(pose: Any, field: str, orientation_free: bool = False) -> pin.SE3:
    """A pose in any form that callers have, judged, and never the caller's own object.

    Args:
        pose: (xyz_m, quat_xyzw), a 4x4 matrix, or ``pin.SE3``, which may hold anything.
        field: how to call it in the error.
        orientation_free: accept a zero quaternion.

    Raises:
        InvalidRequestError: like :func:`se3_from_xyz_quat` and :func:`se3_from_matrix`.
    """
    if isinstance(pose, (tuple, list)) and len(pose) == 2:
        return se3_from_xyz_quat(pose[0], pose[1], field, orientation_free)
    if not isinstance(pose, pin.SE3):
        return se3_from_matrix(pose, field)
    pose = pose.copy()  # first: what is judged cannot be changed any more
    rows = pose.homogeneous.tolist()
    (*_, x), (*_, y), (*_, z), _ = rows
    is_near = abs(x) <= MAX_POSITION_M and abs(y) <= MAX_POSITION_M and abs(z) <= MAX_POSITION_M
    if is_near and rotation_defect(rows) <= CLEAN:
        return pose
    return se3_from_matrix(rows, field)


def tcp_pose(offset: Any) -> pin.SE3 | None:
    """T_tip_tcp out of (xyz, quat_xyzw), a 4x4 matrix, ``pin.SE3`` or None.

    Raises:
        InvalidRequestError: naming ``tcp_offset``.
    """
    return None if offset is None else checked_se3(offset, "tcp_offset")


def se3_from_rows(rows: NDArray[np.float64]) -> pin.SE3:
    """Build a pose from the upper rows (3, 4) of a matrix that was checked before."""
    return pin.SE3(rows[:, :3].copy(), rows[:, 3].copy())


def xyz_quat_from_se3(
    pose: pin.SE3,
) -> tuple[tuple[float, float, float], tuple[float, float, float, float]]:
    """Position in metres and quaternion x, y, z, w of a pose, as plain floats."""
    x, y, z, qx, qy, qz, qw = pin.SE3ToXYZQUAT(pose).tolist()
    return (x, y, z), (qx, qy, qz, qw)


def rpy_from_se3(pose: pin.SE3) -> tuple[float, float, float]:
    """Roll, pitch and yaw of a pose in radians, about fixed axes, as in URDF."""
    roll, pitch, yaw = pin.rpy.matrixToRpy(pose.rotation).tolist()
    return roll, pitch, yaw


def _position(xyz_m: ArrayLike, field: str) -> list[float]:
    x, y, z = coordinates = numbers(xyz_m, 3, field, "x, y, z in metres")
    if abs(x) <= MAX_POSITION_M and abs(y) <= MAX_POSITION_M and abs(z) <= MAX_POSITION_M:
        return coordinates
    check_finite(coordinates, field)
    farthest = max(coordinates, key=abs)
    reason = f"{farthest:g} m is beyond {MAX_POSITION_M:g} m; is it in metres?"
    raise InvalidRequestError(field, reason)


def is_identity(pose: pin.SE3) -> bool:
    """True for exactly the identity (a default TCP offset costs nothing)."""
    return bool(pose == pin.SE3.Identity())
