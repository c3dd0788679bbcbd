# SPDX-License-Identifier: Apache-2.0
"""Pink: differential inverse kinematics as a quadratic program, over Pinocchio and DAQP."""

from __future__ import annotations

import time

import numpy as np
import pink
import pinocchio as pin
from harness import lean_urdf
from harness.arm import Arm
from harness.goal import Goal
from pink.exceptions import PinkError

from support.poses import Matrix, Vector

from .base import Peer

_MOST_STEPS = 100


class Pink(Peer):
    """Its steps, repeated from the seed until the frame task's error is small."""

    name = "Pink"
    distribution = "pin-pink"
    settings = (
        "differential IK: solve_ik with DAQP and one FrameTask, repeated from the seed (steps of "
        "one second, at most 100) until the error is as small as asked or the time is over; one "
        "start; limits honoured"
    )
    share = 0.1

    def __init__(self, arm: Arm, goal: Goal) -> None:
        super().__init__(arm, goal)
        self._model = pin.buildModelFromXML(lean_urdf.lean_urdf(arm))
        self._data = self._model.createData()
        self._task = pink.tasks.FrameTask(lean_urdf.TIP, 1.0, 1.0)
        joints = [self._model.joints[self._model.getJointId(name)] for name in arm.joint_names]
        self._slots = [(joint.idx_q, joint.nq) for joint in joints]

    def target(self, T_base_tip: Matrix) -> pin.SE3:
        """Return the pose in the world frame, which is the chain's base."""
        return pin.SE3(T_base_tip)

    def seed(self, q: Vector) -> Vector:
        """Return Pinocchio's configuration."""
        full = pin.neutral(self._model)
        for (index, size), value in zip(self._slots, q.tolist()):
            full[index : index + size] = value if size == 1 else (np.cos(value), np.sin(value))
        return full

    def solve(self, target: pin.SE3, seed: Vector) -> tuple[Vector, Vector] | None:
        """Step until the error is small; return where that is, and the seed."""
        deadline_s = time.perf_counter() + self.goal.time_limit_s
        task = self._task
        task.set_target(target)
        configuration = pink.Configuration(self._model, self._data, seed)
        try:
            for _ in range(_MOST_STEPS):
                error = task.compute_error(configuration)
                if (
                    np.linalg.norm(error[:3]) <= self.goal.position_m
                    and np.linalg.norm(error[3:]) <= self.goal.orientation_rad
                ):
                    return configuration.q, seed
                if time.perf_counter() > deadline_s:
                    return None
                velocity = pink.solve_ik(configuration, [task], 1.0, solver="daqp")
                configuration.integrate_inplace(velocity, 1.0)
        except PinkError:
            return None  # the quadratic program has no solution
        return None

    def joints(self, raw: tuple[Vector, Vector] | None) -> Vector | None:
        """Return the answer as angles nearest to the seed."""
        if raw is None:
            return None
        q, seed = map(self._angles, raw)
        turns = np.array([size > 1 for _, size in self._slots])
        return np.where(turns, q - 2.0 * np.pi * np.round((q - seed) / (2.0 * np.pi)), q)

    def _angles(self, full: Vector) -> Vector:
        """Return one number a joint from Pinocchio's configuration."""
        return np.array(
            [full[i] if size == 1 else np.arctan2(full[i + 1], full[i]) for i, size in self._slots]
        )


PEERS = (Pink,)
