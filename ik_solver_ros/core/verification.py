# SPDX-License-Identifier: Apache-2.0
"""The only gate: nothing is an answer unless it passed here.

A candidate is judged by forward kinematics of the *complete* Pinocchio model, set by joint name
from exactly the values that will go into the message. Solvers work on the flat chain of
``chain.py``; nothing of theirs is used here.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .pinocchio_import import pin
from .pose_error import PoseError, pose_error
from .robot_model import Joint, RobotModel
from .tolerance import Tolerance
from .transforms import is_identity

_KEY = object()
_LARGEST = sys.float_info.max
_NO_ERROR = PoseError((math.nan,) * 3, (math.nan,) * 3)
MIMIC_DEFECT = 1e-9  # rad or m between a follower and its master; rounding is 1e-16


@dataclass(frozen=True, init=False, eq=False)
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
        largest = max(jumps)
        fields = self.__dict__  # setting an attribute is refused
        fields["joint_names"] = names
        fields["q"] = q
        fields["position_error_m"] = error.position_m
        fields["orientation_error_rad"] = error.orientation_rad
        fields["max_joint_jump"] = largest
        fields["jumping_joint"] = names[jumps.index(largest)]


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
        self._base_is_world = _is_world(robot.model.frames[self._base])
        self._names = tuple(joint_names)
        joints = [robot.joint(name) for name in joint_names]
        self._lower = [max(j.lower, -_LARGEST) for j in joints]  # infinity is outside of all
        self._upper = [min(j.upper, _LARGEST) for j in joints]
        slots = [robot.slot(name) for name in joint_names]
        self._straight = _indices(i for i, (_, as_cos_sin) in enumerate(slots) if not as_cos_sin)
        self._straight_slots = _indices(index for index, as_cos_sin in slots if not as_cos_sin)
        self._turning = [(i, index) for i, (index, as_cos_sin) in enumerate(slots) if as_cos_sin]
        self._neutral = robot.configuration({})
        self._neutral.setflags(write=False)  # threads share it
        self._followers = [
            (i, self._names.index(j.master), j.multiplier, j.offset)
            for i, j in enumerate(joints)
            if j.master is not None
        ]
        self._elsewhere = followers_elsewhere(robot, self._names)

    def measure(
        self,
        values: NDArray[np.float64],
        T_base_target: pin.SE3,
        tolerance: Tolerance,
        T_tip_tcp: pin.SE3 | None = None,
    ) -> PoseError:
        """Pose error of the tool centre point for joint positions, by forward kinematics.

        It is NaN for a wrong count of positions.
        """
        if len(values) != len(self._names):
            return _NO_ERROR
        data, model = self._robot.data(), self._robot.model
        pin.forwardKinematics(model, data, self._configuration(values))
        T_base_tip = pin.updateFramePlacement(model, data, self._tip)
        if not self._base_is_world:
            T_world_base = pin.updateFramePlacement(model, data, self._base)
            T_base_tip = T_world_base.actInv(T_base_tip)
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
        error = self.measure(q, T_base_target, tolerance, T_tip_tcp)
        if not tolerance.accepts(error.position, error.orientation):
            return Rejection(
                f"off by {error.position_m:.3g} m and {error.orientation_rad:.3g} rad", error
            )
        q.setflags(write=False)
        return VerifiedSolution(_KEY, self._names, q, error, seed)

    def _configuration(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Pinocchio's full q; the other joints are neutral."""
        q = self._neutral.copy()
        q[self._straight_slots] = values[self._straight]
        for i, index in self._turning:
            q[index], q[index + 1] = math.cos(values[i]), math.sin(values[i])
        return q

    def _limit_fault(self, values: Sequence[float]) -> str:
        for name, value, lower, upper in zip(self._names, values, self._lower, self._upper):
            if not lower <= value <= upper:  # NaN fails, too
                joint = self._robot.joint(name)
                return f"joint '{name}' at {value!r} is outside [{joint.lower!r}, {joint.upper!r}]"
        return ""

    def _follower_fault(self, values: Sequence[float]) -> str:
        for i, master, multiplier, offset in self._followers:
            if not abs(values[i] - (multiplier * values[master] + offset)) <= MIMIC_DEFECT:
                return f"joint '{self._names[i]}' does not follow '{self._names[master]}'"
        for joint, master in self._elsewhere:
            value = joint.multiplier * values[master] + joint.offset
            if not joint.lower <= value <= joint.upper:
                bounds = f"[{joint.lower!r}, {joint.upper!r}]"
                follower = f"joint '{joint.name}', which follows '{joint.master}',"
                return f"{follower} at {value!r} is outside {bounds}"
        return ""


def followers_elsewhere(robot: RobotModel, joint_names: Sequence[str]) -> list[tuple[Joint, int]]:
    """Joints that follow one of these but are none of them, with its index: they move as well."""
    return [
        (joint, joint_names.index(joint.master))
        for joint in robot.joints.values()
        if joint.master in joint_names and joint.name not in joint_names and joint.multiplier != 0.0
    ]


def _indices(numbers: Iterable[int]) -> slice | NDArray[np.intp]:
    """Numbers to index an array with; a slice where they follow each other, which is faster."""
    found = list(numbers)
    if found and found == list(range(found[0], found[0] + len(found))):
        return slice(found[0], found[0] + len(found))
    return np.array(found, dtype=np.intp)


def _is_world(frame: pin.Frame) -> bool:
    """Whether a frame stands still where Pinocchio's world is."""
    return frame.parentJoint == 0 and is_identity(frame.placement)
