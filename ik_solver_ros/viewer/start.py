# SPDX-License-Identifier: Apache-2.0
"""Configurations to begin with and to go to: bent, above the ground, away from limits."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from ..core.limits import Floats
from .kinematics import ArmKinematics, resting_positions

_MOST_TURNS = 8  # from end to end
_TRIES = 300
_GOOD_ENOUGH = 0.3  # of the best dexterity found


def start_positions(kinematics: ArmKinematics) -> dict[str, float]:
    """All joints of the robot: at rest where the arm is dexterous then, else where it is.

    Many arms are straight at zero, which is singular: the first drag would look like a fault.
    """
    rest = resting_positions(kinematics)
    rng = np.random.default_rng(1)
    tries = [{**rest, **random_positions(kinematics, rng, 0.5)} for _ in range(_TRIES)]
    if _dexterity(kinematics, rest) >= _GOOD_ENOUGH * max(
        _dexterity(kinematics, positions) for positions in tries
    ):
        return rest
    return max(tries, key=lambda positions: _ease(kinematics, positions))


def random_positions(
    kinematics: ArmKinematics, rng: np.random.Generator, share: float
) -> dict[str, float]:
    """Joint positions of the arm out of the middle ``share`` of their ranges."""
    low, high = _usual_limits(kinematics)
    middle, half = 0.5 * (low + high), 0.5 * share * (high - low)
    return kinematics.positions(rng.uniform(middle - half, middle + half))


def shown_limits(kinematics: ArmKinematics) -> tuple[Floats, Floats]:
    """Ends (m,) of a slider for each variable: its own limits, or the usual ones without such.

    Limits of more than a few turns are none to people, and would leave a slider without use.
    """
    limits = kinematics.chain.limits
    low, high = _usual_limits(kinematics)
    most = np.where(limits.prismatic, np.inf, _MOST_TURNS * math.tau)
    own = np.isfinite(limits.upper - limits.lower) & (limits.upper - limits.lower <= most)
    return np.where(own, limits.lower, low), np.where(own, limits.upper, high)


def _usual_limits(kinematics: ArmKinematics) -> tuple[Floats, Floats]:
    """Limits (m,) of the variables within half a turn to each side, or the arm's size."""
    limits = kinematics.chain.limits
    wide = np.where(limits.prismatic, kinematics.size_m(), math.pi)
    return np.maximum(limits.lower, -wide), np.minimum(limits.upper, wide)


def _ease(kinematics: ArmKinematics, positions: Mapping[str, float]) -> float:
    """Dexterity, more with the tool in front of the base and pointing down, as at work."""
    T_base_tool = kinematics.tool_pose(positions)
    x, y, _ = T_base_tool.translation
    front = 1.0 + x / (math.hypot(x, y) + 1e-9)
    down = 1.5 - T_base_tool.rotation[2, 2]
    return _dexterity(kinematics, positions) * front * down


def _dexterity(kinematics: ArmKinematics, positions: Mapping[str, float]) -> float:
    """Smallest singular value of the Jacobian, lengths over the arm's size; less if underground."""
    J = kinematics.jacobian(positions)
    J = np.vstack((J[:3] / kinematics.size_m(), J[3:]))
    value = float(np.linalg.svd(J, compute_uv=False)[-1])
    poses = kinematics.link_poses(positions)
    lowest = min(float(pose.translation[2]) for pose in poses.values())
    return value if lowest >= -1e-3 else 0.01 * value
