# SPDX-License-Identifier: Apache-2.0
"""Joints with a part that is missing or makes no sense."""

from __future__ import annotations

from support.broken_urdfs.case import (
    SHOULDER_LIMIT,
    SLIDE_LIMIT,
    edited,
    elbow_axis,
    one,
    shoulder_limit,
    shoulder_origin,
)

VERSION_1_1 = edited('<robot name="good">', '<robot name="good" version="1.1">')

JOINT_PARTS = (
    one(
        "no limit",
        "missing-limit",
        "shoulder",
        ("revolute", "or make it continuous"),
        edited(SHOULDER_LIMIT, ""),
        '<joint name="sho',
    ),
    one(
        "no limit, sliding",
        "missing-limit",
        "slide",
        ("prismatic", 'effort="…"/>'),
        edited(SLIDE_LIMIT, ""),
        '<joint name="sli',
    ),
    shoulder_limit(
        "reversed",
        "reversed-limits",
        '<limit lower="1" upper="-2" velocity="2" effort="3"/>',
        "1",
        "-2; swap them",
    ),
    shoulder_limit(
        "upper alone, negative",
        "reversed-limits",
        '<limit upper="-2" velocity="2" effort="3"/>',
        '-2; add lower="…"',
    ),
    shoulder_limit(
        "limits out of reach",
        "too-large",
        '<limit lower="5e3" upper="6e3" velocity="2" effort="3"/>',
        "[5000, 6000]",
    ),
    elbow_axis("zero axis", "zero-axis", '<axis xyz="0 0 0"/>', "'0 0 0'", "no direction"),
    elbow_axis("minus zero axis", "zero-axis", '<axis xyz="-0.0 0 0e9"/>', "no direction"),
    elbow_axis("hardly an axis", "zero-axis", '<axis xyz="0 1e-9 0"/>', "no direction"),
    elbow_axis("axis without xyz", "missing-axis", '<axis rpy="0 1 0"/>', "xyz"),
    one(
        "unknown type",
        "unknown-type",
        "elbow",
        ("'hinge'", "revolute"),
        edited('"continuous"', '"hinge"'),
        "hinge",
    ),
    one(
        "capital type",
        "unknown-type",
        "elbow",
        "write continuous",
        edited('"continuous"', '"Continuous"'),
        "Contin",
    ),
    one("no type", "missing-type", "elbow", "type=", edited(' type="continuous"', ""), '"elbow"'),
    one("empty type", "missing-type", "elbow", "type=", edited('"continuous"', '""'), '"elbow"'),
    one(
        "no child",
        "missing-child",
        "flange",
        "<child link=",
        edited('<child link="tool"/>', ""),
        '"flange"',
    ),
    one(
        "no parent",
        "missing-parent",
        "flange",
        "<parent",
        edited('<parent link="carriage"/>', ""),
        '"flange"',
    ),
    one(
        "child as text",
        "missing-child",
        "flange",
        "<child link=",
        edited('<child link="tool"/>', "<child>tool</child>"),
        "<child>",
    ),
    one(
        "empty child",
        "missing-child",
        "flange",
        "<child link=",
        edited('<child link="tool"/>', '<child link=" "/>'),
        '" "',
    ),
    one(
        "unnamed joint",
        "missing-name",
        "",
        "a joint",
        edited('<joint name="flange"', "<joint"),
        "<joint type",
    ),
    one(
        "joint named nothing",
        "missing-name",
        "",
        "a joint",
        edited('"flange"', '""'),
        '<joint name=""',
    ),
    one(
        "joint named by spaces",
        "missing-name",
        "",
        "a joint",
        edited('"flange"', '"  "'),
        '<joint name="  "',
    ),
    one(
        "unnamed link",
        "missing-name",
        "",
        "a link",
        edited('<link name="tool"/>', "<link/>"),
        "<link/>",
    ),
    one(
        "link named nothing",
        "missing-name",
        "",
        "a link",
        edited('<link name="tool"/>', '<link name=""/>'),
        'name=""',
    ),
    one(
        "line end in a name",
        "bad-name",
        "flan\nge",
        "rename",
        edited('"flange"', '"flan&#10;ge"'),
        "flan&",
    ),
    one(
        "Pinocchio's name",
        "reserved-name",
        "universe",
        "rename",
        edited('"flange"', '"universe"'),
        "universe",
    ),
    shoulder_origin(
        "quaternion of length 0",
        "quaternion",
        '<origin quat_xyzw="0 0 0 0"/>',
        "length 0",
        text=VERSION_1_1,
    ),
    shoulder_origin(
        "quaternion of three", "wrong-count", '<origin quat_xyzw="0 0 1"/>', "4", text=VERSION_1_1
    ),
    shoulder_origin(
        "quaternion and rpy",
        "quaternion",
        '<origin rpy="0 0 0" quat_xyzw="0 0 0 1"/>',
        "both",
        text=VERSION_1_1,
    ),
    shoulder_origin(
        "quaternion too early", "quaternion", '<origin quat_xyzw="0 0 0 1"/>', 'version="1.1"'
    ),
)
