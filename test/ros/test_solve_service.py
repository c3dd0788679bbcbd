# SPDX-License-Identifier: Apache-2.0
"""One call from message to message: its status, what is published, and that nothing escapes."""

from __future__ import annotations

import math

import numpy as np
import pytest
from builtin_interfaces.msg import Time

from ik_solver_ros import Closest, IKResult, IKSolverError, Status
from ik_solver_ros.ros.call_statistics import CallStatistics
from ik_solver_ros.ros.description import RobotInUse
from ik_solver_ros.ros.joint_state_cache import JointStateCache
from ik_solver_ros.ros.parameters import NodeSettings
from ik_solver_ros.ros.service_call import ServiceCall
from ik_solver_ros.ros.solve_service import SolveService
from ik_solver_ros.srv import SolveIK
from support.robots import robot_urdf
from support.ros_harness import positions_of, request_for
from support.urdf_fk import UrdfKinematics

URDF = robot_urdf("demo_arm")
KINEMATICS = UrdfKinematics(URDF)
JOINTS = KINEMATICS.chain_joints("base_link", "tool0")
START = dict(zip(JOINTS, (0.2, -0.3, -0.8, 0.4, -1.0, 0.5)))
NOW = Time(sec=12, nanosec=34)


class Log:
    """Remembers errors; debug messages are switched off."""

    def __init__(self):
        self.errors = []
        self.error = self.errors.append
        self.info = self.warning = lambda _: None

    def is_enabled_for(self, _severity):
        return False


class Sink:
    """Remembers what was sent, or fails to send."""

    def __init__(self, failure=None):
        self.sent, self.failure = [], failure

    def send(self, solution, _setup, _seed):
        if self.failure:
            raise self.failure
        self.sent.append(solution)


class Bench:
    """A service with a real robot and real joint states, and an output that remembers."""

    def __init__(self, failure=None):
        self.log, self.sink, self.drawn = Log(), Sink(failure), []
        self.robot = RobotInUse(
            NodeSettings(robot_description=URDF), "/robot_description", self.log
        )
        joint_states = JointStateCache(lambda: 0.0)
        joint_states.hear(JOINTS, list(START.values()), 0.0)
        self.statistics = CallStatistics()
        self.service = SolveService(
            self.robot,
            joint_states,
            None,
            [self.sink],
            self.draw,
            lambda: NOW,
            ServiceCall("solve_ik", self.log, self.statistics),
        )

    def draw(self, setup, request, result):
        """This call has published nothing yet: a drawing that fails must not come too late."""
        assert len(self.sink.sent) <= len(self.drawn)
        self.drawn.append((request, result))

    def call(self, request=None):
        reachable = request_for(KINEMATICS.relative(START, "base_link", "tool0"))
        return self.service.answer(request or reachable, SolveIK.Response())

    def end_with(self, monkeypatch, ending):
        """Let the solver end so: with a result, or with an exception."""

        def solve(_request):
            if isinstance(ending, Exception):
                raise ending
            return ending

        monkeypatch.setattr(self.robot.setup().solver, "solve", solve)


@pytest.fixture
def bench():
    return Bench()


def assert_is_no_answer(response):
    assert response.success is False
    assert list(response.solution.name) == []
    assert list(response.alternatives) == []
    assert math.isnan(response.position_error)
    assert math.isnan(response.orientation_error)
    assert math.isnan(response.max_joint_jump)
    assert response.message


def test_what_is_sent_is_the_very_message_of_the_response(bench):
    response = bench.call()
    assert response.success
    assert len(bench.sink.sent) == 1
    assert bench.sink.sent[0] is response.solution
    assert response.solution.header.stamp == NOW
    assert list(positions_of(response.solution)) == JOINTS


FAILURES = [s for s in Status if not s.is_success and s != Status.UNKNOWN]


