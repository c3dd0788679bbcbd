# SPDX-License-Identifier: Apache-2.0
"""The wanted pose, out of arguments or a JSON file."""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ..core.errors import InvalidRequestError, shown
from ..core.pinocchio_import import pin
from ..core.transforms import se3_from_matrix, se3_from_xyz_quat, se3_from_xyz_rpy
from .given import DEGREES_MEANT, more_than_a_turn, read_stdin, turn
from .output import tell


def target_from(given: argparse.Namespace, orientation_free: bool = False) -> pin.SE3:
    """The wanted pose in the base.

    Args:
        given: the arguments.
        orientation_free: an orientation need not be given.
    """
    if given.target is not None:
        if given.xyz or given.quat_xyzw or given.rpy:
            raise InvalidRequestError("--target", "it says everything; leave out the others")
        if given.target == "-" == getattr(given, "urdf", ""):
            raise InvalidRequestError("--target", "the robot comes from stdin already; give a file")
        return _pose_in_file(given.target)
    if given.xyz is None:
        raise InvalidRequestError("--xyz", "give the target's position, or --target FILE")
    if given.quat_xyzw and given.rpy:
        raise InvalidRequestError("--rpy", "there is --quat-xyzw, too; give one of them")
    if given.rpy:
        if not given.degrees and more_than_a_turn(given.rpy):
            tell(f"--rpy: {DEGREES_MEANT}")
        return se3_from_xyz_rpy(given.xyz, [angle * turn(given) for angle in given.rpy])
    if given.quat_xyzw is None and not orientation_free:
        raise InvalidRequestError(
            "--quat-xyzw",
            "give the target's orientation (or --rpy); --free-axes orientation if it does not "
            "matter",
        )
    return se3_from_xyz_quat(given.xyz, given.quat_xyzw or (0.0, 0.0, 0.0, 1.0))


def _pose_in_file(path: str) -> pin.SE3:
    try:
        text = read_stdin("the target") if path == "-" else Path(path).read_text(encoding="utf-8")
        pose = json.loads(text)
    except UnicodeDecodeError as error:
        raise InvalidRequestError("--target", f"{path} is not UTF-8 text") from error
    except (ValueError, RecursionError) as error:
        raise InvalidRequestError("--target", f"{path} is not JSON: {error}") from error
    if isinstance(pose, Mapping) and isinstance(pose.get("poses"), Mapping):
        if len(pose["poses"]) != 1:
            found = ", ".join(pose["poses"])
            raise InvalidRequestError("--target", f"{path} holds several poses: {found}; keep one")
        (pose,) = pose["poses"].values()
    return _pose_of(pose, path)


def _pose_of(pose: Any, path: str) -> pin.SE3:
    if isinstance(pose, Mapping):
        if "matrix" in pose:
            return se3_from_matrix(pose["matrix"])
        if "xyz" in pose and "quat_xyzw" in pose:
            return se3_from_xyz_quat(pose["xyz"], pose["quat_xyzw"])
        if "xyz" in pose and "rpy" in pose:
            return se3_from_xyz_rpy(pose["xyz"], pose["rpy"])
    expected = "an object with xyz and quat_xyzw, xyz and rpy [rad], or matrix"
    raise InvalidRequestError("--target", f"{path} holds {shown(pose)}, not {expected}")
