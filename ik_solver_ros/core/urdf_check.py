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

from .urdf.elements import Document, Element, parse_xml
from .urdf.faults import RUN_XACRO, About, Fault, FaultLog, quoted
from .urdf.inertia import check_inertia
from .urdf.joint import read_joint
from .urdf.mimic import resolve_mimics
from .urdf.structure import find_root
from .urdf.tree import MOVING_TYPES, UrdfJoint, UrdfTree, to_pinocchio_xml
from .urdf.values import read_name

__all__ = ["MOVING_TYPES", "Fault", "UrdfJoint", "UrdfTree", "read_urdf", "to_pinocchio_xml"]

# Pinocchio climbs the tree by recursion (8 MB of stack end between 3000 and 4000 links), and its
# work space grows with the cube of the degrees of freedom (140 MB for 128, 1.7 GB for 300).
_MOST_LINKS = 1000
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
    root = ""
    if _fits(links, joints, faults):
        root = find_root(links, joints, faults)
        joints = list(resolve_mimics(joints, faults))
        if links and not any(joint.type in MOVING_TYPES for joint in joints):
            faults.add("warning", "no-moving-joint", "", "the robot has no joint that moves", None)
    _check_leftovers(document, faults)
    names = tuple(name for name, _ in links)
    return UrdfTree(robot.attributes.get("name", "").strip(), root, names, tuple(joints))


def _what_it_is(root: Element) -> str:
    if root.tag in _OTHER_FORMATS:
        return f"this is {_OTHER_FORMATS[root.tag]}"
    if root.tag.lower() == "robot":
        return f"the outermost element is {quoted(root.tag)}; write it in small letters, 'robot'"
    return f"the outermost element is {quoted(root.tag)}, not 'robot', so this is not a URDF"


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
            f"the URDF version is {quoted(version)}, which is read as {_VERSIONS[-1]}; known are "
            f"{', '.join(_VERSIONS)}",
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
    """Tell of links and joints that ROS tools pass over, for their spelling or their place."""
    for element in robot.children:
        noun = element.tag.lower()
        if noun in ("link", "joint") and noun != element.tag:
            name = element.attributes.get("name", "")
            About(faults, noun, name, element.line).warning(
                "misspelt", f"is written as <{element.tag}>, which nothing reads; write <{noun}>"
            )
        if element.tag in ("link", "joint"):
            for inner in element.children:
                if inner.tag in ("link", "joint"):
                    About(faults, inner.tag, inner.attributes.get("name", ""), inner.line).warning(
                        "misplaced",
                        f"stands in a <{element.tag}>, where nothing reads it; move it out",
                    )


def _fits(links: Sequence[tuple[str, int]], joints: Sequence[UrdfJoint], faults: FaultLog) -> bool:
    """Whether Pinocchio can hold the robot."""
    largest = max(len(links), len(joints))
    freedoms = sum(_FREEDOMS[joint.type] for joint in joints)
    if largest > _MOST_LINKS:
        faults.error(
            "too-many",
            f"the robot has {largest} links or joints; at most {_MOST_LINKS} are accepted, so "
            f"leave out what no arm needs",
        )
    elif freedoms > _MOST_FREEDOMS:
        faults.error(
            "too-many",
            f"the robot has {freedoms} degrees of freedom; at most {_MOST_FREEDOMS} are accepted, "
            f"so give joints that no arm needs the type fixed",
        )
    else:
        return True
    return False


def _check_leftovers(document: Document, faults: FaultLog) -> None:
    """Tell of what xacro should have replaced, unless a joint or link told it already."""
    if document.xacro_elements:
        tag, line = document.xacro_elements[0]
        more = len(document.xacro_elements) - 1
        others = f" and {more} more like it" if more else ""
        faults.error(
            "xacro", f"the description still holds {quoted(tag)}{others}; {RUN_XACRO}", line
        )
    elif document.expressions and not faults.has_kind("xacro"):
        text, line = document.expressions[0]
        faults.add(
            "warning",
            "xacro",
            "",
            f"{quoted(text)} is still an expression, in a part that kinematics does not need; "
            f"{RUN_XACRO} if others need it",
            line,
        )