@pytest.mark.parametrize("status", FAILURES, ids=lambda s: s.name)
def test_each_failure_of_the_solver_reaches_the_caller_and_nobody_else(bench, monkeypatch, status):
    closest = Closest(tuple(JOINTS), np.arange(6.0), 0.25, 0.125)
    bench.end_with(
        monkeypatch,
        IKResult(
            status,
            "why",
            blocking_joints=("joint_3",),
            closest=closest,
            iterations=7,
            attempts=3,
            solve_time_s=0.5,
        ),
    )
    response = bench.call()

    assert_is_no_answer(response)
    assert (response.status, response.message) == (status, "why")
    assert list(response.blocking_joints) == ["joint_3"]
    assert positions_of(response.closest) == dict(zip(JOINTS, range(6)))
    assert (response.closest_position_error, response.closest_orientation_error) == (0.25, 0.125)
    assert (response.iterations, response.attempts, response.solve_time) == (7, 3, 0.5)
    assert response.seed_source == "joint_states"
    assert bench.sink.sent == []


def test_a_failure_without_a_closest_configuration_claims_none(bench, monkeypatch):
    bench.end_with(monkeypatch, IKResult(Status.TIMEOUT, "why"))
    response = bench.call()
    assert list(response.closest.name) == []
    assert math.isnan(response.closest_position_error)
    assert math.isnan(response.closest_orientation_error)


def kinds_of_error(kind=IKSolverError):
    return [kind, *(leaf for child in kind.__subclasses__() for leaf in kinds_of_error(child))]


@pytest.mark.parametrize("kind", kinds_of_error(), ids=lambda kind: kind.__name__)
def test_each_kind_of_error_has_its_status(bench, monkeypatch, kind):
    error = kind.__new__(kind)
    Exception.__init__(error, "one sentence")
    bench.end_with(monkeypatch, error)
    response = bench.call()

    assert_is_no_answer(response)
    assert (response.status, response.message) == (kind.status, "one sentence")
    assert response.status != Status.UNKNOWN
    assert bench.sink.sent == []


def test_a_bug_is_an_internal_error_with_its_traceback_in_the_log(bench, monkeypatch):
    bench.end_with(monkeypatch, KeyError("joint_9"))
    response = bench.call()

    assert_is_no_answer(response)
    assert response.status == Status.INTERNAL_ERROR
    assert "KeyError" in response.message
    (told,) = bench.log.errors
    assert "Traceback" in told
    monkeypatch.undo()
    assert bench.call().success


def test_every_call_is_counted_by_how_it_ended(bench, monkeypatch):
    bench.call()
    bench.end_with(monkeypatch, KeyError("joint_9"))
    bench.call()
    bench.end_with(monkeypatch, IKResult(Status.TIMEOUT, "why"))
    bench.call()
    counted = bench.statistics.snapshot()["solve_ik"]
    assert counted.counts == {Status.SOLVED: 1, Status.INTERNAL_ERROR: 1, Status.TIMEOUT: 1}
    assert len(counted.durations_s) == 3


def test_an_output_that_fails_leaves_no_half_filled_answer():
    bench = Bench(failure=RuntimeError("publisher is gone"))
    response = bench.call()
    assert_is_no_answer(response)
    assert response.status == Status.INTERNAL_ERROR
    assert "publisher is gone" in response.message


def test_the_wire_has_the_statuses_of_the_library():
    constants = {
        name: getattr(SolveIK.Response, name)
        for name in dir(SolveIK.Response)
        if name.isupper() and isinstance(getattr(SolveIK.Response, name), int)
    }
    assert constants == {status.name: status.value for status in Status}


def test_a_request_keeps_its_robot_when_another_one_comes_meanwhile(bench, monkeypatch):
    solver = bench.robot.setup().solver
    solve = solver.solve

    def solve_while_replaced(request):
        other = NodeSettings(robot_description=robot_urdf("ur5"), tip_frame="tool0")
        bench.robot.apply(other)
        return solve(request)

    monkeypatch.setattr(solver, "solve", solve_while_replaced)
    response = bench.call()
    assert response.success
    assert list(response.solution.name) == JOINTS
    assert bench.robot.setup().solver.robot.name != "demo_arm"
