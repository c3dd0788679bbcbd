# SPDX-License-Identifier: Apache-2.0
"""The answer to one target: as the object that ``--json`` prints, and from that as text.

The object, with everything in m, rad and s::

    status, success, message, who_acts       how it ended; who can do something about it
    base_frame, tip_frame
    joints                                   position by name; empty unless success
    position_error_m, orientation_error_rad  measured by forward kinematics; null unless success
    max_joint_jump                           largest change of one joint from the seed
    alternatives                             further answers: joints, errors and jump of each
    blocking_joints                          joints whose limits forbid it
    closest                                  on failure: joints, errors; null on success
    iterations, attempts, solve_time_s, solver
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from ..joint_table import joint_lines, tidy
from .output import coloured, table

if TYPE_CHECKING:
    from ..core.result import Closest, IKResult
    from ..core.robot_model import Joint
    from ..core.solver import IKSolver
    from ..core.verification import VerifiedSolution

_INDENT = " " * 10
_COLOUR_OF = {"SOLVED": "green", "SOLVED_RELAXED": "yellow"}


def answer_of(result: IKResult, solver: IKSolver, tip_frame: str = "") -> dict[str, Any]:
    """The object for a result."""
    solution = result.solution
    return {
        "status": result.status.name,
        "success": result.success,
        "message": result.message,
        "who_acts": result.status.who_acts,
        "base_frame": solver.base_frame,
        "tip_frame": tip_frame or solver.tip_frame,
        **(_solution(solution) if solution else _NO_SOLUTION),
        "alternatives": [_solution(other) for other in result.alternatives],
        "blocking_joints": list(result.blocking_joints),
        "closest": _closest(result.closest) if result.closest else None,
        "iterations": result.iterations,
        "attempts": result.attempts,
        "solve_time_s": result.solve_time_s,
        "solver": result.solver,
    }


def answer_lines(
    answer: Mapping[str, Any], joints: Mapping[str, Joint], degrees: bool
) -> Iterator[str]:
    """The object as text.

    Args:
        answer: see the head of this module.
        joints: what is known of each joint.
        degrees: whether to write what is to be copied in degrees.
    """
    status = coloured(answer["status"], _COLOUR_OF.get(answer["status"], "red"))
    solver = f" by the solver '{answer['solver']}'" if answer["solver"] else ""
    yield f"answer    {status} in {answer['solve_time_s'] * 1e3:.2f} ms{solver}"
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
    return (_INDENT + line for line in joint_lines(positions, joints, decimals=6))


def _branches(
    answers: list[Mapping[str, Any]], joints: Mapping[str, Joint], degrees: bool
) -> Iterator[str]:
    """All solutions, nearest to the seed first, one row each."""
    names = list(answers[0]["joints"])
    header = ("branch", *(f"{name} [{_unit(joints[name], degrees)}]" for name in names), "jump")
    rows = (
        (
            i,
            *(
                f"{tidy(_shown(answer['joints'][name], joints[name], degrees)):.6f}"
                for name in names
            ),
            f"{answer['max_joint_jump']:.3g}",
        )
        for i, answer in enumerate(answers, 1)
    )
    return (_INDENT + line for line in table(rows, header))


def assignments(positions: Mapping[str, float], joints: Mapping[str, Joint], degrees: bool) -> str:
    """``joint_1=0.3 joint_2=…`` with twelve digits, for ``--seed`` and ``--joints``."""
    return " ".join(
        f"{name}={_shown(value, joints[name], degrees):.12g}" for name, value in positions.items()
    )


def _shown(position: float, joint: Joint, degrees: bool) -> float:
    return math.degrees(position) if degrees and not joint.is_prismatic else position


def _unit(joint: Joint, degrees: bool) -> str:
    return "deg" if degrees and not joint.is_prismatic else joint.unit


def _errors(answer: Mapping[str, Any]) -> str:
    position_m, orientation_rad = answer["position_error_m"], answer["orientation_error_rad"]
    return f"{position_m:.2g} m   {orientation_rad:.2g} rad ({math.degrees(orientation_rad):.2g}°)"


def _many(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def _solution(solution: VerifiedSolution) -> dict[str, Any]:
    return {
        "joints": dict(zip(solution.joint_names, solution.q.tolist())),
        "position_error_m": solution.position_error_m,
        "orientation_error_rad": solution.orientation_error_rad,
        "max_joint_jump": solution.max_joint_jump,
    }


_NO_SOLUTION = {
    "joints": {},
    "position_error_m": math.nan,
    "orientation_error_rad": math.nan,
    "max_joint_jump": math.nan,
}


def _closest(closest: Closest) -> dict[str, Any]:
    return {
        "joints": dict(zip(closest.joint_names, closest.q.tolist())),
        "position_error_m": closest.position_error_m,
        "orientation_error_rad": closest.orientation_error_rad,
    }
