# SPDX-License-Identifier: Apache-2.0
"""What is to be seen, as plain values: nothing here knows a browser."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

import numpy as np
from numpy.typing import NDArray

from ..core.pinocchio_import import pin
from ..core.robot_model import Joint
from ..core.status import Status
from .backend import Answer
from .kinematics import ArmKinematics, Ellipsoid, Positions

Rgb = tuple[int, int, int]

_NEAR_LIMIT = 0.05  # share of a joint's range
_TINT = 0.72  # share of the state's colour in the arm's own


class Tone(Enum):
    """The state of the arm, as a colour."""

    SOLVED = (46, 168, 96)
    RELAXED = (240, 165, 20)
    FAILED = (214, 57, 52)
    ROBOT = (120, 132, 150)

    @property
    def rgb(self) -> Rgb:
        """0 to 255."""
        return self.value


def tone_of(answer: Answer) -> Tone:
    """Green, amber or red."""
    if answer.status is Status.SOLVED:
        return Tone.SOLVED
    return Tone.RELAXED if answer.success else Tone.FAILED


def tinted(own: Rgb, tone: Tone) -> Rgb:
    """The colour of a part in a state: dark parts stay darker; the real robot has its own."""
    if tone is Tone.ROBOT:
        return own
    light = sum(own) / (3 * 255)
    shade = 0.55 + 0.55 * light
    r, g, b = (
        round(min(255.0, _TINT * shade * state + (1.0 - _TINT) * part))
        for state, part in zip(tone.rgb, own)
    )
    return r, g, b


@dataclass(frozen=True)
class JointRow:
    """One joint for the table.

    Attributes:
        name, unit: of the joint; "°" or "mm".
        value, lower, upper: in that unit; infinite where there is no limit.
        share: place between the limits, 0 to 1; None without limits.
        margin: distance to the nearer limit, in the unit; inf without limits.
        is_near: whether that is less than 5 % of the range.
        is_blocking: whether its limit keeps the target out of reach.
    """

    name: str
    unit: str
    value: float
    lower: float
    upper: float
    share: float | None
    margin: float
    is_near: bool
    is_blocking: bool


def joint_row(joint: Joint, position: float, is_blocking: bool = False) -> JointRow:
    """A joint at a position in rad or m."""
    factor, unit = (1e3, "mm") if joint.is_prismatic else (math.degrees(1.0), "°")
    value, lower, upper = (factor * x for x in (position, joint.lower, joint.upper))
    margin, span = min(value - lower, upper - value), upper - lower
    is_bounded = math.isfinite(span) and span > 0.0
    return JointRow(
        joint.name,
        unit,
        value,
        lower,
        upper,
        (value - lower) / span if is_bounded else None,
        margin,
        is_bounded and not margin >= _NEAR_LIMIT * span,
        is_blocking,
    )


@dataclass(frozen=True)
class Marked:
    """A joint to be marked on the arm.

    Attributes:
        name: of the joint.
        text: what to write beside it.
        position_m: where it is, in the base frame.
        axis: unit vector it turns about or slides along, in the base frame.
    """

    name: str
    text: str
    position_m: NDArray[np.float64]
    axis: NDArray[np.float64]


def marked_joints(
    kinematics: ArmKinematics, positions: Positions, blocking: Sequence[str]
) -> tuple[Marked, ...]:
    """The blocking joints of an arm, with the limit that each of them meets."""
    if not blocking:
        return ()
    poses, tree = kinematics.link_poses(positions), kinematics.robot.tree
    marks = []
    for name in blocking:
        joint, drawn = kinematics.robot.joint(name), tree.joint_by_name(name)
        T_base_joint = poses[drawn.child]
        marks.append(
            Marked(
                name,
                f"{name}: {_limit_text(joint_row(joint, positions[name]))}",
                T_base_joint.translation,
                T_base_joint.rotation @ np.array(drawn.axis),
            )
        )
    return tuple(marks)


def _limit_text(row: JointRow) -> str:
    is_lower = abs(row.value - row.lower) < abs(row.upper - row.value)
    side, limit = ("lower", row.lower) if is_lower else ("upper", row.upper)
    return f"{side} limit {limit:.4g} {row.unit}".replace(" °", "°")


@dataclass(frozen=True, eq=False)
class View:
    """Everything the viewer shows at one moment; poses are in the arm's base frame.

    Attributes:
        tone: state of the arm.
        headline, message: what it says, short and in one sentence.
        details: errors and effort.
        positions: every joint of the robot, rad or m.
        links: T_base_link of the arm.
        T_base_target, T_base_tool: where the tool shall be and where it is.
        ghosts: T_base_link of each further branch.
        robot: T_base_link of the real robot where it stands elsewhere; else None.
        rows: the arm's joints.
        marked: blocking joints.
        ellipsoid: of the shown configuration.
        trace: (n, 2, 3) pieces of the way that the tool has gone.
        branch, branches: which one is shown, from 1 on, of how many that are known.
        null_range: how far the null-space slider goes either way, rad; 0 = the arm has none.
        null_value: where it stands.
    """

    tone: Tone
    headline: str
    message: str
    details: str
    positions: Mapping[str, float]
    links: Mapping[str, pin.SE3]
    T_base_target: pin.SE3
    T_base_tool: pin.SE3
    ghosts: tuple[Mapping[str, pin.SE3], ...]
    robot: Mapping[str, pin.SE3] | None
    rows: tuple[JointRow, ...]
    marked: tuple[Marked, ...]
    ellipsoid: Ellipsoid
    trace: NDArray[np.float64]
    branch: int
    branches: int
    null_range: float
    null_value: float
