# SPDX-License-Identifier: Apache-2.0
"""A thousand targets: a round trip of ``solve_ik_batch`` beside one of the echo."""

from __future__ import annotations

import time
from array import array
from typing import Any
from unittest import mock

import numpy as np

from ik_solver_ros import IKSolver, RobotModel
from ik_solver_ros.core.solvers.numeric import NumericSolver
from ik_solver_ros.srv import SolveIKBatch
from support.poses import xyz_quat_from_transform

from .echo import ROWS
from .world import BASE, JOINTS, KINEMATICS, POSTURE, TIP, URDF, ask, cell_with, client_of

_TURN = 5
_SEED = 7
_SPREAD_RAD = 0.4  # of the targets' postures around the one that the search starts from


def measure(calls: int) -> dict[str, Any]:
    """Return medians in seconds: of the round trips, of the library's and the kernel's share.

    Args:
        calls: of each service.
    """
    rows = _targets()
    request = SolveIKBatch.Request(targets=array("d", rows.ravel().tolist()))
    request.seed.name, request.seed.position = list(POSTURE), list(POSTURE.values())
    seconds: dict[str, list[float]] = {"ik_solver": [], "echo": [], "library": [], "kernel": []}
    with cell_with(joint_state_rate_hz=100.0) as cell:
        clients = {
            name: client_of(cell, name, "solve_ik_batch", SolveIKBatch, request)
            for name in ("ik_solver", "echo")
        }
        for _ in range(max(1, calls // _TURN)):
            for name, client in clients.items():
                seconds[name] += [ask(client, request)[1] for _ in range(_TURN)]
            for _ in range(_TURN):
                library_s, kernel_s = _alone(rows)
                seconds["library"].append(library_s)
                seconds["kernel"].append(kernel_s)
    medians = {name: float(np.median(values)) for name, values in seconds.items()}
    return {"calls": len(seconds["echo"]), "targets": ROWS, **medians}


def _targets() -> np.ndarray:
    """Rows (n, 7) that can be reached."""
    rng = np.random.default_rng(_SEED)
    near = np.array([POSTURE[joint] for joint in JOINTS])
    postures = near + rng.uniform(-_SPREAD_RAD, _SPREAD_RAD, (ROWS, len(JOINTS)))
    poses = [KINEMATICS.relative(dict(zip(JOINTS, q)), BASE, TIP) for q in postures.tolist()]
    return np.array([xyz_quat_from_transform(pose) for pose in poses])


def _alone(rows: np.ndarray) -> tuple[float, float]:
    """Seconds that the library takes without ROS, and the kernel's share of them."""
    solver = _alone_solver()
    kernel_s = 0.0
    search_batch = NumericSolver.search_batch

    def timed(*arguments: Any, **options: Any) -> Any:
        nonlocal kernel_s
        started_s = time.perf_counter()
        outcome = search_batch(*arguments, **options)
        kernel_s += time.perf_counter() - started_s
        return outcome

    with mock.patch.object(NumericSolver, "search_batch", timed):
        started_s = time.perf_counter()
        solver.solve_batch(rows, seed=POSTURE)
        return time.perf_counter() - started_s, kernel_s


def _alone_solver() -> IKSolver:
    return IKSolver(RobotModel.from_urdf(URDF), TIP, BASE)
