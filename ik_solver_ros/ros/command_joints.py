# SPDX-License-Identifier: Apache-2.0
"""Which joints a command is for. What does not fit the robot is refused before anything moves."""

from __future__ import annotations

import math
from collections import Counter

from ..core.errors import SettingsError, listed, near_matches, quoted
from ..core.robot_model import RobotModel
from ..core.solver import IKSolver
from .node_settings import NodeSettings

_FIELD = "command_joints"


def command_joints(solver: IKSolver, settings: NodeSettings) -> tuple[str, ...]:
    """Joints of a command in the controller's order; none without a ``command_type``.

    Without the parameter they are the arm's own, base to tip; joints that mimic others are no
    controller's business, unless it names them.

    Raises:
        SettingsError: naming the joint that the robot, the controller or the URDF's velocity limits
            are missing.
    """
    if settings.command_type == "none":
        return ()
    robot, chain = solver.robot, solver.arm().chain
    joints = settings.command_joints or chain.variable_names
    if twice := [name for name, count in Counter(joints).items() if count > 1]:
        raise SettingsError(_FIELD, f"{listed(twice)} given more than once")
    for name in joints:
        _require_joint(robot, name)
    moved = [name for name in chain.variable_names if name not in chain.held_joints]
    if left_out := [name for name in moved if name not in joints]:
        raise SettingsError(
            _FIELD,
            f"{listed(left_out)} missing: the arm from '{solver.base_frame}' to "
            f"'{solver.tip_frame}' moves it, and a command without it would lead elsewhere",
        )
    if settings.command_type == "joint_trajectory" and settings.command_duration_s == 0.0:
        _require_velocity_limits(robot, joints)
    return joints


def _require_joint(robot: RobotModel, name: str) -> None:
    if name not in robot.joints:
        near = near_matches(name, robot.joint_names)
        hint = f"did you mean {listed(near, last=' or ')}?" if near else ""
        raise SettingsError(
            _FIELD,
            f"this robot has no moving joint {quoted(name)}; "
            f"{hint or 'it has ' + listed(robot.joint_names)}",
        )


def _require_velocity_limits(robot: RobotModel, joints: tuple[str, ...]) -> None:
    if endless := [name for name in joints if math.isinf(robot.joints[name].velocity)]:
        raise SettingsError(
            "command_duration",
            f"{listed(endless)} has no velocity limit in the URDF to take the time of a "
            "joint_trajectory from; give a duration",
        )
