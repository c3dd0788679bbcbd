# SPDX-License-Identifier: Apache-2.0
"""Roll, pitch, yaw of a parameter as a quaternion: the one place that knows the rotation packages.

ROS installations have tf_transformations. It is a thin layer over transforms3d, which is on PyPI
and takes over where the layer is missing.
"""

from __future__ import annotations

import os

from ..core.errors import MissingDependencyError

Quaternion = tuple[float, float, float, float]

_FIXED_AXES = "sxyz"  # about the fixed x, then y, then z: URDF's roll, pitch, yaw


def quat_xyzw_from_rpy(roll_rad: float, pitch_rad: float, yaw_rad: float) -> Quaternion:
    """Quaternion x, y, z, w of roll, pitch, yaw as in URDF: R = Rz(yaw) Ry(pitch) Rx(roll).

    Raises:
        MissingDependencyError: neither tf_transformations nor transforms3d is installed. A rotation
            by zero needs neither.
    """
    if roll_rad == pitch_rad == yaw_rad == 0.0:
        return 0.0, 0.0, 0.0, 1.0
    try:
        from tf_transformations import quaternion_from_euler
    except ImportError:
        return _by_transforms3d(roll_rad, pitch_rad, yaw_rad)
    x, y, z, w = quaternion_from_euler(roll_rad, pitch_rad, yaw_rad, axes=_FIXED_AXES)
    return float(x), float(y), float(z), float(w)


def _by_transforms3d(roll_rad: float, pitch_rad: float, yaw_rad: float) -> Quaternion:
    try:
        from transforms3d.euler import euler2quat
    except ImportError as error:
        distro = os.environ.get("ROS_DISTRO", "<distribution>")
        raise MissingDependencyError(
            "tf_transformations or transforms3d",
            "a rotation in the parameter tcp_offset",
            f"install it with 'sudo apt install ros-{distro}-tf-transformations' on a ROS 2 "
            "system, or with 'pip install transforms3d'",
        ) from error
    w, x, y, z = euler2quat(roll_rad, pitch_rad, yaw_rad, axes=_FIXED_AXES)
    return float(x), float(y), float(z), float(w)
