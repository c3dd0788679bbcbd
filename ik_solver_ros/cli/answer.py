# SPDX-License-Identifier: Apache-2.0
"""The answer to one target as the object that ``--json`` prints; ``answer_text`` is for people.

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
from typing import TYPE_CHECKING, Any

from ..core.status import Status
from .wording import answer_in_options

if TYPE_CHECKING:
    from ..core.result import Closest, IKResult
    from ..core.solver import IKSolver
    from ..core.verification import VerifiedSolution


def answer_of(result: IKResult, solver: IKSolver, tip_frame: str = "") -> dict[str, Any]:
    """The object for a result."""
    solution = result.solution
    return {
        "status": result.status.name,
        "success": result.success,
        "message": answer_in_options(result.message),
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
        "message": answer_in_options(response.message),
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
