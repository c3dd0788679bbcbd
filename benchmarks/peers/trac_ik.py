# SPDX-License-Identifier: Apache-2.0
"""TRAC-IK through pytracik."""

from __future__ import annotations

import numpy as np
import pytracik
from harness import lean_urdf
from harness.arm import Arm
from harness.goal import Goal

from support.poses import Matrix, Vector, xyz_quat_from_transform

from .base import Peer


class TracIK(Peer):
    """Newton with restarts raced against an SQP solver, each in a thread."""

    name = "TRAC-IK"
    distribution = "pytracik"
    settings = (
        "Speed mode; limits honoured; epsilon and timeout as asked; its two threads share the core"
    )

    def __init__(self, arm: Arm, goal: Goal) -> None:
        super().__init__(arm, goal)
        self._solver = pytracik.TRAC_IK(
            lean_urdf.BASE,
            lean_urdf.TIP,
            lean_urdf.lean_urdf(arm),
            goal.time_limit_s,
            min(goal.position_m, goal.orientation_rad),
            pytracik.SolveType.Speed,
        )
        if pytracik.get_num_joints(self._solver) != len(arm.joint_names):
            raise ValueError("it finds another number of joints")

    def target(self, T_base_tip: Matrix) -> list[float]:
        """Return x, y, z, qx, qy, qz, qw."""
        return xyz_quat_from_transform(T_base_tip).tolist()

    def solve(self, target: list[float], seed: Vector) -> Vector:
        """Return a return code and the joint positions in one array."""
        return pytracik.ik(self._solver, seed, *target)

    def joints(self, raw: Vector) -> Vector | None:
        """Return the answer; codes below zero are failures."""
        return np.array(raw[1:]) if raw[0] >= 0.0 else None


PEERS = (TracIK,)
