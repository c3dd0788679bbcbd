# SPDX-License-Identifier: Apache-2.0
"""How requests end without an answer, and what is said beside one."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ik_solver_ros import IKRequest, IKSolver, RobotModel, SolverSettings
from ik_solver_ros.core.result import IKResult
from support.messages.provoking import Sentence
from support.robots import robot_urdf

DEMO = RobotModel.from_urdf(robot_urdf("demo_arm"))
_DOWN = (1, 0, 0, 0)


def no_solution_sentences() -> Iterator[Sentence]:
    """(status, message) of requests that show each way to end."""
    for result in _results():
        yield result.status.name, result.message


def _results() -> Iterator[IKResult]:
    # The reference solver is the same everywhere; time is no matter but where it is the point.
    settings = {"solver": "reference", "timeout_s": 60.0}
    demo = IKSolver(DEMO, settings=SolverSettings(**settings))
    five = IKSolver(
        RobotModel.from_urdf(robot_urdf("so100")), "gripper", settings=SolverSettings(**settings)
    )
    beyond = {"joint_1": 0.2, "joint_3": 1.0472 + 0.004, "joint_5": -1.0}
    T_beyond = DEMO.forward_kinematics(beyond, "tool0")

    yield demo.solve(_at(0.4, 0.2, 0.6))
    yield demo.solve(_at(0.4, 0.2, 0.6, seed={"joint_1": 4.0}))
    yield demo.solve(IKRequest.from_matrix(T_beyond, seed=beyond, allow_relaxed=True))
    yield demo.solve(_at(4.0, 2.0, 6.0))
    yield demo.solve(_at(0.0, 0.0, 1.15, quat_xyzw=(0, 0, 0, 1)))
    yield five.solve(IKRequest.from_xyz_quat((0.1, -0.2, 0.1), (0.1, 0.2, 0.3, 0.4)))
    yield demo.solve(_at(-0.5, 0.0, 0.0, quat_xyzw=(0, 0, 0, 1)))
    yield demo.solve(_at(0.4, 0.2, 0.6, max_joint_jump=1e-3))
    yield _with(settings | {"max_attempts": 1}).solve(_at(-0.5, 0.0, 0.0, quat_xyzw=(0, 0, 0, 1)))
    yield _with(settings | {"timeout_s": 1e-4}).solve(_at(-0.5, 0.0, 0.0, quat_xyzw=(0, 0, 0, 1)))
    batch = demo.solve_batch(np.array([[4.0, 2.0, 6.0, *_DOWN]]), diagnose=False)
    yield IKResult(_status(batch), batch.messages[0])


def _with(settings: dict[str, object]) -> IKSolver:
    return IKSolver(DEMO, settings=SolverSettings(**settings))


def _at(*xyz_m: float, quat_xyzw: tuple[float, ...] = _DOWN, **options: object) -> IKRequest:
    return IKRequest.from_xyz_quat(xyz_m, quat_xyzw, **options)


def _status(batch):
    from ik_solver_ros import Status

    return Status(int(batch.status[0]))
