# SPDX-License-Identifier: Apache-2.0
"""The controller between node and drives: what joint_trajectory_controller does with one point."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ..core.limits import Floats
from ..core.robot_model import RobotModel

_ROUNDING_S = 1e-9


class TrajectoryController:
    """Leads the setpoints from where they are to the newest goal, in the time that it says.

    A goal without velocities is approached along a line, one that is to be at rest along a cubic.
    Joints that follow others are led by those.

    Args:
        robot: the setpoints are for its ``joint_names`` (k,).
        start: first setpoints, in rad or m.
    """

    def __init__(self, robot: RobotModel, start: Floats) -> None:
        self._column = {name: i for i, name in enumerate(robot.joint_names)}
        self._masters = {j.name: j.master for j in robot.joints.values() if j.master is not None}
        self._joints = robot.joints
        self._from = self._to = start.copy()
        self._since_s, self._duration_s, self._rests = 0.0, 0.0, True

    def take(self, goal: Mapping[str, float], duration_s: float, rests: bool, now_s: float) -> None:
        """Take over a goal, positions by joint name; joints that it leaves out go nowhere."""
        self._from = self._to = self.setpoints(now_s)
        self._to = self._from.copy()
        for name, position in goal.items():
            self._to[self._column[name]] = position
        for name, master in self._masters.items():
            if name not in goal and master in goal:
                joint = self._joints[name]
                self._to[self._column[name]] = joint.multiplier * goal[master] + joint.offset
        self._since_s, self._duration_s, self._rests = now_s, duration_s, rests

    def has_done(self, share: float, now_s: float) -> bool:
        """Whether so much of the time for its goal is over; one to rest at gives way at once."""
        return self._rests or now_s - self._since_s >= share * self._duration_s - _ROUNDING_S

    def setpoints(self, now_s: float) -> Floats:
        """Where the joints (k,) are to be at a time, in rad or m."""
        share = 1.0
        if self._duration_s > 0.0:
            share = min(max((now_s - self._since_s) / self._duration_s, 0.0), 1.0)
        if self._rests:
            share = share * share * (3.0 - 2.0 * share)
        return np.asarray(self._from + share * (self._to - self._from))
