# SPDX-License-Identifier: Apache-2.0
"""Joint positions as text for people: the number, and where it lies between the joint's limits."""

from __future__ import annotations

import math
from collections.abc import Mapping

from .core.robot_model import Joint

_BAR = 25  # characters between the limits


def joint_lines(
    positions: Mapping[str, float], joints: Mapping[str, Joint], decimals: int = 4
) -> list[str]:
    """One line for each joint, such as ``wrist  -0.4582 rad  -26.3°  -105° ├──●──┤ 120°``.

    Args:
        positions: rad or m by joint name.
        joints: what is known of each of them.
        decimals: of rad and m.
    """
    width = max(map(len, positions), default=0)
    return [
        f"{name:{width}}  {_number(position, joints[name], decimals)}"
        f"{place(position, joints[name])}"
        for name, position in positions.items()
    ]


def place(position: float, joint: Joint) -> str:
    """Where a position in rad or m lies between the limits of its joint."""
    if not math.isfinite(joint.lower) or not math.isfinite(joint.upper):
        return "  no limits"
    span = joint.upper - joint.lower
    share = (position - joint.lower) / span if span > 0.0 else 0.5
    at = round(min(max(share, 0.0), 1.0) * (_BAR - 1))
    bar = "─" * at + "●" + "─" * (_BAR - 1 - at)
    return f"{limit_text(joint.lower, joint):>8} ├{bar}┤ {limit_text(joint.upper, joint)}"


def limit_text(limit: float, joint: Joint) -> str:
    """A limit in rad or m as degrees or metres, short."""
    return f"{limit:.3f}" if joint.is_prismatic else f"{math.degrees(limit):.0f}°"


def tidy(number: float, decimals: int = 6) -> float:
    """The number as it will be shown; what rounds to zero has no sign then."""
    return round(number, decimals) + 0.0


def _number(position: float, joint: Joint, decimals: int) -> str:
    width, position = decimals + 5, tidy(position, decimals)
    if joint.is_prismatic:
        return f"{position:{width}.{decimals}f} m            "
    return f"{position:{width}.{decimals}f} rad {tidy(math.degrees(position), 1):7.1f}° "
