# SPDX-License-Identifier: Apache-2.0
"""This package: the whole call, the bare kernel, and the fallback in Python."""

from __future__ import annotations

from typing import Any

import numpy as np
from harness.arm import Arm
from harness.goal import Goal

from ik_solver_ros import IKRequest, IKResult, IKSolver, RobotModel, SolverSettings
from support.poses import Matrix, Vector, xyz_quat_from_transform

from .base import Peer

try:
    from ik_solver_ros import _kernel
except ImportError:
    _kernel = None

KERNEL_BUILT = _kernel is not None


class FullSolve(Peer):
    """`IKSolver.solve`, from numbers to a verified result."""

    name = "IKSolver.solve"
    distribution = "ik_solver_ros"
    settings = (
        "request made of xyz and quaternion, validated, solved, verified, with the reason on "
        "failure; limits honoured; tolerance and time limit as asked"
    )
    ours = True
    takes_mimic_joints = True
    solver_name = "auto"

    def __init__(self, arm: Arm, goal: Goal) -> None:
        super().__init__(arm, goal)
        settings = SolverSettings(
            position_tolerance=goal.position_m,
            orientation_tolerance=goal.orientation_rad,
            timeout_s=goal.time_limit_s,
            solver=self.solver_name,
        )
        robot = RobotModel.from_urdf(arm.urdf)
        self.solver = IKSolver(robot, arm.tip, arm.base, settings=settings)
        self._order = [self.solver.joint_names.index(name) for name in arm.joint_names]

    def target(self, T_base_tip: Matrix) -> tuple[list[float], list[float]]:
        """Return position and quaternion."""
        numbers = xyz_quat_from_transform(T_base_tip).tolist()
        return numbers[:3], numbers[3:]

    def seed(self, q: Vector) -> list[float]:
        """Return the positions of all joints, mimic joints included, in the solver's order."""
        positions = dict(zip(self.arm.joint_names, q.tolist()))
        return [self.arm.kinematics.position(positions, name) for name in self.solver.joint_names]

    def solve(self, target: tuple[list[float], list[float]], seed: list[float]) -> IKResult:
        """Make the request and solve it."""
        return self.solver.solve(IKRequest.from_xyz_quat(*target, seed=seed))

    def joints(self, raw: IKResult) -> Vector | None:
        """Return the answer, if it says that there is one."""
        return raw.q[self._order] if raw.success else None

    def label(self, raw: IKResult) -> str:
        """Return the status."""
        return raw.status.name


class Reference(FullSolve):
    """The same through the solver that stands in where the kernel could not be built."""

    name = "IKSolver.solve, reference"
    settings = "the same with solver=reference: Python over Pinocchio"
    solver_name = "reference"


class KernelCall(Peer):
    """The C++ kernel alone."""

    name = "kernel"
    distribution = "ik_solver_ros"
    settings = "the bare call of the C++ kernel: no validation, no verification; one answer wanted"
    ours = True
    takes_mimic_joints = True

    def __init__(self, arm: Arm, goal: Goal) -> None:
        super().__init__(arm, goal)
        if not KERNEL_BUILT:
            raise ValueError("the kernel was not built")
        chain = FullSolve(arm, goal).solver.arm().chain
        self._chain = _kernel.Chain(
            chain.placements,
            chain.prismatic,
            chain.variable,
            chain.multiplier,
            chain.offset,
            chain.T_last_tcp,
            chain.limits.periodic,
        )
        by_the_norm = np.zeros(3)
        self._task = (
            chain.limits.lower,
            chain.limits.upper,
            by_the_norm,
            by_the_norm,
            goal.position_m,
            goal.orientation_rad,
            False,  # use_slack
        )
        effort = 1, True, 100  # wanted, seed_suffices, max_attempts
        self._time_limit_s = goal.time_limit_s
        self._search = self._chain.prepare_search(*self._task, *effort)
        self._search_without_lanes = self._chain.prepare_search(*self._task, *effort, 1)
        self._to_kernel = [arm.joint_names.index(name) for name in chain.variable_names]
        self._from_kernel = [chain.variable_names.index(name) for name in arm.joint_names]

    def target(self, T_base_tip: Matrix) -> Matrix:
        """Return the upper three rows."""
        return np.ascontiguousarray(T_base_tip[:3])

    def seed(self, q: Vector) -> Vector:
        """Return the kernel's variables."""
        return q[self._to_kernel]

    def solve(self, target: Matrix, seed: Vector) -> tuple[Any, ...]:
        """Search."""
        return self._search(target, seed, self._time_limit_s)

    def solve_without_lanes(self, target: Matrix, seed: Vector) -> tuple[Any, ...]:
        """Search, one start after the other."""
        return self._search_without_lanes(target, seed, self._time_limit_s)

    def solve_batch(self, targets: Matrix, seeds: Matrix) -> tuple[Any, ...]:
        """Answer targets (n, 3, 4) from seeds (n, m) on one thread."""
        return self._chain.solve_batch(targets, seeds, *self._task, 100, False, 1)

    def joints(self, raw: tuple[Any, ...]) -> Vector | None:
        """Return the first candidate."""
        candidates = raw[0]
        return candidates[0][self._from_kernel] if len(candidates) else None


PEERS = (FullSolve, KernelCall, Reference)
