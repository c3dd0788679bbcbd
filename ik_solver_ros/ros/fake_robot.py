# SPDX-License-Identifier: Apache-2.0
"""A robot that exists in numbers only: it rests, or goes where it is told."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

from ..core.robot_model import Joint


class FakeRobot:
    """Joint positions, at first those of rest.

    Args:
        joints: all joints of the robot.
    """

    def __init__(self, joints: Iterable[Joint]) -> None:
        self._joints = {joint.name: joint for joint in joints}
        rest = resting_positions(self._joints.values())
        self._at = {name: rest[name] for name, j in self._joints.items() if j.master is None}
        self._goal = dict(self._at)

    @property
    def positions(self) -> dict[str, float]:
        """Of every joint in rad or m, followers included."""
        return _with_followers(self._joints, self._at)

    def go(self, goal: Mapping[str, float]) -> None:
        """Move there from now on, within the limits.

        Args:
            goal: positions by joint name. Those of followers do not count, since their masters lead
                them, and neither do numbers that are not finite.
        """
        for name, position in goal.items():
            if name in self._goal and math.isfinite(position):
                joint = self._joints[name]
                self._goal[name] = min(max(position, joint.lower), joint.upper)

    def step(self, period_s: float) -> None:
        """Let time pass: each joint goes on as fast as it may, one without a limit is there."""
        for name, at in self._at.items():
            most = self._joints[name].velocity * period_s
            self._at[name] = at + min(max(self._goal[name] - at, -most), most)


def resting_positions(joints: Iterable[Joint]) -> dict[str, float]:
    """0 in rad or m where the limits allow it, else mid-range, as joint_state_publisher does.

    Joints that mimic others stand where those put them.
    """
    by_name = {joint.name: joint for joint in joints}
    rest = {name: _rest(joint) for name, joint in by_name.items() if joint.master is None}
    return _with_followers(by_name, rest)


def _with_followers(joints: Mapping[str, Joint], masters: Mapping[str, float]) -> dict[str, float]:
    return {
        name: masters[name]
        if joint.master is None
        else joint.multiplier * masters[joint.master] + joint.offset
        for name, joint in joints.items()
    }


def _rest(joint: Joint) -> float:
    if joint.lower <= 0.0 <= joint.upper:
        return 0.0
    middle = 0.5 * (joint.lower + joint.upper)
    return middle if math.isfinite(middle) else min(max(0.0, joint.lower), joint.upper)
