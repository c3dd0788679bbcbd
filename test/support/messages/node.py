# SPDX-License-Identifier: Apache-2.0
"""Refusals of the node, by the parts of it that can be asked without a running one."""

from __future__ import annotations

from argparse import Namespace
from array import array
from collections.abc import Iterator
from types import SimpleNamespace
from unittest import mock

from builtin_interfaces.msg import Duration
from sensor_msgs.msg import JointState

from ik_solver_ros import IKSolver, RobotModel
from ik_solver_ros.cli.call_session import _positions
from ik_solver_ros.ros import batch_service, frames
from ik_solver_ros.ros.arrays import rows_from
from ik_solver_ros.ros.command_joints import command_joints
from ik_solver_ros.ros.frames import TargetFrames
from ik_solver_ros.ros.inputs import read_positions, seconds
from ik_solver_ros.ros.joint_state_cache import JointStateCache
from ik_solver_ros.ros.node_settings import NodeSettings
from ik_solver_ros.srv import SolveIKBatch
from support.messages.provoking import Sentence, refusals
from support.robots import robot_urdf
from support.urdf_writer import JointSpec, urdf_text

DEMO = RobotModel.from_urdf(robot_urdf("demo_arm"))
SOLVER = IKSolver(DEMO)
_TOPIC = "/controller/joint_trajectory"


def node_sentences() -> Iterator[Sentence]:
    """(name of the error, sentence); for what is skipped or left out, "log"."""
    yield from _messages()
    yield from _joint_states()
    yield from _frames()
    yield from _commands()
    yield from refusals(
        lambda: _positions(Namespace(node="/ik_solver", seed=[("a", 1.0)], degrees=True), None)
    )


def _messages() -> Iterator[Sentence]:
    twice = JointState(name=["a", "a"], position=[0.0, 0.0])
    ragged = JointState(name=["a", "b"], position=[0.0])
    many = SolveIKBatch.Request(targets=array("d", [0.0] * 14))
    yield from refusals(
        lambda: read_positions(ragged, "seed"),
        lambda: read_positions(twice, "seed"),
        lambda: seconds(Duration(sec=-1), "timeout"),
        lambda: seconds(Duration(sec=2_000_000_000), "timeout"),
        lambda: rows_from(array("d", [0.0] * 8), 7, "targets", "x y z qx qy qz qw"),
    )
    with mock.patch.object(batch_service, "_MOST_ROWS", 1):
        kind, sentence = next(refusals(lambda: batch_service._read_targets(many)))
    yield kind, sentence.replace("2 rows are more than 1", "2000000 rows are more than 1000000")


def _joint_states() -> Iterator[Sentence]:
    clock = SimpleNamespace(ros_s=1000.0, steady_s=0.0)

    def cache() -> JointStateCache:
        return JointStateCache(lambda: clock.ros_s, lambda: clock.steady_s)

    empty, one, late, stamped = cache(), cache(), cache(), cache()
    one.hear(["gripper"], [0.0], 0.0)
    yield from refusals(
        lambda: empty.positions(["joint_1", "joint_2"], 1.0),
        lambda: one.positions(["joint_1"], 1.0),
    )
    late.hear(["joint_1"], [0.0], 0.0)
    clock.steady_s += 3.0
    stamped.hear(["joint_1"], [0.0], clock.ros_s - 60.0)
    yield from refusals(
        lambda: late.positions(["joint_1"], 1.0), lambda: stamped.positions(["joint_1"], 1.0)
    )
    yield "log", cache().hear(["a"], [], 0.0)
    yield "log", cache().hear(["a", "a"], [0.0, 0.0], 0.0)
    yield "log", cache().hear(["a", "b"], [0.0, float("nan")], 0.0)
    yield "log", cache().hear([f"j{i}" for i in range(100_000)], [0.0] * 100_000, 0.0)


def _frames() -> Iterator[Sentence]:
    afloat = RobotModel.from_urdf(
        urdf_text(
            "made",
            [
                JointSpec("turn", "continuous", "base", "arm"),
                JointSpec("afloat", "floating", "base", "boat"),
            ],
        )
    )
    with mock.patch.object(frames, "tf2_ros", None):
        without_tf = TargetFrames(node=None)
        yield from refusals(
            lambda: without_tf.pose(DEMO, "base_link", "/tool0", dict, 1.0),
            lambda: without_tf.pose(DEMO, "base_link", "table", dict, 1.0),
            lambda: without_tf.pose(afloat, "base", "boat", dict, 1.0),
        )


def _commands() -> Iterator[Sentence]:
    names = DEMO.joint_names
    endless = RobotModel.from_urdf(robot_urdf("demo_arm").replace('velocity="2.6"', 'velocity="0"'))

    def settings(*joints: str) -> NodeSettings:
        return NodeSettings(
            command_type="joint_trajectory", command_topic=_TOPIC, command_joints=joints
        )

    yield from refusals(
        lambda: NodeSettings(command_type="joint_trajectory"),
        lambda: command_joints(SOLVER, settings(*names, names[0])),
        lambda: command_joints(SOLVER, settings("joint_0", *names)),
        lambda: command_joints(SOLVER, settings(*names[1:])),
        lambda: command_joints(IKSolver(endless), settings()),
    )
