# SPDX-License-Identifier: Apache-2.0
"""Many targets as rows of numbers, read by the rules of ``transforms.py``."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .batch_frames import Floats, Frames, dots
from .errors import InvalidRequestError
from .pinocchio_import import pin
from .pose_matrix import CLEAN, MAX_LAST_ROW_DEFECT, MAX_ROTATION_DEFECT
from .rows import real_array
from .transforms import (
    MAX_POSITION_M,
    se3_from_matrix,
    se3_from_xyz_quat,
    xyz_quat_from_se3,
)

Mask = NDArray[np.bool_]
_ReadMany = Callable[[Floats], tuple[Frames, Mask]]
_ReadOne = Callable[[Floats], pin.SE3]

_ROWS_PER_SLICE = 4000  # what the processor's cache holds


def poses_from_rows(
    targets: ArrayLike, orientation_free: bool = False
) -> tuple[NDArray[np.float64], dict[int, str]]:
    """Read many poses at once, by the same rules as :func:`se3_from_xyz_quat`.

    Args:
        targets: (n, 7) rows of x, y, z in metres and a quaternion x, y, z, w; or (n, 4, 4).
        orientation_free: accept zero quaternions, since nobody will look at the orientation.

    Returns:
        T_base_target, shape (n, 3, 4), and what is wrong with a row, by its number; such rows are
        the identity.

    Raises:
        InvalidRequestError: for another shape, or what is no array of numbers.
    """
    rows = real_array(targets, "targets", "rows of numbers")
    if rows.ndim == 2 and rows.shape[1] == 7:
        read_many: _ReadMany = partial(_of_xyz_quats, orientation_free=orientation_free)
        read_one: _ReadOne = partial(_of_xyz_quat, orientation_free=orientation_free)
    elif rows.ndim == 3 and rows.shape[1:] == (4, 4):
        read_many, read_one = _of_matrices, se3_from_matrix
    else:
        raise InvalidRequestError(
            "targets",
            f"(n, 7) rows of x y z qx qy qz qw or (n, 4, 4) matrices expected, not {rows.shape}",
        )
    poses = np.empty((len(rows), 3, 4))
    faults: dict[int, str] = {}
    for start in range(0, len(rows), _ROWS_PER_SLICE):
        some = slice(start, start + _ROWS_PER_SLICE)
        with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
            frames, is_plain = read_many(rows[some])
        poses[some] = frames.as_rows()
        for i in np.flatnonzero(~is_plain) + start:
            poses[i] = np.eye(3, 4)
            try:
                poses[i] = read_one(rows[i]).homogeneous[:3]
            except InvalidRequestError as error:
                faults[int(i)] = str(error)
    return poses, faults


def _of_xyz_quat(row: Floats, orientation_free: bool) -> pin.SE3:
    return se3_from_xyz_quat(row[:3], row[3:], orientation_free=orientation_free)


def _of_xyz_quats(rows: Floats, orientation_free: bool) -> tuple[Frames, Mask]:
    """Frames, and which of them are right: those of numbers in the usual range."""
    numbers = rows.T.copy()
    position, quats = numbers[:3], numbers[3:]
    if orientation_free:
        is_zero = ~quats.any(axis=0)
        quats[3, is_zero] = 1.0
    norm = np.sqrt((quats * quats).sum(axis=0))
    is_plain = (norm >= 1e-3) & (norm <= 1e3) & (np.abs(position) <= MAX_POSITION_M).all(axis=0)
    return Frames.of_quats(quats / norm, position), is_plain


def _of_matrices(rows: Floats) -> tuple[Frames, Mask]:
    """Frames, cleaned where they need it, and which of them are right."""
    numbers = np.ascontiguousarray(rows.reshape(-1, 16).T)
    frames = Frames(numbers[0:12:4], numbers[1:12:4], numbers[2:12:4], numbers[3:12:4])
    x, y, z = frames[:3]
    is_right = dots(np.cross(x, y, axis=0), z) > 0.0
    defect = np.zeros(len(rows))
    for a, b, wanted in ((x, x, 1), (y, y, 1), (z, z, 1), (x, y, 0), (x, z, 0), (y, z, 0)):
        defect = np.maximum(defect, np.abs(dots(a, b) - wanted))
    is_right &= defect <= MAX_ROTATION_DEFECT
    last_row = np.array([[0.0], [0.0], [0.0], [1.0]])
    is_right &= (np.abs(numbers[12:] - last_row) <= MAX_LAST_ROW_DEFECT).all(axis=0)
    is_right &= (np.abs(frames.origin) <= MAX_POSITION_M).all(axis=0)
    is_torn = is_right & (defect > CLEAN)
    if is_torn.any():
        cleaned = Frames.of_quats(frames.quats_xyzw(), frames.origin)
        frames = Frames(*(np.where(is_torn, new, old) for new, old in zip(cleaned, frames)))
    return frames, is_right


def quat_xyzw_from_rpy_rows(rpy_rad: NDArray[np.float64]) -> NDArray[np.float64]:
    """Quaternions (n, 4) for roll, pitch, yaw about fixed axes (n, 3), as in URDF.

    Diebel, "Representing attitude", 2006, eq. 297.
    """
    (cr, cp, cy), (sr, sp, sy) = np.cos(0.5 * rpy_rad.T), np.sin(0.5 * rpy_rad.T)
    return np.column_stack(
        (
            sr * cp * cy - cr * sp * sy,
            cr * sp * cy + sr * cp * sy,
            cr * cp * sy - sr * sp * cy,
            cr * cp * cy + sr * sp * sy,
        )
    )


def rows_seen_from(
    T_base_frame: pin.SE3, targets_in_frame: NDArray[np.float64]
) -> NDArray[np.float64]:
    """The same targets seen from the base; rows that are no poses stay none.

    Args:
        T_base_frame: the frame that they are given in.
        targets_in_frame: (n, 7) rows of x, y, z in metres and a quaternion x, y, z, w of any norm.
    """
    _, (ax, ay, az, aw) = xyz_quat_from_se3(T_base_frame)
    x, y, z, w = targets_in_frame[:, 3:].T
    with np.errstate(over="ignore", invalid="ignore"):
        at = targets_in_frame[:, :3] @ T_base_frame.rotation.T + T_base_frame.translation
        turned = (  # the product of two quaternions keeps the norm
            aw * x + ax * w + ay * z - az * y,
            aw * y - ax * z + ay * w + az * x,
            aw * z + ax * y - ay * x + az * w,
            aw * w - ax * x - ay * y - az * z,
        )
    return np.column_stack((at, *turned))
