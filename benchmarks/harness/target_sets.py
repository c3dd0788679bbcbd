# SPDX-License-Identifier: Apache-2.0
"""Sets of targets with the seeds to start from; the same numbers in every run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from support import targets
from support.poses import Matrix

from .arm import Arm
from .flat import poses_and_jacobians
from .singular import KINDS, singular_configurations


@dataclass(frozen=True)
class TargetSet:
    """n questions about one arm.

    Attributes:
        arm: the arm.
        T_base_tip: (n, 4, 4) targets.
        seeds: (n, m) start configurations.
    """

    arm: Arm
    T_base_tip: Matrix
    seeds: Matrix

    def __len__(self) -> int:
        """Return n."""
        return len(self.T_base_tip)

    def first(self, n: int) -> TargetSet:
        """Return the first n questions."""
        return TargetSet(self.arm, self.T_base_tip[:n], self.seeds[:n])


def cold(arm: Arm, n: int, seed: int) -> TargetSet:
    """Return reachable targets, asked from the middle of the joint ranges."""
    _, T_base_tip = targets.fk_targets(arm.kinematics, arm.base, arm.tip, n, seed)
    return from_the_middle(arm, T_base_tip)


def tracking(arm: Arm, n: int, seed: int) -> TargetSet:
    """Return reachable targets, asked from a true answer moved by up to 0.1 rad or m a joint."""
    arguments = arm.kinematics, arm.base, arm.tip
    configurations, T_base_tip = targets.fk_targets(*arguments, n, seed)
    seeds = targets.tracking_seeds(*arguments, configurations, seed + 1)
    return TargetSet(arm, T_base_tip, _rows(arm, seeds))


def near_limit(arm: Arm, n: int, seed: int) -> TargetSet:
    """Return targets with some joint within 1° or 1 mm of a limit, from the middle."""
    arguments = arm.kinematics, arm.base, arm.tip
    _, T_base_tip = targets.near_limit_targets(*arguments, n, seed)
    return from_the_middle(arm, T_base_tip)


def singular(arm: Arm, kind: str, n: int, seed: int) -> TargetSet:
    """Return targets reached by a singular configuration of that kind, from the middle."""
    rng = np.random.default_rng(seed)
    q = singular_configurations(arm, KINDS[arm.name][kind], n, rng)
    return from_the_middle(arm, poses_and_jacobians(arm, q)[0])


def from_the_middle(arm: Arm, T_base_tip: Matrix) -> TargetSet:
    """Return the targets (n, 4, 4) with the usual cold seed."""
    return TargetSet(arm, T_base_tip, np.tile(arm.middle, (len(T_base_tip), 1)))


def _rows(arm: Arm, configurations: Sequence[Mapping[str, float]]) -> Matrix:
    return np.array([[q[name] for name in arm.joint_names] for q in configurations])
