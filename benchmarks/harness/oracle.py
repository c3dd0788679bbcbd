# SPDX-License-Identifier: Apache-2.0
"""Whether a pose can be reached at all: many starts of a solver that shares no code with ours.

Damped least squares for a whole population at once; starts that get nowhere are dropped.
"""

from __future__ import annotations

import numpy as np

from support.poses import Matrix, Vector, orientation_error_rad

from .arm import Arm
from .flat import poses_and_jacobians
from .goal import Goal

_FIRST_STARTS = 50  # most reachable poses need no more
_MOST_STEPS = 150
_CHECK_EVERY = 10  # steps
_LEVER_M = 0.3  # metres that count as much as a radian


class Oracle:
    """Judges one arm's targets.

    Args:
        arm: an arm whose joints all turn.
        goal: how near is reached.
        starts: how many random configurations may be tried for one target.
    """

    def __init__(self, arm: Arm, goal: Goal, starts: int) -> None:
        self._arm, self._goal, self._starts = arm, goal, starts

    def reaches(self, T_base_target: Matrix, limited: bool, rng: np.random.Generator) -> bool:
        """Return whether some start ends at the target (4, 4), with or without joint limits."""
        size = len(self._arm.lower)
        lower = self._arm.lower if limited else np.full(size, -np.inf)
        upper = self._arm.upper if limited else np.full(size, np.inf)
        low, high = np.maximum(lower, -np.pi), np.minimum(upper, np.pi)
        for count in (_FIRST_STARTS, self._starts - _FIRST_STARTS):
            q = rng.uniform(low, high, (count, size))
            if self._descend(T_base_target, q, lower, upper):
                return True
        return False

    def _descend(self, T_base_target: Matrix, q: Matrix, lower: Vector, upper: Vector) -> bool:
        before = np.full(len(q), np.inf)
        for step in range(_MOST_STEPS):
            T, J = poses_and_jacobians(self._arm, q)
            error = _error(T_base_target, T)
            if self._near(error):
                return True
            size = np.linalg.norm(error, axis=1)
            if step % _CHECK_EVERY == 0:
                alive = size < 0.9 * before
                if not alive.any():
                    return False
                q, J, error, size = q[alive], J[alive], error[alive], size[alive]
                before = size
            q = (q + _step(J, error, size, q, lower, upper)).clip(lower, upper)
        return False

    def _near(self, error: Matrix) -> bool:
        position = np.linalg.norm(error[:, :3], axis=1)
        rotation = np.linalg.norm(error[:, 3:], axis=1) / _LEVER_M
        near = (position <= self._goal.position_m) & (rotation <= self._goal.orientation_rad)
        return bool(near.any())


def _error(T_base_target: Matrix, T_base_tip: Matrix) -> Matrix:
    """Return position error and weighted rotation vector (n, 6), seen from the base."""
    R = T_base_target[:3, :3] @ np.swapaxes(T_base_tip[:, :3, :3], -1, -2)
    sine_axis = 0.5 * (R - np.swapaxes(R, -1, -2))[:, [2, 0, 1], [1, 2, 0]]
    angle = orientation_error_rad(T_base_target, T_base_tip)[:, None]
    sine = np.linalg.norm(sine_axis, axis=1, keepdims=True)
    vector = np.where(sine > 1e-12, sine_axis * angle / np.maximum(sine, 1e-12), sine_axis)
    return np.hstack((T_base_target[:3, 3] - T_base_tip[:, :3, 3], _LEVER_M * vector))


def _step(
    J: Matrix, error: Matrix, size: Vector, q: Matrix, lower: Vector, upper: Vector
) -> Matrix:
    """Return the damped step (n, m); joints that a limit stops are left out of it."""
    J = J * np.array([1.0, 1.0, 1.0, _LEVER_M, _LEVER_M, _LEVER_M])[:, None]
    downhill = np.einsum("nij,ni->nj", J, error)
    stopped = ((q <= lower) & (downhill < 0.0)) | ((q >= upper) & (downhill > 0.0))
    J = np.where(stopped[:, None, :], 0.0, J)
    damping = (0.05 * size**2 + 1e-9)[:, None, None] * np.eye(6)
    y = np.linalg.solve(J @ np.swapaxes(J, -1, -2) + damping, error[:, :, None])
    step = np.einsum("nij,ni->nj", J, y[:, :, 0])
    return step / np.maximum(np.abs(step).max(axis=1, keepdims=True), 1.0)
