# SPDX-License-Identifier: Apache-2.0
"""optik: quasi-Newton with random restarts, in Rust."""

from __future__ import annotations

import numpy as np
import optik
from harness import lean_urdf
from harness.arm import Arm
from harness.goal import Goal

from support.poses import Matrix, Vector

from .base import Peer


class Optik(Peer):
    """One thread of it."""

    name = "optik"
    distribution = "optik-py"
    settings = (
        "speed mode, one thread; limits honoured; max_time as asked; tol_f at half the squared "
        "tolerance, its other tolerances off"
    )

    def __init__(self, arm: Arm, goal: Goal) -> None:
        super().__init__(arm, goal)
        with lean_urdf.lean_urdf_file(arm) as path:
            self._robot = optik.Robot.from_urdf_file(str(path), lean_urdf.BASE, lean_urdf.TIP)
        if self._robot.num_positions() != len(arm.joint_names):
            raise ValueError("it finds another number of joints")
        self._robot.set_parallelism(1)
        tolerance = min(goal.position_m, goal.orientation_rad)
        self._config = optik.SolverConfig(
            solution_mode="speed",
            max_time=goal.time_limit_s,
            tol_f=0.5 * tolerance**2,
            tol_df=-1.0,
            tol_dx=-1.0,
        )

    @classmethod
    def why_not(cls, arm: Arm) -> str:
        """It ends the process at any other joint."""
        if {arm.kinematics.joints[name].kind for name in arm.joint_names} != {"revolute"}:
            return "revolute joints with limits only"
        return super().why_not(arm)

    def target(self, T_base_tip: Matrix) -> list[list[float]]:
        """Return nested lists."""
        return T_base_tip.tolist()

    def seed(self, q: Vector) -> list[float]:
        """Return a list."""
        return q.tolist()

    def solve(
        self, target: list[list[float]], seed: list[float]
    ) -> tuple[list[float], float] | None:
        """Return joint positions and their cost, or None."""
        return self._robot.ik(self._config, target, seed)

    def joints(self, raw: tuple[list[float], float] | None) -> Vector | None:
        """Return the answer."""
        return None if raw is None else np.array(raw[0])


PEERS = (Optik,)
