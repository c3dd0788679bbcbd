# SPDX-License-Identifier: Apache-2.0
"""When streams start, go on, hold, end and stop, by a clock of the tests' own."""

from __future__ import annotations

import numpy as np
import pytest
from builtin_interfaces.msg import Time
from geometry_msgs.msg import PoseStamped

from ik_solver_ros.core.stream_settings import StreamSettings
from ik_solver_ros.ros.description import RobotInUse
from ik_solver_ros.ros.joint_state_cache import JointStateCache
from ik_solver_ros.ros.parameters import NodeSettings
from ik_solver_ros.ros.stream_control import StreamControl
from ik_solver_ros.ros.stream_inputs import StreamInputs
from support.poses import rotation_about, transform, xyz_quat_from_transform
from support.ros_harness import set_pose

PERIOD_S = 0.01


class Log:
    def __init__(self):
        self.lines = []

    def _add(self, text, throttle_duration_sec=0.0):
        self.lines.append(text)

    info = warning = error = _add


class Cell:
    """A control, its robot and its clock; commands arrive in `commands`."""

    def __init__(self, arm, **settings):
        self.arm, self.now_s = arm, 100.0
        self.log, self.commands = Log(), []
        self.settings = NodeSettings(
            robot_description=arm.urdf, tip_frame=arm.tip, stream=StreamSettings(**settings)
        )
        self.robot = RobotInUse(self.settings, "/robot_description", self.log)
        self.joint_states = JointStateCache(lambda: self.now_s, lambda: self.now_s)
        self.at = dict(arm.start)
        self.follows = True
        self.control = StreamControl(
            self.robot,
            StreamInputs(self.joint_states, None, self.stamp),
            [self],
            self.stamp,
            self.log,
            lambda: self.now_s,
        )

    def stamp(self):
        return Time(sec=int(self.now_s), nanosec=int(self.now_s % 1 * 1e9))

    def send(self, message, *_):
        self.commands.append(dict(zip(message.name, message.position)))

    def target(self, T=None, stamp=None, frame=""):
        message = PoseStamped()
        message.header.frame_id = frame
        if stamp is not None:
            message.header.stamp = stamp
        set_pose(message.pose, xyz_quat_from_transform(self.arm.pose(self.at) if T is None else T))
        return message

    def cycles(self, count, target=None, joint_states=True):
        """Let cycles pass, with joint states of a robot that follows, and with targets."""
        for _ in range(count):
            self.now_s += PERIOD_S
            if self.follows and self.commands:
                self.at = self.commands[-1]
            if joint_states:
                self.joint_states.hear(list(self.at), list(self.at.values()), 0.0)
            if target is not None:
                self.control.hear(target)
            self.control.cycle()

    def logged(self, *words):
        return any(all(word in line for word in words) for line in self.log.lines)


@pytest.fixture
def cell(arm):
    return Cell(arm)


def turned(arm, positions, angle_rad=0.5):
    return arm.pose(positions) @ transform(rotation_about([0, 0, 1], angle_rad), np.zeros(3))


def test_a_stream_starts_where_the_robot_is_and_ends_at_its_target(cell, arm):
    target = cell.target(turned(arm, arm.start))
    cell.cycles(200, target)
    first, last = cell.commands[0], cell.commands[-1]
    assert max(abs(first[j] - arm.start[j]) for j in arm.joints) < 1e-3
    assert last["joint_6"] == pytest.approx(arm.start["joint_6"] + 0.5, abs=1e-3)
    assert len(cell.commands) == 200
    cell.cycles(100)
    assert cell.logged("stream ended", "no target for 0.2")
    assert cell.control.is_idle
    assert len(cell.commands) < 230


def test_it_comes_to_rest_when_targets_pause_on_the_way(cell, arm):
    cell.cycles(20, cell.target(turned(arm, arm.start, 1.5)))
    cell.cycles(200)
    assert cell.control.is_idle
    assert 0.01 < cell.at["joint_6"] - arm.start["joint_6"] < 1.0
    steps = [b["joint_6"] - a["joint_6"] for a, b in zip(cell.commands, cell.commands[1:])]
    assert abs(steps[-1]) < 1e-3  # it braked
    assert max(map(abs, np.diff(steps))) <= 5.0 * PERIOD_S**2 * (1 + 1e-6)


