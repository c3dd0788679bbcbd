# SPDX-License-Identifier: Apache-2.0
"""The arms that solvers compete on, read from the URDF without any solver's code."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from support.poses import Matrix, Vector, transform
from support.robots import Robot, robot_urdf
from support.urdf_fk import MOVING_KINDS, UrdfKinematics


@dataclass(frozen=True)
class Column:
    """One moving joint of a chain.

    Attributes:
        name: the joint.
        T_before_joint: (4, 4) constant placement in the column before it; the joint's axis is z.
        prismatic: whether it slides along z (m) or turns about z (rad).
    """

    name: str
    T_before_joint: Matrix
    prismatic: bool


@dataclass(frozen=True)
class Arm:
    """One chain of one robot.

    Attributes:
        name: what tables call it.
        urdf: its description as text.
        base, tip: links at its ends.
        kinematics: forward kinematics and limits by joint name, the judge of every answer.
        joint_names: the joints a solver chooses (m), base first; masters instead of mimic joints.
        lower, upper: (m,) their ranges, in rad or m; ±inf where nothing bounds a joint.
        prismatic: (m,) whether a joint slides.
        columns: every moving joint between base and tip.
        T_last_tip: (4, 4) the tip in the last column's frame.
    """

    name: str
    urdf: str
    base: str
    tip: str
    kinematics: UrdfKinematics
    joint_names: tuple[str, ...]
    lower: Vector
    upper: Vector
    prismatic: Vector
    columns: tuple[Column, ...]
    T_last_tip: Matrix

    @property
    def is_revolute(self) -> bool:
        """Whether every joint turns."""
        return not self.prismatic.any()

    @property
    def has_mimic_joints(self) -> bool:
        """Whether some column follows another joint."""
        return tuple(column.name for column in self.columns) != self.joint_names

    @property
    def middle(self) -> Vector:
        """The usual cold seed (m,): mid-range, 0 for joints without limits."""
        bounded = np.isfinite(self.lower) & np.isfinite(self.upper)
        return 0.5 * (np.where(bounded, self.lower, 0.0) + np.where(bounded, self.upper, 0.0))

    def tip_poses(self, q: Matrix) -> Matrix:
        """Return T_base_tip (n, 4, 4) for configurations (n, m)."""
        positions = dict(zip(self.joint_names, q.T))
        return self.kinematics.relative(positions, self.base, self.tip)


def arm_of(robot: Robot, urdf: str | None = None) -> Arm:
    """Read the arm that a line of the robot list describes, or the same names in another URDF."""
    urdf = robot_urdf(robot.name) if urdf is None else urdf
    kinematics = UrdfKinematics(urdf)
    ranges = kinematics.usable_ranges(kinematics.chain_joints(robot.base, robot.tip))
    columns, T_last_tip = _columns(kinematics, robot.base, robot.tip)
    return Arm(
        name=robot.name,
        urdf=urdf,
        base=robot.base,
        tip=robot.tip,
        kinematics=kinematics,
        joint_names=tuple(ranges),
        lower=np.array([lower for lower, _ in ranges.values()]),
        upper=np.array([upper for _, upper in ranges.values()]),
        prismatic=np.array([kinematics.joints[name].kind == "prismatic" for name in ranges]),
        columns=columns,
        T_last_tip=T_last_tip,
    )


def _columns(kinematics: UrdfKinematics, base: str, tip: str) -> tuple[tuple[Column, ...], Matrix]:
    above = {joint.child: joint for joint in kinematics.joints.values()}
    path, link = [], tip
    while link != base:
        path.append(above[link])
        link = above[link].parent
    columns, T_before = [], np.eye(4)
    for joint in reversed(path):
        T_before = T_before @ joint.T_parent_joint
        if joint.kind in MOVING_KINDS:
            turn = transform(_turn_z_onto(joint.axis), np.zeros(3))
            columns.append(Column(joint.name, T_before @ turn, joint.kind == "prismatic"))
            T_before = np.linalg.inv(turn)
    return tuple(columns), T_before


def _turn_z_onto(axis: Vector) -> Matrix:
    """Return a rotation whose third column is the direction of ``axis``."""
    z = axis / math.sqrt(float(axis @ axis))
    x = np.cross(np.eye(3)[np.argmin(np.abs(z))], z)
    x /= math.sqrt(float(x @ x))
    return np.column_stack((x, np.cross(z, x), z))
