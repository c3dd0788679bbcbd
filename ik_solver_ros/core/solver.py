# SPDX-License-Identifier: Apache-2.0
"""IKSolver: from a request to a verified answer or the reason why there is none."""

from __future__ import annotations

import math
import time
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from .arm import Arm
from .batch import BatchResult, BatchRun, Progress
from .batch_targets import poses_from_rows
from .chain import only_end
from .errors import InvalidRequestError
from .pinocchio_import import pin
from .request import IKRequest, check_count
from .result import IKResult
from .robot_model import RobotModel
from .run import Run
from .settings import SolverSettings
from .solvers.choice import solver_called
from .tolerance import DEFAULT_AXES, tolerance_axes
from .transforms import is_identity, tcp_pose

_MOST_ARMS = 32
_MOST_THREADS = 256


class IKSolver:
    """Solves for one robot; any tip, any tool.

    Args:
        robot: the robot.
        tip_frame: link that carries the tool; empty = the robot's only end, if it has only one.
        base_frame: link that targets are given in; empty = the root link.
        tcp_offset: default tool centre point in the tip frame: (xyz, quat_xyzw), a 4x4 matrix or
            ``pin.SE3``.
        settings: tolerances, limits on the effort, choice of solver.

    Raises:
        UnknownFrameError, NoChainError, RobotModelError: when base and tip make no arm.
        InvalidRequestError: for a ``tcp_offset`` that is no pose.
    """

    def __init__(
        self,
        robot: RobotModel,
        tip_frame: str = "",
        base_frame: str = "",
        *,
        tcp_offset: Any = None,
        settings: SolverSettings | None = None,
    ) -> None:
        self.robot = robot
        self.settings = settings or SolverSettings()
        self.base_frame = base_frame or robot.root_link
        self.tip_frame = tip_frame or only_end(robot, self.base_frame)
        T_tip_tcp = tcp_pose(tcp_offset)
        self._tcp_offset = None if T_tip_tcp is None or is_identity(T_tip_tcp) else T_tip_tcp
        self._solver = solver_called(self.settings.solver)
        self._arms: dict[tuple[str, bytes], Arm] = {}
        self.arm()  # so that a wrong tip is refused here and not at the first request

    @property
    def joint_names(self) -> tuple[str, ...]:
        """Joints of the default arm, base to tip, followers included: the order of ``q``."""
        return self.arm().chain.joint_names

    def arm(self, tip_frame: str = "", tcp_offset: pin.SE3 | None = None) -> Arm:
        """The arm for a tip and a tool centre point; empty and None mean the defaults."""
        tip, T_tip_tcp = tip_frame or self.tip_frame, tcp_offset
        if T_tip_tcp is None:
            T_tip_tcp = self._tcp_offset
        key = tip, b"" if T_tip_tcp is None else T_tip_tcp.homogeneous.tobytes()
        arm = self._arms.get(key)
        if arm is None:
            arm = Arm(self.robot, self.base_frame, tip, T_tip_tcp)
            if len(self._arms) >= _MOST_ARMS:
                self._arms = {}
            self._arms[key] = arm
        return arm

    def solve(self, request: IKRequest) -> IKResult:
        """Look for joint positions that reach the target.

        Every answer passed forward kinematics of the complete model, limits and mimic relations.
        The same robot, request and settings give the same answer to the last bit, unless the time
        limit cut the search.

        Raises:
            InvalidRequestError: for a seed that does not fit the robot.
            UnknownFrameError, NoChainError: for a tip that makes no arm.
        """
        started_s = time.perf_counter()
        arm = self.arm(request.tip_frame, request.T_tip_tcp)
        return Run(arm, self._solver, self.settings, request, started_s).result()

    def solve_batch(
        self,
        targets: ArrayLike,
        *,
        seed: Any = None,
        chain_seeds: bool = False,
        threads: int = 1,
        diagnose: bool = True,
        progress: Progress | None = None,
        orientation_tolerance: ArrayLike = DEFAULT_AXES,
        **options: Any,
    ) -> BatchResult:
        """Look for joint positions for each of many targets, one answer each.

        Every answer is verified like that of :meth:`solve`. A row that cannot be used is answered
        with INVALID_REQUEST; it does not stop the others.

        Args:
            targets: (n, 7) rows of x, y, z in metres and a quaternion x, y, z, w, or (n, 4, 4).
            seed: as in :class:`IKRequest` for all rows, or an array (n, len(joint_names)).
            chain_seeds: each row starts from the last solved row's answer (a path) instead of the
                common seed (a cloud).
            threads: how many the search may use; the answers do not depend on it.
            diagnose: look for the reason of each failure, as :meth:`solve` does.
            progress: called with the rows done and all rows, after every slice.
            orientation_tolerance: radians per axis of each target frame.
            options: the other attributes of :class:`IKRequest` by name, for all rows.

        Raises:
            InvalidRequestError: for a shape, seed or option that cannot be used.
            UnknownFrameError, NoChainError: for a tip that makes no arm.
        """
        check_count("threads", threads, 1, _MOST_THREADS)
        tolerance = tolerance_axes(orientation_tolerance, "orientation_tolerance")
        T_base_targets, faults = poses_from_rows(targets, all(map(math.isinf, tolerance)))
        per_row = np.ndim(seed) == 2
        request = IKRequest(
            pin.SE3.Identity(),
            seed=None if per_row else seed,
            orientation_tolerance=tolerance,
            T_tip_tcp=options.pop("tcp_offset", None),
            **options,
        )
        if request.max_solutions > 1:
            raise InvalidRequestError("max_solutions", "a batch has one answer a row; use solve")
        arm = self.arm(request.tip_frame, request.T_tip_tcp)
        seeds = arm.seed_rows(seed, len(T_base_targets)) if per_row else arm.seed(request.seed)
        if chain_seeds and per_row:
            raise InvalidRequestError(
                "seed", "with chain_seeds one seed is expected, not a row for each target"
            )
        run = Run(arm, self._solver, self.settings, request, time.perf_counter())
        batch = BatchRun(
            arm,
            self._solver,
            run.problem(),
            request,
            run.largest_jump,
            self.solve,
            T_base_targets,
            faults,
        )
        return (batch.path if chain_seeds else batch.cloud)(seeds, threads, diagnose, progress)
