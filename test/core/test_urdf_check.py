# SPDX-License-Identifier: Apache-2.0
"""Every fault of a robot description is found, and told so that a person can repair it."""

from __future__ import annotations

import math
import re
from typing import get_args

import numpy as np
import pytest

from ik_solver_ros.core.errors import RobotModelError, UnknownFrameError, quoted
from ik_solver_ros.core.urdf.faults import Kind
from ik_solver_ros.core.urdf_check import Fault, UrdfTree, read_urdf
from support.broken_urdfs import GOOD_URDF, UNUSABLE, USABLE, BrokenUrdf
from support.broken_urdfs.case import (
    ELBOW_AXIS,
    MIMIC,
    SHOULDER_LIMIT,
    SHOULDER_ORIGIN,
    edited,
    fixed_joint,
    line_of,
    with_extra,
)
from support.poses import rotation_from_quat_xyzw, rotation_from_rpy

LONGEST_SENTENCE = 500


def faults_of(text: str) -> tuple[Fault, ...]:
    """All faults of a text, whether it can be used or not."""
    try:
        return read_urdf(text)[1]
    except RobotModelError as error:
        return error.faults


def is_told(broken: BrokenUrdf, fault: Fault) -> bool:
    told = (fault.severity, fault.kind, fault.subject, fault.line)
    wanted = [*broken.says, quoted(broken.subject)[1:-1]]
    return told == (broken.severity, broken.kind, broken.subject, broken.line) and all(
        words in fault.message for words in wanted
    )


@pytest.mark.parametrize("broken", UNUSABLE, ids=str)
def test_a_broken_description_is_refused_with_name_reason_and_line(broken):
    with pytest.raises(RobotModelError) as refusal:
        read_urdf(broken.text)
    first = refusal.value.faults[0]
    assert is_told(broken, first), refusal.value.faults
    others = sum(fault.severity == "error" for fault in refusal.value.faults) - 1
    assert str(refusal.value).startswith(str(first))
    assert (str(refusal.value) == str(first)) == (others == 0)


@pytest.mark.parametrize("broken", USABLE, ids=str)
def test_an_odd_description_is_used_and_the_oddity_is_told(broken):
    tree, faults = read_urdf(broken.text)
    assert isinstance(tree, UrdfTree)
    assert any(is_told(broken, fault) for fault in faults), faults
    assert all(fault.severity != "error" for fault in faults)


def test_only_infinite_limits_are_told_what_to_write_instead():
    assert "1e16" not in str(faults_of(edited('lower="-2.5"', 'lower="low"')))
    assert "1e16" not in str(faults_of(edited("0 0 0.3", "0 0 inf")))


def test_names_of_cases_are_unique():
    names = [broken.name for broken in (*UNUSABLE, *USABLE)]
    assert len(set(names)) == len(names)


def test_every_kind_of_fault_has_a_case():
    elsewhere = {"missing-mesh"}  # test/cli/test_check.py
    assert {broken.kind for broken in (*UNUSABLE, *USABLE)} == set(get_args(Kind)) - elsewhere


@pytest.mark.parametrize("broken", [*UNUSABLE, *USABLE], ids=str)
def test_every_sentence_is_one_short_line(broken):
    for fault in faults_of(broken.text):
        assert fault.message.isprintable()
        assert len(str(fault)) < LONGEST_SENTENCE
        assert not fault.message.endswith((".", " "))
        assert "None" not in fault.message


def test_the_good_description_has_no_fault():
    assert read_urdf(GOOD_URDF)[1] == ()


def test_all_faults_are_found_in_one_pass_errors_first_then_by_line():
    text = edited(ELBOW_AXIS, '<axis xyz="0 0 0"/>')
    text = edited(SHOULDER_LIMIT, '<limit lower="low" upper="-inf" velocity="0" effort="1"/>', text)
    text = edited(MIMIC, '<mimic joint="left_grip" multiplier="0" offset="1"/>', text)
    text = edited(SHOULDER_ORIGIN, '<origin rpy="0 1,5 0" xyz="1 2"/>', text)
    with pytest.raises(RobotModelError, match="and 4 more errors") as refusal:
        read_urdf(text)
    assert [(fault.severity, fault.kind) for fault in refusal.value.faults] == [
        ("error", "wrong-count"),
        ("error", "bad-number"),
        ("error", "bad-number"),
        ("error", "not-finite"),
        ("error", "zero-axis"),
        ("warning", "velocity"),
        ("warning", "mimic-limits"),
        ("warning", "mimic-still"),
    ]


