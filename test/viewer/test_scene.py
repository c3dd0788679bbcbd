# SPDX-License-Identifier: Apache-2.0
"""Colours, figures and the table as plain values."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from ik_solver_ros import Status
from ik_solver_ros.viewer import html
from ik_solver_ros.viewer.backend import Answer
from ik_solver_ros.viewer.scene import (
    Tone,
    joint_row,
    tinted,
    tone_of,
)
from ik_solver_ros.viewer.words import details_of, headline_of

REVOLUTE, SLIDER = "joint_1", "torso_lift_joint"


def test_each_status_has_its_colour_and_only_success_is_not_red():
    for status in Status:
        tone = tone_of(Answer(status, ""))
        expected = {Status.SOLVED: Tone.SOLVED, Status.SOLVED_RELAXED: Tone.RELAXED}
        assert tone is expected.get(status, Tone.FAILED)
        assert headline_of(Answer(status, "")) == headline_of(Answer(status, "")).lower()


def test_the_states_look_different_on_light_and_on_dark_parts():
    for own in ((250, 250, 245), (30, 35, 45)):
        green, amber, red = (tinted(own, t) for t in (Tone.SOLVED, Tone.RELAXED, Tone.FAILED))
        assert green[1] > green[0] + 20
        assert red[0] > max(red[1:]) + 20
        assert amber[0] > amber[2] + 20
        assert amber[1] > amber[2] + 10
        assert all(0 <= c <= 255 for c in (*green, *amber, *red))
        assert tinted(own, Tone.ROBOT) == own


def test_the_distance_to_the_nearer_limit(demo):
    joint = demo.kinematics.robot.joints[REVOLUTE]
    row = joint_row(joint, joint.upper - math.radians(10.0))
    assert row.unit == "°"
    assert row.margin == pytest.approx(10.0)
    assert row.is_near
    assert row.share == pytest.approx(1.0 - 10.0 / math.degrees(joint.upper - joint.lower))
    assert not joint_row(joint, 0.0).is_near
    assert joint_row(joint, joint.lower - 1e-3).is_near


def test_a_slider_is_told_in_millimetres():
    from support.viewing import session_of

    rows = {row.name: row for row in session_of("tiago").view().rows}
    assert rows[SLIDER].unit == "mm"
    assert rows[SLIDER].upper == pytest.approx(350.0)


@pytest.mark.parametrize(
    ("error_m", "error_rad", "words"),
    [
        (3e-10, 1e-9, "off by < 1 nm, < 0.001°"),
        (2.5e-7, 1e-4, "off by 250 nm, 0.0057°"),
        (0.0123, 0.1, "off by 12.3 mm, 5.7°"),
        (2.0, 0.0, "off by 2 m, < 0.001°"),
    ],
)
def test_errors_are_told_in_units_for_people(error_m, error_rad, words):
    answer = Answer(Status.SOLVED, "", ({"a": 0.0},), error_m, error_rad)
    assert details_of(answer) == words
    failed = replace(answer, status=Status.UNREACHABLE, solutions=())
    assert details_of(failed) == f"closest: {words}"
    assert details_of(Answer(Status.TIMEOUT, "gone")) == ""


def test_names_out_of_a_urdf_are_no_html(demo):
    view = demo.view()
    evil = "<script>alert(1)</script>&\"'"
    rows = [replace(view.rows[0], name=evil, is_near=True)]
    texts = [
        html.joint_table(rows),
        html.status(replace(view, tone=Tone.FAILED, message=evil, details=evil), [evil]),
        html.text_to_copy(evil),
    ]
    for text in texts:
        assert "<script>" not in text
        assert "&lt;script&gt;" in text


def test_near_limits_are_highlighted(demo):
    row = demo.view().rows[0]
    plain = html.joint_table([row])
    near = html.joint_table([replace(row, is_near=True)])
    blocking = html.joint_table([replace(row, is_blocking=True)])
    assert len({plain, near, blocking}) == 3
    assert "font-weight:650" not in plain
