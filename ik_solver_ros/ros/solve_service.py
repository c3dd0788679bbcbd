# SPDX-License-Identifier: Apache-2.0
"""One call of ``~/solve_ik``, from message to message."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from builtin_interfaces.msg import Time

from ik_solver_ros.srv import SolveIK

from ..core.request import IKRequest
from ..core.result import IKResult
from .description import RobotInUse, Setup
from .frames import TargetFrames
from .inputs import read_positions, read_request, target_pose, tcp_offset
from .joint_state_cache import JointStateCache
from .outputs import Output, refusal, write_result
from .placing import frame_pose
from .seed import seed_of
from .service_call import ServiceCall


class SolveService:
    """Answers every request: with a verified solution, or with a status and the reason.

    Args:
        robot: which robot to solve for.
        joint_states: where its joints are.
        frames: where target frames are.
        outputs: who gets solutions besides the caller, one after the other.
        show: draws what a request came to; called before anybody gets a solution.
        stamp: ROS time, now.
        call: what each call goes through.
    """

    def __init__(
        self,
        robot: RobotInUse,
        joint_states: JointStateCache,
        frames: TargetFrames,
        outputs: Sequence[Output],
        show: Callable[[Setup, IKRequest, IKResult], None],
        stamp: Callable[[], Time],
        call: ServiceCall,
    ) -> None:
        self._robot, self._joint_states, self._frames = robot, joint_states, frames
        self._outputs, self._show, self._stamp = outputs, show, stamp
        self._call = call

    def answer(self, request: SolveIK.Request, response: SolveIK.Response) -> SolveIK.Response:
        """The service's callback."""
        return self._call.serve(
            lambda: self._solve(request, response),
            lambda status, why: refusal(status, why, response.seed_source),
        )

    def _solve(self, message: SolveIK.Request, response: SolveIK.Response) -> SolveIK.Response:
        setup = self._robot.setup()
        solver, max_age_s = setup.solver, setup.settings.max_joint_state_age_s
        T_base_target = target_pose(message)
        T_tip_tcp = tcp_offset(message, solver.tip_frame)
        asked_seed = read_positions(message.seed, "seed")
        arm = solver.arm(message.tip_frame, T_tip_tcp)

        frame = message.target.header.frame_id
        if frame not in ("", solver.base_frame):
            T_base_frame = frame_pose(self._frames, setup, frame, self._joint_states)
            T_base_target = T_base_frame * T_base_target
        seed, response.seed_source = seed_of(arm, asked_seed, self._joint_states, max_age_s)
        request = read_request(message, T_base_target, T_tip_tcp, seed)
        result = solver.solve(request)
        write_result(response, result, self._stamp())
        self._show(setup, request, result)
        if result.success and not message.dry_run:
            for output in self._outputs:
                output.send(response.solution, setup, seed)
        return response
