# SPDX-License-Identifier: Apache-2.0
"""Targets that are known to be reachable, because a forward kinematics made them.

Configurations are by joint name: every joint of the chain, mimic joints included, and the masters
of those that follow a joint beside it. The same seed gives the same targets.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from support.poses import Matrix
from support.urdf_fk import UrdfKinematics

Configuration = dict[str, float]


def fk_targets(
    kinematics: UrdfKinematics, base: str, tip: str, n: int, seed: int, margin: float = 0.0
) -> tuple[list[Configuration], Matrix]:
    """Return n configurations drawn inside the limits, and T_base_tip (n, 4, 4) of each.

    `margin` (rad or m) keeps every joint that far from its limits.
    """
    rng = np.random.default_rng(seed)
    names = kinematics.chain_joints(base, tip)
    configurations = [kinematics.random_configuration(rng, names, margin) for _ in range(n)]
    return configurations, poses(kinematics, base, tip, configurations)


def near_limit_targets(
    kinematics: UrdfKinematics,
    base: str,
    tip: str,
    n: int,
    seed: int,
    within_rad: float = math.radians(1.0),
    within_m: float = 0.001,
) -> tuple[list[Configuration], Matrix]:
    """Return n configurations with a joint this close to the end of its range, and T_base_tip.

    A mimic joint's limit ends the range of the joint it follows.
    """
    rng = np.random.default_rng(seed)
    names = kinematics.chain_joints(base, tip)
    ranges = kinematics.usable_ranges(names)
    bounded = [joint for joint, ends in ranges.items() if np.all(np.isfinite(ends))]
    if not bounded:
        raise ValueError(f"no joint from '{base}' to '{tip}' has limits")
    configurations = []
    for _ in range(n):
        configuration = kinematics.random_configuration(rng, names)
        joint = bounded[rng.integers(len(bounded))]
        within = within_m if kinematics.joints[joint].kind == "prismatic" else within_rad
        lower, upper = ranges[joint]
        gap = min(within, upper - lower) * rng.random()
        configuration[joint] = float(lower + gap if rng.random() < 0.5 else upper - gap)
        configurations.append(_with_followers(kinematics, names, configuration))
    return configurations, poses(kinematics, base, tip, configurations)


def tracking_seeds(
    kinematics: UrdfKinematics,
    base: str,
    tip: str,
    configurations: Sequence[Mapping[str, float]],
    seed: int,
    step: float = 0.1,
) -> list[Configuration]:
    """Return each configuration moved by at most `step` (rad or m) per joint, inside the limits."""
    rng = np.random.default_rng(seed)
    names = kinematics.chain_joints(base, tip)
    seeds = []
    for configuration in configurations:
        nearby = {
            joint: float(np.clip(configuration[joint] + rng.uniform(-step, step), *ends))
            for joint, ends in kinematics.usable_ranges(names).items()
        }
        seeds.append(_with_followers(kinematics, names, nearby))
    return seeds


def poses(
    kinematics: UrdfKinematics,
    base: str,
    tip: str,
    configurations: Sequence[Mapping[str, float]],
) -> Matrix:
    """Return T_base_tip (n, 4, 4) of n configurations."""
    columns = {
        joint: np.array([configuration[joint] for configuration in configurations])
        for joint in configurations[0]
    }
    return kinematics.relative(columns, base, tip)


def _with_followers(
    kinematics: UrdfKinematics, names: Sequence[str], positions: Configuration
) -> Configuration:
    return positions | {name: kinematics.position(positions, name) for name in names}
