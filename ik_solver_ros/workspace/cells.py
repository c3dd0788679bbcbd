# SPDX-License-Identifier: Apache-2.0
"""What is asked at each place, and the answer: the work of one process, in blocks of places.

A block's numbers depend on nothing but the job and its places, so that they are the same to the
last bit on any number of threads, workers and machines of one kind.
"""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..core.batch_targets import poses_from_rows
from ..core.errors import BackendError
from ..core.jacobian import jacobians, manipulability
from ..core.limits import HAIR, Floats, Limits
from ..core.pinocchio_import import pin
from ..core.robot_model import RobotModel
from ..core.settings import SolverSettings
from ..core.solver import IKSolver
from ..core.solvers.base import Problem
from ..core.solvers.choice import solver_called
from ..core.tolerance import DEFAULT_AXES, Tolerance
from .orientations import OrientationSet

_LIFTED_ATTEMPTS = 20  # as many as the diagnosis of a single target makes


@dataclass(frozen=True)
class MapJob:
    """The same question for every place; small enough to be sent anywhere.

    Attributes:
        urdf_text: the robot.
        base_frame, tip_frame: the links at the arm's ends.
        tcp_offset: tool centre point in the tip, ((x, y, z), (qx, qy, qz, qw)); None = the tip.
        orientations: what is tried at each place.
        max_attempts: starts of each search.
        solver_name: "numeric", or "reference" where the kernel was not built.
    """

    urdf_text: str
    base_frame: str
    tip_frame: str
    tcp_offset: tuple[tuple[float, float, float], tuple[float, float, float, float]] | None
    orientations: OrientationSet
    max_attempts: int
    solver_name: str

    def solver(self) -> IKSolver:
        """The solver that answers; made once in each process."""
        return _solver(self)


@lru_cache(maxsize=4)
def _solver(job: MapJob) -> IKSolver:
    if solver_called(job.solver_name).name != job.solver_name:
        # The reference would take over, with answers of its own.
        raise BackendError(f"the C++ kernel is not built in {sys.prefix}, and the numbers need it")
    return IKSolver(
        RobotModel.from_urdf(job.urdf_text),
        job.tip_frame,
        job.base_frame,
        tcp_offset=job.tcp_offset,
        settings=SolverSettings(max_attempts=job.max_attempts, solver=job.solver_name),
    )


class CellValues(NamedTuple):
    """What is known about n places; m joints of the arm can be chosen.

    Attributes:
        reached: (n,) orientations with a verified answer.
        out_of_reach: (n,) orientations that were not reached without joint limits, either.
        blocked: (n, m) orientations that the limits of a joint keep out of reach.
        manipulability: (n,) mean over the answers; NaN where there is none.
        limit_margin: (n,) mean over the answers of the nearest limit's distance, as a share of half
            the joint's range: 0 on a limit, 1 with all joints in the middle; NaN likewise.
    """

    reached: NDArray[np.int32]
    out_of_reach: NDArray[np.int32]
    blocked: NDArray[np.int32]
    manipulability: Floats
    limit_margin: Floats


def evaluate(job: MapJob, positions_m: Floats) -> CellValues:
    """Answer the job's question at some places.

    Args:
        job: the question.
        positions_m: (n, 3) of the tool centre point in the base frame.
    """
    solver, orientations = job.solver(), job.orientations
    chain = solver.arm().chain
    n, m = len(positions_m), len(orientations)
    targets = orientations.targets(positions_m)
    q, found = _without_limits(job, solver, targets)
    success = np.zeros(n * m, dtype=bool)
    positions = np.full((n * m, len(chain.joint_names)), np.nan)
    outside = chain.limits.excess(q) > HAIR
    # What cannot be reached without limits need not be tried with them. What was found inside them
    # by chance is where its own search starts; all others start in the middle.
    for rows, seeds in (
        (np.flatnonzero(found), None),
        (np.flatnonzero(found & ~outside.any(axis=1)), q),
    ):
        rows = rows[~success[rows]]
        if len(rows):
            batch = solver.solve_batch(
                targets[rows],
                seed=None if seeds is None else chain.report_rows(seeds[rows]),
                orientation_tolerance=orientations.tolerance,
                diagnose=False,
            )
            success[rows], positions[rows] = batch.success, batch.positions

    blocked = np.zeros((n * m, len(chain.variable_names)), dtype=np.int32)
    blocked[~success] = (outside & found[:, None])[~success]
    answers = positions[success][:, _columns_of_variables(solver)]
    values = np.full((2, n * m), np.nan)
    values[0, success] = manipulability(jacobians(chain, answers))
    values[1, success] = _margins(chain.limits, answers)
    return CellValues(
        success.reshape(n, m).sum(axis=1, dtype=np.int32),
        (~found).reshape(n, m).sum(axis=1, dtype=np.int32),
        blocked.reshape(n, m, -1).sum(axis=1, dtype=np.int32),
        *(_means(rows.reshape(n, m)) for rows in values),
    )


def _without_limits(
    job: MapJob, solver: IKSolver, targets: Floats
) -> tuple[Floats, NDArray[np.bool_]]:
    """Configurations (k, m) that reach targets (k, 7) if limits do not count, and which do."""
    arm, settings = solver.arm(), solver.settings
    tolerance = Tolerance.of(
        DEFAULT_AXES,
        settings.position_tolerance,
        job.orientations.tolerance,
        settings.orientation_tolerance,
    )
    seed = arm.seed(None)
    poses, _ = poses_from_rows(targets, orientation_free=tolerance.orientation.constraints == 0)
    problem = Problem(
        chain=arm.chain,
        limits=arm.chain.limits.lifted(),
        T_base_target=pin.SE3.Identity(),
        seed=seed,
        tolerance=tolerance,
        use_slack=len(seed) < tolerance.constraints,
        wanted=1,
        seed_suffices=True,
        max_attempts=_LIFTED_ATTEMPTS,
        deadline_s=math.inf,
    )
    search = solver_called(settings.solver).search_batch
    q, found = search(problem, poses, seed, chain_seeds=False, threads=1)
    return arm.chain.limits.least_outside(q, seed), found


def _columns_of_variables(solver: IKSolver) -> list[int]:
    chain = solver.arm().chain
    return [chain.joint_names.index(name) for name in chain.variable_names]


def _margins(limits: Limits, q: Floats) -> Floats:
    """Distance (n,) of the nearest limit, as a share of half the joint's range; 1 without any."""
    bounded = np.isfinite(limits.upper - limits.lower) & (limits.upper > limits.lower)
    low, high, q = limits.lower[bounded], limits.upper[bounded], q[:, bounded]
    shares = np.minimum(q - low, high - q) / (0.5 * (high - low))
    return np.asarray(shares.min(axis=1, initial=1.0))


def _means(rows: Floats) -> Floats:
    """Mean (n,) of each row over what is not NaN."""
    known = ~np.isnan(rows)
    with np.errstate(invalid="ignore"):
        return np.asarray(np.where(known, rows, 0.0).sum(axis=1) / known.sum(axis=1))
