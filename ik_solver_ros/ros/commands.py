# SPDX-License-Identifier: Apache-2.0
"""Verified solutions in the form that a controller takes.

The contracts are those of ros2_control: joint_trajectory_controller wants every one of its joints
by name, at least one point, no speed at its end, and starts now where the stamp is zero;
forward_command_controller wants exactly one number for each of its joints, in its own order.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from builtin_interfaces.msg import Duration
from rclpy.node import Node
from rclpy.qos import QoSProfile
from rclpy.qos_overriding_options import QoSOverridingOptions
from sensor_msgs.msg import JointState
from std_msgs.msg import Float64MultiArray
from trajectory_msgs.msg import JointTrajectory, JointTrajectoryPoint

from ..core.errors import InvalidRequestError, JointStateError, listed
from ..core.robot_model import RobotModel
from .description import Setup
from .joint_state_cache import JointStateCache
from .node_settings import NodeSettings
from .seed import current_positions, positions_over

# A controller that moves from rest to rest along a cubic is this much faster in the middle than on
# average (the peak of 6 s (1 - s) for s from 0 to 1).
_PEAK_OVER_MEAN = 1.5
_SHORTEST_S = 0.1  # a trajectory that takes no time is none
_LONGEST_S = 3600.0  # no robot moves for an hour to one pose; a message holds 68 years

Positions = Mapping[str, float]


class Command:
    """Publishes verified solutions for a controller.

    Args:
        node: publishes.
        settings: the parameters at start-up.
        joint_states: tell where joints are that a solution leaves alone, and where a motion starts.
    """

    def __init__(self, node: Node, settings: NodeSettings, joint_states: JointStateCache) -> None:
        message_type, self._render = _FORMS[settings.command_type]
        self._joint_states = joint_states
        self._publisher = node.create_publisher(
            message_type,
            settings.command_topic,
            QoSProfile(depth=10),  # reliable
            qos_overriding_options=QoSOverridingOptions.with_default_policies(),
        )

    def send(
        self, solution: JointState, setup: Setup, seed: Positions, within_s: float | None = None
    ) -> None:
        """Publish it, with every joint of the controller.

        Raises:
            InvalidRequestError: the solution moves joints that the controller does not have.
            JointStateError: the controller has joints that the solution leaves alone, and nobody
                knows where they are.
        """
        solved = dict(zip(solution.name, solution.position))
        goal = self._goal(solved, setup)

        def motion() -> _Motion:
            if within_s is not None:
                return _Motion(within_s, ends=False)
            start = self._start(solved, setup, seed)
            shortest_s = shortest_duration_s(setup.solver.robot, goal, start)
            return _Motion(setup.settings.command_duration_s or _sendable(shortest_s), ends=True)

        self._publisher.publish(self._render(goal, solution, motion))

    def _goal(self, solved: Positions, setup: Setup) -> dict[str, float]:
        """Positions of the controller's joints in its order; others stay where they are."""
        joints, robot = setup.command_joints, setup.solver.robot
        stray = [
            name
            for name in solved
            if name not in joints
            and robot.joints[name].master is None
            and not robot.joints[name].is_held
        ]
        if stray:
            raise InvalidRequestError(
                "tip_frame",
                f"its arm moves {listed(stray)}, not among the controller's joints "
                f"{listed(joints)}, so that the answer cannot be sent; ask with dry_run",
            )
        others = [name for name in joints if name not in solved]
        max_age_s = setup.settings.max_joint_state_age_s
        resting = self._joint_states.positions(others, max_age_s)
        return {name: solved[name] if name in solved else resting[name] for name in joints}

    def _start(self, solved: Positions, setup: Setup, seed: Positions) -> dict[str, float]:
        """Where the joints of the solution are now; the seed, where that is not known."""
        robot = setup.solver.robot
        joints = [name for name in solved if robot.joints[name].master is None]
        try:
            max_age_s = setup.settings.max_joint_state_age_s
            return current_positions(robot, joints, self._joint_states, max_age_s)
        except JointStateError:
            return positions_over(robot, joints, seed, self._joint_states, 0.0)[0]


def shortest_duration_s(robot: RobotModel, goal: Positions, start: Positions) -> float:
    """The time in which no joint has to go faster than its velocity limit, from rest to rest.

    Args:
        robot: has the limits.
        goal: positions by joint name.
        start: the same for independent joints; those that are missing do not move.
    """
    durations_s = [_SHORTEST_S]
    for name, position in goal.items():
        joint = robot.joints[name]
        if name in start:
            durations_s.append(_PEAK_OVER_MEAN * abs(position - start[name]) / joint.velocity)
        elif joint.master is not None and joint.master in start:
            before = joint.multiplier * start[joint.master] + joint.offset
            durations_s.append(_PEAK_OVER_MEAN * abs(position - before) / joint.velocity)
    return max(durations_s)


def _sendable(duration_s: float) -> float:
    """The same time; joint states and limits can be such that no trajectory takes so long."""
    if not duration_s <= _LONGEST_S:
        raise InvalidRequestError(
            "seed",
            f"from where the joints are said to be, the way to the answer takes {duration_s:.3g} s "
            f"at their velocity limits, more than {_LONGEST_S:g} s; are joint states and limits "
            "right? A command_duration would send it all the same",
        )
    return duration_s


class _Motion(NamedTuple):
    """How a trajectory gets to its goal: in which time, and whether it stands there."""

    duration_s: float
    ends: bool


def _joint_state(goal: Positions, solution: JointState, _: Callable[[], _Motion]) -> JointState:
    message: Any = JointState()
    message.header.stamp = solution.header.stamp
    message.name, message.position = list(goal), list(goal.values())
    return message


def _trajectory(goal: Positions, _: JointState, motion: Callable[[], _Motion]) -> JointTrajectory:
    duration_s, ends = motion()
    seconds, rest_s = divmod(duration_s, 1.0)
    point = JointTrajectoryPoint(
        positions=list(goal.values()),
        # With velocities the controller sets off and arrives smoothly.
        velocities=[0.0] * len(goal) if ends else [],
        time_from_start=Duration(sec=int(seconds), nanosec=int(rest_s * 1e9)),
    )
    return JointTrajectory(joint_names=list(goal), points=[point])  # stamp 0: start now


def _array(goal: Positions, _: JointState, _motion: Callable[[], _Motion]) -> Float64MultiArray:
    return Float64MultiArray(data=list(goal.values()))


_FORMS: dict[str, tuple[type, Callable[..., Any]]] = {
    "joint_state": (JointState, _joint_state),
    "joint_trajectory": (JointTrajectory, _trajectory),
    "position_array": (Float64MultiArray, _array),
}