def test_leftovers_of_xacro_come_before_what_they_entail():
    text = with_extra("<xacro:arm/>", edited(ELBOW_AXIS, '<axis xyz="0 0 0"/>'))
    with pytest.raises(RobotModelError, match=r"^line 55: .*run xacro first.*and 1 more error\)$"):
        read_urdf(text)


def test_one_fault_does_not_echo_in_others():
    for text in (
        edited('<link name="tool"/>', "<link/>"),
        edited('<link name="forearm"/>', '<link name="${prefix}forearm"/>'),
        edited('<child link="tool"/>', '<child link="tol"/>'),
        edited('<child link="tool"/>', ""),
    ):
        assert len(faults_of(text)) == 1


@pytest.mark.parametrize(
    "before",
    [
        "\ufeff",
        "\n\n  \t\n",
        "\ufeff\r\n\r\n",
        "<!-- GROUPS: a: b -->\n",
        '<?xml version="1.0" encoding="utf-16"?>',
        '\n<?xml version="1.0" encoding="latin-1"?>\n',
        '\ufeff<?xml version="1.0" encoding="bogus-8"?>\n\n',
        '<?xml version="1.1" standalone="yes"?><?xml-model href="urdf.xsd"?>\r',
    ],
    ids=repr,
)
def test_what_stands_before_the_robot_is_harmless_and_counted(before):
    body = GOOD_URDF[GOOD_URDF.index("<robot") :]
    assert read_urdf(before + body)[1] == ()
    broken = before + body.replace(ELBOW_AXIS, '<axis xyz="0 0 0"/>')
    lines = re.split("\r\n|\r|\n", broken)
    (fault,) = faults_of(broken)
    assert "0 0 0" in lines[fault.line - 1]


@pytest.mark.parametrize("line_end", ["\r\n", "\r"])
def test_lines_are_counted_for_every_kind_of_line_end(line_end):
    broken = edited(ELBOW_AXIS, '<axis xyz="0 0 0"/>')
    (fault,) = faults_of(broken.replace("\n", line_end))
    assert fault.line == line_of('<axis xyz="0 0 0"/>', broken)


def test_numbers_with_spaces_signs_and_exponents_are_numbers():
    odd = '<limit lower=" -25e-1" upper="+2.6 " velocity="2." effort=".3E2"/>'
    text = edited(
        SHOULDER_ORIGIN, '<origin xyz=" 0\n0\t0.3 " rpy="0 0.1 -.2"/>', edited(SHOULDER_LIMIT, odd)
    )
    tree, faults = read_urdf(text)
    good = read_urdf(GOOD_URDF)[0].joint_by_name("shoulder")
    odd_joint = tree.joint_by_name("shoulder")
    assert faults == ()
    for part in ("xyz", "rpy", "axis", "lower", "upper", "velocity", "effort"):
        assert getattr(odd_joint, part) == getattr(good, part)


def test_the_tree_is_what_the_file_says():
    tree, _ = read_urdf(GOOD_URDF)
    assert (tree.name, tree.root_link) == ("good", "base")
    assert tree.links == (
        "base", "upper_arm", "forearm", "carriage", "tool", "left_finger", "right_finger",
    )  # fmt: skip
    assert [joint.name for joint in tree.joints] == [
        "shoulder", "elbow", "slide", "flange", "left_grip", "right_grip",
    ]  # fmt: skip
    shoulder, elbow, slide, flange, left, right = tree.joints
    assert shoulder.axis == pytest.approx((0, 0.6, 0.8), abs=1e-15)
    assert (shoulder.xyz, shoulder.rpy) == ((0, 0, 0.3), (0, 0.1, -0.2))
    assert (shoulder.lower, shoulder.upper) == (-2.5, 2.6)
    assert (shoulder.velocity, shoulder.effort) == (2, 30)
    assert (elbow.lower, elbow.upper, elbow.velocity, elbow.effort) == (
        -math.inf, math.inf, None, None,
    )  # fmt: skip
    assert (slide.type, slide.xyz, slide.rpy, slide.axis) == (
        "prismatic", (0, 0, 0), (1.5, 0, 0), (0, 0, -1),
    )  # fmt: skip
    assert (flange.lower, flange.upper, flange.axis) == (None, None, (1, 0, 0))
    assert (left.mimic_joint, left.mimic_multiplier, left.mimic_offset) == (None, 1, 0)
    assert (right.mimic_joint, right.mimic_multiplier, right.mimic_offset) == (
        "left_grip",
        0.5,
        0.001,
    )
    assert [joint.line for joint in tree.joints] == [17, 24, 30, 37, 41, 47]


