# SPDX-License-Identifier: Apache-2.0
"""What a running node says about itself, and that it never falls silent."""

from __future__ import annotations

import math

import pytest
import rclpy
from builtin_interfaces.msg import Duration
from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus

from ik_solver_ros import Status
from ik_solver_ros.ros import diagnostics
from ik_solver_ros.ros.call_statistics import CallStatistics, percentile
from ik_solver_ros.ros.description import RobotInUse
from ik_solver_ros.ros.diagnostics import Diagnostics
from ik_solver_ros.ros.joint_state_cache import JointStateCache
from ik_solver_ros.ros.parameters import NodeSettings
from support.robots import robot_urdf
from support.ros_harness import Cell, Program, own_domain, request_for, wait_until

URDF = robot_urdf("demo_arm")
OK, WARN, ERROR, STALE = (
    DiagnosticStatus.OK, DiagnosticStatus.WARN, DiagnosticStatus.ERROR, DiagnosticStatus.STALE,
)  # fmt: skip


class Monitor:
    """Hears what a node says about itself."""

    def __init__(self, cell):
        self.heard = []
        cell.node.create_subscription(DiagnosticArray, "/diagnostics", self.heard.append, 100)

    def next(self):
        """The next diagnostics that are complete, by what they are about."""
        before = len(self.heard)
        wait_until(lambda: len(self.heard) > before, "diagnostics")
        return by_subject(self.heard[-1].status)

    def wait_for(self, condition, what):
        wait_until(lambda: self.heard and condition(by_subject(self.heard[-1].status)), what)
        return by_subject(self.heard[-1].status)


def by_subject(statuses):
    return {status.name.partition(": ")[2]: status for status in statuses}


def values(status):
    return {pair.key: pair.value for pair in status.values}


def test_from_nothing_to_a_working_robot_and_back(tmp_path, domain, arm):
    parameters = {"max_joint_state_age": 0.5}
    with Program(tmp_path, "ik_node", domain, parameters) as node, Cell(domain) as cell:
        monitor = Monitor(cell)
        told = monitor.next()
        assert (told["robot"].level, told["joint states"].level) == (ERROR, STALE)
        assert "no robot description yet" in told["robot"].message
        assert (told["calls"].level, told["calls"].message) == (OK, "0 calls")

        cell.describe(URDF)
        told = monitor.wait_for(lambda told: told["robot"].level == OK, "a robot")
        assert told["robot"].hardware_id == "demo_arm"
        assert told["robot"].name == "ik_solver: robot"
        told_values = values(told["robot"])
        assert told_values["joints"] == ", ".join(arm.joints)
        assert (told_values["base_frame"], told_values["tip_frame"]) == (arm.base, arm.tip)
        assert (told_values["solver"], told_values["solver in use"]) == ("auto", "numeric")
        assert told["joint states"].level == STALE
        assert "'joint_1'" in told["joint states"].message
        assert values(told["joint states"]) == dict.fromkeys(arm.joints, "never heard")

        with cell.moving_joints(arm.start):
            told = monitor.wait_for(lambda told: told["joint states"].level == OK, "joint states")
            ages_s = [float(age.split()[0]) for age in values(told["joint states"]).values()]
            assert all(0.0 <= age <= 0.5 for age in ages_s)
        told = monitor.wait_for(lambda told: told["joint states"].level == STALE, "their absence")
        assert "max_joint_state_age" in told["joint states"].message
        assert node.end() == 0


@pytest.fixture(scope="module")
def monitored(tmp_path_factory, arm):
    parameters = {"robot_description": URDF, "max_joint_state_age": 0, "timeout": 5.0}
    parameters |= {"solver": "reference", "max_attempts": 100_000}  # a failure takes all the time
    folder = tmp_path_factory.mktemp("node")
    with (
        own_domain() as domain,
        Program(folder, "ik_node", domain, parameters) as node,
        Cell(domain) as cell,
    ):
        cell.find_service()
        monitor = Monitor(cell)
        probe = request_for(arm.pose(arm.start), dry_run=True)
        cell.move_joints(arm.start, lambda: cell.call(probe).success)
        yield node, cell, monitor


def calls_told(monitor, key):
    return int(values(by_subject(monitor.heard[-1].status)["calls"]).get(key, 0))


