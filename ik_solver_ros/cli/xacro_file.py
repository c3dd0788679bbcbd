# SPDX-License-Identifier: Apache-2.0
"""URDF out of a xacro file, by the program `xacro` that ROS users have."""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from ..core.errors import MissingDependencyError, RobotModelError


def expanded(path: Path, arguments: Sequence[str] = ()) -> str:
    """Text of the URDF that a xacro file describes.

    Args:
        path: the xacro file.
        arguments: such as ``prefix:=left_``.

    Raises:
        MissingDependencyError: xacro is not installed.
        RobotModelError: xacro refuses the file; with its reason.
    """
    if not path.is_file():
        raise RobotModelError(
            f"cannot read {path}: {'is a folder' if path.exists() else 'no such file'}"
        )
    made = subprocess.run(
        [*_program(), str(path), *arguments], capture_output=True, stdin=subprocess.DEVNULL
    )
    if made.returncode != 0:
        reason = " ".join(made.stderr.decode(errors="replace").split())
        raise RobotModelError(f"xacro refuses {path}: {reason or 'it gives no reason'}")
    return made.stdout.decode()


def _program() -> list[str]:
    """The command as installed, else the module (a program of its own: it prints, and exits)."""
    if command := shutil.which("xacro"):
        return [command]
    if importlib.util.find_spec("xacro") is not None:
        return [sys.executable, "-m", "xacro"]
    raise MissingDependencyError(
        "xacro", "a .xacro file", "pip install xacro, or apt install ros-$ROS_DISTRO-xacro"
    )
