# SPDX-License-Identifier: Apache-2.0
"""Leftovers of xacro, and texts that are not numbers."""

from __future__ import annotations

from support.broken_urdfs.case import (
    bad_lower,
    edited,
    elbow_axis,
    mimic_fault,
    one,
    shoulder_limit,
    shoulder_origin,
    with_extra,
)

XACRO = (
    bad_lower("pi in a limit", "xacro", "${-pi}", "'${-pi}'", "run xacro first"),
    bad_lower("argument in a limit", "xacro", "$(arg lower)", "run xacro first"),
    shoulder_origin(
        "expression in xyz", "xacro", '<origin xyz="0 0 ${h + 1}"/>', "run xacro first"
    ),
    one(
        "macro",
        "xacro",
        "",
        ("xacro:macro", "run xacro first"),
        with_extra("<xacro:macro/>"),
        "<xacro:m",
    ),
    one(
        "macro in a link",
        "xacro",
        "",
        ("xacro:box", "1 more"),
        edited("<visual>", "<xacro:box/><visual><xacro:box/>"),
        "<xacro:box/><v",
    ),
    one(
        "property with its namespace",
        "xacro",
        "",
        "xacro:property",
        edited(
            '<robot name="good">',
            '<robot name="good" xmlns:xacro="http://x.org/xacro">\n<xacro:property name="a"/>',
        ),
        "<xacro:property",
    ),
    one(
        "joint name",
        "xacro",
        "${prefix}flange",
        "run xacro first",
        edited('"flange"', '"${prefix}flange"'),
        "${prefix}",
    ),
    one(
        "link name",
        "xacro",
        "${prefix}forearm",
        "run xacro first",
        edited('<link name="forearm"/>', '<link name="${prefix}forearm"/>'),
        "${prefix}",
    ),
    one(
        "parent link",
        "xacro",
        "slide",
        ("parent", "run xacro first"),
        edited('<parent link="forearm"/>', '<parent link="${prefix}forearm"/>'),
        "${prefix}",
    ),
    one("type", "xacro", "elbow", "type", edited('"continuous"', '"${kind}"'), "${kind}"),
    mimic_fault("mimic joint", "xacro", '<mimic joint="${side}_grip"/>', "mimic"),
)


NUMBERS = (
    bad_lower("decimal comma", "bad-number", "-1,5", "'-1,5'", "decimal comma", "-1.5"),
    bad_lower("infinite", "not-finite", "-inf", "'-inf'", "finite number, 1e16 if"),
    bad_lower("Infinity", "not-finite", "Infinity", "finite"),
    bad_lower("YAML infinity", "not-finite", "-.inf", "finite"),
    bad_lower("not a number", "not-finite", "nan", "'nan'", "finite"),
    bad_lower("beyond float64", "not-finite", "-1e400", "'-1e400'"),
    bad_lower("word", "bad-number", "low", "'low'", "write a decimal such as -1.57"),
    bad_lower("symbol", "bad-number", "-pi", "'-pi'", "not a number"),
    bad_lower("division", "bad-number", "-3.14/2", "not a number"),
    bad_lower("degree sign", "bad-number", "-90°", "unit"),
    bad_lower("unit", "bad-number", "-90 deg", "unit"),
    bad_lower("hexadecimal", "bad-number", "0x10", "not a number"),
    bad_lower("underscore", "bad-number", "-1_0", "not a number"),
    bad_lower("digits of another script", "bad-number", "٣", "not a number"),
    bad_lower("two signs", "bad-number", "--1", "not a number"),
    bad_lower("no text", "bad-number", "", "empty"),
    bad_lower("spaces", "bad-number", "  ", "empty"),
    bad_lower("two numbers", "bad-number", "-1 1", "not a number"),
    shoulder_limit(
        "infinite speed",
        "not-finite",
        '<limit lower="-1" upper="1" velocity="inf" effort="30"/>',
        "velocity='inf'",
    ),
    shoulder_limit(
        "effort in words",
        "bad-number",
        '<limit lower="-1" upper="1" velocity="2" effort="strong"/>',
        "effort='strong'",
    ),
    shoulder_origin("xyz of two", "wrong-count", '<origin xyz="0 0.3"/>', "2 numbers", "3"),
    shoulder_origin("xyz of one", "wrong-count", '<origin xyz="0.3"/>', "1 number ", "3"),
    shoulder_origin("xyz of four", "wrong-count", '<origin xyz="0 0 0 1"/>', "4 numbers", "3"),
    shoulder_origin("empty xyz", "wrong-count", '<origin xyz=""/>', "0 numbers", "3"),
    shoulder_origin("commas", "bad-number", '<origin xyz="0,0,0.3"/>', "spaces"),
    shoulder_origin("commas and spaces", "bad-number", '<origin xyz="0, 0, 0.3"/>', "'0,'"),
    shoulder_origin("word in rpy", "bad-number", '<origin rpy="0 half 0"/>', "'half'", "rpy="),
    shoulder_origin("nan in rpy", "not-finite", '<origin rpy="0 nan 0"/>', "'nan'", "rpy="),
    shoulder_origin("inf in xyz", "not-finite", '<origin xyz="0 0 inf"/>', "'inf'"),
    shoulder_origin("too far", "too-large", '<origin xyz="0 0 1e7"/>', "1e+07", "metres"),
    shoulder_origin("far beyond", "too-large", '<origin rpy="0 0 -1e300"/>', "1e+300"),
    elbow_axis("axis of two", "wrong-count", '<axis xyz="0 1"/>', "<axis>", "2 numbers"),
    elbow_axis("axis with a word", "bad-number", '<axis xyz="0 1 z"/>', "'z'"),
)


LEFTOVER_OUTSIDE_KINEMATICS = one(
    "mesh path",
    "xacro",
    "",
    ("$(find arm)", "run xacro first"),
    edited("package://not_there", "$(find arm)"),
    "$(find arm)",
    severity="warning",
)