def test_the_tree_finds_ways():
    tree, _ = read_urdf(GOOD_URDF)
    assert [joint.name for joint in tree.path("upper_arm", "tool")] == ["elbow", "slide", "flange"]
    assert tree.path("tool", "tool") == ()
    assert tree.joint_above("base") is None
    assert tree.joint_above("tool").name == "flange"
    assert [joint.name for joint in tree.joints_below("tool")] == ["left_grip", "right_grip"]
    assert tree.joints_below("left_finger") == ()
    assert tree.is_ancestor("base", "tool")
    assert tree.is_ancestor("tool", "tool")
    assert not tree.is_ancestor("tool", "base")
    assert not tree.is_ancestor("left_finger", "right_finger")
    with pytest.raises(ValueError, match="'left_finger' does not stand above link 'tool'"):
        tree.path("left_finger", "tool")
    with pytest.raises(KeyError, match="'shoulder'"):
        tree.joint_by_name("sholder")


@pytest.mark.parametrize(
    "ask",
    [
        lambda tree: tree.path("bass", "tool"),
        lambda tree: tree.path("base", "bass"),
        lambda tree: tree.is_ancestor("bass", "tool"),
        lambda tree: tree.is_ancestor("base", "bass"),
        lambda tree: tree.joint_above("bass"),
        lambda tree: tree.joints_below("bass"),
    ],
)
def test_the_tree_refuses_unknown_links_with_near_matches(ask):
    with pytest.raises(UnknownFrameError, match="did you mean 'base'"):
        ask(read_urdf(GOOD_URDF)[0])


def shoulder_with(limit: str):
    return read_urdf(edited(SHOULDER_LIMIT, limit))[0].joint_by_name("shoulder")


def test_limits_that_are_not_there_are_read_as_urdf_has_them():
    held = shoulder_with('<limit velocity="2" effort="30"/>')
    assert (held.lower, held.upper) == (0, 0)
    half = shoulder_with('<limit upper="1" velocity="2" effort="30"/>')
    assert (half.lower, half.upper) == (0, 1)
    drive = shoulder_with('<limit lower="-1" upper="1"/>')
    assert (drive.velocity, drive.effort) == (None, None)
    senseless = shoulder_with('<limit lower="-1" upper="1" velocity="-0.5" effort="-1"/>')
    assert (senseless.velocity, senseless.effort) == (None, None)
    no_force = shoulder_with('<limit lower="-1" upper="1" velocity="1" effort="0"/>')
    assert no_force.effort == 0


@pytest.mark.parametrize(
    ("lower", "upper", "read"),
    [
        ("-1e16", "1e16", (-math.inf, math.inf)),
        ("-1000", "1", (-math.inf, 1)),
        ("-1", "1e3", (-1, math.inf)),
        ("-999", "999", (-999, 999)),
    ],
)
def test_limits_that_nothing_reaches_are_none(lower, upper, read):
    joint = shoulder_with(f'<limit lower="{lower}" upper="{upper}" velocity="2" effort="30"/>')
    assert (joint.lower, joint.upper) == read


@pytest.mark.parametrize(
    ("limits", "told"),
    [
        ('lower="-3.14159" upper="3.14159"', False),
        ('lower="0" upper="0"', False),
        ('lower="-3" upper="3"', True),
        ('lower="1" upper="1"', True),
        ('upper="3"', True),
    ],
)
def test_limits_of_a_continuous_joint_are_told_if_they_would_bound_it(limits, told):
    limit = f'<limit {limits} velocity="3" effort="4"/>'
    _, faults = read_urdf(edited(ELBOW_AXIS, ELBOW_AXIS + limit))
    assert [fault.kind for fault in faults] == ["continuous-limits"] * told


