# SPDX-License-Identifier: Apache-2.0
"""The kernel by itself, on flat chains read by the tests' own kinematics, which judges answers."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import pytest

from support.poses import Matrix, Vector, orientation_error_rad, position_error_m
from support.robots import robot, robot_urdf
from support.urdf_fk import MOVING_KINDS, UrdfKinematics
from support.urdf_writer import MadeRobot

_kernel = pytest.importorskip("ik_solver_ros._kernel", reason="the C++ kernel is not built here")

INF = math.inf
STRICT = 1e-6  # m and rad
BY_NORM = np.zeros(3)
FREE = np.full(3, INF)
WIDTHS = _kernel.simd_widths()


class Answer(NamedTuple):
    """What a search returns."""

    candidates: tuple[Vector, ...]
    seed_converged: bool
    closest: Vector
    closest_position_error_m: float
    closest_rotation_error_rad: float
    iterations: int
    attempts: int
    timed_out: bool


class BatchAnswer(NamedTuple):
    """What a batch returns, a row for each target."""

    q: Matrix
    solved: Vector
    position_error_m: Vector
    rotation_error_rad: Vector
    iterations: Vector
    attempts: Vector


def search(
    chain: _kernel.Chain,
    T_base_target: Matrix,
    seed: Vector,
    *,
    time_limit_s: float,
    **task: object,
) -> tuple:
    """Prepare a search and run it."""
    return chain.prepare_search(**task)(T_base_target, seed, time_limit_s)


class KernelArm:
    """One chain, as the kernel gets it.

    Attributes:
        kinematics: the independent forward kinematics.
        names: joints that the kernel chooses, in its order.
        lower, upper: their limits, those of joints that follow them included.
        flat: the arguments of `_kernel.Chain`.
        chain: the kernel's chain.
    """

    def __init__(self, urdf: str, base: str, tip: str) -> None:
        self.kinematics = UrdfKinematics(urdf)
        self.base, self.tip = base, tip
        ranges = self.kinematics.usable_ranges(self.kinematics.chain_joints(base, tip))
        self.names = list(ranges)
        self.lower, self.upper = np.array(list(ranges.values())).T.copy()
        self.flat = self._flat()
        self.chain = _kernel.Chain(**self.flat)

    @classmethod
    def made(cls, made: MadeRobot) -> KernelArm:
        """Return a made-up robot's chain."""
        return cls(made.urdf, made.base, made.tip)

    @classmethod
    @functools.cache
    def of(cls, name: str) -> KernelArm:
        """Return the chain of a robot of the list."""
        entry = robot(name)
        return cls(robot_urdf(name), entry.base, entry.tip)

    @property
    def middle(self) -> Vector:
        """Mid-range, 0 for joints that turn all the way."""
        with np.errstate(invalid="ignore"):
            middle = 0.5 * (self.lower + self.upper)
            return np.where(self.upper - self.lower < 2.0 * math.pi, middle, 0.0)

    def random(self, n: int, seed: int) -> Matrix:
        """Return n configurations inside the limits, (n, m)."""
        rng = np.random.default_rng(seed)
        joints = self.kinematics.chain_joints(self.base, self.tip)
        rows = [self.kinematics.random_configuration(rng, joints) for _ in range(n)]
        return np.array([[row[name] for name in self.names] for row in rows])

    def forward(self, q: Matrix) -> Matrix:
        """Return T_base_tip (..., 4, 4) of configurations (..., m), by the tests' kinematics."""
        positions = dict(zip(self.names, np.moveaxis(np.asarray(q), -1, 0)))
        T_base_tip = self.kinematics.relative(positions, self.base, self.tip)
        return np.broadcast_to(T_base_tip, (*np.shape(q)[:-1], 4, 4))

    def search(
        self, T_base_target: Matrix, seed: Vector | None = None, **changes: object
    ) -> Answer:
        """Search with strict tolerances; `changes` replace arguments of the kernel."""
        seed = self.middle if seed is None else seed
        time_limit_s = changes.pop("time_limit_s", INF)
        return Answer(*self.prepared(**changes)(T_base_target[:3], seed, time_limit_s))

    def prepared(self, **changes: object) -> Callable[..., tuple]:
        """Return a search for one answer with strict tolerances."""
        arguments = self._task() | {"wanted": 1, "seed_suffices": True}
        return self.chain.prepare_search(**(arguments | changes))

    def batch(self, T_base_targets: Matrix, seeds: Matrix, **changes: object) -> BatchAnswer:
        """Solve many targets with strict tolerances."""
        arguments = self._task() | {"chain_seeds": False, "threads": 1}
        return BatchAnswer(
            *self.chain.solve_batch(T_base_targets[:, :3], seeds, **(arguments | changes))
        )

    def errors(self, q: Matrix, T_base_target: Matrix) -> tuple[Vector, Vector]:
        """Return position (m) and orientation (rad) errors of configurations."""
        T_base_tip = self.forward(q)
        return (
            position_error_m(T_base_tip, T_base_target),
            orientation_error_rad(T_base_tip, T_base_target),
        )

    def inside(self, q: Matrix) -> Vector:
        """Return whether configurations keep the limits, exactly."""
        return np.all((self.lower <= q) & (q <= self.upper), axis=-1)

    def _task(self) -> dict[str, object]:
        return {
            "lower": self.lower,
            "upper": self.upper,
            "position_tolerance": BY_NORM,
            "rotation_tolerance": BY_NORM,
            "position_norm": STRICT,
            "rotation_norm": STRICT,
            "use_slack": False,
            "max_attempts": 300,
        }

    def _flat(self) -> dict[str, object]:
        placements, columns = [], []
        T_previous = np.eye(4)
        for joint in self._path():
            T_previous = T_previous @ joint.T_parent_joint
            if joint.kind not in MOVING_KINDS:
                continue
            turn = _turn_z_onto(joint.axis)
            placements.append((T_previous @ turn)[:3])
            T_previous = turn.T
            columns.append(self._column(joint.name, joint.kind == "prismatic"))
        prismatic, variable, multiplier, offset = zip(*columns)
        return {
            "placements": np.array(placements),
            "prismatic": np.array(prismatic),
            "variable": np.array(variable, dtype=np.int32),
            "multiplier": np.array(multiplier),
            "offset": np.array(offset),
            "T_last_tip": T_previous[:3],
            "periodic": np.array([self._is_periodic(i, columns) for i in range(len(self.names))]),
        }

    def _path(self) -> list:
        above = {joint.child: joint for joint in self.kinematics.joints.values()}
        path = []
        link = self.tip
        while link != self.base:
            path.append(above[link])
            link = path[-1].parent
        return path[::-1]

    def _column(self, name: str, is_prismatic: bool) -> tuple[bool, int, float, float]:
        (master,) = self.kinematics.usable_ranges([name])
        offset = self.kinematics.position({master: 0.0}, name)
        multiplier = self.kinematics.position({master: 1.0}, name) - offset
        return is_prismatic, self.names.index(master), multiplier, offset

    def _is_periodic(self, variable: int, columns: list[tuple[bool, int, float, float]]) -> bool:
        return all(
            not is_prismatic and float(multiplier).is_integer()
            for is_prismatic, moved_by, multiplier, _ in columns
            if moved_by == variable
        )


def _turn_z_onto(axis: Vector) -> Matrix:
    """Return a (4, 4) rotation whose z axis is `axis`."""
    z = np.asarray(axis) / np.linalg.norm(axis)
    x = np.cross(np.eye(3)[np.argmin(np.abs(z))], z)
    x /= np.linalg.norm(x)
    turn = np.eye(4)
    turn[:3, :3] = np.column_stack((x, np.cross(z, x), z))
    return turn
