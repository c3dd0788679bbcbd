# SPDX-License-Identifier: Apache-2.0
"""Many targets as rows of numbers, read by the rules of ``transforms.py``."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .errors import InvalidRequestError
from .pinocchio_import import pin
from .rows import real_array
from .transforms import (
    MAX_POSITION_M,
    se3_from_matrix,
    se3_from_xyz_quat,
    xyz_quat_from_se3,
)


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
        return _poses_from_xyz_quat_rows(rows, orientation_free)
    if rows.ndim == 3 and rows.shape[1:] == (4, 4):
        return _checked_one_by_one(rows, lambda row: se3_from_matrix(row))
    raise InvalidRequestError(
        "targets",
        f"(n, 7) rows of x y z qx qy qz qw or (n, 4, 4) matrices expected, not {rows.shape}",
    )


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


def _poses_from_xyz_quat_rows(
    rows: NDArray[np.float64], orientation_free: bool
) -> tuple[NDArray[np.float64], dict[int, str]]:
    with np.errstate(over="ignore"):
        norm = np.sqrt((rows[:, 3:] ** 2).sum(axis=1))
    plain = (np.abs(rows[:, :3]) <= MAX_POSITION_M).all(axis=1) & (norm >= 1e-3) & (norm <= 1e3)
    poses, faults = _checked_one_by_one(
        rows,
        lambda row: se3_from_xyz_quat(row[:3], row[3:], orientation_free=orientation_free),
        np.flatnonzero(~plain),
    )
    x, y, z, w = (rows[plain, 3:] / norm[plain, None]).T
    # The rotation matrix of a unit quaternion (Diebel, "Representing attitude", 2006, eq. 125).
    turned = np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
        ]
    )
    poses[plain, :, :3] = np.moveaxis(turned, 2, 0)
    poses[plain, :, 3] = rows[plain, :3]
    return poses, faults


def _checked_one_by_one(
    rows: NDArray[np.float64],
    read: Callable[[NDArray[np.float64]], pin.SE3],
    numbers: Iterable[int] | None = None,
) -> tuple[NDArray[np.float64], dict[int, str]]:
    """Poses of some rows (all by default), the identity for the others; and their faults."""
    poses = np.tile(np.eye(3, 4), (len(rows), 1, 1))
    faults = {}
    for i in range(len(rows)) if numbers is None else numbers:
        try:
            poses[i] = read(rows[i]).homogeneous[:3]
        except InvalidRequestError as error:  # noqa: PERF203
            faults[int(i)] = str(error)
    return poses, faults


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
