# SPDX-License-Identifier: Apache-2.0
"""What the marker asks the node for, and when: without processes, with answers at will."""

from __future__ import annotations

import sys
import types

import pytest
from geometry_msgs.msg import Pose, PoseStamped
from rclpy.task import Future
from visualization_msgs.msg import InteractiveMarkerFeedback as Feedback

from ik_solver_ros import Status
from ik_solver_ros.ros import interactive_server, interactive_target
from ik_solver_ros.ros.interactive_marker import BACK_TO_TOOL, MOVE_HERE, marker_at
from ik_solver_ros.ros.interactive_target import InteractiveTarget
from ik_solver_ros.srv import ComputeFK, SolveIK


class Service:
    """A client whose calls are answered when a test says so."""

    def __init__(self):
        self.is_there, self.requests, self._futures = True, [], []

    def service_is_ready(self):
        return self.is_there

    def call_async(self, request):
        self.requests.append(request)
        self._futures.append(Future())
        return self._futures[-1]

    def answer(self, response, call=-1):
        self._futures[call].set_result(response)


class Bench:
    """A marker at x = 0.5 m, and everything around it."""

    def __init__(self):
        self.solve, self.compute_fk, self.shown = Service(), Service(), []
        self.target = InteractiveTarget(self.solve, self.compute_fk, self.shown.append)
        self.target.place()
        self.put_at(0.5)

    def put_at(self, x):
        pose = PoseStamped(pose=pose_at(x))
        pose.header.frame_id = "base"
        self.compute_fk.answer(ComputeFK.Response(success=True, poses=[pose]))

    def hear(self, event, x=0.5, entry=0):
        self.target.hear(Feedback(event_type=event, pose=pose_at(x), menu_entry_id=entry))

    def solved(self, call=-1):
        self.solve.answer(SolveIK.Response(status=1, success=True, message="solved"), call)

    @property
    def asked(self):
        """Of each call: x of its target, and whether it may move the robot."""
        return [(r.target.pose.position.x, not r.dry_run) for r in self.solve.requests]


def pose_at(x):
    pose = Pose()
    pose.position.x, pose.orientation.w = x, 1.0
    return pose


@pytest.fixture
def bench():
    return Bench()


@pytest.fixture
def clock(monkeypatch):
    """A clock that a test moves."""
    clock = types.SimpleNamespace(now_s=100.0)
    clock.monotonic = lambda: clock.now_s
    monkeypatch.setattr(interactive_target, "time", clock)
    return clock


def test_of_many_poses_the_first_and_the_newest_are_asked_for(bench):
    for x in (0.1, 0.2, 0.3, 0.4):
        bench.hear(Feedback.POSE_UPDATE, x)
    assert bench.asked == [(0.1, False)]
    bench.solved()
    assert bench.asked == [(0.1, False), (0.4, False)]


def test_a_wish_to_move_waits_and_is_not_displaced_by_a_look(bench):
    bench.hear(Feedback.POSE_UPDATE, 0.1)
    bench.hear(Feedback.MENU_SELECT, 0.1, MOVE_HERE)
    bench.hear(Feedback.POSE_UPDATE, 0.2)
    bench.solved()
    assert bench.asked == [(0.1, False), (0.1, True)]


def test_a_wish_to_move_behind_a_call_that_is_never_answered_is_forgotten(clock):
    bench = Bench()
    bench.hear(Feedback.POSE_UPDATE, 0.1)
    bench.hear(Feedback.MENU_SELECT, 0.1, MOVE_HERE)
    clock.now_s += 60.0
    bench.hear(Feedback.POSE_UPDATE, 0.3)
    bench.solved()
    assert bench.asked == [(0.1, False), (0.3, False)]


def test_an_answer_from_before_it_went_back_is_not_shown(bench):
    bench.hear(Feedback.POSE_UPDATE, 0.1)
    bench.hear(Feedback.MENU_SELECT, 0.1, BACK_TO_TOOL)
    bench.put_at(0.7)
    bench.solved()
    assert bench.shown[-1].pose.position.x == 0.7
    assert "drag me" in bench.shown[-1].description


def test_a_tool_that_nobody_can_place_is_asked_for_again_later(clock):
    target = InteractiveTarget(Service(), fk := Service(), lambda marker: None)
    fk.is_there = False
    target.place()
    assert fk.requests == []
    fk.is_there = True
    target.place()
    target.place()  # the answer is awaited
    assert len(fk.requests) == 1
    fk.answer(ComputeFK.Response(success=False, message="no joint states"))
    assert not target.is_placed
    target.place()
    assert len(fk.requests) == 2
    clock.now_s += 60.0  # the node died
    target.place()
    assert len(fk.requests) == 3


def test_the_package_serves_where_it_is_installed(monkeypatch):
    calls, callbacks, heard = [], [], []

    class InteractiveMarkerServer:
        def __init__(self, node, namespace, *, feedback_sub_qos):
            calls.append((node, namespace, feedback_sub_qos.depth))

        def insert(self, marker, *, feedback_callback):
            calls.append(marker.name)
            callbacks.append(feedback_callback)

        def applyChanges(self):
            calls.append("applied")

    module = types.ModuleType("interactive_markers")
    module.InteractiveMarkerServer = InteractiveMarkerServer
    monkeypatch.setitem(sys.modules, "interactive_markers", module)
    server = interactive_server.interactive_server("node", "ns", heard.append)
    server.show(marker_at("base", pose_at(0.5), Status.SOLVED, "solved"))
    assert calls == [("node", "ns", 100), "target", "applied"]
    good, bad = Feedback(pose=pose_at(0.1)), Feedback(pose=pose_at(float("nan")))
    for feedback in (good, bad):
        callbacks[-1](feedback)
    assert heard == [good]
