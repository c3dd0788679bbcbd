# SPDX-License-Identifier: Apache-2.0
"""The links and joints of a checked URDF, and the plain XML that Pinocchio gets."""

from __future__ import annotations

import html
import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from ..errors import UnknownFrameError, listed, near_matches

Vector = tuple[float, float, float]

MOVING_TYPES = ("revolute", "continuous", "prismatic")  # one position each
# rad or m: nothing moves so far, and exporters write 1e3 or 1e16 where they mean no limit.
UNBOUNDED = 1e3
FAR_M = 100.0  # no link and no slide of an arm is so long
_NO_BOUND_IN_PINOCCHIO = 1e16  # its reader refuses "inf"


@dataclass(frozen=True)
class UrdfJoint:
    """One joint; its numbers are finite and in m, rad, m/s, rad/s, N, Nm unless said otherwise.

    Attributes:
        name: name, unique among joints (a link may share it).
        type: "revolute", "continuous", "prismatic", "fixed", "floating" or "planar".
        parent, child: the links it connects.
        xyz, rpy: pose of the joint in the parent link; fixed-axis roll, pitch, yaw.
        axis: unit vector it turns about or slides along, in the joint's frame; x where it has none.
        lower, upper: limits; -inf and inf where nothing bounds it; None unless it turns or slides.
        velocity, effort: largest speed, and force or torque; None where the file does not say.
        mimic_joint: the independent joint that it follows (chains are resolved), or None; then
            position = mimic_multiplier * position of mimic_joint + mimic_offset.
        line: its line in the text.
    """

    name: str
    type: str
    parent: str
    child: str
    xyz: Vector
    rpy: Vector
    axis: Vector
    lower: float | None
    upper: float | None
    velocity: float | None
    effort: float | None
    mimic_joint: str | None
    mimic_multiplier: float
    mimic_offset: float
    line: int


@dataclass(frozen=True)
class UrdfTree:
    """A robot as its URDF describes it: one tree of links, without doubt about any of them.

    Attributes:
        name: name of the robot; empty where the file gives none.
        root_link: the link that is no joint's child.
        links: names in document order.
        joints: in document order.
    """

    name: str
    root_link: str
    links: tuple[str, ...]
    joints: tuple[UrdfJoint, ...]

    def joint_by_name(self, name: str) -> UrdfJoint:
        """The joint of that name.

        Raises:
            KeyError: with near matches.
        """
        try:
            return self._joints_by_name[name]
        except KeyError:
            names = tuple(self._joints_by_name)
            there_are = listed(near_matches(name, names) or names)
            raise KeyError(f"no joint '{name}' in this robot; it has {there_are}") from None

    def joint_above(self, link: str) -> UrdfJoint | None:
        """The joint that carries a link; None for the root.

        Raises:
            UnknownFrameError: for a link that the robot does not have.
        """
        self._require_link(link)
        return self._joint_above.get(link)

    def joints_below(self, link: str) -> tuple[UrdfJoint, ...]:
        """The joints that a link carries, in document order.

        Raises:
            UnknownFrameError: for a link that the robot does not have.
        """
        self._require_link(link)
        return self._joints_below[link]

    def is_ancestor(self, ancestor: str, link: str) -> bool:
        """Whether one link stands above another, or is the same.

        Raises:
            UnknownFrameError: for a link that the robot does not have.
        """
        self._require_link(ancestor)
        return self._climb(link, ancestor) is not None

    def path(self, from_link: str, to_link: str) -> tuple[UrdfJoint, ...]:
        """The joints on the way down from one link to another, the upper one first.

        Raises:
            UnknownFrameError: for a link that the robot does not have.
            ValueError: if ``from_link`` does not stand above ``to_link``.
        """
        self._require_link(from_link)
        joints = self._climb(to_link, from_link)
        if joints is None:
            raise ValueError(f"link '{from_link}' does not stand above link '{to_link}'")
        return tuple(reversed(joints))

    def _climb(self, link: str, ancestor: str) -> list[UrdfJoint] | None:
        """The joints from a link up to another; None if that is not above it."""
        self._require_link(link)
        joints = []
        while link != ancestor:
            joint = self._joint_above.get(link)
            if joint is None:
                return None
            joints.append(joint)
            link = joint.parent
        return joints

    def _require_link(self, name: str) -> None:
        if name not in self._joints_below:
            raise UnknownFrameError(name, "link", self.links)

    @cached_property
    def _joints_by_name(self) -> Mapping[str, UrdfJoint]:
        return {joint.name: joint for joint in self.joints}

    @cached_property
    def _joint_above(self) -> Mapping[str, UrdfJoint]:
        return {joint.child: joint for joint in self.joints}

    @cached_property
    def _joints_below(self) -> Mapping[str, tuple[UrdfJoint, ...]]:
        below: dict[str, tuple[UrdfJoint, ...]] = dict.fromkeys(self.links, ())
        for joint in self.joints:
            below[joint.parent] += (joint,)
        return below


def to_pinocchio_xml(tree: UrdfTree) -> str:
    """The tree as the plainest URDF that Pinocchio reads, with every number as it was checked.

    Only what kinematics needs is in it: no shapes, so no file is looked for; no inertias, so none
    can be wrong; no mimic tags, so every moving joint stays a joint of its own. A bound that is
    not there is written as ±1e16.
    """
    links = (f"<link name={_quoted(link)}/>" for link in tree.links)
    joints = (_joint_xml(joint) for joint in tree.joints)
    name = _quoted(tree.name or "robot")
    return "\n".join((f"<robot name={name}>", *links, *joints, "</robot>"))


def _joint_xml(joint: UrdfJoint) -> str:
    return (
        f'<joint name={_quoted(joint.name)} type="{joint.type}">'
        f"<parent link={_quoted(joint.parent)}/><child link={_quoted(joint.child)}/>"
        f'<origin xyz="{_numbers(joint.xyz)}" rpy="{_numbers(joint.rpy)}"/>'
        f'<axis xyz="{_numbers(joint.axis)}"/>{_limit_xml(joint)}</joint>'
    )


def _limit_xml(joint: UrdfJoint) -> str:
    if joint.lower is None or joint.upper is None:
        return ""
    bounds = {
        "lower": joint.lower,
        "upper": joint.upper,
        "velocity": math.inf if joint.velocity is None else joint.velocity,
        "effort": math.inf if joint.effort is None else joint.effort,
    }
    finite = {
        name: max(-_NO_BOUND_IN_PINOCCHIO, min(value, _NO_BOUND_IN_PINOCCHIO))
        for name, value in bounds.items()
    }
    return "<limit " + " ".join(f'{name}="{value!r}"' for name, value in finite.items()) + "/>"


def _quoted(value: str) -> str:
    """A value as an XML attribute; white space is kept as it is."""
    # Not xml.sax.saxutils: that loads the network libraries, half of this package's import time.
    escaped = html.escape(value)
    for space in "\n\r\t":
        escaped = escaped.replace(space, f"&#{ord(space)};")
    return f'"{escaped}"'


def _numbers(values: Vector) -> str:
    return " ".join(map(repr, values))
