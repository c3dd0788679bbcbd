# SPDX-License-Identifier: Apache-2.0
"""Reads a URDF for people, before Pinocchio sees it.

Pinocchio answers every broken description with the same sentence, and loads some of them wrongly in
silence (a zero axis, a link with two parents). Here each fault is found, all in one pass, and told
with the joint or link, the reason and the line. What passes is given to Pinocchio as plain XML of
checked numbers (``to_pinocchio_xml``), so nothing can be read in two ways.

The parts are in ``core/urdf``::

    text ─ elements ─▶ <link>  ─ values, inertia ───────────────▶ names  ┬ structure ─▶ UrdfTree
                     ▶ <joint> ─ joint (values, origin, limit) ─▶ joints ┴ mimic
"""

from __future__ import annotations

from collections.abc import Sequence

from .errors import quoted
from .urdf.elements import Document, Element, parse_xml
from .urdf.faults import RUN_XACRO, About, Fault, FaultLog
from .urdf.inertia import check_inertia
from .urdf.joint import read_joint
from .urdf.mimic import resolve_mimics
from .urdf.structure import find_root
from .urdf.tree import MOVING_TYPES, UrdfJoint, UrdfTree, to_pinocchio_xml
from .urdf.values import read_name

__all__ = ["MOVING_TYPES", "Fault", "UrdfJoint", "UrdfTree", "read_urdf", "to_pinocchio_xml"]

# Pinocchio's work space grows with the cube of the freedoms: 140 MB for 128, 1.7 GB for 300.
_MOST_FREEDOMS = 128
_FREEDOMS = {"revolute": 1, "continuous": 1, "prismatic": 1, "fixed": 0, "planar": 3, "floating": 6}
_VERSIONS = ("1.0", "1.1", "1.2")
_OTHER_FORMATS = {
    "sdf": "an SDF file of Gazebo; give the URDF that it was made from",
    "mujoco": "a MuJoCo model; give the URDF that it was made from",
    "html": "a web page; download the file itself (on GitHub: 'Raw')",
    "COLLADA": "a mesh; give the URDF that refers to it",
    "launch": "a launch file; give the URDF that it loads",
}


def read_urdf(text: str) -> tuple[UrdfTree, tuple[Fault, ...]]:
    """Read and check a robot description.

    Args:
        text: the URDF itself, not its path.

    Returns:
        The robot, and what is odd but usable in it: warnings first, then notes, each by line.

    Raises:
        RobotModelError: if there is an error; the first is in its text, all are in its ``faults``.
    """
    faults = FaultLog()
    document = parse_xml(text, faults)
    tree = _read_robot(document, faults) if document else None
    if tree is None or faults.has_errors:
        raise faults.as_exception()
    return tree, faults.in_order()


def _read_robot(document: Document, faults: FaultLog) -> UrdfTree | None:
    robot = document.root
    if robot.tag != "robot":
        faults.error("not-urdf", _what_it_is(robot), robot.line)
        return None
    version = _check_head(robot, faults)
    links = _read_links(robot, faults)
    joints = [read_joint(element, version, faults) for element in robot.all("joint")]
    _check_loose_parts(robot, faults)
    root = find_root(links, joints, faults)
    joints = resolve_mimics(joints, faults)
    _check_freedoms(joints, faults)
    _check_leftovers(document, faults)
    name = robot.attributes.get("name", "").strip()
    return UrdfTree(name, root, tuple(link for link, _ in links), tuple(joints))


def _what_it_is(root: Element) -> str:
    if root.tag in _OTHER_FORMATS:
        return f"this is {_OTHER_FORMATS[root.tag]}"
    if root.tag.lower() == "robot":
        return f"the outermost element is {quoted(root.tag)}; write it in small letters, 'robot'"
    return f"the outermost element is {quoted(root.tag)}, not 'robot'; give a URDF"


def _check_head(robot: Element, faults: FaultLog) -> str:
    """Version of the format, with a word on an unusual head."""
    if not robot.attributes.get("name", "").strip():
        faults.add(
            "note",
            "missing-name",
            "",
            'the robot has no name; add name="…", since ROS tools refuse it without',
            robot.line,
        )
    version = robot.attributes.get("version", "1.0").strip()
    if version not in _VERSIONS:
        faults.add(
            "warning",
            "version",
            "",
            f"the URDF version is {quoted(version)}, which is read as {_VERSIONS[-1]}; write "
            f"one of {', '.join(_VERSIONS)}",
            robot.line,
        )
        return _VERSIONS[-1]
    return version


def _read_links(robot: Element, faults: FaultLog) -> list[tuple[str, int]]:
    """Name and line of each link."""
    links = []
    for element in robot.all("link"):
        name = read_name(element, faults)
        check_inertia(element, About(faults, "link", name, element.line))
        links.append((name, element.line))
    return links


def _check_loose_parts(robot: Element, faults: FaultLog) -> None:
    """Tell of what ROS tools pass over, for its spelling or its place."""
    for element in robot.children:
        about = _about(element, faults)
        if element.tag != element.tag.lower():
            right = element.tag.lower()
            about.warning(
                "misspelt", f"is written as <{element.tag}>, which nothing reads; write <{right}>"
            )
            continue
        for part in element.children:
            if part.tag in ("link", "joint"):
                _about(part, faults).warning(
                    "misplaced", f"stands in a <{element.tag}>, where nothing reads it; move it out"
                )
            elif part.tag != part.tag.lower():
                right = part.tag.lower()
                about.warning(
                    "misspelt",
                    f"has a part <{part.tag}>, which nothing reads; write <{right}>",
                    part.line,
                )


def _about(element: Element, faults: FaultLog) -> About:
    return About(faults, element.tag.lower(), element.attributes.get("name", ""), element.line)


def _check_freedoms(joints: Sequence[UrdfJoint], faults: FaultLog) -> None:
    freedoms = sum(_FREEDOMS[joint.type] for joint in joints)
    if freedoms > _MOST_FREEDOMS:
        faults.error(
            "too-many",
            f"the robot has {freedoms} degrees of freedom; at most {_MOST_FREEDOMS} are accepted, "
            f"so give joints that no arm needs the type fixed",
        )
    elif not faults.has_errors and not any(joint.type in MOVING_TYPES for joint in joints):
        told = "the robot has no joint that moves; give those that do another type than fixed"
        faults.add("warning", "no-moving-joint", "", told, None)


def _check_leftovers(document: Document, faults: FaultLog) -> None:
    """Tell of what xacro should have replaced, unless a joint or link told it already."""
    xacro_elements, expressions = document.xacro_elements, document.expressions
    if xacro_elements.count:
        tag, line = xacro_elements.first
        more = xacro_elements.count - 1
        others = f" and {more} more like it" if more else ""
        faults.error(
            "xacro", f"the description still holds {quoted(tag)}{others}; {RUN_XACRO}", line
        )
    elif expressions.count and not faults.has_kind("xacro"):
        text, line = expressions.first
        faults.add(
            "warning",
            "xacro",
            "",
            f"{quoted(text)} is still an expression, in a part that kinematics does not need; "
            f"{RUN_XACRO} if others need it",
            line,
        )
