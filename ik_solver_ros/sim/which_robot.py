# SPDX-License-Identifier: Apache-2.0
"""Finds the robot that is to be simulated."""

from __future__ import annotations

import sys
import sysconfig
from pathlib import Path

from ament_index_python.packages import get_package_share_directory

from ..core.errors import MissingDependencyError, near_matches
from ..core.robot_model import read_urdf_file

_DATA_PACKAGE = "example-robot-data"
_DATA_FOLDER = Path("cmeel.prefix/share/example-robot-data/robots")
#: File and tip of the robots with a name of their own.
_NAMED = {
    "panda": ("panda_description/urdf/panda.urdf", "panda_hand_tcp"),
    "ur5": ("ur_description/urdf/ur5_robot.urdf", "tool0"),
}


def robot_named(name: str, urdf_file: str | None) -> tuple[str, str]:
    """URDF text and tip of a robot.

    Args:
        name: "demo" or one of example-robot-data's; not looked at if there is a file.
        urdf_file: URDF file, or None.

    Returns:
        The text, and the link that carries the tool; empty = its only end.

    Raises:
        RuntimeError: there is no robot of that name.
        MissingDependencyError: the package that brings the robot is not installed.
        RobotModelError: the file cannot be read.
    """
    if urdf_file:
        return read_urdf_file(urdf_file), ""
    if name == "demo":
        share = get_package_share_directory("ik_solver_ros")
        return read_urdf_file(Path(share, "urdf", "demo_arm.urdf")), ""
    if name not in _NAMED:
        known = ("demo", *_NAMED)
        there_are = " or ".join(near_matches(name, known) or known)
        raise RuntimeError(f"there is no robot '{name}' here; it is {there_are}, or --urdf FILE")
    path, tip_frame = _NAMED[name]
    for site in dict.fromkeys((sysconfig.get_path("purelib"), *sys.path)):
        if (file := Path(site) / _DATA_FOLDER / path).is_file():
            return read_urdf_file(file), tip_frame
    raise MissingDependencyError(
        _DATA_PACKAGE, f"the robot '{name}'", f"pip install {_DATA_PACKAGE}"
    )
