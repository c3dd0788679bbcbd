# SPDX-License-Identifier: Apache-2.0
"""What the user does and what comes of it; every method is called from one thread."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from ..core.errors import InvalidRequestError
from ..core.pinocchio_import import pin
from ..core.request import IKRequest
from ..core.status import Status
from .backend import Answer, Backend
from .kinematics import ArmKinematics, Positions
from .null_space import NullSpaceWalk
from .real_robot import RealRobot
from .scene import (
    Tone,
    View,
    joint_row,
    marked_joints,
    tone_of,
)
from .start import random_positions, start_positions
from .task import Task
from .trace import Trace
from .words import details_of, headline_of

NULL_RANGE = 3.0  # rad, norm over the joints


class Session:
    """One robot, one target.

    Args:
        kinematics: of the arm.
        backend: who solves.
        start: positions of all joints of the robot; None = a bent, dexterous configuration, until
            a real robot is heard of.
    """

    def __init__(
        self, kinematics: ArmKinematics, backend: Backend, start: Positions | None = None
    ) -> None:
        self.kinematics = kinematics
        self.backend = backend
        self.task = Task()
        self.start = dict(start or start_positions(kinematics))
        self._rng = np.random.default_rng(0)
        self._walk: NullSpaceWalk | None = None
        self._robot = RealRobot(kinematics.joint_names, is_followed=False)
        self._answer, self._branch, self._has_all_branches = Answer(Status.UNKNOWN, ""), 0, False
        self.trace = Trace(kinematics.size_m())
        self.positions = self.start
        self._go_to(self.start)
        self._robot.is_followed = backend.can_send

    # --- what the user does ---

    def move_target(self, T_base_target: pin.SE3) -> None:
        """Bring the tool to a pose, from where the arm is."""
        self._T_base_target = T_base_target
        self._solve(self.positions)

    def set_joint(self, name: str, position: float) -> None:
        """Put one joint of the arm elsewhere; the target goes with the tool."""
        chain = self.kinematics.chain
        variables = self.kinematics.variables(self.positions)
        variables[chain.variable_names.index(name)] = position
        variables = variables.clip(chain.limits.lower, chain.limits.upper)
        self._go_to(self.kinematics.positions(variables))

    def go_to_random(self) -> None:
        """A target that can be reached: where the tool is for some configuration."""
        goal = random_positions(self.kinematics, self._rng, 0.8)
        self.move_target(self.kinematics.tool_pose({**self.positions, **goal}))

    def go_to_start(self) -> None:
        """As in the beginning: where the robot is, else the first configuration."""
        self.trace.clear()
        if self._robot.positions is not None:
            self._follow()
        else:
            self._go_to(self.start)

    def set_task(self, task: Task) -> None:
        """Ask for the same target in another way."""
        self.task = task
        self._solve(self.positions)

    def next_branch(self) -> None:
        """Show the next of all branches that reach the target."""
        if not self._has_all_branches:
            self._solve(self.positions, all_branches=True)
        if self._answer.success:
            self._branch = (self._branch + 1) % len(self._answer.solutions)
            self._walk, self._null_value, self._note = None, 0.0, ""
            self._show(self._answer.solutions[self._branch])

    def slide_null_space(self, distance: float) -> None:
        """Move along the null space; ``distance`` in rad from where the target was reached."""
        if self._walk is None:
            if not self._answer.success:
                self._solve(self.positions)
            if not (self.null_range and self._answer.success):
                return
            anchor = replace(self._answer, solutions=(self._answer.solutions[self._branch],))
            self._walk = NullSpaceWalk(
                self.kinematics, self._answer_to, anchor, self._T_base_target, self.task.free
            )
        self._null_value = distance
        self._answer, self._note = self._walk.at(distance)
        self._has_all_branches = False
        self._branch = 0
        self._show(self._answer.solutions[0])

    def send(self) -> None:
        """Have the robot go to what is shown."""
        self._take(self.backend.send(self.request()))
        if self._answer.success:
            self._robot.await_arrival()

    def hear(self, positions: Positions) -> None:
        """The real robot is here now."""
        self._robot.hear(positions, self.positions)
        if self._robot.is_followed:
            self._follow()

    def _follow(self) -> None:
        self._take(Answer(Status.UNKNOWN, "drag the tool: the answer is shown, nothing moves"))
        self._robot.follow()
        self.positions = self._shown = dict(self._robot.positions or self.positions)
        self._T_base_target = self.kinematics.tool_pose(self.positions)

    # --- what is asked ---

    def request(self, seed: Positions | None = None, all_branches: bool = False) -> IKRequest:
        """The request for the present target and task, from where the arm is or from a seed."""
        start = seed or self.positions
        arm = {name: start[name] for name in self.kinematics.joint_names}
        return self.task.request(self._T_base_target, arm, all_branches)

    @property
    def null_range(self) -> float:
        """How far the null-space slider goes; 0 for an arm without joints to spare."""
        return NULL_RANGE if self.kinematics.freedom > 6 - sum(self.task.free) else 0.0

    def _go_to(self, positions: Positions) -> None:
        """Put the arm somewhere: that, too, is a target, and is verified like any other."""
        seed = {**self.positions, **positions}
        self._T_base_target = self.kinematics.tool_pose(seed)
        self._solve(seed)

    def _solve(self, seed: Positions, all_branches: bool = False) -> None:
        self._has_all_branches = all_branches or self.task.show_branches
        self._take(self._answer_to(seed, all_branches))

    def _answer_to(self, seed: Positions, all_branches: bool = False) -> Answer:
        try:
            return self.backend.solve(self.request(seed, all_branches))
        except InvalidRequestError as error:  # every axis is free
            return Answer(error.status, str(error))

    def _take(self, answer: Answer) -> None:
        self._answer, self._note = answer, ""
        self._robot.leave()
        self._branch, self._walk, self._null_value = 0, None, 0.0
        if answer.success:
            self._show(answer.solutions[0])
            self.trace.add(self.kinematics.tool_pose(self.positions).translation)
        else:
            self._has_all_branches = False
            self._shown = {**self.positions, **(answer.closest or {})}

    def _show(self, arm: Mapping[str, float]) -> None:
        self.positions = {**self.positions, **arm}
        self._shown = self.positions

    # --- what is shown ---

    def view(self) -> View:
        """Everything to be seen now."""
        answer, kinematics = self._answer, self.kinematics
        blocking, is_followed = answer.blocking_joints, self._robot.is_followed
        elsewhere = self._robot.elsewhere
        return View(
            tone=Tone.ROBOT if is_followed else tone_of(answer),
            headline="follows the robot" if is_followed else headline_of(answer),
            message=self._note or answer.message,
            details=details_of(answer),
            positions=self._shown,
            links=kinematics.link_poses(self._shown),
            T_base_target=self._T_base_target,
            T_base_tool=kinematics.tool_pose(self._shown),
            ghosts=self._ghosts(),
            robot=kinematics.link_poses(elsewhere) if elsewhere else None,
            rows=tuple(
                joint_row(kinematics.robot.joints[name], self._shown[name], name in blocking)
                for name in kinematics.joint_names
            ),
            marked=marked_joints(kinematics, self._shown, blocking),
            ellipsoid=kinematics.ellipsoid(self._shown),
            trace=self.trace.pieces(),
            branch=self._branch + 1 if answer.success else 0,
            branches=len(answer.solutions) if self._has_all_branches else 0,
            null_range=self.null_range,
            null_value=self._null_value,
        )

    def _ghosts(self) -> tuple[Mapping[str, pin.SE3], ...]:
        return tuple(
            self.kinematics.link_poses({**self._shown, **other})
            for i, other in enumerate(self._answer.solutions)
            if i != self._branch
        )
