# SPDX-License-Identifier: Apache-2.0
"""One target: a round trip of ``solve_ik`` beside one of the echo."""

from __future__ import annotations

from typing import Any

from ik_solver_ros.srv import SolveIK
from support.ros_harness import request_for

from .world import BASE, KINEMATICS, POSTURE, TIP, ask, cell_with, client_of, percentiles

_TURN = 100  # calls of one service before it is the other's turn: both meet the same machine
_JOINT_STATE_RATE_HZ = 100.0


def measure(calls: int) -> dict[str, Any]:
    """Return percentiles in seconds of the round trips, and of the node's own solving.

    Args:
        calls: of each service.
    """
    request = request_for(KINEMATICS.relative(POSTURE, BASE, TIP), dry_run=True)
    seconds: dict[str, list[float]] = {"ik_solver": [], "echo": []}
    solving = []
    with cell_with(joint_state_rate_hz=_JOINT_STATE_RATE_HZ) as cell:
        clients = {n: client_of(cell, n, "solve_ik", SolveIK, request) for n in seconds}
        for _ in range(max(1, calls // _TURN)):
            for name, client in clients.items():
                for _ in range(_TURN):
                    answer, took_s = ask(client, request)
                    seconds[name].append(took_s)
                    if name == "ik_solver":
                        solving.append(answer.solve_time)
    return {
        "calls": len(solving),
        "joint_state_rate_hz": _JOINT_STATE_RATE_HZ,
        "ik_solver": percentiles(seconds["ik_solver"]),
        "echo": percentiles(seconds["echo"]),
        "solving": percentiles(solving),
    }
