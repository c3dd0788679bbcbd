# SPDX-License-Identifier: Apache-2.0
"""What the limits of joints that follow others mean for those that they follow."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable, Sequence

from .errors import RobotModelError
from .robot_model import Joint


def check_still(joints: Iterable[Joint]) -> None:
    """Refuse joints that follow others times 0 and stand outside their own limits by that.

    Raises:
        RobotModelError: naming the joint; no position of the others would bring it inside.
    """
    for joint in joints:
        is_still = joint.master is not None and joint.multiplier == 0.0
        if is_still and not joint.lower <= joint.offset <= joint.upper:
            raise RobotModelError(
                f"joint '{joint.name}' follows '{joint.master}' times 0, so it stands at "
                f"{joint.offset:g}, outside its own limits; correct them in the URDF"
            )


def common_limits(
    variables: Sequence[Joint], joints: Iterable[Joint]
) -> tuple[list[float], list[float]]:
    """Limits of each variable that keep it and all its followers, wherever, inside their own.

    Args:
        variables: independent joints.
        joints: all joints of the robot.

    Returns:
        Lower and upper limits of the variables, in rad or m.

    Raises:
        RobotModelError: when limits of a joint and its followers exclude each other.
    """
    followers = [joint for joint in joints if joint.master and joint.multiplier != 0.0]
    lower, upper = [], []
    for variable in variables:
        low, high = variable.lower, variable.upper
        for follower in followers:
            if follower.master == variable.name:
                bounds = _master_bounds(follower)
                low, high = max(low, bounds[0]), min(high, bounds[1])
        if not low <= high:
            raise RobotModelError(
                f"joint '{variable.name}' cannot move: its limits and those of the joints that "
                f"mimic it have no position in common; correct them in the URDF"
            )
        lower.append(low)
        upper.append(high)
    return lower, upper


def _master_bounds(follower: Joint) -> tuple[float, float]:
    """Where the master of a follower may be, rounded so that the follower stays inside, too."""
    bounds = follower.lower, follower.upper
    low, high = sorted((bound - follower.offset) / follower.multiplier for bound in bounds)
    size = max(abs(follower.offset), *(abs(bound) for bound in bounds if math.isfinite(bound)), 0.0)
    rounding = 4.0 * sys.float_info.epsilon * size / abs(follower.multiplier)
    return (low + rounding, high - rounding) if low + rounding < high - rounding else (low, high)
