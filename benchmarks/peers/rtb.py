# SPDX-License-Identifier: Apache-2.0
"""The Robotics Toolbox for Python: ik_LM, its compiled Levenberg-Marquardt solver."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from harness.arm import Arm
from harness.goal import Goal
from roboticstoolbox import ET, ETS

from support.poses import Matrix, Vector

from .base import Peer


class DefaultLM(Peer):
    """As a reader of its documentation calls it."""

    name = "ik_LM"
    distribution = "roboticstoolbox-python"
    settings = (
        "the toolbox's defaults: at most 100 searches of 30 iterations, limits honoured, "
        "tol=1e-6 on half the squared error, far too coarse for this goal; no time limit"
    )
    options: ClassVar[dict[str, float]] = {}

    def __init__(self, arm: Arm, goal: Goal) -> None:
        super().__init__(arm, goal)
        self._ets = _transform_sequence(arm)

    def solve(self, target: Matrix, seed: Vector) -> Any:
        """Search from the seed, then from random configurations."""
        return self._ets.ik_LM(target, q0=seed, **self.options)

    def joints(self, raw: Any) -> Vector | None:
        """Return the answer if it is called a success."""
        return np.array(raw.q) if raw.success else None


class SharpLM(DefaultLM):
    """With a tolerance that makes its answers comparable."""

    name = "ik_LM, tol=1e-12"
    settings = "the same with tol=1e-12, an error of about 1.4e-6"
    options: ClassVar[dict[str, float]] = {"tol": 1e-12}


def _transform_sequence(arm: Arm) -> ETS:
    sequence = ETS()
    for i, column in enumerate(arm.columns):
        joint = ET.tz if column.prismatic else ET.Rz
        limits = [_finite(arm.lower[i], -np.pi), _finite(arm.upper[i], np.pi)]
        sequence = sequence * ET.SE3(column.T_before_joint) * joint(qlim=limits)
    return sequence * ET.SE3(arm.T_last_tip)


def _finite(limit: float, instead: float) -> float:
    return limit if np.isfinite(limit) else instead


PEERS = (DefaultLM, SharpLM)
