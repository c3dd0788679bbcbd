# SPDX-License-Identifier: Apache-2.0
"""No text whatever ends in anything but a robot that Pinocchio can hold, or a RobotModelError."""

from __future__ import annotations

import math
import re

import numpy as np
import pinocchio as pin
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ik_solver_ros.core.errors import RobotModelError
from ik_solver_ros.core.urdf_check import MOVING_TYPES, Fault, UrdfTree, read_urdf, to_pinocchio_xml
from support.broken_urdfs import GOOD_URDF, UNUSABLE, USABLE
from support.broken_urdfs.case import MIMIC, SHOULDER_ORIGIN, edited, with_extra
from support.strategies import SEEDS

LONGEST_SENTENCE = 500

NASTY_VALUES = [
    "", " ", "0", "-0", "1", "nan", "inf", "-inf", "1e400", "1e308", "-1e-320", "1e16", "1,5",
    "0x1", "1_0", "+", ".", "1e", "0 0 0", "1 2", "0 0 0 1", "1e9 0 0", "9" * 400, "${x}", "$(arg)",
    "base", "tool", "elbow", "left_grip", "universe", "revolute", "continuous", "prismatic",
    "fixed", "floating", "planar", "2.0", "é手\u202e", "&#10;", "&#0;", "&lt;", "&amp;", "&a;", "<",
    "a" * 3000,
]  # fmt: skip
NASTY_PIECES = [
    "<link/>", "<joint/>", "<robot>", "</robot>", "</joint>", "<!--", "-->", "<![CDATA[", "]]>",
    "<?xml?>", "<!DOCTYPE a>", "<xacro:if/>", "\0", "\x7f", "\ud800", "\ufeff", "\u2028", "&", "<",
    ">", '"', "\r", '<axis xyz="0 0 0"/>', '<mimic joint="right_grip"/>', '<link name="base"/>',
    '<limit lower="3" upper="2"/>', '<origin quat_xyzw="0 0 0 1"/>', '<child link="base"/>',
]  # fmt: skip
ATTRIBUTE = re.compile(r'"[^"]*"')
TAG = re.compile(r"(?<=<)/?\w+")


def answer_to(text: str) -> tuple[UrdfTree, tuple[Fault, ...]] | RobotModelError:
    try:
        return read_urdf(text)
    except RobotModelError as error:
        return error


def check_answer(text: str) -> None:
    """Either a robot that Pinocchio holds, in which everything is finite, or a RobotModelError."""
    answer = answer_to(text)
    if isinstance(answer, RobotModelError):
        assert answer.faults[0].severity == "error"
        assert all(len(str(fault)) < LONGEST_SENTENCE for fault in answer.faults)
        assert str(answer).isprintable()
        return
    tree, faults = answer
    assert all(fault.severity != "error" for fault in faults)
    check_tree(tree)
    model = pin.buildModelFromXML(to_pinocchio_xml(tree))
    bodies = [frame.name for frame in model.frames if frame.type == pin.FrameType.BODY]
    assert sorted(bodies) == sorted(tree.links)
    data = model.createData()
    pin.framesForwardKinematics(model, data, pin.neutral(model))
    assert all(np.isfinite(placement.homogeneous).all() for placement in data.oMf)


def check_tree(tree: UrdfTree) -> None:
    assert len(tree.joints) == len(tree.links) - 1
    assert all(tree.is_ancestor(tree.root_link, link) for link in tree.links)
    for joint in tree.joints:
        assert all(map(math.isfinite, (*joint.xyz, *joint.rpy)))
        assert math.hypot(*joint.axis) == pytest.approx(1.0, abs=1e-12)
        assert joint.velocity is None or 0.0 < joint.velocity < math.inf
        assert joint.effort is None or 0.0 <= joint.effort < math.inf
        if joint.type in MOVING_TYPES:
            assert joint.lower <= joint.upper
        if joint.mimic_joint is not None:
            assert tree.joint_by_name(joint.mimic_joint).mimic_joint is None
            assert math.isfinite(joint.mimic_multiplier + joint.mimic_offset)