def test_long_lists_of_names_are_cut():
    chain = "".join(
        f'<link name="l{i}"/>{fixed_joint(f"j{i}", f"l{i}", f"l{i + 1}")}' for i in range(9)
    )
    (loop,) = faults_of(with_extra(chain.replace('"l9"', '"l0"')))
    assert "'l0' → 'l1' → 'l2' → 'l3' → 'l4' → 'l5' → 'l6' → … → 'l0';" in loop.message
    (roots,) = faults_of(with_extra("".join(f'<link name="l{i}"/>' for i in range(9))))
    assert "10 roots, 'base', 'l0', 'l1', 'l2', 'l3', 'l4' and 4 more;" in roots.message
    (name,) = faults_of(edited(MIMIC, f'<mimic joint="{"x" * 61}"/>'))
    assert f"'{'x' * 59}…'" in name.message
    (name,) = faults_of(edited(MIMIC, f'<mimic joint="{"x" * 60}"/>'))
    assert f"'{'x' * 60}'" in name.message


def test_near_matches_are_looked_for_a_few_times_only():
    wrong = "".join(fixed_joint(f"j{i}", "tol", "tool") for i in range(20))
    faults = [fault for fault in faults_of(with_extra(wrong)) if fault.kind == "unknown-link"]
    assert ["did you mean 'tool'?" in fault.message for fault in faults] == [True] * 10 + [
        False
    ] * 10


@pytest.mark.parametrize(
    "inertial",
    [
        '<mass value="0"/><inertia ixx="0" ixy="0" ixz="0" iyy="0" iyz="0" izz="0"/>',
        '<mass value="2"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="2"/>',
        '<mass value="1e3"/><inertia ixx="1" ixy="-2" ixz="-3" iyy="1" iyz="-4" izz="1.5"/>',
    ],
)
def test_inertias_that_a_body_can_have_are_no_fault(inertial):
    text = edited(
        '<link name="forearm"/>', f'<link name="forearm"><inertial>{inertial}</inertial></link>'
    )
    assert read_urdf(text)[1] == ()


def test_limits_of_continuous_and_fixed_joints_do_not_count():
    limit = '<limit lower="0" upper="0" velocity="3" effort="4"/>'
    tree, faults = read_urdf(edited(ELBOW_AXIS, ELBOW_AXIS + limit))
    elbow = tree.joint_by_name("elbow")
    assert (elbow.lower, elbow.upper, elbow.velocity) == (-math.inf, math.inf, 3)
    assert faults == ()
    nonsense = '<limit effort="much"/><axis xyz="0 0 0"/>'
    tree, faults = read_urdf(edited('<child link="tool"/>', '<child link="tool"/>' + nonsense))
    assert tree.joint_by_name("flange").effort is None
    assert faults == ()


@pytest.mark.parametrize("axis", ["0 3 4", "0 3e-5 4e-5", "0 3e200 4e200", "0 3e5 4e5"])
def test_only_the_direction_of_an_axis_counts(axis):
    joint = read_urdf(edited(ELBOW_AXIS, f'<axis xyz="{axis}"/>'))[0].joint_by_name("elbow")
    assert joint.axis == pytest.approx((0, 0.6, 0.8), abs=1e-15)


@pytest.mark.parametrize(
    "quat_xyzw",
    [
        (0, 0, 0, 1),
        (0, 0, 0, -2),
        (0.1, 0.2, 0.3, 0.4),
        (-0.5, 0.5, -0.5, 0.5),
        (0, math.sqrt(0.5), 0, math.sqrt(0.5)),  # pitch of 90 degrees, where roll and yaw are one
        (0.5, -0.5, 0.5, 0.5),
        (1, 0, 0, 0),
    ],
)
def test_a_quaternion_becomes_the_same_rotation(quat_xyzw):
    origin = '<origin xyz="1 2 3" quat_xyzw="{} {} {} {}"/>'.format(*quat_xyzw)
    text = edited(
        '<robot name="good">', '<robot name="good" version="1.1">', edited(SHOULDER_ORIGIN, origin)
    )
    tree, faults = read_urdf(text)
    joint = tree.joint_by_name("shoulder")
    wanted = rotation_from_quat_xyzw(np.array(quat_xyzw) / np.linalg.norm(quat_xyzw))
    assert joint.xyz == (1, 2, 3)
    assert rotation_from_rpy(joint.rpy) == pytest.approx(wanted, abs=1e-15)
    assert faults == ()


