# SPDX-License-Identifier: Apache-2.0
"""EAIK: every branch of an arm that decomposes into geometric subproblems."""

from __future__ import annotations

from typing import Any

import numpy as np
from eaik.pybindings import EAIK
from harness.arm import Arm
from harness.goal import Goal

from support.poses import Matrix, Vector

from .base import Peer
from .branches import nearest_inside


class Eaik(Peer):
    """Its decomposition of the arm's axes, as they stand at zero."""

    name = "EAIK"
    distribution = "eaik"
    settings = (
        "knows neither seed nor limits nor tolerance: all branches in one call; judged is the one "
        "nearest to the seed that keeps the limits and that its own fwdkin confirms, a choice that "
        "is not timed"
    )

    def __init__(self, arm: Arm, goal: Goal) -> None:
        super().__init__(arm, goal)
        T_base_joints = []
        T = np.eye(4)
        for column in arm.columns:
            T = T @ column.T_before_joint
            T_base_joints.append(T)
        T = T @ arm.T_last_tip
        axes = np.array([joint[:3, 2] for joint in T_base_joints])
        origins = np.array([np.zeros(3)] + [joint[:3, 3] for joint in T_base_joints] + [T[:3, 3]])
        self._robot = EAIK.Robot(axes.T, np.diff(origins, axis=0).T, T[:3, :3], [], True)
        if not self._robot.has_known_decomposition():
            raise ValueError("no known decomposition")
        self._error = min(goal.position_m, goal.orientation_rad)

    @classmethod
    def why_not(cls, arm: Arm) -> str:
        """Refuse what EAIK takes only with a joint locked by hand."""
        if not arm.is_revolute:
            return "revolute joints only"
        if len(arm.joint_names) > 6:
            return "at most 6 joints, unless some are locked by hand"
        return super().why_not(arm)

    def solve(self, target: Matrix, seed: Vector) -> tuple[Any, Matrix, Vector]:
        """Return all branches, with what to choose by."""
        return self._robot.calculate_IK(target), target, seed

    def joints(self, raw: tuple[Any, Matrix, Vector]) -> Vector | None:
        """Return the nearest branch inside the limits."""
        found, target, seed = raw
        exact = [q for q in found.Q if np.abs(self._robot.fwdkin(q) - target).max() <= self._error]
        return nearest_inside(self.arm, np.array(exact), seed)


PEERS = (Eaik,)
