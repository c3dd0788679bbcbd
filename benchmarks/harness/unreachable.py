# SPDX-License-Identifier: Apache-2.0
"""Targets without an answer, and the reason why: out of reach, or kept out by joint limits."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from support.poses import Matrix, Vector

from .arm import Arm
from .flat import poses_and_jacobians
from .oracle import Oracle

UNREACHABLE, JOINT_LIMITS = "UNREACHABLE", "JOINT_LIMITS"

_Maker = Callable[[Arm, np.random.Generator], Matrix]


def far(arm: Arm, rng: np.random.Generator) -> Matrix:
    """Return a pose farther from the first joint than the arm is long: certainly out of reach."""
    T = _reachable(arm, rng)
    shoulder, length = _shoulder(arm), _length(arm)
    T[:3, 3] = shoulder + rng.uniform(1.05, 3.0) * length * _direction(rng)
    return T


def just_outside(arm: Arm, rng: np.random.Generator) -> Matrix:
    """Return a reachable pose moved outward by up to a third of the arm's length."""
    T = _reachable(arm, rng)
    outward = T[:3, 3] - _shoulder(arm)
    T[:3, 3] += rng.uniform(0.0, 0.33) * _length(arm) * outward / np.linalg.norm(outward)
    return T


def inner_hole(arm: Arm, rng: np.random.Generator) -> Matrix:
    """Return a reachable orientation at a place too near to the first joint."""
    T = _reachable(arm, rng)
    T[:3, 3] = _shoulder(arm) + rng.uniform(0.0, 0.15) * _length(arm) * _direction(rng)
    return T


def limit_blocked(arm: Arm, rng: np.random.Generator) -> Matrix:
    """Return the pose of a configuration with one joint up to a radian outside its limits."""
    q = rng.uniform(np.maximum(arm.lower, -np.pi), np.minimum(arm.upper, np.pi))
    joint = rng.choice(_bounded(arm))
    past = rng.uniform(0.05, 1.0)
    q[joint] = arm.upper[joint] + past if rng.random() < 0.5 else arm.lower[joint] - past
    return poses_and_jacobians(arm, q[None])[0][0]


#: How targets are made, by kind.
KINDS: dict[str, _Maker] = {
    "far": far,
    "just outside": just_outside,
    "inner hole": inner_hole,
    "limit-blocked": limit_blocked,
}


def kinds_for(arm: Arm) -> list[str]:
    """Return the kinds of targets that the arm has."""
    return [kind for kind in KINDS if kind != "limit-blocked" or len(_bounded(arm))]


def unreachable_targets(
    arm: Arm, kind: str, n: int, oracle: Oracle, rng: np.random.Generator
) -> tuple[Matrix, list[str]]:
    """Return n targets (n, 4, 4) that the oracle cannot reach, and why each is out of reach."""
    targets: list[Matrix] = []
    reasons: list[str] = []
    while len(targets) < n:
        T = KINDS[kind](arm, rng)
        reason = UNREACHABLE if kind == "far" else _reason(T, oracle, rng)
        if reason:
            targets.append(T)
            reasons.append(reason)
    return np.array(targets), reasons


def _reason(T_base_target: Matrix, oracle: Oracle, rng: np.random.Generator) -> str:
    """Return "" for a target that can be reached after all."""
    if oracle.reaches(T_base_target, limited=True, rng=rng):
        return ""
    free = oracle.reaches(T_base_target, limited=False, rng=rng)
    return JOINT_LIMITS if free else UNREACHABLE


def _reachable(arm: Arm, rng: np.random.Generator) -> Matrix:
    q = rng.uniform(np.maximum(arm.lower, -np.pi), np.minimum(arm.upper, np.pi))
    return poses_and_jacobians(arm, q[None])[0][0]


def _bounded(arm: Arm) -> NDArray[np.intp]:
    """Return the joints whose limits leave out some angle."""
    return np.flatnonzero(arm.upper - arm.lower < 2.0 * np.pi)


def _shoulder(arm: Arm) -> Vector:
    return arm.columns[0].T_before_joint[:3, 3]


def _length(arm: Arm) -> float:
    """Return the sum of all distances between joints: no pose is farther from the first one."""
    steps = [column.T_before_joint[:3, 3] for column in arm.columns[1:]] + [arm.T_last_tip[:3, 3]]
    return float(sum(np.linalg.norm(step) for step in steps))


def _direction(rng: np.random.Generator) -> Vector:
    direction = rng.normal(size=3)
    return direction / np.linalg.norm(direction)
