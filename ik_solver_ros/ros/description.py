# SPDX-License-Identifier: Apache-2.0
"""Which robot the node solves for: from the parameter or the topic, replaced whole or not at all.

A request takes one ``Setup`` at its start and keeps it to its end. A description that cannot be
used never replaces one that can.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Any

from ..core.errors import IKSolverError, RobotModelError
from ..core.robot_model import RobotModel
from ..core.solver import IKSolver
from ..core.transforms import se3_from_xyz_quat
from .command_joints import command_joints
from .node_settings import NodeSettings
from .rotations import quat_xyzw_from_rpy


@dataclass(frozen=True)
class Setup:
    """What one request is solved with.

    Attributes:
        settings: the parameters.
        solver: for the robot, with the parameters' base, tip and tool.
        T_tip_tcp: the parameters' tool centre point, ``pin.SE3``.
        command_joints: joints of a command, in the controller's order.
    """

    settings: NodeSettings
    solver: IKSolver
    T_tip_tcp: Any
    command_joints: tuple[str, ...]


class RobotInUse:
    """Turns descriptions and settings into a ``Setup``; called from one thread, read from any.

    Args:
        settings: the parameters at start-up.
        topic: full name of the description's topic, for messages.
        log: the node's logger.

    Raises:
        IKSolverError: when the parameters give a robot that cannot be used.
    """

    def __init__(self, settings: NodeSettings, topic: str, log: Any) -> None:
        self._settings, self._log = settings, log
        self._heard_text = ""
        self._heard: RobotModel | None = None
        self._setup: Setup | None = None
        self._why_none = (
            "no robot description yet: the parameter robot_description is empty and nothing was "
            f"published on {topic}"
        )
        if settings.robot_description:
            self._use(_setup(_given_robot(settings), settings))
        else:
            log.info(f"waiting for a robot description on {topic}")

    def setup(self) -> Setup:
        """What to solve the next request with.

        Raises:
            RobotModelError: no usable description yet; says why.
        """
        setup = self._setup
        if setup is None:
            raise RobotModelError(self._why_none)
        return setup

    def hear(self, urdf_text: str) -> None:
        """Take over a description from the topic; log why if it cannot be used."""
        if urdf_text == self._heard_text:
            return  # publishers of latched topics repeat themselves
        self._heard_text = urdf_text
        try:
            self._heard = read_robot(urdf_text)
            if not self._settings.robot_description:
                self._use(_setup(self._heard, self._settings))
        except IKSolverError as error:
            kept = "; the one before stays in use" if self._setup else ""
            self._why_none = f"the robot description cannot be used: {error}"
            self._log.error(f"{self._why_none}{kept}")

    def check(self, settings: NodeSettings) -> None:
        """Refuse settings that make no arm of the robot at hand, or of the one they bring.

        Raises:
            IKSolverError: naming what does not fit.
        """
        if _arm_settings(settings) != _arm_settings(self._settings):
            self._fitting(settings)

    def apply(self, settings: NodeSettings) -> None:
        """Take over settings that passed the check."""
        self._settings = settings
        try:
            setup = self._fitting(settings)
        except IKSolverError as error:  # only where there was no usable robot before, either
            self._why_none = f"the robot description cannot be used: {error}"
            return
        if setup is not None:
            self._use(setup)

    def _fitting(self, settings: NodeSettings) -> Setup | None:
        """The parameter's robot, else the last one heard, else the one in use; None without."""
        if settings.robot_description:
            return _setup(_given_robot(settings), settings)
        in_use = self._setup.solver.robot if self._setup else None
        problems = []
        for robot in (self._heard, in_use):
            if robot is not None:
                try:
                    return _setup(robot, settings)
                except IKSolverError as error:
                    problems.append(error)
        if problems:
            raise problems[0]
        return None

    def _use(self, setup: Setup) -> None:
        before, self._setup = self._setup, setup
        solver = setup.solver
        if before is None or before.solver.robot is not solver.robot:
            for warning in solver.robot.warnings:
                self._log.warning(f"robot description: {warning}")
        elif _arm_settings(before.settings) == _arm_settings(setup.settings):
            return
        self._log.info(
            f"robot '{solver.robot.name}': {len(solver.joint_names)} joints from "
            f"'{solver.base_frame}' to '{solver.tip_frame}' ({', '.join(solver.joint_names)})"
        )


@functools.lru_cache(maxsize=2)  # a parameter is checked first and applied later
def read_robot(urdf_text: str) -> RobotModel:
    """A robot from URDF text; the same object for the same text.

    Raises:
        RobotModelError: naming the joint or link at fault.
    """
    return RobotModel.from_urdf(urdf_text)


def _given_robot(settings: NodeSettings) -> RobotModel:
    try:
        return read_robot(settings.robot_description)
    except RobotModelError as error:
        raise RobotModelError(f"robot_description: {error}", error.faults) from error


def _setup(robot: RobotModel, settings: NodeSettings) -> Setup:
    """Raises IKSolverError when the settings make no arm of this robot."""
    *xyz_m, roll_rad, pitch_rad, yaw_rad = settings.tcp_offset
    quat_xyzw = quat_xyzw_from_rpy(roll_rad, pitch_rad, yaw_rad)
    T_tip_tcp = se3_from_xyz_quat(xyz_m, quat_xyzw, "tcp_offset")
    solver = IKSolver(
        robot,
        settings.tip_frame,
        settings.base_frame,
        tcp_offset=T_tip_tcp,
        settings=settings.solver_settings,
    )
    return Setup(settings, solver, T_tip_tcp, command_joints(solver, settings))


def _arm_settings(settings: NodeSettings) -> tuple[object, ...]:
    """The settings that can fail to fit a robot."""
    return (
        settings.robot_description,
        settings.base_frame,
        settings.tip_frame,
        settings.tcp_offset,
        settings.solver_settings.solver,
        settings.command_duration_s,
    )