def test_calls_are_counted_by_status_and_timed(monitored, arm):
    _, cell, monitor = monitored
    monitor.next()
    before = calls_told(monitor, "solve_ik SOLVED")
    for _ in range(20):
        assert cell.call(request_for(arm.pose(arm.near))).success
    told = monitor.wait_for(
        lambda told: calls_told(monitor, "solve_ik SOLVED") == before + 20, "20 calls counted"
    )
    told_values = values(told["calls"])
    durations = [
        float(told_values[f"solve_ik duration, {name}"].split()[0])
        for name in ("median", "p99", "largest")
    ]
    assert durations == sorted(durations)
    assert durations[0] > 0.0


def test_failures_are_a_warning_once_and_named(monitored, arm):
    _, cell, monitor = monitored
    monitor.wait_for(lambda told: told["calls"].level == OK, "calm")
    assert not cell.call(request_for(arm.pose(arm.near), tip_frame="tool")).success
    told = monitor.wait_for(lambda told: told["calls"].level == WARN, "a warning")
    assert "1 failed: 1 UNKNOWN_FRAME" in told["calls"].message
    assert values(told["calls"])["solve_ik UNKNOWN_FRAME"] == "1"
    monitor.wait_for(lambda told: told["calls"].level == OK, "calm again")


def test_they_go_on_while_a_long_request_is_solved(monitored, arm):
    _, cell, monitor = monitored
    slow = request_for(arm.pose(arm.beyond), seed=arm.start, timeout=Duration(sec=2))
    before, running = len(monitor.heard), cell.start_call(slow)
    wait_until(running.done, "the end of the long request")
    assert running.result().solve_time > 1.5
    assert len(monitor.heard) > before


# --- the same without a process ---


class Log:
    def __init__(self):
        self.info = self.error = self.warning = lambda _: None


@pytest.fixture
def node(domain):
    context = rclpy.Context()
    rclpy.init(args=[], context=context, domain_id=domain)
    node = rclpy.create_node("ik_solver", namespace="left", context=context)
    yield node
    node.destroy_node()
    context.try_shutdown()


def made(node, statistics=None, **settings):
    robot = RobotInUse(NodeSettings(robot_description=URDF, **settings), "/t", Log())
    return Diagnostics(node, robot, JointStateCache(lambda: 0.0), statistics or CallStatistics())


def test_without_the_kernel_it_says_so_once_and_warns(node, monkeypatch):
    warnings = []
    monkeypatch.setattr(diagnostics, "KERNEL_FAULT", "no module named _kernel")
    monkeypatch.setattr(node.get_logger(), "warning", warnings.append)
    statuses = [by_subject(made(node).statuses())["robot"]]
    assert [s.level for s in statuses] == [WARN]
    assert "no module named _kernel" in statuses[0].message
    assert values(statuses[0])["solver in use"] == "reference"
    assert len(warnings) == 1
    assert "'reference' takes over" in warnings[0]


def test_an_internal_error_is_an_error(node):
    statistics = CallStatistics()
    watched = made(node, statistics)
    statistics.note("solve_ik", Status.SOLVED, 0.001)
    statistics.note("compute_fk", Status.INTERNAL_ERROR, 0.002)
    told = by_subject(watched.statuses())["calls"]
    assert (told.name, told.level) == ("left/ik_solver: calls", ERROR)
    assert told.message == "2 calls, 1 failed: 1 INTERNAL_ERROR"
    assert values(told)["solve_ik solved"] == "100.0 %"
    assert values(told)["compute_fk solved"] == "0.0 %"
    assert by_subject(watched.statuses())["calls"].level == OK


def test_the_memory_for_durations_does_not_grow():
    statistics = CallStatistics()
    for i in range(5000):
        statistics.note("solve_ik", Status.SOLVED, float(i))
    found = statistics.snapshot()["solve_ik"]
    assert found.counts == {Status.SOLVED: 5000}
    assert list(found.durations_s) == [float(i) for i in range(4000, 5000)]


def test_percentiles():
    values = [float(i) for i in range(1, 101)]
    assert [percentile(values, share) for share in (0.5, 0.99, 1.0)] == [50.0, 99.0, 100.0]
    assert percentile([3.0], 0.5) == percentile([3.0], 1.0) == 3.0
    assert math.isnan(percentile([], 0.5))
