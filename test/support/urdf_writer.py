# SPDX-License-Identifier: Apache-2.0
"""Writes URDF text from joints given as values, for robots that the tests make up."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from support.urdf_fk import MOVING_KINDS, Mimic

Triple = Sequence[float]


@dataclass(frozen=True)
class JointSpec:
    """One joint; limits count for revolute and prismatic joints, `axis` for moving ones."""

    name: str
    kind: str
    parent: str
    child: str
    xyz_m: Triple = (0.0, 0.0, 0.0)
    rpy_rad: Triple = (0.0, 0.0, 0.0)
    axis: Triple = (0.0, 0.0, 1.0)
    lower: float = -3.0
    upper: float = 3.0
    mimic: Mimic | None = None
    velocity: float = 3.0


@dataclass(frozen=True)
class MadeRobot:
    """A robot that a test made up: its text and the chain the test is about.

    Attributes:
        urdf: the URDF text.
        base: the chain's first link.
        tip: the chain's last link.
        joint_names: moving joints from base to tip, mimic joints included.
    """

    urdf: str
    base: str
    tip: str
    joint_names: tuple[str, ...]


def serial_robot(name: str, joints: Sequence[JointSpec]) -> MadeRobot:
    """Return a robot that is one chain, written in tree order."""
    moving = tuple(joint.name for joint in joints if joint.kind in MOVING_KINDS)
    return MadeRobot(urdf_text(name, joints), joints[0].parent, joints[-1].child, moving)


def urdf_text(name: str, joints: Iterable[JointSpec]) -> str:
    """Return the URDF of these joints in this order; links are written as the joints mention them.

    Numbers are written so that they read back as the same float64.
    """
    joints = list(joints)
    links = dict.fromkeys(link for joint in joints for link in (joint.parent, joint.child))
    lines = [f'<robot name="{name}">']
    lines += [f'  <link name="{link}"/>' for link in links]
    lines += [line for joint in joints for line in _joint_lines(joint)]
    return "\n".join([*lines, "</robot>", ""])


def _joint_lines(joint: JointSpec) -> list[str]:
    lines = [
        f'  <joint name="{joint.name}" type="{joint.kind}">',
        f'    <origin xyz="{_numbers(joint.xyz_m)}" rpy="{_numbers(joint.rpy_rad)}"/>',
        f'    <parent link="{joint.parent}"/>',
        f'    <child link="{joint.child}"/>',
    ]
    if joint.kind in MOVING_KINDS:
        bounds = f'lower="{float(joint.lower)!r}" upper="{float(joint.upper)!r}" '
        bounds = "" if joint.kind == "continuous" else bounds
        lines.append(f'    <axis xyz="{_numbers(joint.axis)}"/>')
        lines.append(f'    <limit {bounds}effort="100.0" velocity="{float(joint.velocity)!r}"/>')
    if joint.mimic is not None:
        multiplier, offset = float(joint.mimic.multiplier), float(joint.mimic.offset)
        relation = f'multiplier="{multiplier!r}" offset="{offset!r}"'
        lines.append(f'    <mimic joint="{joint.mimic.joint}" {relation}/>')
    return [*lines, "  </joint>"]


def _numbers(values: Triple) -> str:
    return " ".join(repr(float(value)) for value in values)
