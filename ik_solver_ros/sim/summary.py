# SPDX-License-Identifier: Apache-2.0
"""What a run amounts to, in numbers."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..core.limits import Floats
from ..core.robot_model import RobotModel
from .figure import FigureOfEight
from .record import Record

_CURVE_POINTS = 2000


@dataclass(frozen=True)
class Distance:
    """Between two things that move, in m."""

    mean_m: float
    max_m: float

    @staticmethod
    def of(lengths_m: Floats) -> Distance:
        """Mean and maximum of lengths (n,)."""
        return Distance(float(lengths_m.mean()), float(lengths_m.max()))


@dataclass(frozen=True)
class JointSummary:
    """One joint of the arm; velocities in rad/s or m/s.

    Attributes:
        name: name in the URDF.
        unit: of its position, rad or m.
        peak_velocity: the largest in any step of physics.
        allowed_velocity: what the stream may use of its limit.
        velocity_limit: the URDF's.
        saturated_share: of the steps, in which its drive was at its largest force.
    """

    name: str
    unit: str
    peak_velocity: float
    allowed_velocity: float
    velocity_limit: float
    saturated_share: float


@dataclass(frozen=True)
class Summary:
    """One run.

    Attributes:
        tool_to_target: of the tool from the target asked for at that moment.
        tool_to_commanded: of the tool from where the newest command puts it.
        tool_to_figure: of the tool from the nearest point of the figure.
        behind_s: time by which the tool follows the target, on average.
        left_m: what is left of the distance to the last target at the end.
        joints: of the arm, base to tip.
        commands: how many came.
        branch_jumps: commands that no joint could follow: farther from the one before than its
            velocity limit lets it go in the time of one command.
    """

    tool_to_target: Distance
    tool_to_commanded: Distance
    tool_to_figure: Distance
    behind_s: float
    left_m: float
    joints: tuple[JointSummary, ...]
    commands: int
    branch_jumps: int


def summary(
    record: Record,
    robot: RobotModel,
    frames: tuple[str, str],
    figure: FigureOfEight,
    joints: tuple[JointSummary, ...],
    period_s: float,
) -> Summary:
    """Reduce a record.

    Args:
        record: the run.
        robot: for the forward kinematics of the commands.
        frames: tip and base of the arm.
        figure: what was to be drawn.
        joints: what the world has counted.
        period_s: time from one command to the next.
    """
    tool, target = record.tool[:, :3, 3], record.target[:, :3, 3]
    error = target - tool
    velocity = np.gradient(target, record.time_s, axis=0)
    limits = np.array([joint.velocity_limit for joint in joints])
    jumps = np.abs(np.diff(record.commanded, axis=0)) > limits * period_s
    return Summary(
        Distance.of(_lengths(error)),
        Distance.of(_lengths(commanded_tool(record, robot, frames) - tool)),
        Distance.of(off_figure(tool, figure)),
        float((error * velocity).sum() / (velocity**2).sum()),
        float(_lengths(error)[-1]),
        joints,
        len(record.commanded),
        int(jumps.any(axis=1).sum()),
    )


def commanded_tool(record: Record, robot: RobotModel, frames: tuple[str, str]) -> Floats:
    """Where the newest command puts the tool at each tick, (n, 3) in the base frame."""
    tip, base = frames
    at = np.empty((len(record.commanded), 3))
    for i, positions in enumerate(record.commanded.tolist()):
        at[i] = robot.pose(dict(zip(record.joint_names, positions)), tip, base).translation
    newest = np.searchsorted(record.command_time_s, record.time_s, side="right") - 1
    return np.asarray(at[newest.clip(0)])


def off_figure(points: Floats, figure: FigureOfEight) -> Floats:
    """Distance (n,) of points (n, 3) from the nearest point of the curve."""
    curve = figure.poses(_CURVE_POINTS)[:, :3, 3]
    starts, ways = curve[:-1], np.diff(curve, axis=0)
    nearest = np.array([_nearest(point, starts) for point in points])
    # The nearest point lies on the piece behind or before the nearest of the curve's points.
    return np.minimum(*(_to_pieces(points, starts[i], ways[i]) for i in (nearest, nearest - 1)))


def _nearest(point: Floats, points: Floats) -> int:
    return int(((points - point) ** 2).sum(axis=1).argmin())


def _to_pieces(points: Floats, starts: Floats, ways: Floats) -> Floats:
    share = ((points - starts) * ways).sum(axis=1) / (ways**2).sum(axis=1)
    return _lengths(points - starts - share.clip(0.0, 1.0)[:, None] * ways)


def _lengths(vectors: NDArray[np.float64]) -> Floats:
    return np.asarray(np.linalg.norm(vectors, axis=1))
