# SPDX-License-Identifier: Apache-2.0
"""Where links, joints and the tool of one arm are, and how they can move; all in its base frame."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..core.limits import Floats
from ..core.pinocchio_import import pin
from ..core.solver import IKSolver

Positions = Mapping[str, float]

_RANK = 1e-6  # share of the largest singular value below which a direction does not move the tool


@dataclass(frozen=True, eq=False)
class Ellipsoid:
    """How fast the tool moves in each direction for joint speeds of norm 1.

    Attributes:
        axes: (3, 3) unit vectors as columns, in the base frame, right-handed.
        radii: (3,) speed along each, in m per rad (or per m, of sliders), largest first.
    """

    axes: NDArray[np.float64]
    radii: NDArray[np.float64]


class ArmKinematics:
    """Forward kinematics and Jacobian of the solver's default arm.

    Args:
        solver: of the robot, with base, tip and tool.
    """

    def __init__(self, solver: IKSolver) -> None:
        arm = solver.arm()
        chain, robot = arm.chain, solver.robot
        self.robot, self.chain = robot, chain
        self.base_frame, self.tip_frame = solver.base_frame, solver.tip_frame
        self.joint_names = chain.joint_names
        self._tip, self._base = robot.frame_id(self.tip_frame), robot.frame_id(self.base_frame)
        self._link_ids = {link: robot.frame_id(link) for link in robot.link_names}
        self._columns = [
            robot.model.joints[robot.model.getJointId(name)].idx_v for name in chain.joint_names
        ]
        self._spread = np.zeros((len(chain.joint_names), len(chain.variable_names)))
        rows = np.arange(len(chain.joint_names))
        self._spread[rows, chain.report_variable] = chain.report_multiplier
        middle = dict.fromkeys(chain.joint_names, 0.0)
        T_base_tip = robot.pose(middle, self.tip_frame, self.base_frame)
        T_base_tcp = arm.pose(arm.seed(middle))
        self.T_tip_tcp = T_base_tip.actInv(T_base_tcp)

    @property
    def freedom(self) -> int:
        """How many of its variables can move."""
        return len(self.chain.variable_names) - len(self.chain.held_joints)

    def link_poses(self, positions: Positions) -> dict[str, pin.SE3]:
        """T_base_link of every link of the robot."""
        data = self._placed(positions)
        T_base_world = data.oMf[self._base].inverse()
        return {link: T_base_world * data.oMf[i] for link, i in self._link_ids.items()}

    def tool_pose(self, positions: Positions) -> pin.SE3:
        """T_base_tcp."""
        T_base_tip = self.robot.pose(positions, self.tip_frame, self.base_frame)
        return T_base_tip * self.T_tip_tcp

    def jacobian(self, positions: Positions) -> Floats:
        """Velocity of the tool centre point by variables.

        Returns:
            (6, m): linear over angular velocity, in the axes of the base frame.
        """
        data = self._placed(positions)
        pin.computeJointJacobians(self.robot.model, data)
        frame = pin.ReferenceFrame.LOCAL_WORLD_ALIGNED
        J = pin.getFrameJacobian(self.robot.model, data, self._tip, frame)[:, self._columns]
        arm_world = data.oMf[self._tip].rotation @ self.T_tip_tcp.translation
        linear = J[:3] - np.cross(arm_world, J[3:], axisb=0, axisc=0)  # v + w x r
        turn = data.oMf[self._base].rotation.T
        return np.vstack((turn @ linear, turn @ J[3:])) @ self._spread

    def ellipsoid(self, positions: Positions) -> Ellipsoid:
        """The translational manipulability ellipsoid: J J^T over the linear rows of J.

        T. Yoshikawa, "Manipulability of Robotic Mechanisms", Int. J. of Robotics Research 4(2),
        1985: its axes are the left singular vectors of J, its radii the singular values.
        """
        U, s, _ = np.linalg.svd(self.jacobian(positions)[:3], full_matrices=False)
        radii, axes = np.zeros(3), np.eye(3)
        radii[: len(s)] = s
        if U.shape[1] == 3:
            axes = U
        else:
            full, _, _ = np.linalg.svd(U, full_matrices=True)
            axes = full
        if np.linalg.det(axes) < 0.0:
            axes = axes * np.array([1.0, 1.0, -1.0])
        return Ellipsoid(axes, radii)

    def null_projector(
        self, positions: Positions, T_base_target: pin.SE3, free: Sequence[bool]
    ) -> Floats:
        """Projects velocities of the variables onto those that leave the task as it is.

        Args:
            positions: the configuration.
            T_base_target: its axes are those of the task.
            free: which of x, y, z and the rotations about them do not count, 6 of them.

        Returns:
            (m, m), zero where the arm has no motion to spare. Held joints never move.
        """
        J = self.jacobian(positions)
        turn = T_base_target.rotation.T
        rows = np.vstack((turn @ J[:3], turn @ J[3:]))[~np.array(free)]
        moves = [name not in self.chain.held_joints for name in self.chain.variable_names]
        _, s, Vt = np.linalg.svd(rows[:, moves])
        rank = int((s > _RANK * s[0]).sum()) if s.size else 0
        inner = Vt[rank:].T @ Vt[rank:]
        projector = np.zeros((len(moves), len(moves)))
        projector[np.ix_(moves, moves)] = inner
        return projector

    def variables(self, positions: Positions) -> Floats:
        """(m,) the solver's variables out of positions by name."""
        return np.array([positions[name] for name in self.chain.variable_names])

    def positions(self, variables: Floats) -> dict[str, float]:
        """All joints of the arm by name, followers included."""
        return dict(zip(self.joint_names, map(float, self.chain.report(variables))))

    def size_m(self) -> float:
        """About how far the tool can be from the first joint, never 0."""
        lengths = np.linalg.norm(self.chain.placements[1:, :, 3], axis=1).sum()
        tool = np.linalg.norm(self.chain.T_last_tcp[:, 3])
        strokes = self.chain.limits.upper - self.chain.limits.lower
        slides = strokes[self.chain.limits.prismatic & np.isfinite(strokes)].sum()
        return max(float(lengths + tool + slides), 1e-3)

    def _placed(self, positions: Positions) -> pin.Data:
        model, data = self.robot.model, self.robot.data()
        pin.forwardKinematics(model, data, self.robot.configuration(positions))
        pin.updateFramePlacements(model, data)
        return data


def resting_positions(kinematics: ArmKinematics) -> dict[str, float]:
    """Positions of all joints of the robot at rest: 0 where the limits allow it, else mid-range."""
    rest: dict[str, float] = {}
    joints = kinematics.robot.joints
    for joint in joints.values():
        if joint.master is None:
            inside = joint.lower <= 0.0 <= joint.upper
            rest[joint.name] = 0.0 if inside else 0.5 * (joint.lower + joint.upper)
    for joint in joints.values():
        if joint.master is not None:
            rest[joint.name] = joint.multiplier * rest[joint.master] + joint.offset
    return {name: rest[name] if math.isfinite(rest[name]) else 0.0 for name in joints}
