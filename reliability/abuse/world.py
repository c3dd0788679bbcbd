# SPDX-License-Identifier: Apache-2.0
"""The world around an abused node: sends acts, waits for answers, hears all that is published."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import rclpy
from geometry_msgs.msg import PoseStamped
from rclpy.parameter import parameter_value_to_python
from rclpy.qos import QoSProfile
from rclpy.serialization import deserialize_message
from std_msgs.msg import String
from trajectory_msgs.msg import JointTrajectory

from ik_solver_ros import Status
from ik_solver_ros.srv import ComputeFK, SolveIK, SolveIKBatch
from support.ros_harness import LATCHED, Cell, Program, wait_until

from . import acts, parameters
from .judge import Judge

COMMAND_TOPIC = "arm_controller/joint_trajectory"
SERVICES: dict[str, type] = {
    "solve_ik": SolveIK,
    "solve_ik_batch": SolveIKBatch,
    "compute_fk": ComputeFK,
    **parameters.SERVICES,
}
_NAMES = {int(status): status.name for status in Status}
_PATIENCE = {"timeout": 0.1, "max_attempts": 200}
_ANSWERED_WITHIN_S = 60.0  # no time limit, but the sign that there will be no answer


class World:
    """Sends acts to a node and says what is wrong with what it does.

    Args:
        cell: around the node.
        node: the process.
        domain: of ROS.
        judge: follows what the node is told.
    """

    def __init__(self, cell: Cell, node: Program, domain: int, judge: Judge) -> None:
        self._cell, self._node, self._judge = cell, node, judge
        self._targets_judged = self._commands_judged = 0
        self._commands: list[JointTrajectory] = []
        self.published = 0
        self.statuses: Counter[str] = Counter()
        self.slowest_s: dict[str, float] = {}
        many = QoSProfile(depth=10_000)
        cell.node.create_subscription(JointTrajectory, COMMAND_TOPIC, self._commands.append, many)
        self._topics = {
            "joint_states": cell.joint_states,
            "target_pose": cell.node.create_publisher(PoseStamped, "ik_solver/target_pose", 10),
            "robot_description": cell.node.create_publisher(String, "robot_description", LATCHED),
        }
        self._stranger = _Stranger(domain)

    def close(self) -> None:
        """Leave ROS."""
        self._stranger.close()

    def perform(self, act: acts.Act) -> list[str]:
        """Do one act; returns what is wrong with what came of it."""
        if act.channel in SERVICES:
            faults = list(self._call(act))
        elif act.channel == "wrong_type":
            self._stranger.publish(*act.messages)
            faults = []
        else:
            self._publish(act)
            faults = []
        if not self._node.is_running():
            faults.append("the node has ended")
        return faults + list(self._judge_published())

    def _publish(self, act: acts.Act) -> None:
        messages = act.messages
        if act.channel == "target_pose":
            self._cell.joint_states.publish(messages[0])
            messages = messages[1:]
        for message in messages:
            self._topics[act.channel].publish(message)
        if act.channel == "robot_description":
            for message in act.messages:
                self._judge.heard_description(_text_of(message))
            self._cell.get_parameters("timeout")  # waits its turn behind the descriptions

    def _call(self, act: acts.Act) -> Iterator[str]:
        (request,) = act.messages
        started_s = time.perf_counter()
        try:
            answer = self._cell.ask(act.channel, SERVICES[act.channel], request, _ANSWERED_WITHIN_S)
        except AssertionError as silence:
            yield str(silence)
            return
        took_s = time.perf_counter() - started_s
        self.slowest_s[act.channel] = max(took_s, self.slowest_s.get(act.channel, 0.0))
        yield from self._judge_answer(act.channel, request, answer)

    def _judge_answer(self, channel: str, request: Any, answer: Any) -> Iterator[str]:
        judge = self._judge
        status = getattr(answer, "batch_status", getattr(answer, "status", None))
        if status is not None:
            self.statuses[_NAMES.get(status, str(status))] += 1
        if channel == "solve_ik":
            yield from judge.words(answer.status, answer.success, answer.message)
            yield from judge.solved(request, answer)
            if answer.success and not request.dry_run:
                yield from self._is_published(answer.solution)
        elif channel == "solve_ik_batch":
            told = answer.success, answer.message
            yield from judge.words(answer.batch_status, *told)
            for sentence in answer.failure_messages[:20]:
                yield from judge.sentence(sentence)
            yield from judge.solved_batch(request, answer)
        elif channel == "compute_fk":
            yield from judge.words(answer.status, answer.success, answer.message)
            if bool(answer.poses) != answer.success:
                yield f"{len(answer.poses)} poses with status {answer.status}"
        elif channel.startswith("set_parameters"):
            yield from self._judge_setting(request, answer)
            self._limit_patience()

    def _judge_setting(self, request: Any, answer: Any) -> Iterator[str]:
        results = getattr(answer, "results", None)
        if results is None:
            results = [answer.result] * len(request.parameters)
        if len(results) != len(request.parameters):
            yield f"{len(results)} results for {len(request.parameters)} parameters"
        for parameter, result in zip(request.parameters, results):
            if result.successful:
                value = parameter_value_to_python(parameter.value)
                self._judge.accepted_parameter(parameter.name, value)
            else:
                yield from self._judge.sentence(result.reason)

    def _limit_patience(self) -> None:
        """Take back settings by which the node may search for minutes, as it was told to."""
        for name, most in _PATIENCE.items():
            if self._judge.parameters[name] > most:
                (result,) = self._cell.set_parameters(**{name: most})
                if result.successful:
                    self._judge.accepted_parameter(name, most)

    def _is_published(self, solution: Any) -> Iterator[str]:
        """Whether the very answer arrives where the robot listens."""

        def arrived() -> bool:
            return any(
                target.name == solution.name and target.position == solution.position
                for target in self._cell.targets[self._targets_judged :]
            )

        try:
            wait_until(arrived, "the answer on ~/joint_targets")
        except AssertionError as missing:
            yield str(missing)

    def _judge_published(self) -> Iterator[str]:
        targets = self._cell.targets[self._targets_judged :]
        commands = self._commands[self._commands_judged :]
        self._targets_judged += len(targets)
        self._commands_judged += len(commands)
        self.published += len(targets) + len(commands)
        for target in targets:
            if fault := self._judge.commanded(target.name, target.position):
                yield fault
        for command in commands:
            for point in command.points:
                if fault := self._judge.commanded(command.joint_names, point.positions):
                    yield fault


def _text_of(description: String | bytes) -> str:
    """What a reader makes of a description; nothing where its bytes are no message."""
    if isinstance(description, String):
        return description.data
    try:
        return deserialize_message(description, String).data
    except Exception:  # noqa: BLE001  # rclpy raises what it likes
        return ""


class _Stranger:
    """A participant of its own: within one, a topic has one type."""

    def __init__(self, domain: int) -> None:
        self._context = rclpy.Context()
        rclpy.init(args=[], context=self._context, domain_id=domain)
        self._node = rclpy.create_node("stranger", context=self._context)
        self._publishers = {
            topic: self._node.create_publisher(kind, topic, 10)
            for topic, kind in acts.WRONG_TYPES.items()
        }

    def publish(self, topic: str, message: Any) -> None:
        self._publishers[topic].publish(message)

    def close(self) -> None:
        self._context.try_shutdown()
        self._node.destroy_node()
        self._context.destroy()


@contextmanager
def world_around(cell: Cell, node: Program, domain: int, judge: Judge) -> Iterator[World]:
    """A world that is closed in the end."""
    world = World(cell, node, domain, judge)
    try:
        yield world
    finally:
        world.close()
