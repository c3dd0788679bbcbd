# SPDX-License-Identifier: Apache-2.0
"""Texts that are not XML, or not URDF."""

from __future__ import annotations

from support.broken_urdfs.case import GOOD_URDF, edited, one

UNFINISHED = GOOD_URDF[: GOOD_URDF.index("\n    <axis")]

NOT_XML = (
    one("empty", "empty", "", "empty", "", None),
    one("blank", "empty", "", "empty", " \n\t\n", None),
    one("only a byte order mark", "empty", "", "empty", "\ufeff", None),
    one("prose", "not-xml", "", ("'hello robot'", "not XML"), "hello robot\n", "hello"),
    one("a path", "not-xml", "", ("the path", "/opt/arm.urdf"), "/opt/arm.urdf\n", "/opt"),
    one("binary mesh", "not-xml", "", "'solid\\x00\\x01", "solid\0\1\2", "solid"),
    one(
        "Git LFS pointer",
        "not-xml",
        "",
        "git lfs pull",
        "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 3\n",
        "version",
    ),
    one(
        "read as YAML",
        "not-xml",
        "",
        ("value_type=str", "YAML"),
        "robot_description: '" + GOOD_URDF + "'",
        "robot_description",
    ),
    one(
        "escaped twice",
        "not-xml",
        "",
        ("backslashes", "YAML"),
        edited('<robot name="good">', '<robot name=\\"good\\">'),
        "<robot",
    ),
    one(
        "NUL inside",
        "not-xml",
        "",
        "column",
        edited('"tool"/>\n  <link', '"too\0l"/>\n  <link'),
        '"too\0l"',
    ),
    one("UTF-16", "not-xml", "", "column", "<\0r\0o\0b\0o\0t\0", "<"),
    one("control character", "not-xml", "", "column", edited("whatever", "what\x01"), "what\x01"),
    one("lone surrogate", "not-xml", "", "UTF-8", edited("whatever", "what\udc80"), "what\udc80"),
    one(
        "cut off in a joint",
        "not-xml",
        "",
        ("'joint'", "line 17", "cut off"),
        UNFINISHED,
        "    <origin",
    ),
    one("cut off in a tag", "not-xml", "", "cut off", UNFINISHED + "<axis xyz=", "<axis"),
    one(
        "element left open",
        "not-xml",
        "",
        ("'parent'", "not closed"),
        edited('<parent link="upper_arm"/>', '<parent link="upper_arm">'),
        "</joint>",
        occurrence=2,
    ),
    one("two robots", "not-xml", "", ("junk", "<robot>"), GOOD_URDF + "<robot/>", "<robot/>"),
    one("text behind", "not-xml", "", "junk", GOOD_URDF + "the end", "the end"),
    one(
        "attribute twice",
        "not-xml",
        "",
        "duplicate attribute",
        edited('"flange" type="fixed"', '"flange" type="fixed" type="fixed"'),
        '"flange"',
    ),
    one("no quotes", "not-xml", "", "near", edited('name="flange"', "name=flange"), "name=flange"),
    one("unknown entity", "not-xml", "", "&amp;", edited("whatever", "a&b;"), "a&b;"),
    one(
        "less-than in a name",
        "not-xml",
        "",
        "near",
        edited('name="tool"', 'name="<tool"'),
        '"<tool"',
    ),
    one(
        "declaration behind a comment",
        "not-xml",
        "",
        "very beginning",
        "<!-- generated -->\n" + GOOD_URDF,
        "<?xml",
    ),
    one(
        "DOCTYPE",
        "doctype",
        "",
        "DOCTYPE",
        edited("<robot ", "<!DOCTYPE robot>\n<robot "),
        "<!DOCTYPE",
    ),
    one(
        "entity bomb",
        "doctype",
        "",
        "entities",
        edited(
            "<robot ",
            '<!DOCTYPE robot [<!ENTITY a0 "ha">'
            + "".join(f'<!ENTITY a{i + 1} "{f"&a{i};" * 10}">' for i in range(12))
            + "]>\n<robot ",
        ).replace("whatever", "&a12;"),
        "<!DOCTYPE",
    ),
    one(
        "external entity",
        "doctype",
        "",
        "DOCTYPE",
        '<!DOCTYPE robot SYSTEM "file:///etc/hostname">\n<robot/>',
        "<!DOCTYPE",
    ),
)


NOT_A_URDF = (
    one("SDF", "not-urdf", "", "SDF", "<?xml version='1.0'?>\n<sdf version='1.7'/>", "<sdf"),
    one("MuJoCo", "not-urdf", "", "MuJoCo", "<mujoco model='arm'/>", "<mujoco"),
    one("web page", "not-urdf", "", "web page", "<html><body>404</body></html>", "<html"),
    one("mesh", "not-urdf", "", "mesh", "<COLLADA/>", "<COLLADA"),
    one("launch file", "not-urdf", "", "launch", "<launch/>", "<launch"),
    one("capital Robot", "not-urdf", "", "'Robot'", "<Robot name='a'/>", "<Robot"),
    one(
        "wrapped",
        "not-urdf",
        "",
        "'description'",
        f"<description>{GOOD_URDF[22:]}</description>",
        "<desc",
    ),
    one("a link only", "not-urdf", "", "'link'", "<link name='base'/>", "<link"),
)