def test_without_fresh_joint_states_nothing_starts(cell, arm):
    cell.cycles(5, cell.target(), joint_states=False)
    assert cell.logged("no stream", "no joint state of")
    cell.cycles(1, cell.target())
    assert len(cell.commands) == 1
    other = Cell(arm)
    other.cycles(1)
    other.now_s += 0.3
    other.cycles(5, other.target(), joint_states=False)
    assert other.logged("no stream", "s ago", "stream_timeout")
    assert other.commands == []


def test_a_drop_of_the_joint_states_stops_it_until_targets_have_paused(cell, arm):
    target = cell.target(turned(arm, arm.start, 1.5))
    cell.cycles(10, target)
    cell.cycles(60, target, joint_states=False)
    assert cell.logged("stream stopped", "joint state of", "paused")
    count = len(cell.commands)
    assert count < 40
    cell.cycles(60, target)  # the joint states are back, but nobody let go
    assert len(cell.commands) == count
    cell.cycles(30)
    assert cell.control.is_idle
    cell.cycles(200, target)
    assert cell.at["joint_6"] == pytest.approx(arm.start["joint_6"] + 1.5, abs=1e-3)


def test_a_robot_that_is_moved_by_others_stops_it(cell, arm):
    target = cell.target(turned(arm, arm.start, 1.5))
    cell.cycles(10, target)
    count, cell.follows = len(cell.commands), False
    cell.at = cell.at | {"joint_2": cell.at["joint_2"] + 0.4}
    cell.cycles(20, target)
    assert len(cell.commands) == count
    assert cell.logged("stream stopped", "'joint_2'", "stream_max_deviation")


def test_a_service_call_that_commands_the_robot_stops_it(cell, arm):
    target = cell.target(turned(arm, arm.start, 1.5))
    cell.cycles(10, target)
    cell.control.send(None, None, {})
    cell.cycles(20, target)
    assert len(cell.commands) == 10
    assert cell.logged("stream stopped", "service call")


def test_another_description_or_parameter_stops_it(cell, arm):
    target = cell.target(turned(arm, arm.start, 1.5))
    for change, reason in (
        ({"tip_frame": "flange"}, "parameters were changed"),
        ({"robot_description": arm.urdf + "<!-- new -->"}, "description was replaced"),
    ):
        cell.cycles(10, target)
        count = len(cell.commands)
        values = {f: getattr(cell.settings, f) for f in ("robot_description", "stream")}
        cell.robot.apply(NodeSettings(**(values | {"tip_frame": arm.tip} | change)))
        cell.cycles(5, target)
        assert len(cell.commands) == count
        assert cell.logged("stream stopped", reason)
        cell.cycles(40)
        assert cell.control.is_idle


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (lambda m: setattr(m.pose.position, "x", float("nan")), "target_pose"),
        (lambda m: setattr(m.pose.position, "x", 50.0), "reach"),
        (lambda m: setattr(m.pose.orientation, "w", 0.0), "target_pose"),
        (lambda m: setattr(m.header, "stamp", Time(sec=12)), "stamp"),
    ],
    ids=["nan", "far", "zero", "old"],
)
def test_a_target_that_cannot_be_followed_starts_nothing_and_holds_what_moves(
    cell, arm, spoil, words
):
    bad = cell.target(arm.pose(arm.start))
    if words == "target_pose":
        bad.pose.orientation.x = bad.pose.orientation.y = bad.pose.orientation.z = 0.0
    spoil(bad)
    cell.cycles(5, bad)
    assert cell.commands == []
    assert cell.logged("no stream", words)

    good = cell.target(turned(arm, arm.start, 1.5))
    cell.cycles(20, good)
    cell.cycles(100, bad)
    held = cell.commands[-1]
    cell.cycles(20, bad)
    assert cell.commands[-1] == held
    assert cell.logged("stream holds", words)
    cell.cycles(200, good)
    assert cell.at["joint_6"] == pytest.approx(arm.start["joint_6"] + 1.5, abs=1e-3)


def test_a_late_cycle_is_not_caught_up(cell, arm):
    target = cell.target(turned(arm, arm.start))
    cell.cycles(10, target)
    cell.control.hear(target)
    for _ in range(5):
        cell.control.cycle()  # at the same time
    assert len(cell.commands) == 10


def test_a_fault_of_our_own_stops_it_and_is_logged(cell, arm, monkeypatch):
    target = cell.target(turned(arm, arm.start))
    cell.cycles(10, target)
    monkeypatch.setattr(cell, "send", lambda *_: 1 / 0)
    cell.cycles(10, target)
    assert cell.logged("Traceback", "ZeroDivisionError")
    assert cell.logged("stream stopped", "internal error")
    assert sum("Traceback" in line for line in cell.log.lines) == 1
