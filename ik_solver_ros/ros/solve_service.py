# SPDX-License-Identifier: Apache-2.0
"""One call of ``~/solve_ik``, from message to message."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Sequence
from typing import Any

from builtin_interfaces.msg import Time
from rclpy.logging import LoggingSeverity

from ik_solver_ros.srv import SolveIK

from ..core.errors import IKSolverError
from ..core.status import Status
from .description import RobotInUse
from .frames import TargetFrames
from .inputs import placed, read_request, read_seed
from .joint_state_cache import JointStateCache
from .outputs import Output, refusal, write_result
from .seed import current_positions, seed_of


class SolveService:
    """Answers every request: with a verified solution, or with a status and the reason.

    Args:
        robot: which robot to solve for.
        joint_states: where its joints are.
        frames: where target frames are.
        outputs: who gets solutions besides the caller.
        stamp: ROS time, now.
        log: the node's logger.
    """

    def __init__(
        self,
        robot: RobotInUse,
        joint_states: JointStateCache,
        frames: TargetFrames,
        outputs: Sequence[Output],
        stamp: Callable[[], Time],
        log: Any,
    ) -> None:
        self._robot, self._joint_states, self._frames = robot, joint_states, frames
        self._outputs, self._stamp, self._log = outputs, stamp, log

    def answer(self, request: SolveIK.Request, response: SolveIK.Response) -> SolveIK.Response:
        """The service's callback; no exception leaves it, since that would end the node."""
        try:
            self._solve(request, response)
        except IKSolverError as error:
            response = refusal(error.status, str(error), response.seed_source)
        except Exception as error:  # noqa: BLE001
            self._log.error(f"internal error, please report it:\n{traceback.format_exc()}")
            told = f"internal error, logged by the node: {type(error).__name__}: {error}"
            response = refusal(Status.INTERNAL_ERROR, told, response.seed_source)
        if self._log.is_enabled_for(LoggingSeverity.DEBUG):
            self._log.debug(f"{Status(response.status).name}: {response.message}")
        return response

    def _solve(self, message: SolveIK.Request, response: SolveIK.Response) -> None:
        setup = self._robot.setup()
        solver, max_age_s = setup.solver, setup.settings.max_joint_state_age_s
        request, asked_seed = read_request(message, solver.tip_frame), read_seed(message.seed)
        arm = solver.arm(request.tip_frame, request.T_tip_tcp)

        T_base_frame, frame = None, message.target.header.frame_id
        if frame not in ("", solver.base_frame):
            T_base_frame = self._frames.pose(
                solver.robot,
                solver.base_frame,
                frame,
                lambda joints: current_positions(
                    solver.robot, joints, self._joint_states, max_age_s
                ),
                max_age_s,
            )
        seed, response.seed_source = seed_of(arm, asked_seed, self._joint_states, max_age_s)
        result = solver.solve(placed(request, T_base_frame, seed))
        write_result(response, result, self._stamp())
        if result.success and not message.dry_run:
            for output in self._outputs:
                output.send(response.solution)
