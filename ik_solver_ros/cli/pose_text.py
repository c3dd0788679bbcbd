# SPDX-License-Identifier: Apache-2.0
"""Poses and robots in a line or two."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from ..core.pinocchio_import import pin
from ..core.solver import IKSolver
from ..core.transforms import rpy_from_se3, xyz_quat_from_se3
from ..joint_table import tidy


def robot_line(solver: IKSolver) -> str:
    """Which arm this is about."""
    count = len(solver.joint_names)
    joints = "1 joint" if count == 1 else f"{count} joints"
    return f"robot     {solver.robot.name}: {joints}, {solver.base_frame} to {solver.tip_frame}"


def pose_lines(label: str, pose: pin.SE3, degrees: bool) -> Iterator[str]:
    """Position, quaternion, and roll, pitch, yaw."""
    xyz_m, quat_xyzw = xyz_quat_from_se3(pose)
    factor, unit = (math.degrees(1.0), "deg") if degrees else (1.0, "rad")
    x, y, z = map(tidy, xyz_m)
    qx, qy, qz, qw = map(tidy, quat_xyzw)
    roll, pitch, yaw = (tidy(angle * factor) for angle in rpy_from_se3(pose))
    yield f"{label:9} position   x {x:9.6f}   y {y:9.6f}   z {z:9.6f}  m"
    yield f"          quaternion x {qx:9.6f}   y {qy:9.6f}   z {qz:9.6f}   w {qw:9.6f}"
    yield f"          roll {roll:13.6f}   pitch {pitch:11.6f}   yaw {yaw:11.6f}  {unit}"


def pose_object(pose: pin.SE3) -> dict[str, Any]:
    """The same for JSON: xyz, quat_xyzw, rpy and the (4, 4) matrix, in m and rad."""
    xyz_m, quat_xyzw = xyz_quat_from_se3(pose)
    return {
        "xyz": xyz_m,
        "quat_xyzw": quat_xyzw,
        "rpy": rpy_from_se3(pose),
        "matrix": pose.homogeneous,
    }
