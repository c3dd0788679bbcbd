# SPDX-License-Identifier: Apache-2.0
"""Links and joints that are not one tree, and followers that follow nobody."""

from __future__ import annotations

from support.broken_urdfs.case import (
    GOOD_URDF,
    MIMIC,
    RIGHT_JOINT,
    edited,
    fixed_joint,
    mimic_fault,
    one,
    with_extra,
)

STRUCTURE = (
    one("no link", "no-links", "", "no <link>", "<robot name='a'></robot>", None),
    one(
        "unknown child",
        "unknown-link",
        "flange",
        ("'tol'", "mean 'tool'"),
        edited('<child link="tool"/>', '<child link="tol"/>'),
        '"flange"',
    ),
    one(
        "unknown parent",
        "unknown-link",
        "flange",
        ("'xyz'", "parent"),
        edited('<parent link="carriage"/>', '<parent link="xyz"/>'),
        '"flange"',
    ),
    one(
        "link deleted",
        "unknown-link",
        "elbow",
        "'forearm'",
        edited('<link name="forearm"/>', ""),
        '"elbow"',
    ),
    one(
        "two roots",
        "two-roots",
        "lamp",
        ("'base'", "'lamp'", "2 roots"),
        with_extra('<link name="lamp"/>'),
        '"lamp"',
    ),
    one(
        "two trees",
        "two-roots",
        "table",
        ("'base'", "'table'"),
        with_extra('<link name="table"/><link name="leg"/>' + fixed_joint("t", "table", "leg")),
        '"table"',
    ),
    one(
        "joint deleted",
        "two-roots",
        "tool",
        "'tool'",
        edited(
            GOOD_URDF[
                GOOD_URDF.index('  <joint name="flange"') : GOOD_URDF.index(
                    '  <joint name="left_grip"'
                )
            ],
            "",
        ),
        '<link name="tool"',
    ),
    one(
        "loop without root",
        "loop",
        "back",
        ("'base'", "→", "'tool'"),
        with_extra(fixed_joint("back", "tool", "base")),
        '"back"',
    ),
    one(
        "loop beside the root",
        "loop",
        "ba",
        "'a' → 'b' → 'a'",
        with_extra(
            '<link name="a"/><link name="b"/>\n'
            + fixed_joint("ab", "a", "b")
            + "\n"
            + fixed_joint("ba", "b", "a")
        ),
        '"ba"',
    ),
    one(
        "joint on itself",
        "loop",
        "self",
        "'a' → 'a'",
        with_extra('<link name="a"/>' + fixed_joint("self", "a", "a")),
        '"self"',
    ),
    one(
        "two parents",
        "two-parents",
        "tool",
        ("'flange'", "'again'"),
        with_extra(fixed_joint("again", "forearm", "tool")),
        '"again"',
    ),
    one(
        "same joint twice",
        "duplicate-joint",
        "flange",
        "line",
        with_extra('<link name="a"/>' + fixed_joint("flange", "tool", "a")),
        '"flange"',
        occurrence=2,
    ),
    one(
        "same link twice",
        "duplicate-link",
        "tool",
        "line",
        with_extra('<link name="tool"/>'),
        '<link name="tool"',
        occurrence=2,
    ),
    one(
        "mimics itself",
        "mimic-loop",
        "right_grip",
        "'right_grip' → 'right_grip'",
        edited(MIMIC, '<mimic joint="right_grip"/>'),
        RIGHT_JOINT,
    ),
    one(
        "mimic circle",
        "mimic-loop",
        "left_grip",
        "'left_grip' → 'right_grip' → 'left_grip'",
        edited(
            'upper="0.04" velocity="0.1" effort="5"/>',
            'upper="0.04" velocity="0.1" effort="5"/><mimic joint="right_grip"/>',
        ),
        '<joint name="left_grip"',
    ),
    mimic_fault(
        "mimics a fixed joint",
        "mimic-fixed",
        '<mimic joint="flange"/>',
        "'flange'",
        "fixed",
        at=RIGHT_JOINT,
    ),
    mimic_fault("mimics nothing", "missing-mimic", "<mimic/>", "joint="),
    mimic_fault("mimics an empty name", "missing-mimic", '<mimic joint=""/>', "joint="),
    mimic_fault(
        "multiplier in words",
        "bad-number",
        '<mimic joint="left_grip" multiplier="half"/>',
        "'half'",
    ),
    mimic_fault("offset nan", "not-finite", '<mimic joint="left_grip" offset="nan"/>', "'nan'"),
    mimic_fault(
        "huge multiplier",
        "too-large",
        '<mimic joint="left_grip" multiplier="1e9"/>',
        "1e+09",
        at=RIGHT_JOINT,
    ),
    one(
        "too many links",
        "too-many",
        "",
        ("'robot'", "2000"),
        with_extra(
            "".join(
                f'<link name="l{i}"/>' + fixed_joint(f"j{i}", "tool", f"l{i}") for i in range(994)
            )
        ),
        '<link name="l0"',
    ),
    one(
        "too many degrees of freedom",
        "too-many",
        "",
        ("144", "128"),
        with_extra(
            "".join(
                f'<link name="l{i}"/>'
                + fixed_joint(f"j{i}", "tool", f"l{i}").replace("fixed", "continuous")
                for i in range(139)
            )
        ),
        None,
    ),
)
