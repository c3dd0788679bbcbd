# SPDX-License-Identifier: Apache-2.0
"""Targets are reachable, near what they claim to be near, and the same every day."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings

from support import hand_robots, strategies, targets
from support.random_chains import random_chain
from support.robots import REQUIRED, robot_urdf
from support.urdf_fk import UrdfKinematics

ROUNDING = 1e-13  # of a whole chain


@settings(max_examples=40)
@given(strategies.chains(), strategies.SEEDS)
def test_targets_are_reached_inside_the_limits(chain, seed):
    kinematics = UrdfKinematics(chain.urdf)
    configurations, T_base_tip = targets.fk_targets(kinematics, chain.base, chain.tip, 3, seed)
    assert T_base_tip.shape == (3, 4, 4)
    for configuration, T in zip(configurations, T_base_tip, strict=True):
        assert set(chain.joint_names) == set(configuration)
        assert_within_limits(kinematics, configuration)
        expected = kinematics.relative(configuration, chain.base, chain.tip)
        assert pytest.approx(expected, abs=ROUNDING) == T


def test_a_margin_is_kept_from_every_limit():
    kinematics = UrdfKinematics(robot_urdf("panda"))
    configurations, _ = targets.fk_targets(
        kinematics, "panda_link0", "panda_hand_tcp", 200, seed=9, margin=0.5
    )
    for configuration in configurations:
        assert_within_limits(kinematics, configuration, margin=0.5)


def test_a_margin_wider_than_the_range_gives_its_middle():
    kinematics = UrdfKinematics(hand_robots.one_prismatic().urdf)
    ((configuration,), _) = targets.fk_targets(kinematics, "base", "tip", 1, seed=9, margin=5.0)
    assert configuration["slide"] == pytest.approx(0.2)


def test_the_same_seed_gives_the_same_targets():
    kinematics = UrdfKinematics(robot_urdf("ur5"))
    first, again, other = (
        targets.fk_targets(kinematics, "base_link", "tool0", 4, seed)[1] for seed in (1, 1, 2)
    )
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)


@pytest.mark.parametrize("robot", [r for r in REQUIRED if r.name != "ur5"], ids=str)
def test_near_limit_targets_are_near_a_limit_and_inside(robot):
    kinematics = UrdfKinematics(robot_urdf(robot.name))
    configurations, T_base_tip = targets.near_limit_targets(
        kinematics, robot.base, robot.tip, 100, seed=10
    )
    assert T_base_tip.shape == (100, 4, 4)
    for configuration in configurations:
        assert_within_limits(kinematics, configuration)
        gaps = [
            min(np.abs(position - np.array(kinematics.limits(name))))
            for name, position in configuration.items()
        ]
        assert min(gaps) <= math.radians(1.0)


def test_an_arm_without_limits_has_no_near_limit_targets():
    urdf = random_chain(11, 3, kinds=["continuous"]).urdf
    with pytest.raises(ValueError, match="no joint from 'base' to 'tip' has limits"):
        targets.near_limit_targets(UrdfKinematics(urdf), "base", "tip", 1, seed=0)


@settings(max_examples=40)
@given(strategies.chains(), strategies.SEEDS)
def test_tracking_seeds_stay_near_and_inside(chain, seed):
    kinematics = UrdfKinematics(chain.urdf)
    configurations, _ = targets.fk_targets(kinematics, chain.base, chain.tip, 3, seed)
    seeds = targets.tracking_seeds(
        kinematics, chain.base, chain.tip, configurations, seed, step=0.02
    )
    for near, configuration in zip(seeds, configurations, strict=True):
        assert near != configuration
        assert_within_limits(kinematics, near)
        for name in kinematics.usable_ranges(chain.joint_names):
            assert abs(near[name] - configuration[name]) <= 0.02


def assert_within_limits(kinematics, configuration, margin=0.0):
    for name, position in configuration.items():
        lower, upper = kinematics.limits(name)
        assert lower + margin - ROUNDING <= position <= upper - margin + ROUNDING, name
