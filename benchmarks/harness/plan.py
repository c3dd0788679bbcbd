# SPDX-License-Identifier: Apache-2.0
"""How much is measured, on which arms."""

from __future__ import annotations

from dataclasses import dataclass, replace

from support.robots import ROBOTS, Robot, robot, robot_urdf

from .arm import Arm, arm_of
from .goal import Goal

#: The TRAC-IK protocol: this tolerance, this time.
PROTOCOL_GOAL = Goal(1e-5, 1e-5, 5e-3)
#: The other sets: as exact, with the time that this package allows by default.
SETS_GOAL = Goal(1e-5, 1e-5, 5e-2)
#: What our own solve rates are counted at.
SHARP_GOAL = Goal(1e-6, 1e-6, 5e-2)

SET_ARMS = ("panda", "ur5", "kinova", "tiago")
UNREACHABLE_ARMS = ("panda", "ur5", "z1", "demo_arm")
BATCH_ARMS = ("panda", "ur5")


@dataclass(frozen=True)
class Sizes:
    """Numbers of targets.

    Attributes:
        protocol: a chain, of the TRAC-IK protocol.
        sets: a chain and set, of the other sets.
        unreachable: a chain and kind, for our solvers; the others get fewer.
        oracle_starts: tries before the oracle calls a target unreachable.
        solve_rate: a chain and set, of our own solve rates.
        batch: rows of a batch.
        repetitions: of everything whose best or median counts.
    """

    protocol: int
    sets: int
    unreachable: int
    oracle_starts: int
    solve_rate: int
    batch: int
    repetitions: int

    def with_at_most(self, targets: int) -> Sizes:
        """Return sizes for a shorter contest; our own solve rates and batches stay as they are."""
        return replace(self, protocol=min(self.protocol, targets), sets=min(self.sets, targets))


QUICK = Sizes(
    protocol=200,
    sets=100,
    unreachable=20,
    oracle_starts=300,
    solve_rate=300,
    batch=2_000,
    repetitions=3,
)
FULL = Sizes(
    protocol=10_000,
    sets=2_000,
    unreachable=150,
    oracle_starts=1_000,
    solve_rate=20_000,
    batch=10_000,
    repetitions=9,
)


def protocol_arms() -> list[Arm]:
    """Return every chain of the list."""
    return [arm_of(entry) for entry in ROBOTS]


def set_arms() -> list[Arm]:
    """Return a redundant arm, an industrial one, one without limits, one with a torso."""
    return [arm_of(robot(name)) for name in SET_ARMS]


def unreachable_arms() -> list[Arm]:
    """Return arms whose joints all turn and have limits."""
    return [arm_of(robot(name)) for name in UNREACHABLE_ARMS]


def solve_rate_arms() -> list[Arm]:
    """Return every chain of the list, and one with a mimic joint."""
    return [*protocol_arms(), arm_of(_mimic_robot(), robot_urdf("panda"))]


def batch_arms() -> list[Arm]:
    """Return the arms that batches are timed on."""
    return [arm_of(robot(name)) for name in BATCH_ARMS]


def _mimic_robot() -> Robot:
    return replace(
        robot("panda"), name="panda_finger", tip="panda_rightfinger", notes="a finger follows"
    )
