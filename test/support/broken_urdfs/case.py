# SPDX-License-Identifier: Apache-2.0
"""A good robot description, and how a broken one is made from it."""

from __future__ import annotations

from dataclasses import dataclass

GOOD_URDF = """\
<?xml version="1.0"?>
<robot name="good">
  <link name="base">
    <inertial>
      <mass value="4.5"/>
      <inertia ixx="0.02" ixy="0" ixz="0" iyy="0.02" iyz="0" izz="0.03"/>
    </inertial>
  </link>
  <link name="upper_arm">
    <visual><geometry><mesh filename="package://not_there/upper_arm.dae"/></geometry></visual>
  </link>
  <link name="forearm"/>
  <link name="carriage"/>
  <link name="tool"/>
  <link name="left_finger"/>
  <link name="right_finger"/>
  <joint name="shoulder" type="revolute">
    <parent link="base"/>
    <child link="upper_arm"/>
    <origin xyz="0 0 0.3" rpy="0 0.1 -0.2"/>
    <axis xyz="0 0.6 0.8"/>
    <limit lower="-2.5" upper="2.6" velocity="2" effort="30"/>
  </joint>
  <joint name="elbow" type="continuous">
    <parent link="upper_arm"/>
    <child link="forearm"/>
    <origin xyz="0 0.1 0.4"/>
    <axis xyz="0 1 0"/>
  </joint>
  <joint name="slide" type="prismatic">
    <parent link="forearm"/>
    <child link="carriage"/>
    <origin rpy="1.5 0 0"/>
    <axis xyz="0 0 -1"/>
    <limit lower="0.05" upper="0.45" velocity="0.5" effort="80"/>
  </joint>
  <joint name="flange" type="fixed">
    <parent link="carriage"/>
    <child link="tool"/>
  </joint>
  <joint name="left_grip" type="prismatic">
    <parent link="tool"/>
    <child link="left_finger"/>
    <axis xyz="1 0 0"/>
    <limit lower="0" upper="0.04" velocity="0.1" effort="5"/>
  </joint>
  <joint name="right_grip" type="prismatic">
    <parent link="tool"/>
    <child link="right_finger"/>
    <axis xyz="-1 0 0"/>
    <limit lower="0.001" upper="0.021" velocity="0.1" effort="5"/>
    <mimic joint="left_grip" multiplier="0.5" offset="0.001"/>
  </joint>
  <transmission name="left_out_by_kinematics"><type>whatever</type></transmission>
</robot>
"""

SHOULDER_ORIGIN = '<origin xyz="0 0 0.3" rpy="0 0.1 -0.2"/>'
SHOULDER_AXIS = '<axis xyz="0 0.6 0.8"/>'
SHOULDER_LIMIT = '<limit lower="-2.5" upper="2.6" velocity="2" effort="30"/>'
ELBOW_AXIS = '<axis xyz="0 1 0"/>'
SLIDE_LIMIT = '<limit lower="0.05" upper="0.45" velocity="0.5" effort="80"/>'
RIGHT_LIMIT = '<limit lower="0.001" upper="0.021" velocity="0.1" effort="5"/>'
MIMIC = '<mimic joint="left_grip" multiplier="0.5" offset="0.001"/>'


@dataclass(frozen=True)
class BrokenUrdf:
    """A description and the fault that must be found in it.

    Attributes:
        name: what tests call it.
        text: the description.
        severity: "error", "warning" or "note".
        kind: kind of the fault.
        subject: joint or link at fault; empty for the document.
        says: what the sentence must contain besides the subject.
        line: line of the fault; None where there is none.
    """

    name: str
    text: str
    severity: str
    kind: str
    subject: str
    says: tuple[str, ...]
    line: int | None

    def __str__(self) -> str:
        """Return the name, so that pytest can use it as the parameter's id."""
        return self.name


def edited(old: str, new: str, text: str = GOOD_URDF) -> str:
    """Return the good URDF with one piece replaced, which must be in it exactly once."""
    if text.count(old) != 1:
        raise ValueError(f"{old!r} is {text.count(old)} times in the text, not once")
    return text.replace(old, new)


def with_extra(lines: str, text: str = GOOD_URDF) -> str:
    """Return the good URDF with more before its end."""
    return edited("</robot>", f"{lines}\n</robot>", text)


def line_of(piece: str, text: str, occurrence: int = 1) -> int:
    """Return the line, counted from 1, where a piece begins for the nth time."""
    start = -1
    for _ in range(occurrence):
        start = text.index(piece, start + 1)
    return text.count("\n", 0, start) + 1


def one(
    name: str,
    kind: str,
    subject: str,
    says: str | tuple[str, ...],
    text: str,
    at: str | None,
    severity: str = "error",
    occurrence: int = 1,
) -> BrokenUrdf:
    line = None if at is None else line_of(at, text, occurrence)
    says = (says,) if isinstance(says, str) else says
    return BrokenUrdf(name, text, severity, kind, subject, says, line)


def shoulder_limit(
    name: str, kind: str, limit: str, *says: str, severity: str = "error"
) -> BrokenUrdf:
    """One fault in the <limit> of the shoulder."""
    return one(name, kind, "shoulder", says, edited(SHOULDER_LIMIT, limit), limit, severity)


def bad_lower(name: str, kind: str, lower: str, *says: str) -> BrokenUrdf:
    limit = f'<limit lower="{lower}" upper="2.6" velocity="2" effort="30"/>'
    return shoulder_limit(name, kind, limit, "lower=", "<limit>", *says)


def shoulder_origin(
    name: str, kind: str, origin: str, *says: str, severity: str = "error", text: str = GOOD_URDF
) -> BrokenUrdf:
    broken = edited(SHOULDER_ORIGIN, origin, text)
    return one(name, kind, "shoulder", ("<origin>", *says), broken, origin, severity)


def elbow_axis(name: str, kind: str, axis: str, *says: str, severity: str = "error") -> BrokenUrdf:
    return one(name, kind, "elbow", says, edited(ELBOW_AXIS, axis), axis, severity)


def mimic_fault(
    name: str, kind: str, mimic: str, *says: str, severity: str = "error", at: str = ""
) -> BrokenUrdf:
    broken = edited(MIMIC, mimic)
    return one(name, kind, "right_grip", says, broken, at or mimic, severity)


RIGHT_JOINT = '<joint name="right_grip"'


def fixed_joint(name: str, parent: str, child: str) -> str:
    """Return a fixed joint on one line."""
    ends = f'<parent link="{parent}"/><child link="{child}"/>'
    return f'<joint name="{name}" type="fixed">{ends}</joint>'
