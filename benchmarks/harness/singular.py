# SPDX-License-Identifier: Apache-2.0
"""Targets at which an arm is singular: some motion of the tool takes no joint motion to it.

A random configuration is made singular by moving one joint of a 6-joint arm, or two of a 7-joint
arm, until the smallest singular value of the Jacobian vanishes: a search over a grid that closes in
on its best point. Which joints are moved tells the kinds of singularity apart.
"""

from __future__ import annotations

import numpy as np

from support.poses import Matrix, Vector

from .arm import Arm
from .flat import poses_and_jacobians

#: Joints, counted from 1, that are moved to make an arm singular, by arm and kind.
KINDS: dict[str, dict[str, tuple[int, ...]]] = {
    "ur5": {"wrist": (5,), "elbow": (3,), "shoulder": (2,)},
    "panda": {"wrist": (5, 6), "elbow": (2, 4), "shoulder": (2, 3)},
}

_VANISHED = 1e-12
_FIRST_GRID, _GRID = 21, 9  # points along each joint
_PATIENCE = 4  # grids; towards a singularity each one cuts the smallest value to a third
_COPIES = 10  # targets from one search


def singular_configurations(
    arm: Arm, moved: tuple[int, ...], n: int, rng: np.random.Generator
) -> Matrix:
    """Return n singular configurations (n, m) inside the limits.

    Turning the first or the last joint changes nothing about a singularity, so each one that is
    found is used with several random positions of these two.
    """
    lower, upper = np.maximum(arm.lower, -np.pi), np.minimum(arm.upper, np.pi)
    joints = [joint - 1 for joint in moved]
    found: list[Vector] = []
    while len(found) < n:
        q = _made_singular(arm, rng.uniform(lower, upper), joints, lower, upper)
        if q is None:
            continue
        for _ in range(_COPIES):
            copy = q.copy()
            copy[[0, -1]] = rng.uniform(lower, upper)[[0, -1]]
            found.append(copy)
    return np.array(found[:n])


def _made_singular(
    arm: Arm, q: Vector, joints: list[int], lower: Vector, upper: Vector
) -> Vector | None:
    centre = 0.5 * (lower + upper)[joints]
    half = 0.5 * (upper - lower)[joints]
    points, values = _FIRST_GRID, [np.inf]
    while half.max() > 1e-13:
        grid = _grid(centre, half, points).clip(lower[joints], upper[joints])
        candidates = np.tile(q, (len(grid), 1))
        candidates[:, joints] = grid
        smallest = _smallest_singular_value(arm, candidates)
        best = int(np.argmin(smallest))
        centre = grid[best]
        if smallest[best] < _VANISHED:
            return candidates[best]
        values.append(smallest[best])
        if len(values) > _PATIENCE and values[-1] > 0.5 * values[-_PATIENCE]:
            break
        half = half * 2.5 / (points - 1)  # the next grid reaches past the neighbours of the best
        points = _GRID
    return None  # these joints alone cannot make this configuration singular


def _grid(centre: Vector, half: Vector, points: int) -> Matrix:
    axes = [np.linspace(c - h, c + h, points) for c, h in zip(centre, half)]
    return np.stack(np.meshgrid(*axes), axis=-1).reshape(-1, len(axes))


def _smallest_singular_value(arm: Arm, q: Matrix) -> Vector:
    _, J = poses_and_jacobians(arm, q)
    return np.linalg.svd(J, compute_uv=False)[:, -1]
