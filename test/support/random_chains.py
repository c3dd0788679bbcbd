# SPDX-License-Identifier: Apache-2.0
"""Random chains for property tests: the same arguments give the same URDF, byte for byte."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from support.urdf_fk import MOVING_KINDS, Mimic
from support.urdf_writer import JointSpec, MadeRobot, urdf_text

MIMIC_MULTIPLIERS = (1.0, -1.0, 2.0, 0.5, -0.7)


def random_chain(
    seed: int,
    joint_count: int,
    *,
    kinds: Sequence[str] = MOVING_KINDS,
    mimic_count: int = 0,
    tight_limits: bool = False,
    fixed_share: float = 0.3,
    shuffled: bool = False,
) -> MadeRobot:
    """Return a chain with random axes and offsets, from link `base` to link `tip`.

    Args:
        seed: of every random choice.
        joint_count: moving joints from base to tip, mimic joints included.
        kinds: what a joint that moves on its own may be.
        mimic_count: how many of the joints follow another one, above or below them in the chain;
            some have limits of their own that stop the joint they follow.
        tight_limits: ranges of 0.05 to 0.4 rad or 0.02 to 0.1 m, also away from zero.
        fixed_share: probability of a fixed joint before each moving one.
        shuffled: write the joints in random order, under names whose alphabetical order is not
            their order in the chain, and with a moving joint beside the chain.
    """
    if not 0 <= mimic_count < joint_count:
        raise ValueError(f"{mimic_count} of {joint_count} joints cannot follow another one")
    rng = np.random.default_rng(seed)
    numbers = rng.permutation(joint_count) if shuffled else range(joint_count)
    names = [f"joint_{number + 1}" for number in numbers]
    moving = [_free_joint(rng, name, kinds, tight_limits) for name in names]
    follower_indices = rng.permutation(joint_count)[:mimic_count]
    masters = [joint for index, joint in enumerate(moving) if index not in follower_indices]
    for index in follower_indices:
        moving[index] = _follower(rng, moving[index], masters[rng.integers(len(masters))])
    joints = _linked(rng, moving, fixed_share)
    if shuffled:
        joints.append(_side_joint(rng, joints))
        joints = [joints[index] for index in rng.permutation(len(joints))]
    return MadeRobot(urdf_text(f"chain_{seed}", joints), "base", "tip", tuple(names))


def _free_joint(
    rng: np.random.Generator, name: str, kinds: Sequence[str], tight_limits: bool
) -> JointSpec:
    kind = kinds[int(rng.integers(len(kinds)))]
    scale = 0.25 if kind == "prismatic" else 1.0
    if tight_limits:
        lower = scale * rng.uniform(-1.5, 1.5)
        upper = lower + scale * rng.uniform(0.05, 0.4)
    else:
        lower, upper = (
            scale * rng.uniform(-2 * math.pi, -0.5),
            scale * rng.uniform(0.5, 2 * math.pi),
        )
    return JointSpec(name, kind, "", "", axis=_axis(rng), lower=lower, upper=upper)


def _follower(rng: np.random.Generator, joint: JointSpec, master: JointSpec) -> JointSpec:
    """Return `joint` as a follower of `master`, like a gear or a rack on it."""
    multiplier = MIMIC_MULTIPLIERS[rng.integers(len(MIMIC_MULTIPLIERS))]
    kind = master.kind
    if kind == "revolute" and rng.random() < 0.3:
        kind, multiplier = "prismatic", 0.1 * multiplier
    offset = 0.1 * rng.uniform(-1.0, 1.0)
    middle = multiplier * 0.5 * (master.lower + master.upper) + offset
    half_range = abs(multiplier) * 0.5 * (master.upper - master.lower)
    # Below 1 the follower's limits stop the master; sharing the middle, followers never exclude
    # each other.
    half_range *= rng.uniform(0.6, 1.2)
    return replace(
        joint,
        kind=kind,
        lower=middle - half_range,
        upper=middle + half_range,
        mimic=Mimic(master.name, multiplier, offset),
    )


def _linked(
    rng: np.random.Generator, moving: Sequence[JointSpec], fixed_share: float
) -> list[JointSpec]:
    """Return the joints placed one after the other, with fixed ones between and the tool last."""
    joints = []
    parent = "base"
    for index, joint in enumerate(moving):
        if rng.random() < fixed_share:
            spacer = JointSpec(f"spacer_{index}", "fixed", parent, f"spacer_link_{index}")
            joints.append(_placed(rng, spacer))
            parent = spacer.child
        joints.append(_placed(rng, replace(joint, parent=parent, child=f"link_{index}")))
        parent = joints[-1].child
    return [*joints, _placed(rng, JointSpec("tool_mount", "fixed", parent, "tip"))]


def _placed(rng: np.random.Generator, joint: JointSpec) -> JointSpec:
    """Return the joint at a random place, every other time without a rotation."""
    rpy_rad = rng.uniform(-math.pi, math.pi, 3) * (rng.random() < 0.5)
    return replace(joint, xyz_m=tuple(rng.uniform(-0.3, 0.3, 3)), rpy_rad=tuple(rpy_rad))


def _side_joint(rng: np.random.Generator, joints: Sequence[JointSpec]) -> JointSpec:
    parent = joints[int(rng.integers(len(joints)))].child
    return _placed(rng, JointSpec("a_side_joint", "revolute", parent, "side_link", axis=_axis(rng)))


def _axis(rng: np.random.Generator) -> tuple[float, ...]:
    """Return a unit vector: along an axis of the frame every other time, else anywhere."""
    if rng.random() < 0.5:
        direction = np.zeros(3)
        direction[rng.integers(3)] = rng.choice([-1.0, 1.0])
    else:
        direction = rng.normal(size=3)
    return tuple(direction / np.linalg.norm(direction))
