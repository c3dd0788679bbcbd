# SPDX-License-Identifier: Apache-2.0
"""The answer to one target as text; ``answer`` says what is in the object it is made from."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

from ..core.robot_model import Joint
from ..joint_table import joint_lines, tidy
from .output import coloured, table

_INDENT = " " * 10
_COLOUR_OF = {"SOLVED": "green", "SOLVED_RELAXED": "yellow"}


def answer_lines(
    answer: Mapping[str, Any], joints: Mapping[str, Joint], degrees: bool
) -> Iterator[str]:
    """The object as text.

    Args:
        answer: see the head of this module.
        joints: what is known of each joint; those of a running node may be unknown.
        degrees: whether to write what is to be copied in degrees.
    """
    status = coloured(answer["status"], _COLOUR_OF.get(answer["status"], "red"))
    solver = f" by the solver '{answer['solver']}'" if answer["solver"] else ""
    there_and_back = ""
    if "round_trip_s" in answer:
        there_and_back = f" ({answer['round_trip_s'] * 1e3:.1f} ms there and back)"
    yield f"answer    {status} in {answer['solve_time_s'] * 1e3:.2f} ms{solver}{there_and_back}"
    yield from _solved(answer, joints, degrees) if answer["success"] else _failed(answer, joints)
    yield f"effort    {_many(answer['attempts'], 'start')}, {_many(answer['iterations'], 'step')}"


def _solved(answer: Mapping[str, Any], joints: Mapping[str, Joint], degrees: bool) -> Iterator[str]:
    yield from _positions(answer["joints"], joints)
    yield f"errors    {_errors(answer)}   measured by forward kinematics on exactly these values"
    jump = f"{answer['max_joint_jump']:.4g} rad or m"
    yield f"jump      {jump}: largest change of one joint from the seed"
    if notes := answer["message"].partition("; ")[2]:
        yield f"note      {notes}"
    if answer["alternatives"]:
        yield ""
        yield from _branches([answer, *answer["alternatives"]], joints, degrees)
        yield ""
    else:
        yield f"copy      {assignments(answer['joints'], joints, degrees)}"


def _failed(answer: Mapping[str, Any], joints: Mapping[str, Joint]) -> Iterator[str]:
    yield f"why       {answer['message']}"
    yield f"who acts  {answer['who_acts']}"
    if answer["blocking_joints"]:
        yield f"blocking  {', '.join(answer['blocking_joints'])}"
    if answer["closest"]:
        yield f"closest   {_errors(answer['closest'])} off; not an answer, not to be executed"
        yield from _positions(answer["closest"]["joints"], joints)


def _positions(positions: Mapping[str, float], joints: Mapping[str, Joint]) -> Iterator[str]:
    if not positions.keys() <= joints.keys():
        return (f"{_INDENT}{name} {value:.6f}  rad or m" for name, value in positions.items())
    return (_INDENT + line for line in joint_lines(positions, joints, decimals=6))


def _branches(
    answers: list[Mapping[str, Any]], joints: Mapping[str, Joint], degrees: bool
) -> Iterator[str]:
    """All solutions, nearest to the seed first, one row each."""
    names = list(answers[0]["joints"])
    header = ("branch", *(f"{name} [{_unit(joints.get(name), degrees)}]" for name in names), "jump")
    rows = (
        (
            i,
            *(
                f"{tidy(_shown(answer['joints'][name], joints.get(name), degrees)):.6f}"
                for name in names
            ),
            _jump(answer["max_joint_jump"]),
        )
        for i, answer in enumerate(answers, 1)
    )
    return (_INDENT + line for line in table(rows, header))


def _jump(jump: float) -> str:
    """Of one branch; a node tells only that of the first."""
    return "" if math.isnan(jump) else f"{jump:.3g}"


def assignments(positions: Mapping[str, float], joints: Mapping[str, Joint], degrees: bool) -> str:
    """``joint_1=0.3 joint_2=…`` with twelve digits, for ``--seed`` and ``--joints``."""
    return " ".join(
        f"{name}={_shown(value, joints.get(name), degrees):.12g}"
        for name, value in positions.items()
    )


def _shown(position: float, joint: Joint | None, degrees: bool) -> float:
    turns = joint is not None and not joint.is_prismatic
    return math.degrees(position) if degrees and turns else position


def _unit(joint: Joint | None, degrees: bool) -> str:
    if joint is None:
        return "rad or m"
    return "deg" if degrees and not joint.is_prismatic else joint.unit


def _errors(answer: Mapping[str, Any]) -> str:
    position_m, orientation_rad = answer["position_error_m"], answer["orientation_error_rad"]
    degrees = math.degrees(orientation_rad)
    angle = f"{degrees:.0f}°" if degrees >= 100.0 else f"{degrees:.2g}°"
    return f"{position_m:.2g} m   {orientation_rad:.2g} rad ({angle})"


def _many(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