@given(st.text(max_size=200))
def test_any_text(text):
    check_answer(text)


@given(st.lists(st.sampled_from([*NASTY_PIECES, *NASTY_VALUES, "<robot name='a'>"]), max_size=12))
def test_any_pieces(pieces):
    check_answer("".join(pieces))


@settings(max_examples=300)
@given(SEEDS)
def test_a_good_description_with_some_values_changed(seed):
    rng = np.random.default_rng(seed)
    text = GOOD_URDF
    for _ in range(rng.integers(1, 4)):
        spot = rng.choice([match.span() for match in ATTRIBUTE.finditer(text)])
        text = text[: spot[0] + 1] + str(rng.choice(NASTY_VALUES)) + text[spot[1] - 1 :]
    check_answer(text)


@settings(max_examples=300)
@given(SEEDS)
def test_a_good_description_cut_and_pasted(seed):
    rng = np.random.default_rng(seed)
    text = GOOD_URDF
    for _ in range(rng.integers(1, 4)):
        start, end = sorted(rng.integers(0, len(text), 2))
        end = min(end, start + int(rng.integers(1, 200)))
        piece, at = text[start:end], int(rng.integers(0, len(text)))
        change = rng.integers(0, 4)
        if change == 0:
            text = text[:start] + text[end:]
        elif change == 1:
            text = text[:at] + piece + text[at:]
        elif change == 2:
            text = text[:at] + NASTY_PIECES[int(rng.integers(0, len(NASTY_PIECES)))] + text[at:]
        else:
            spots = [match.span() for match in TAG.finditer(text)]
            (a, b), (c, d) = (spots[int(i)] for i in rng.integers(0, len(spots), 2))
            text = text[:a] + text[c:d] + text[b:]
    check_answer(text)


@settings(max_examples=200)
@given(SEEDS)
def test_whole_lines_left_out_doubled_and_swapped(seed):
    rng = np.random.default_rng(seed)
    lines = GOOD_URDF.splitlines(keepends=True)
    for _ in range(rng.integers(1, 4)):
        i, k = (int(index) for index in rng.integers(0, len(lines), 2))
        change = rng.integers(0, 3)
        if change == 0:
            del lines[i]
        elif change == 1:
            lines.insert(k, lines[i])
        else:
            lines[i], lines[k] = lines[k], lines[i]
    check_answer("".join(lines))


@settings(max_examples=300)
@given(
    st.integers(0, 6),
    st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6), st.integers(-1, 5)), max_size=6),
)
def test_any_graph_of_links_joints_and_mimics(link_count, joints):
    links = "".join(f'<link name="{i}"/>' for i in range(link_count))
    body = "".join(
        f'<joint name="{i}" type="continuous"><parent link="{parent}"/><child link="{child}"/>'
        + (f'<mimic joint="{master}" multiplier="2"/>' if master >= 0 else "")
        + "</joint>"
        for i, (parent, child, master) in enumerate(joints)
    )
    text = f"<robot name='graph'>{links}{body}</robot>"
    check_answer(text)
    is_refused = isinstance(answer_to(text), RobotModelError)
    assert is_refused != is_usable(link_count, joints)


def is_usable(link_count: int, joints: list[tuple[int, int, int]]) -> bool:
    """The rules again, in the plainest way: one tree, and no mimic that ends in itself."""
    parent_of = {child: parent for parent, child, _ in joints}
    ends = {end for parent, child, _ in joints for end in (parent, child)}
    one_tree = (
        link_count > 0
        and ends <= set(range(link_count))
        and len(parent_of) == len(joints) == link_count - 1
        and all(climbs_out(link, parent_of) for link in range(link_count))
    )
    master_of = {i: joint[2] for i, joint in enumerate(joints) if 0 <= joint[2] < len(joints)}
    return one_tree and all(climbs_out(i, master_of) for i in range(len(joints)))


