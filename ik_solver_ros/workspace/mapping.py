# SPDX-License-Identifier: Apache-2.0
"""From a robot to its reachability map."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..core.errors import BackendError
from ..core.limits import Floats
from ..core.solvers.choice import solver_called
from ..core.transforms import tcp_pose, xyz_quat_from_se3
from .backends import Backend, Threads
from .cells import CellValues, MapJob
from .grid import Grid
from .map import ReachabilityMap
from .orientations import OrientationSet

#: Called with the number of cells done and of all cells.
Progress = Callable[[int, int], None]

DEFAULT_CELL_M = 0.05
DEFAULT_ORIENTATIONS = 32
DEFAULT_ATTEMPTS = 30
_ROWS_PER_BLOCK = 1000  # some ten milliseconds


def map_workspace(
    urdf_text: str,
    tip_frame: str = "",
    base_frame: str = "",
    *,
    tcp_offset: Any = None,
    cell_m: float = DEFAULT_CELL_M,
    orientations: OrientationSet | None = None,
    max_attempts: int = DEFAULT_ATTEMPTS,
    backend: Backend | None = None,
    progress: Progress | None = None,
) -> ReachabilityMap:
    """Find out where an arm can bring its tool, and how well it can move there.

    Space around the arm is divided into cubes, as far as the arm is long; in the middle of each,
    every orientation is solved for and verified. The same arguments give the same numbers to the
    last bit, on any number of threads or workers.

    Args:
        urdf_text: the robot description itself, not its path.
        tip_frame: link that carries the tool; empty = the robot's only end.
        base_frame: link that the map is given in; empty = the root link.
        tcp_offset: tool centre point in the tip, as in ``IKSolver``.
        cell_m: edge of a cube.
        orientations: what is tried in each cube; None = 32, spread evenly.
        max_attempts: starts of each search. With few, a place that is hard to reach may be missed.
        backend: who does the work; None = a thread for each core.
        progress: called after every block.

    Raises:
        RobotModelError: for a robot description that cannot be used.
        UnknownFrameError, NoChainError: when base and tip make no arm.
        InvalidRequestError: for a cell size, an offset or a number that cannot be used.
        BackendError: a cluster is not there, or has failed.
    """
    T_tip_tcp = tcp_pose(tcp_offset)
    job = MapJob(
        urdf_text,
        base_frame,
        tip_frame,
        None if T_tip_tcp is None else xyz_quat_from_se3(T_tip_tcp),
        orientations or OrientationSet.even(DEFAULT_ORIENTATIONS),
        max_attempts,
        solver_called("numeric").name,
    )
    solver = job.solver()
    chain = solver.arm().chain
    grid = Grid(chain, cell_m)
    positions_m = grid.positions_m()
    values = _gathered(job, positions_m, backend or Threads(), progress)
    shape = grid.inside.shape

    def spread(rows: Any, empty: Any) -> Any:
        array = np.full((*shape, *rows.shape[1:]), empty, dtype=rows.dtype)
        array[grid.inside] = rows
        return array

    return ReachabilityMap(
        robot_name=solver.robot.name,
        base_frame=solver.base_frame,
        tip_frame=solver.tip_frame,
        cell_m=float(cell_m),
        orientations=len(job.orientations),
        orientations_meaning=job.orientations.meaning,
        joint_names=chain.variable_names,
        x_m=grid.axes[0],
        y_m=grid.axes[1],
        z_m=grid.axes[2],
        base_m=np.array(chain.placements[0, :, 3]),
        reached=spread(values.reached, 0),
        out_of_reach=spread(values.out_of_reach, len(job.orientations)),
        blocked=spread(values.blocked, 0),
        manipulability=spread(values.manipulability, np.nan),
        limit_margin=spread(values.limit_margin, np.nan),
    )


def _gathered(
    job: MapJob, positions_m: Floats, backend: Backend, progress: Progress | None
) -> CellValues:
    """The values of all places, in their order."""
    per_block = max(1, _ROWS_PER_BLOCK // len(job.orientations))
    blocks = [positions_m[i : i + per_block] for i in range(0, len(positions_m), per_block)]
    found: list[CellValues | None] = [None] * len(blocks)
    done = 0
    for number, values in backend.values(job, blocks):
        found[number] = values
        done += len(blocks[number])
        if progress is not None:
            progress(done, len(positions_m))
    whole = [values for values in found if values is not None]
    if len(whole) != len(blocks):
        raise BackendError(f"{len(blocks) - len(whole)} of {len(blocks)} blocks were left undone")
    return CellValues(*(np.concatenate(parts) for parts in zip(*whole)))
