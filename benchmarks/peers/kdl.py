# SPDX-License-Identifier: Apache-2.0
"""Orocos KDL through Debian's python3-pykdl, or a PyKDL of any other origin."""

from __future__ import annotations

import importlib.util
import random
import sysconfig
import time
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
from harness.arm import Arm
from harness.goal import Goal

from support.poses import Matrix, Vector

from .base import Peer

_DEBIAN_MODULES = Path("/usr/lib/python3/dist-packages")


def _pykdl() -> ModuleType:
    """Return PyKDL from this venv, else the one that Debian's Python of this version would find."""
    if importlib.util.find_spec("PyKDL") is not None:
        return importlib.import_module("PyKDL")
    path = _DEBIAN_MODULES / f"PyKDL{sysconfig.get_config_var('EXT_SUFFIX')}"
    if not path.exists():
        raise ModuleNotFoundError("PyKDL is not on PyPI; Debian's python3-pykdl is not installed")
    spec = importlib.util.spec_from_file_location("PyKDL", path)
    if spec is None or spec.loader is None:
        raise ModuleNotFoundError(f"{path.name} cannot be loaded")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


kdl = _pykdl()
_LARGE = 1e3  # rad: instead of no limit


class LimitedNewton(Peer):
    """ChainIkSolverPos_NR_JL, what MoveIt's KDL plugin is built on."""

    name = "KDL NR_JL"
    distribution = "PyKDL"
    settings = (
        "ChainIkSolverPos_NR_JL over ChainIkSolverVel_pinv; limits honoured; eps as asked, 100 "
        "iterations (its default) from the seed, then from random configurations until the time "
        "is over, as MoveIt's plugin does"
    )
    share = 0.2

    def __init__(self, arm: Arm, goal: Goal) -> None:
        super().__init__(arm, goal)
        self._chain = _chain(arm)
        self._random = random.Random(0)
        self._ranges = list(
            zip(np.maximum(arm.lower, -np.pi).tolist(), np.minimum(arm.upper, np.pi).tolist())
        )
        self._solver = self._make_solver(min(goal.position_m, goal.orientation_rad))

    def _make_solver(self, eps: float) -> Any:
        self._forward = kdl.ChainFkSolverPos_recursive(self._chain)
        self._velocity = kdl.ChainIkSolverVel_pinv(self._chain)
        lower = _joint_array(np.maximum(self.arm.lower, -_LARGE))
        upper = _joint_array(np.minimum(self.arm.upper, _LARGE))
        return kdl.ChainIkSolverPos_NR_JL(
            self._chain, lower, upper, self._forward, self._velocity, 100, eps
        )

    @classmethod
    def version(cls) -> str:
        """Return what the module says: Debian's package leaves pip no trace."""
        return str(kdl.__version__)

    def target(self, T_base_tip: Matrix) -> Any:
        """Return a KDL frame."""
        return _frame(T_base_tip)

    def seed(self, q: Vector) -> tuple[Any, Any]:
        """Return the start configuration and room for the answer."""
        return _joint_array(q), kdl.JntArray(len(q))

    def solve(self, target: Any, seed: tuple[Any, Any]) -> tuple[int, Any]:
        """Return KDL's error code and the joint positions."""
        deadline_s = time.perf_counter() + self.goal.time_limit_s
        q_start, q_end = seed
        code = self._solver.CartToJnt(q_start, target, q_end)
        while code < 0 and time.perf_counter() < deadline_s:
            q_start = kdl.JntArray(len(self._ranges))
            for i, (lower, upper) in enumerate(self._ranges):
                q_start[i] = self._random.uniform(lower, upper)
            code = self._solver.CartToJnt(q_start, target, q_end)
        return code, q_end

    def joints(self, raw: tuple[int, Any]) -> Vector | None:
        """Return the answer; codes below zero are failures."""
        code, q = raw
        return np.array([q[i] for i in range(q.rows())]) if code >= 0 else None


class UnlimitedLM(LimitedNewton):
    """ChainIkSolverPos_LMA, which knows no joint limits."""

    name = "KDL LMA"
    settings = (
        "ChainIkSolverPos_LMA; knows no limits; eps a hundredth of the tolerance, because its "
        "default weights count a radian as 0.01; 500 iterations (its default); one start, no time "
        "limit"
    )
    share = 1.0

    def _make_solver(self, eps: float) -> Any:
        # Other weights would be a NumPy array, and Debian's build crashes on those of NumPy 2.
        return kdl.ChainIkSolverPos_LMA(self._chain, 0.01 * eps, 500)

    def solve(self, target: Any, seed: tuple[Any, Any]) -> tuple[int, Any]:
        """Return KDL's error code and the joint positions."""
        q_start, q_end = seed
        return self._solver.CartToJnt(q_start, target, q_end), q_end


def _chain(arm: Arm) -> Any:
    """Return the arm as KDL segments: a segment's constant placement comes after its joint."""
    chain = kdl.Chain()
    first, *others = [column.T_before_joint for column in arm.columns]
    chain.addSegment(kdl.Segment(kdl.Joint(), _frame(first)))
    for column, T_after in zip(arm.columns, [*others, arm.T_last_tip]):
        kind = kdl.Joint.TransZ if column.prismatic else kdl.Joint.RotZ
        chain.addSegment(kdl.Segment(kdl.Joint(kind), _frame(T_after)))
    return chain


def _frame(T: Matrix) -> Any:
    return kdl.Frame(kdl.Rotation(*T[:3, :3].ravel().tolist()), kdl.Vector(*T[:3, 3].tolist()))


def _joint_array(q: Vector) -> Any:
    array = kdl.JntArray(len(q))
    for i, value in enumerate(q.tolist()):
        array[i] = value
    return array


PEERS = (LimitedNewton, UnlimitedLM)
