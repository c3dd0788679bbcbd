# SPDX-License-Identifier: Apache-2.0
"""The arm between base and tip, as flat arrays for the solvers.

A chain has *columns* and *variables*. A column is a moving joint on the way from base to tip; a
variable is a joint position that the solver may choose. They differ where joints mimic others:
column i moves by ``multiplier[i] * q[variable[i]] + offset[i]``.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .errors import NoChainError, listed, quoted
from .follower_limits import check_still, common_limits
from .limits import Floats, Limits
from .pinocchio_import import pin
from .robot_model import MOVING_TYPES, Joint, RobotModel
from .tips import candidate_tips
from .transforms import se3_from_rows
from .urdf_check import UrdfJoint


@dataclass(frozen=True, eq=False)
class Chain:
    """Flat kinematics base to tip; n columns, m variables, k reported joints. All arrays read-only.

    Attributes:
        base_frame, tip_frame: the links at its ends.
        joint_names: reported joints (k), from base to tip, followers included; a master that is not
            itself on the way stands before its first follower.
        variable_names: joints that the solver chooses (m), in the order of ``joint_names``.
        placements: (n, 3, 4) T_previous_column with the joint axis turned onto z; constant.
        prismatic: (n,) whether a column slides along z (m) or turns about z (rad).
        variable: (n,) which variable moves the column.
        multiplier, offset: (n,) column position = multiplier * q[variable] + offset.
        T_last_tcp: (3, 4) tool centre point in the last column's frame.
        limits: of the variables (m,), those of all their followers included, on the way or not.
        report_variable, report_multiplier, report_offset: (k,) how each reported joint follows.
        has_followers: whether reported joints and variables differ.
        held_joints: variables whose limits leave no motion.
    """

    base_frame: str
    tip_frame: str
    joint_names: tuple[str, ...]
    variable_names: tuple[str, ...]
    placements: Floats
    prismatic: NDArray[np.bool_]
    variable: NDArray[np.int32]
    multiplier: Floats
    offset: Floats
    T_last_tcp: Floats
    limits: Limits
    report_variable: NDArray[np.int32]
    report_multiplier: Floats
    report_offset: Floats
    has_followers: bool
    held_joints: tuple[str, ...]

    def report(self, q: Floats) -> Floats:
        """Positions of all reported joints (k,) for variables (m,)."""
        if not self.has_followers:
            return q
        return q[self.report_variable] * self.report_multiplier + self.report_offset

    def report_rows(self, q: Floats) -> Floats:
        """Like :meth:`report` for rows of variables (n, m)."""
        if not self.has_followers:
            return q
        return q[:, self.report_variable] * self.report_multiplier + self.report_offset

    def largest_moves(self, jump: float) -> Floats:
        """How far each variable (m,) may move while no reported joint moves more than ``jump``."""
        share = np.zeros(len(self.variable_names))
        np.maximum.at(share, self.report_variable, np.abs(self.report_multiplier))
        return jump / share

    def beyond(self, variable: int, position: float) -> str:
        """Which limit a position is beyond, and how far: "'joint' 0.2 rad above its limit 1.5"."""
        lower, upper = float(self.limits.lower[variable]), float(self.limits.upper[variable])
        side, limit = ("below", lower) if position < lower else ("above", upper)
        unit = "m" if self.limits.prismatic[variable] else "rad"
        how_far = f"{abs(position - limit):.3g} {unit} {side} its limit {limit:.5g}"
        return f"'{self.variable_names[variable]}' {how_far}"

    def with_tcp(self, T_tip_tcp: pin.SE3) -> Chain:
        """The same arm with a tool centre point away from the tip frame."""
        tip = se3_from_rows(self.T_last_tcp)
        return replace(self, T_last_tcp=_frozen((tip * T_tip_tcp).homogeneous[:3]))


def build_chain(robot: RobotModel, base_frame: str, tip_frame: str) -> Chain:
    """Extract the arm from base to tip.

    Raises:
        UnknownFrameError: for links that do not exist.
        NoChainError: no moving joint in between, base not above tip, or a planar or floating joint.
        RobotModelError: when limits of a joint and its followers exclude each other.
    """
    base_id = robot.frame_id(base_frame, "base_frame")
    tip_id = robot.frame_id(tip_frame, "tip_frame")
    path = _moving_path(robot, base_frame, tip_frame)
    joints = [robot.joints[j.name] for j in path]
    reported = _with_masters(robot, joints)
    check_still(reported)
    variables = [j for j in reported if j.master is None]
    index = {j.name: i for i, j in enumerate(variables)}
    lower, upper = common_limits(variables, robot.joints.values())

    model, turns = robot.model, [_turn_z_onto(j.axis) for j in path]
    placements, T_previous = [], model.frames[base_id].placement.inverse()
    for joint, turn in zip(path, turns):
        T_previous = T_previous * model.jointPlacements[model.getJointId(joint.name)] * turn
        placements.append(T_previous.homogeneous[:3])
        T_previous = turn.inverse()
    T_last_tip = T_previous * model.frames[tip_id].placement

    return Chain(
        base_frame=base_frame,
        tip_frame=tip_frame,
        joint_names=tuple(j.name for j in reported),
        variable_names=tuple(index),
        placements=_frozen(placements),
        prismatic=_frozen([j.is_prismatic for j in joints], bool),
        variable=_frozen([index[j.master or j.name] for j in joints], np.int32),
        multiplier=_frozen([_factor(j) for j in joints]),
        offset=_frozen([_shift(j) for j in joints]),
        T_last_tcp=_frozen(T_last_tip.homogeneous[:3]),
        limits=Limits(
            lower=np.array(lower),
            upper=np.array(upper),
            prismatic=_frozen([v.is_prismatic for v in variables], bool),
            periodic=_frozen([_is_periodic(v, joints) for v in variables], bool),
        ),
        report_variable=_frozen([index[j.master or j.name] for j in reported], np.int32),
        report_multiplier=_frozen([_factor(j) for j in reported]),
        report_offset=_frozen([_shift(j) for j in reported]),
        has_followers=len(reported) != len(variables),
        held_joints=tuple(v.name for v, lo, up in zip(variables, lower, upper) if lo == up),
    )


def only_end(robot: RobotModel, base_frame: str) -> str:
    """The link at the end of the only arm below ``base_frame``.

    Raises:
        UnknownFrameError: for a base that does not exist.
        NoChainError: when there are several ends to choose from, or none.
    """
    robot.frame_id(base_frame, "base_frame")
    parents = {joint.parent for joint in robot.tree.joints}
    ends = [
        link
        for link in robot.link_names
        if link not in parents and _is_moved(robot, base_frame, link)
    ]
    if len(ends) == 1:
        return ends[0]
    reason = "nothing below it moves; use a base_frame above the joints"
    if ends:
        tips = (tip.link for tip in candidate_tips(robot.tree))
        likely = next((link for link in tips if _is_moved(robot, base_frame, link)), "")
        such_as = f", such as {quoted(likely)}" if likely else ""
        reason = f"give a tip_frame{such_as}; its ends are {listed(ends)}"
    raise NoChainError(base_frame, "", reason)


def _is_moved(robot: RobotModel, base_frame: str, link: str) -> bool:
    tree = robot.tree
    return tree.is_ancestor(base_frame, link) and any(
        joint.type in MOVING_TYPES for joint in tree.path(base_frame, link)
    )


def _moving_path(robot: RobotModel, base_frame: str, tip_frame: str) -> list[UrdfJoint]:
    if not robot.tree.is_ancestor(base_frame, tip_frame):
        reason = (
            f"'{base_frame}' is not above '{tip_frame}' in the tree; use a base_frame above both"
        )
        raise NoChainError(base_frame, tip_frame, f"{reason}, such as '{robot.root_link}'")
    path = robot.tree.path(base_frame, tip_frame)
    for joint in path:
        if joint.type not in MOVING_TYPES and joint.type != "fixed":
            raise NoChainError(
                base_frame,
                tip_frame,
                f"joint '{joint.name}' is {joint.type}, which has no single position to solve for; "
                f"use a base_frame behind it, such as '{joint.child}'",
            )
    moving = [joint for joint in path if joint.type in MOVING_TYPES]
    if not moving:
        raise NoChainError(base_frame, tip_frame, "there is no moving joint between them")
    return moving


def _with_masters(robot: RobotModel, joints: Sequence[Joint]) -> list[Joint]:
    """The joints to report: those on the way, and masters elsewhere that some of them follow."""
    on_the_way = {joint.name for joint in joints}
    reported: list[Joint] = []
    for joint in joints:
        master = joint.master
        if master and master not in on_the_way and all(j.name != master for j in reported):
            reported.append(robot.joints[master])
        reported.append(joint)
    return reported


def _is_periodic(variable: Joint, joints: Sequence[Joint]) -> bool:
    moved = [j for j in joints if (j.master or j.name) == variable.name]
    return not variable.is_prismatic and all(
        not j.is_prismatic and float(_factor(j)).is_integer() for j in moved
    )


def _factor(joint: Joint) -> float:
    return joint.multiplier if joint.master else 1.0


def _shift(joint: Joint) -> float:
    return joint.offset if joint.master else 0.0


def _turn_z_onto(axis: Sequence[float]) -> pin.SE3:
    """The pure rotation whose z axis is ``axis`` (a unit vector); exact for the coordinate axes."""
    z = np.array(axis, dtype=float)
    helper = np.roll(np.eye(3), 2, axis=1)[int(np.argmax(np.abs(z)))]
    x = np.cross(helper, z)
    x /= math.sqrt(float(x @ x))
    return pin.SE3(np.column_stack((x, np.cross(z, x), z)), np.zeros(3))


def _frozen(values: object, dtype: type = float) -> NDArray[Any]:
    array: NDArray[Any] = np.ascontiguousarray(values, dtype=dtype)
    array = array.copy() if array.base is not None else array
    array.setflags(write=False)
    return array
