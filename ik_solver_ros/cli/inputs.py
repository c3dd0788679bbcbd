# SPDX-License-Identifier: Apache-2.0
"""From arguments to robots, solvers and requests; the opposite of ``output``."""

from __future__ import annotations

import argparse
import math
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from ..core.errors import InvalidRequestError
from ..core.pinocchio_import import pin
from ..core.request import IKRequest
from ..core.robot_model import RobotModel, read_urdf_file
from ..core.settings import SolverSettings
from ..core.solver import IKSolver
from ..core.transforms import se3_from_xyz_quat, se3_from_xyz_rpy
from .arguments import FREE_AXES
from .given import read_stdin, turn
from .target import target_from
from .xacro_file import expanded


def urdf_text_from(given: argparse.Namespace) -> str:
    """Text of the robot description: a URDF, an expanded xacro file, or stdin.

    Raises:
        RobotModelError: if it cannot be read.
    """
    if given.urdf == "-":
        return read_stdin("the robot description")
    if Path(given.urdf).suffix == ".xacro":
        return expanded(Path(given.urdf), given.xacro_args)
    return read_urdf_file(given.urdf)


def robot_from(given: argparse.Namespace) -> RobotModel:
    """The robot; raises RobotModelError with all faults."""
    return RobotModel.from_urdf(urdf_text_from(given))


def solver_from(given: argparse.Namespace, robot: RobotModel | None = None) -> IKSolver:
    """A solver for ``--base``, ``--tip``, ``--tcp-offset``, ``--solver`` and the tolerances."""
    return IKSolver(
        robot or robot_from(given),
        given.tip,
        given.base,
        tcp_offset=tcp_offset_from(given),
        settings=settings_from(given),
    )


def settings_from(given: argparse.Namespace) -> SolverSettings:
    """The solver's settings; one tolerance for all axes bounds the norm, and so belongs here."""
    changed: dict[str, Any] = {}
    position, orientation = given.position_tolerance, given.orientation_tolerance
    if _bounds_norm(position):
        changed["position_tolerance"] = position[0]
    if _bounds_norm(orientation):
        changed["orientation_tolerance"] = orientation[0] * turn(given)
    return SolverSettings(solver=given.solver, **changed)


def request_from(given: argparse.Namespace, robot: RobotModel, max_solutions: int = 1) -> IKRequest:
    """The request that the arguments describe.

    Raises:
        InvalidRequestError: naming the argument at fault.
    """
    goal = goal_from(given)
    return IKRequest(
        target_from(given, math.isinf(min(goal["orientation_tolerance"]))),
        seed=positions_from(given, given.seed, robot) or None,
        max_solutions=max_solutions,
        **goal,
    )


def request_to_node(given: argparse.Namespace) -> IKRequest:
    """The request for a running node, without its seed: the node brings robot and settings.

    Raises:
        InvalidRequestError: naming the argument at fault.
    """
    for kind in ("position", "orientation"):
        if _bounds_norm(getattr(given, f"{kind}_tolerance")):
            reason = (
                f"the node's parameter {kind}_tolerance bounds the norm; give three, one per axis"
            )
            raise InvalidRequestError(f"--{kind}-tolerance", reason)
    goal = goal_from(given)
    return IKRequest(
        target_from(given, math.isinf(min(goal["orientation_tolerance"]))),
        tip_frame=given.tip,
        T_tip_tcp=tcp_offset_from(given),
        max_solutions=given.solutions,
        **goal,
    )


def goal_from(given: argparse.Namespace) -> dict[str, Any]:
    """What an answer may look like, under the names of :class:`IKRequest`."""
    axes = [*_per_axis(given, "position"), *_per_axis(given, "orientation")]
    for name in given.free_axes:
        for axis in FREE_AXES[name]:
            axes[axis] = math.inf
    return {
        "position_tolerance": tuple(axes[:3]),
        "orientation_tolerance": tuple(axes[3:]),
        "max_joint_jump": given.max_jump * turn(given),
        "allow_relaxed": given.allow_relaxed,
        "timeout_s": given.timeout_s,
    }


def tcp_offset_from(given: argparse.Namespace) -> pin.SE3 | None:
    """``--tcp-offset`` as T_tip_tcp."""
    numbers = list(given.tcp_offset)
    if not numbers:
        return None
    if len(numbers) == 7:
        return se3_from_xyz_quat(numbers[:3], numbers[3:], "--tcp-offset")
    if len(numbers) not in (3, 6):
        raise InvalidRequestError("--tcp-offset", f"3, 6 or 7 numbers expected, not {len(numbers)}")
    angles = [angle * turn(given) for angle in numbers[3:]] or [0.0, 0.0, 0.0]
    return se3_from_xyz_rpy(numbers[:3], angles, "--tcp-offset")


def positions_from(
    given: argparse.Namespace, pairs: Iterable[tuple[str, float]], robot: RobotModel
) -> dict[str, float]:
    """Joint positions in rad or m by name, out of JOINT=VALUE arguments.

    Raises:
        InvalidRequestError: for an unknown joint, or one that is given twice.
    """
    positions: dict[str, float] = {}
    for name, value in pairs:
        joint = robot.joint(name)
        if name in positions:
            raise InvalidRequestError("joint", f"'{name}' is given twice")
        positions[name] = value if joint.is_prismatic else value * turn(given)
    return positions


def _bounds_norm(values: Sequence[float]) -> bool:
    return len(values) == 1 and 0.0 < values[0] < math.inf


def _per_axis(given: argparse.Namespace, kind: str) -> Sequence[float]:
    values = getattr(given, f"{kind}_tolerance")
    if len(values) in (0, 1):  # one bounds the norm: see settings_from
        return (math.inf,) * 3 if values and math.isinf(values[0]) else (0.0,) * 3
    if len(values) != 3:
        raise InvalidRequestError(
            f"--{kind}-tolerance", f"one number or three expected, not {len(values)}"
        )
    return [value * turn(given) for value in values] if kind == "orientation" else values