def climbs_out(start: int, above: dict[int, int]) -> bool:
    for _ in range(len(above) + 1):
        if start not in above:
            return True
        start = above[start]
    return False


@pytest.mark.parametrize("broken", [*UNUSABLE, *USABLE], ids=str)
def test_faults_together_with_a_second_one(broken):
    second = edited(MIMIC, "<mimic/>")
    check_answer(broken.text + second)
    check_answer(
        broken.text.replace(SHOULDER_ORIGIN, '<origin xyz="x"/>').replace(MIMIC, "<mimic/>")
    )


@pytest.mark.parametrize("broken", [*UNUSABLE, *USABLE], ids=str)
def test_every_prefix_of_a_description(broken):
    step = max(1, len(broken.text) // 40)
    for end in range(0, len(broken.text), step):
        check_answer(broken.text[:end])


def test_names_and_values_of_a_megabyte_are_cut_in_sentences():
    huge = "x" * 1_000_000
    for old in ('"good"', '"tool"', '"elbow"', '"revolute"', '"0 0 0.3"', '"-2.5"', '"left_grip"'):
        check_answer(GOOD_URDF.replace(old, f'"{huge}"'))
    check_answer(with_extra(f"<{huge}/>"))
    check_answer(with_extra(f"<xacro:{huge}/>"))
    check_answer(with_extra(f'<link name="{huge}"/>'))
    check_answer(with_extra(f"<{huge}>"))
    check_answer(huge)


@pytest.mark.parametrize("depth", [100, 200_000])
def test_nesting_is_no_recursion(depth):
    nested = "<a>" * depth + "</a>" * depth
    tree, faults = read_urdf(with_extra(nested))
    assert len(tree.links) == 7
    assert faults == ()
    check_answer("<a>" * depth)
    check_answer(with_extra("<joint>" * depth + "</joint>" * depth))
    check_answer("<robot>" * depth + "</robot>" * depth)


def test_large_texts_are_read_in_one_go():
    visual = '<visual><origin xyz="0 0 0"/><geometry><box size="1 1 1"/></geometry></visual>'
    text = edited('<link name="tool"/>', f'<link name="tool">{visual * 30_000}</link>')
    assert len(text) > 2_000_000
    assert read_urdf(text)[1] == ()
    digits = edited('xyz="0 0 0.3"', f'xyz="0 0 0.{"3" * 1_000_000}"')
    assert read_urdf(digits)[0].joint_by_name("shoulder").xyz[2] == pytest.approx(1 / 3)
    check_answer(edited('xyz="0 0 0.3"', f'xyz="0 0 {"3" * 1_000_000}x"'))


def test_many_faults_are_all_told():
    links = "".join(f'<link name="l{i}"/>' for i in range(500))
    joints = "".join(
        f'<joint name="j{i}" type="fixed"><parent link="l{i % 500}x"/><child link="m{i}"/></joint>'
        for i in range(900)
    )
    faults = answer_to(f"<robot name='r'>{links}{joints}</robot>").faults
    assert [fault.kind for fault in faults] == ["unknown-link"] * 1800
    unnamed = answer_to(f"<robot name='r'><link name='a'/>{'<joint/>' * 900}</robot>").faults
    assert sum(fault.kind == "missing-name" for fault in unnamed) == 900


@pytest.mark.parametrize("piece", ["<joint/>", "<link/>", '<joint name="a"/>', '<link name="a"/>'])
def test_floods_of_elements_end_soon(piece):
    (fault,) = answer_to(f"<robot name='r'>\n{piece * 100_000}").faults  # not even well-formed
    assert (fault.kind, fault.line) == ("too-many", 2)
    (fault,) = answer_to(f"<robot name='r'>\n<joint>{'<origin/>' * 100_000}").faults
    assert (fault.kind, fault.line) == ("too-many", 2)
