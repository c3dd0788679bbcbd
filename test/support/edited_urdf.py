# SPDX-License-Identifier: Apache-2.0
"""The same robot after somebody measured it again: changes to single joints of a URDF text."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from collections.abc import Callable

from support.poses import Vector

Edit = Callable[[ElementTree.Element], None]


def edited(urdf: str, *edits: Edit) -> str:
    """Return the text after some edits of its `<robot>`."""
    robot = ElementTree.fromstring(urdf.encode())
    for edit in edits:
        edit(robot)
    return ElementTree.tostring(robot, encoding="unicode")


def moved_origin(joint: str, xyz_m: Vector) -> Edit:
    """A joint that stands somewhere else in its parent link, by so much."""
    return lambda robot: _add(_part(robot, joint, "origin"), "xyz", xyz_m)


def turned_origin(joint: str, rpy_rad: Vector) -> Edit:
    """A joint that is mounted askew, by so much in roll, pitch and yaw."""
    return lambda robot: _add(_part(robot, joint, "origin"), "rpy", rpy_rad)


def other_axis(joint: str, xyz: Vector) -> Edit:
    """A joint with another axis."""
    return lambda robot: _part(robot, joint, "axis").set("xyz", _text(xyz))


def other_limits(joint: str, lower: float, upper: float) -> Edit:
    """A joint with other limits."""

    def edit(robot: ElementTree.Element) -> None:
        limit = _part(robot, joint, "limit")
        limit.set("lower", repr(lower))
        limit.set("upper", repr(upper))

    return edit


def added_tool(name: str, parent: str, xyz_m: Vector, rpy_rad: Vector) -> Edit:
    """One more link, fixed to another."""

    def edit(robot: ElementTree.Element) -> None:
        ElementTree.SubElement(robot, "link", name=name)
        joint = ElementTree.SubElement(robot, "joint", name=f"{name}_mount", type="fixed")
        ElementTree.SubElement(joint, "parent", link=parent)
        ElementTree.SubElement(joint, "child", link=name)
        ElementTree.SubElement(joint, "origin", xyz=_text(xyz_m), rpy=_text(rpy_rad))

    return edit


def _part(robot: ElementTree.Element, joint: str, tag: str) -> ElementTree.Element:
    (found,) = (element for element in robot.findall("joint") if element.get("name") == joint)
    part = found.find(tag)
    return ElementTree.SubElement(found, tag) if part is None else part


def _add(element: ElementTree.Element, attribute: str, change: Vector) -> None:
    before = map(float, element.get(attribute, "0 0 0").split())
    element.set(attribute, _text([a + b for a, b in zip(before, change)]))


def _text(numbers: Vector) -> str:
    return " ".join(repr(float(number)) for number in numbers)
