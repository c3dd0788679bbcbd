# SPDX-License-Identifier: Apache-2.0
"""An arm's description without anything that some reader stumbles over.

Complete descriptions fail in some solvers' readers for reasons that have nothing to do with inverse
kinematics: meshes that are not there, a continuous wheel beside the arm, a link and a joint of one
name, fixed joints in the middle, a `<safety_controller>`.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from xml.etree import ElementTree

import numpy as np

from support.poses import Matrix, rotation_about

from .arm import Arm

BASE, TIP = "chain_base", "chain_tip"


def lean_urdf(arm: Arm) -> str:
    """Return the moving joints from :data:`BASE` to :data:`TIP`, as URDF text.

    Joints keep their names and limits, each turns about or slides along its own z axis.
    """
    links = [BASE, *(f"chain_link_{i}" for i in range(1, len(arm.columns) + 1)), TIP]
    robot = ElementTree.Element("robot", name=arm.name)
    for link in links:
        ElementTree.SubElement(robot, "link", name=link)
    for i, column in enumerate(arm.columns):
        original = arm.kinematics.joints[column.name]
        joint = _joint(robot, column.name, original.kind, links[i : i + 2], column.T_before_joint)
        ElementTree.SubElement(joint, "axis", xyz="0 0 1")
        limit = {"effort": "100", "velocity": "3"}
        if original.kind != "continuous":
            limit |= {"lower": repr(original.lower), "upper": repr(original.upper)}
        ElementTree.SubElement(joint, "limit", limit)
    _joint(robot, "chain_tip_joint", "fixed", links[-2:], arm.T_last_tip)
    return ElementTree.tostring(robot, encoding="unicode")


@contextmanager
def lean_urdf_file(arm: Arm) -> Iterator[Path]:
    """Lend :func:`lean_urdf` as a file."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "arm.urdf"
        path.write_text(lean_urdf(arm), encoding="utf-8")
        yield path


def _joint(
    robot: ElementTree.Element, name: str, kind: str, links: list[str], T_parent_joint: Matrix
) -> ElementTree.Element:
    joint = ElementTree.SubElement(robot, "joint", name=name, type=kind)
    xyz, rpy = T_parent_joint[:3, 3].tolist(), _rpy(T_parent_joint[:3, :3])
    ElementTree.SubElement(joint, "origin", xyz=_text(xyz), rpy=_text(rpy))
    ElementTree.SubElement(joint, "parent", link=links[0])
    ElementTree.SubElement(joint, "child", link=links[1])
    return joint


def _rpy(R: Matrix) -> list[float]:
    """Return roll, pitch, yaw of a rotation; exact at pitch ±π/2 too, where yaw is arbitrary."""
    yaw = float(np.arctan2(R[1, 0], R[0, 0]))
    pitch = float(np.arctan2(-R[2, 0], np.hypot(R[0, 0], R[1, 0])))
    rolled = rotation_about([0, 1, 0], -pitch) @ rotation_about([0, 0, 1], -yaw) @ R
    return [float(np.arctan2(rolled[2, 1], rolled[1, 1])), pitch, yaw]


def _text(numbers: list[float]) -> str:
    return " ".join(map(repr, numbers))
