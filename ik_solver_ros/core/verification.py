# SPDX-License-Identifier: Apache-2.0
"""The only gate: nothing is an answer unless it passed here.

A candidate is judged by forward kinematics of the *complete* Pinocchio model, set by joint name
from exactly the values that will go into the message. Solvers work on the flat chain of
``chain.py``; nothing of theirs is used here.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .pinocchio_import import pin
from .pose_error import PoseError, pose_error
from .robot_model import RobotModel
from .tolerance import Tolerance

_KEY = object()
MIMIC_DEFECT = 1e-9  # rad or m between a follower and its master; rounding is 1e-16


@dataclass(frozen=True, slots=True, init=False, eq=False)
class VerifiedSolution:
    """Joint positions that reach the target; only this module can make one.

    Attributes:
        joint_names: every joint from base to tip, followers included.
        q: their positions in rad or m, read-only, shape (len(joint_names),).
        position_error_m, orientation_error_rad: measured on exactly these values.
        max_joint_jump: largest change of one joint from the seed, rad or m.
        jumping_joint: the joint that changes by that much.
    """

    joint_names: tuple[str, ...]
    q: NDArray[np.float64]
    position_error_m: float
    orientation_error_rad: float
    max_joint_jump: float
    jumping_joint: str

    def __init__(
        self,
        key: object,
        names: tuple[str, ...],
        q: NDArray[np.float64],
        error: PoseError,
        seed: Sequence[float],
    ) -> None:
        if key is not _KEY:
            raise TypeError("a VerifiedSolution is made by verification.Verifier and nobody else")
        jumps = [abs(value - start) for value, start in zip(q.tolist(), seed)]
        freeze = object.__setattr__
        freeze(self, "joint_names", names)
        freeze(self, "q", q)
        freeze(self, "position_error_m", error.position_m)
        freeze(self, "orientation_error_rad", error.orientation_rad)
        freeze(self, "max_joint_jump", max(jumps))
        freeze(self, "jumping_joint", names[jumps.index(max(jumps))])


@dataclass(frozen=True)
class Rejection:
    """A candidate that did not pass, and why.

    Attributes:
        reason: a sentence.
        error: its pose error, where it could be measured.
    """

    reason: str
    error: PoseError | None = None


class Verifier:
    """Judges joint positions of one arm of one robot.

    Args:
        robot: the complete robot.
        base_frame, tip_frame: the links the target is about.
        joint_names: the joints that a candidate gives, in its order.
    """

    def __init__(
        self, robot: RobotModel, base_frame: str, tip_frame: str, joint_names: Sequence[str]
    ) -> None:
        self._robot = robot
        self._base = robot.frame_id(base_frame, "base_frame")
        self._tip = robot.frame_id(tip_frame, "tip_frame")
        self._names = tuple(joint_names)
        joints = [robot.joint(name) for name in joint_names]
        self._limits = [(j.lower, j.upper) for j in joints]
        self._slots = [robot.slot(name) for name in joint_names]
        self._neutral = robot.configuration({})
        self._followers = [
            (i, self._names.index(j.master), j.multiplier, j.offset)
            for i, j in enumerate(joints)
            if j.master is not None
        ]

    def measure(
        self,
        values: Sequence[float],
        T_base_target: pin.SE3,
        tolerance: Tolerance,
        T_tip_tcp: pin.SE3 | None = None,
    ) -> PoseError:
        """Pose error of the tool centre point for joint positions, by forward kinematics."""
        data, model = self._robot.data(), self._robot.model
        pin.forwardKinematics(model, data, self._configuration(values))
        T_world_tip = pin.updateFramePlacement(model, data, self._tip)
        T_base_tip = pin.updateFramePlacement(model, data, self._base).actInv(T_world_tip)
        T_base_tcp = T_base_tip if T_tip_tcp is None else T_base_tip * T_tip_tcp
        return pose_error(T_base_target.actInv(T_base_tcp), tolerance)

    def verify(
        self,
        values: NDArray[np.float64],
        T_base_target: pin.SE3,
        tolerance: Tolerance,
        seed: Sequence[float],
        T_tip_tcp: pin.SE3 | None = None,
    ) -> VerifiedSolution | Rejection:
        """Judge one candidate.

        Args:
            values: positions in rad or m, in the order of ``joint_names``.
            T_base_target: normalised target.
            tolerance: what is accepted.
            seed: positions to measure the jump from, in the same order.
            T_tip_tcp: tool centre point in the tip frame.
        """
        q = np.array(values, dtype=float)
        numbers = q.tolist()
        if len(numbers) != len(self._names):
            return Rejection(f"{len(numbers)} positions for {len(self._names)} joints")
        if fault := self._limit_fault(numbers) or self._follower_fault(numbers):
            return Rejection(fault)
        error = self.measure(numbers, T_base_target, tolerance, T_tip_tcp)
        if not tolerance.accepts(error.position, error.orientation):
            return Rejection(
                f"off by {error.position_m:.3g} m and {error.orientation_rad:.3g} rad", error
            )
        q.setflags(write=False)
        return VerifiedSolution(_KEY, self._names, q, error, seed)

    def _configuration(self, values: Sequence[float]) -> NDArray[np.float64]:
        q = self._neutral.copy()
        for value, (index, as_cos_sin) in zip(values, self._slots):
            if as_cos_sin:
                q[index], q[index + 1] = math.cos(value), math.sin(value)
            else:
                q[index] = value
        return q

    def _limit_fault(self, values: Sequence[float]) -> str:
        for name, value, (lower, upper) in zip(self._names, values, self._limits):
            if not (lower <= value <= upper and math.isfinite(value)):  # NaN fails, too
                return f"joint '{name}' at {value!r} is outside [{lower!r}, {upper!r}]"
        return ""

    def _follower_fault(self, values: Sequence[float]) -> str:
        for i, master, multiplier, offset in self._followers:
            if not abs(values[i] - (multiplier * values[master] + offset)) <= MIMIC_DEFECT:
                return f"joint '{self._names[i]}' does not follow '{self._names[master]}'"
        return ""
