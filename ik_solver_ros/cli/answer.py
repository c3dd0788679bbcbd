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

For an answer of a running node, frames that the caller left to the node are empty, what a message
does not carry is null, and there are ``seed_source`` (where the seed came from) and
``round_trip_s``.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from ..core.status import Status
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


def answer_of_response(
    response: Any, frame: str, tip_frame: str, round_trip_s: float
) -> dict[str, Any]:
    """The object for a response of the service ``solve_ik``."""
    status = Status(response.status)
    solution = _message(response.solution, response.position_error, response.orientation_error)
    closest = _message(
        response.closest, response.closest_position_error, response.closest_orientation_error
    )
    return {
        "status": status.name,
        "success": response.success,
        "message": response.message,
        "who_acts": status.who_acts,
        "base_frame": frame,
        "tip_frame": tip_frame,
        **(solution if response.success else _NO_SOLUTION),
        "max_joint_jump": response.max_joint_jump if response.success else math.nan,
        "alternatives": [
            {**_message(other, math.nan, math.nan), "max_joint_jump": math.nan}
            for other in response.alternatives
        ],
        "blocking_joints": list(response.blocking_joints),
        "closest": closest if closest["joints"] else None,
        "iterations": response.iterations,
        "attempts": response.attempts,
        "solve_time_s": response.solve_time,
        "solver": "",
        "seed_source": response.seed_source,
        "round_trip_s": round_trip_s,
    }


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
            f"{answer['max_joint_jump']:.3g}",
        )
        for i, answer in enumerate(answers, 1)
    )
    return (_INDENT + line for line in table(rows, header))


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


def _message(state: Any, position_error_m: float, orientation_error_rad: float) -> dict[str, Any]:
    return {
        "joints": dict(zip(state.name, state.position)),
        "position_error_m": position_error_m,
        "orientation_error_rad": orientation_error_rad,
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
