# SPDX-License-Identifier: Apache-2.0
"""ssik: every branch of 6R and 7R arms, from its prebuilt arms where they are the same robot."""

from __future__ import annotations

from typing import Any

import numpy as np
import ssik
from harness import lean_urdf
from harness.arm import Arm
from harness.goal import Goal

from support.poses import Matrix, Vector

from .base import Peer

# Robots of the list that ssik ships, compiled; each is compared before it is used.
_PREBUILT = {
    "panda": "franka_panda_ik",
    "ur5": "ur5_ik",
    "xarm7": "xarm7_ik",
    "z1": "z1_ik",
    "puma560": "puma560_ik",
}
_SLOW_SOLVERS = ("jointlock.seven_r", "ikgeo.general_6r")


class Ssik(Peer):
    """Asked for the branch nearest to the seed."""

    name = "ssik"
    distribution = "ssik"
    settings = (
        "max_solutions=1 and q_seed; limits honoured; its prebuilt arm where that is the same "
        "robot with the same limits, else Manipulator.from_urdf; no tolerance, no time limit"
    )

    def __init__(self, arm: Arm, goal: Goal) -> None:
        super().__init__(arm, goal)
        prebuilt = _prebuilt(arm)
        self._manipulator, self._T_tip_theirs = prebuilt or (_from_urdf(arm), np.eye(4))
        if prebuilt is None and len(arm.joint_names) == 7:
            self.share = 0.1

    @classmethod
    def why_not(cls, arm: Arm) -> str:
        """It is made for 6R and 7R arms."""
        if not arm.is_revolute or len(arm.joint_names) not in (6, 7):
            return "6 or 7 revolute joints only"
        return super().why_not(arm)

    def target(self, T_base_tip: Matrix) -> Matrix:
        """Return the pose of the link that ssik calls the tip."""
        return T_base_tip @ self._T_tip_theirs

    def solve(self, target: Matrix, seed: Vector) -> list[Any]:
        """Return at most one solution."""
        return self._manipulator.solve(target, max_solutions=1, q_seed=seed)

    def joints(self, raw: list[Any]) -> Vector | None:
        """Return the answer."""
        return np.array(raw[0].q) if raw else None


def _prebuilt(arm: Arm) -> tuple[Any, Matrix] | None:
    if arm.name not in _PREBUILT:
        return None
    manipulator = ssik.Manipulator.from_prebuilt(_PREBUILT[arm.name])
    q = np.random.default_rng(0).uniform(-1.0, 1.0, (5, len(arm.joint_names)))
    theirs = np.array([manipulator.fk(row) for row in q])
    T_tip_theirs = np.linalg.inv(arm.tip_poses(q)) @ theirs
    same_geometry = np.allclose(T_tip_theirs, T_tip_theirs[0], rtol=0.0, atol=1e-9)
    limits = np.array(manipulator.joint_limits, dtype=float)
    same_limits = np.allclose(limits, np.column_stack((arm.lower, arm.upper)), atol=1e-9)
    return (manipulator, T_tip_theirs[0]) if same_geometry and same_limits else None


def _from_urdf(arm: Arm) -> Any:
    with lean_urdf.lean_urdf_file(arm) as path:
        manipulator = ssik.Manipulator.from_urdf(path, base=lean_urdf.BASE, ee=lean_urdf.TIP)
    if manipulator.solver_name in _SLOW_SOLVERS:
        raise ValueError("needs a solver generated for the arm beforehand (`ssik build`)")
    return manipulator


PEERS = (Ssik,)