def test_followers_of_followers_follow_the_one_that_moves_them_all():
    joint = (
        '<link name="{0}"/><joint name="{0}" type="continuous"><parent link="tool"/>'
        '<child link="{0}"/><axis xyz="0 0 1"/>{1}</joint>'
    )
    tree, faults = read_urdf(
        with_extra(
            joint.format("c", '<mimic joint="b" multiplier="-3" offset="0.5"/>')
            + joint.format("b", '<mimic joint="a" multiplier="2" offset="0.25"/>')
            + joint.format("a", '<mimic joint="elbow" offset="1"/>')
        )
    )
    followers = {name: tree.joint_by_name(name) for name in "abc"}
    assert {joint.mimic_joint for joint in followers.values()} == {"elbow"}
    factors = {n: (j.mimic_multiplier, j.mimic_offset) for n, j in followers.items()}
    assert factors == {"a": (1, 1), "b": (2, 2.25), "c": (-6, -6.25)}
    assert [fault.subject for fault in faults if fault.kind == "mimic-chain"] == ["c", "b"]


def test_joints_that_lead_into_a_circle_are_not_blamed_for_it():
    joint = (
        '<link name="{0}"/><joint name="{0}" type="continuous"><parent link="tool"/>'
        '<child link="{0}"/><axis xyz="0 0 1"/><mimic joint="{1}"/></joint>'
    )
    pairs = ("ab", "bc", "cb", "da")
    faults = faults_of(with_extra("".join(joint.format(*pair) for pair in pairs)))
    assert [fault.subject for fault in faults] == ["b", "c"]


def test_what_follows_a_stranger_moves_on_its_own():
    tree, _ = read_urdf(edited(MIMIC, '<mimic joint="stranger" multiplier="3" offset="1"/>'))
    joint = tree.joint_by_name("right_grip")
    assert (joint.mimic_joint, joint.mimic_multiplier, joint.mimic_offset) == (None, 1, 0)


def test_the_first_of_repeated_parts_counts():
    text = edited(ELBOW_AXIS, ELBOW_AXIS + '<axis xyz="0 0 0"/><limit/><origin xyz="9 9 9"/>')
    elbow = read_urdf(text)[0].joint_by_name("elbow")
    assert (elbow.axis, elbow.xyz) == ((0, 1, 0), (0, 0.1, 0.4))


def test_links_and_joints_may_share_names_and_stand_in_any_order():
    text = "".join(
        (
            "<robot name='r'>",
            fixed_joint("tip", "middle", "tip"),
            "<link name='tip'/>",
            fixed_joint("middle", "root", "middle"),
            "<link name='middle'/><link name='root'/></robot>",
        )
    )
    tree, _ = read_urdf(text)
    assert tree.root_link == "root"
    assert [joint.name for joint in tree.path("root", "tip")] == ["middle", "tip"]


def test_at_most_a_thousand_links_and_128_degrees_of_freedom():
    def chain(count: int, kind: str) -> str:
        joints = (
            fixed_joint(f"j{i}", f"l{i}", f"l{i + 1}").replace("fixed", kind) for i in range(count)
        )
        links = (f'<link name="l{i}"/>' for i in range(count + 1))
        return f"<robot name='r'>{''.join(links)}{''.join(joints)}</robot>"

    assert len(read_urdf(chain(999, "fixed"))[0].path("l0", "l999")) == 999
    assert [fault.kind for fault in faults_of(chain(1000, "fixed"))] == ["too-many"]
    assert len(read_urdf(chain(128, "continuous"))[0].joints) == 128
    assert faults_of(chain(129, "continuous"))[0].kind == "too-many"
    assert len(read_urdf(chain(21, "floating"))[0].joints) == 21
    assert faults_of(chain(22, "floating"))[0].kind == "too-many"
    assert faults_of(chain(43, "planar"))[0].kind == "too-many"
