# SPDX-License-Identifier: Apache-2.0
"""Joint positions of a whole robot: the ones that were given, and what follows from them."""

from __future__ import annotations

from collections.abc import Mapping

from ..core.robot_model import RobotModel


def all_positions(robot: RobotModel, positions: Mapping[str, float]) -> dict[str, float]:
    """Every moving joint's position in rad or m: 0 where none was given, followers follow."""
    found = {}
    for name, joint in robot.joints.items():
        value = positions.get(name, 0.0)
        if joint.master is not None and name not in positions:
            value = joint.multiplier * positions.get(joint.master, 0.0) + joint.offset
        found[name] = value
    return found


def beyond_limits(robot: RobotModel, positions: Mapping[str, float]) -> list[str]:
    """A sentence for each position outside its joint's limits."""
    notes = []
    for name, value in positions.items():
        joint = robot.joints[name]
        if not joint.lower <= value <= joint.upper:
            limits = f"[{joint.lower:.6g}, {joint.upper:.6g}] {joint.unit}"
            notes.append(
                f"joint '{name}' at {value:.6g} {joint.unit} is outside its limits {limits}"
            )
    return notes
