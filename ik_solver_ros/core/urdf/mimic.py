# SPDX-License-Identifier: Apache-2.0
"""Joints that follow others: in the end each follows an independent joint directly."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

from ..errors import quoted
from .faults import About, FaultLog, NearMatches, chain_of
from .limit import shown_range
from .tree import MOVING_TYPES, UrdfJoint

_ROUNDING = 1e-6  # rad or m: limits are rounded decimals
_LARGEST = 1e6


def resolve_mimics(joints: Sequence[UrdfJoint], faults: FaultLog) -> list[UrdfJoint]:
    """The same joints, each follower with the independent joint that moves it in the end.

    Followers of followers get the product of the multipliers. What follows a joint that does not
    exist moves on its own, with a warning: vendors ship such grippers, and the arm is not at fault.
    """
    joints = _without_strangers(joints, faults)
    by_name = {joint.name: joint for joint in joints}
    return [_resolve(joint, by_name, faults) if joint.mimic_joint else joint for joint in joints]


def _without_strangers(joints: Sequence[UrdfJoint], faults: FaultLog) -> list[UrdfJoint]:
    names = {joint.name for joint in joints}
    near = NearMatches(joint.name for joint in joints)
    kept: list[UrdfJoint] = []
    for joint in joints:
        master = joint.mimic_joint
        if master is None or master in names:
            kept.append(joint)
            continue
        cure = near.proposal(master, but_not=joint.name) or "correct its <mimic>"
        _about(joint, faults).warning(
            "mimic-unknown",
            f"follows joint {quoted(master)}, which does not exist, so it is on its own; {cure}",
        )
        kept.append(replace(joint, mimic_joint=None, mimic_multiplier=1.0, mimic_offset=0.0))
    return kept


def _resolve(joint: UrdfJoint, by_name: Mapping[str, UrdfJoint], faults: FaultLog) -> UrdfJoint:
    about = _about(joint, faults)
    multiplier, offset, master = 1.0, 0.0, joint
    way: dict[str, int] = {}  # the followers on the way to the master, and their lines
    while master.mimic_joint is not None and master.name not in way:
        way[master.name] = master.line
        offset += multiplier * master.mimic_offset
        multiplier *= master.mimic_multiplier
        master = by_name[master.mimic_joint]
    if master.mimic_joint is not None:
        if master is joint:  # the joints that only lead into a circle are not at fault
            about.error(
                "mimic-loop", f"follows itself, {chain_of([*way, joint.name])}; remove a <mimic>"
            )
        return joint
    if master.type not in MOVING_TYPES:
        about.error(
            "mimic-fixed",
            f"follows joint {quoted(master.name)}, which is {master.type}; follow one that moves",
        )
        return joint
    if not (abs(multiplier) <= _LARGEST and abs(offset) <= _LARGEST):
        about.error(
            "too-large",
            f"follows joint {quoted(master.name)} times {multiplier:g} plus {offset:g}, beyond "
            f"±{_LARGEST:g}; correct its <mimic>",
        )
        return joint
    if len(way) > 1:
        about.note(
            "mimic-chain", f"follows one that follows another: {chain_of([*way, master.name])}"
        )
    follower = replace(
        joint, mimic_joint=master.name, mimic_multiplier=multiplier, mimic_offset=offset
    )
    _compare_limits(follower, master, about)
    return follower


def _compare_limits(follower: UrdfJoint, master: UrdfJoint, about: About) -> None:
    """Tell if the master can drive the follower out of the follower's own limits."""
    lower, upper = _range(follower)
    ends = [_position(follower, end) for end in _range(master)]
    lowest, highest = min(ends), max(ends)
    if lowest >= lower - _ROUNDING and highest <= upper + _ROUNDING:
        return
    where = (
        f"reaches {shown_range(lowest, highest)} when it follows {quoted(master.name)}, "
        f"but its own limits are {shown_range(lower, upper)}"
    )
    common = min(highest, upper) - max(lowest, lower)
    if common < -_ROUNDING or common <= _ROUNDING < highest - lowest:
        about.warning("mimic-limits", f"{where}, so neither can move; correct the limits")
    else:
        about.note("mimic-limits", f"{where}, which {quoted(master.name)} then has to keep, too")


def _position(follower: UrdfJoint, master_position: float) -> float:
    if follower.mimic_multiplier == 0.0:
        return follower.mimic_offset  # 0 * inf would be nan
    return follower.mimic_multiplier * master_position + follower.mimic_offset


def _range(joint: UrdfJoint) -> tuple[float, float]:
    lower, upper = joint.lower, joint.upper
    return -math.inf if lower is None else lower, math.inf if upper is None else upper


def _about(joint: UrdfJoint, faults: FaultLog) -> About:
    return About(faults, "joint", joint.name, joint.line)
