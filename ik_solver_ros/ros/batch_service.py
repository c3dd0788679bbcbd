# SPDX-License-Identifier: Apache-2.0
"""One call of ``~/solve_ik_batch``: flat arrays in, flat arrays out, and nothing published."""

from __future__ import annotations

import math
import time
from array import array
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ik_solver_ros.srv import SolveIKBatch

from ..core.batch import BatchResult
from ..core.batch_targets import rows_seen_from
from ..core.errors import InvalidRequestError
from ..core.solver import IKSolver
from ..core.status import Status
from .arrays import float64_array, rows_from, uint8_array
from .description import RobotInUse
from .frames import TargetFrames
from .inputs import axes, read_positions, seconds, tcp_offset
from .joint_state_cache import JointStateCache
from .placing import frame_pose
from .seed import seed_of
from .service_call import ServiceCall

_MOST_ROWS = 1_000_000
_MOST_MESSAGES = 1000
_NO_TURN = "the time limit of the batch was over before this row's turn"
_FIRST_SLICE, _LARGEST_SLICE = 100, 2000  # rows
_SLICE_S = 0.05  # how far a batch may go past its time limit


class BatchService:
    """Answers every request: each row with a verified solution or a status.

    Args:
        robot: which robot to solve for.
        joint_states: where its joints are.
        frames: where target frames are.
        call: what each call goes through.
    """

    def __init__(
        self,
        robot: RobotInUse,
        joint_states: JointStateCache,
        frames: TargetFrames,
        call: ServiceCall,
    ) -> None:
        self._robot, self._joint_states, self._frames = robot, joint_states, frames
        self._call = call

    def answer(
        self, request: SolveIKBatch.Request, _response: SolveIKBatch.Response
    ) -> SolveIKBatch.Response:
        """The service's callback."""
        return self._call.serve(lambda: self._solve(request), _refusal)

    def _solve(self, message: SolveIKBatch.Request) -> SolveIKBatch.Response:
        started_s = time.perf_counter()
        setup = self._robot.setup()
        solver, max_age_s = setup.solver, setup.settings.max_joint_state_age_s
        rows = _read_targets(message)
        options = _read_options(message, solver.tip_frame)
        time_limit_s = seconds(message.timeout, "timeout") or math.inf
        arm = solver.arm(message.tip_frame, options["tcp_offset"])

        if message.frame_id not in ("", solver.base_frame):
            T_base_frame = frame_pose(self._frames, setup, message.frame_id, self._joint_states)
            rows = rows_seen_from(T_base_frame, rows)
        asked_seed = read_positions(message.seed, "seed")
        seed, seed_source = seed_of(arm, asked_seed, self._joint_states, max_age_s)
        batch = _Batch(len(rows), arm.chain.joint_names)
        batch.solve(solver, rows, seed, options, started_s + time_limit_s)
        response = batch.response()
        response.seed_source = seed_source
        response.solve_time = time.perf_counter() - started_s
        return response


@dataclass
class _Batch:
    """The answers so far; rows that nobody has worked on yet are TIMEOUT."""

    n: int
    joint_names: tuple[str, ...]
    positions: NDArray[np.float64] = field(init=False)
    status: NDArray[np.uint8] = field(init=False)
    errors: NDArray[np.float64] = field(init=False)
    messages: dict[int, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.positions = np.full((self.n, len(self.joint_names)), np.nan)
        self.status = np.full(self.n, Status.TIMEOUT, dtype=np.uint8)
        self.errors = np.full((2, self.n), np.nan)

    def solve(
        self,
        solver: IKSolver,
        rows: NDArray[np.float64],
        seed: Any,
        options: dict[str, Any],
        deadline_s: float,
    ) -> None:
        """Work on slice after slice until all are done or the time is up.

        The answers do not depend on where slices end, so their size may follow the clock. A small
        one comes first to learn how fast it goes, but only where there is a limit: each slice
        takes a quarter of a millisecond of its own.
        """
        start, count = 0, _LARGEST_SLICE if math.isinf(deadline_s) else _FIRST_SLICE
        while start < self.n and (began_s := time.perf_counter()) < deadline_s:
            result = solver.solve_batch(rows[start : start + count], seed=seed, **options)
            self._take(start, result)
            if options["chain_seeds"] and result.success.any():
                seed = tuple(result.positions[result.success][-1].tolist())
            start += count
            took_s = time.perf_counter() - began_s
            count = max(1, min(_LARGEST_SLICE, int(count * _SLICE_S / took_s)))

    def _take(self, start: int, result: BatchResult) -> None:
        rows = slice(start, start + len(result.status))
        self.positions[rows], self.status[rows] = result.positions, result.status
        self.errors[:, rows] = result.position_error_m, result.orientation_error_rad
        for row in sorted(result.messages)[: _MOST_MESSAGES - len(self.messages)]:
            self.messages[start + row] = result.messages[row]

    def response(self) -> SolveIKBatch.Response:
        failed = (self.status != Status.SOLVED) & (self.status != Status.SOLVED_RELAXED)
        told = np.flatnonzero(failed)[:_MOST_MESSAGES].tolist()
        response = SolveIKBatch.Response()
        response.success = not told
        response.batch_status = int(self.status[told[0]] if told else self.status.max())
        response.message = _summary(self.status)
        response.joint_names = list(self.joint_names)
        response.status = uint8_array(self.status)
        response.positions = float64_array(self.positions)
        response.position_error = float64_array(self.errors[0])
        response.orientation_error = float64_array(self.errors[1])
        response.failed_rows = array("I", told)
        response.failure_messages = [self.messages.get(row, _NO_TURN) for row in told]
        return response


def _summary(status: NDArray[np.uint8]) -> str:
    counts = np.bincount(status, minlength=256).tolist()  # as many as a uint8 can be
    solved = counts[Status.SOLVED] + counts[Status.SOLVED_RELAXED]
    others = [f"{counts[s]} {s.name}" for s in Status if s != Status.SOLVED and counts[s]]
    return ", ".join([f"{solved} of {len(status)} targets solved", *others])


def _read_targets(message: SolveIKBatch.Request) -> NDArray[np.float64]:
    rows = rows_from(message.targets, 7, "targets", "x y z qx qy qz qw")
    if len(rows) > _MOST_ROWS:
        raise InvalidRequestError(
            "targets", f"{len(rows)} rows are more than {_MOST_ROWS}; send several"
        )
    return rows


def _read_options(message: SolveIKBatch.Request, default_tip: str) -> dict[str, Any]:
    return {
        "tip_frame": message.tip_frame,
        "tcp_offset": tcp_offset(message, default_tip),
        "position_tolerance": axes(message.position_tolerance),
        "orientation_tolerance": axes(message.orientation_tolerance),
        "max_joint_jump": message.max_joint_jump,
        "allow_relaxed": message.allow_relaxed,
        "chain_seeds": message.chain_seeds,
        "diagnose": not message.skip_diagnosis,
    }


def _refusal(status: Status, message: str) -> SolveIKBatch.Response:
    return SolveIKBatch.Response(
        batch_status=int(status), success=False, message=message, solve_time=0.0
    )
