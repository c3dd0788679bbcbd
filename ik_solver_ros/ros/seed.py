# SPDX-License-Identifier: Apache-2.0
"""Where the search starts: the request's seed over the latest joint state, by joint name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from ..core.arm import Arm
from ..core.robot_model import RobotModel
from .joint_state_cache import JointStateCache

REQUEST, JOINT_STATES, BOTH = "request", "joint_states", "request+joint_states"


def seed_of(
    arm: Arm, requested: Mapping[str, float], joint_states: JointStateCache, max_age_s: float
) -> tuple[dict[str, float], str]:
    """Positions of all joints that the arm can choose, and where they come from.

    Args:
        arm: base to tip.
        requested: the request's positions, by joint name; may be empty.
        joint_states: asked only for what the request leaves open.
        max_age_s: largest age of a joint state; 0 = any age.

    Raises:
        JointStateError: naming the joints that neither the request nor a fresh joint state tells.
    """
    chain = arm.chain
    if not requested and not chain.held_joints:
        names = chain.variable_names
        return current_positions(arm.robot, names, joint_states, max_age_s), JOINT_STATES
    told = {arm.robot.joints[name].master or name for name in requested if name in arm.robot.joints}
    open_joints = [v for v in chain.variable_names if v not in told and v not in chain.held_joints]
    is_told = not told.isdisjoint(chain.variable_names)
    if not open_joints:
        return dict(requested), REQUEST if is_told else JOINT_STATES
    current = current_positions(arm.robot, open_joints, joint_states, max_age_s)
    return {**requested, **current}, BOTH if is_told else JOINT_STATES


def positions_over(
    robot: RobotModel,
    joints: Iterable[str],
    requested: Mapping[str, float],
    joint_states: JointStateCache,
    max_age_s: float,
) -> tuple[dict[str, float], str]:
    """A request's positions, the current ones of what it leaves open, and where they come from.

    Args:
        robot: the robot.
        joints: independent joints whose positions are needed.
        requested: positions by joint name, those of followers included.
        joint_states: asked only for what the request leaves open.
        max_age_s: largest age of a joint state; 0 = any age.

    Raises:
        JointStateError: naming the joints that neither the request nor a fresh joint state tells.
    """
    tellers = {joint: _teller(robot, joint, requested.__contains__) for joint in joints}
    told = {
        joint: _told_by(robot, requested, teller)
        for joint, teller in tellers.items()
        if teller in requested
    }
    open_joints = [joint for joint in tellers if joint not in told]
    current = current_positions(robot, open_joints, joint_states, max_age_s)
    source = BOTH if told and current else REQUEST if told else JOINT_STATES if current else ""
    return {**current, **requested, **told}, source


def current_positions(
    robot: RobotModel, joints: Iterable[str], joint_states: JointStateCache, max_age_s: float
) -> dict[str, float]:
    """Current positions of independent joints, in rad or m.

    A joint that was never heard is told by one that follows it, or by limits that leave no motion.

    Raises:
        JointStateError: naming the joints that are not known, or not fresh.
    """
    names, table = list(joints), robot.joints
    moving = [name for name in names if not table[name].is_held]
    silent = joint_states.never_heard(moving)
    if len(moving) == len(names) and not silent:
        return joint_states.positions(names, max_age_s)
    tellers = {name: _teller(robot, name, joint_states.knows) for name in moving}
    heard = joint_states.positions(tellers.values(), max_age_s)
    told = {name: _told_by(robot, heard, teller) for name, teller in tellers.items()}
    return {name: told[name] if name in told else table[name].lower for name in names}


def _teller(robot: RobotModel, joint: str, is_known: Callable[[str], bool]) -> str:
    """The joint itself, or one that follows it, if only that is known."""
    if is_known(joint):
        return joint
    for follower in robot.joints.values():
        if follower.master == joint and follower.multiplier and is_known(follower.name):
            return follower.name
    return joint


def _told_by(robot: RobotModel, heard: Mapping[str, float], teller: str) -> float:
    joint = robot.joints[teller]
    if joint.master is None:
        return heard[teller]
    return (heard[teller] - joint.offset) / joint.multiplier
