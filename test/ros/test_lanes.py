# SPDX-License-Identifier: Apache-2.0
"""A long solve holds nobody up: joint states, parameters and descriptions get through meanwhile."""

from __future__ import annotations

import threading
from types import SimpleNamespace

import pytest
import rclpy
from builtin_interfaces.msg import Duration
from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus
from rclpy.callback_groups import MutuallyExclusiveCallbackGroup
from rclpy.event_handler import SubscriptionEventCallbacks
from std_msgs.msg import Empty

from ik_solver_ros import Status
from ik_solver_ros.ros.lanes import Lanes
from ik_solver_ros.srv import ComputeFK
from support.ros_harness import DEADLINE_S, best_effort, repeating, request_for, wait_until

PARAMETERS = {"solver": "reference", "max_attempts": 100_000, "max_joint_state_age": 0.5}


def test_joint_states_and_parameters_get_through_while_a_request_is_solved(cell, arm):
    short = request_for(arm.pose(arm.near), dry_run=True)
    long = request_for(arm.pose(arm.beyond), seed=arm.start, timeout=Duration(sec=2))
    heard: list[DiagnosticArray] = []
    with cell.moving_joints(arm.start, rate_hz=100.0):
        wait_until(lambda: cell.call(short).success, "the node knows the joints")
        cell.node.create_subscription(DiagnosticArray, "/diagnostics", heard.append, 10)
        wait_until(lambda: heard, "diagnostics")
        heard.clear()
        slow = cell.start_call(long)
        after = cell.start_call(short)  # waits its turn behind the long one
        assert cell.get_parameters("max_attempts") == [100_000]
        (accepted,) = cell.set_parameters(candidates=3)
        assert accepted.successful
        assert not slow.done()

        wait_until(slow.done, "the answer to the long request")
        told = list(heard)
        wait_until(after.done, "both answers")
        assert slow.result().status in (Status.TIMEOUT, Status.JOINT_LIMITS)
        assert slow.result().solve_time > 2 * PARAMETERS["max_joint_state_age"]
        # Had joint states waited for the long request, they would be older than what is allowed.
        assert after.result().status == Status.SOLVED, after.result().message
        # Diagnostics went on, and found joint states as fresh as ever.
        assert told
        for status in (status for message in told for status in message.status):
            if status.name.endswith("joint states"):
                assert status.level == DiagnosticStatus.OK, status.message


@pytest.fixture
def node(domain):
    context = rclpy.Context()
    rclpy.init(args=[], context=context, domain_id=domain)
    return rclpy.create_node("lanes", context=context)


def subscribe(node, topic, callback, group=None):
    publisher = node.create_publisher(Empty, topic, 10)
    node.create_subscription(Empty, topic, lambda _: callback(), 10, callback_group=group)
    return SimpleNamespace(publish=lambda: publisher.publish(Empty()))


def test_each_group_has_a_thread_of_its_own_and_the_rest_share_one(node):
    groups = [MutuallyExclusiveCallbackGroup() for _ in range(2)]
    threads = {}
    topics = {}
    for topic, group in {"a": groups[0], "b": groups[1], "c": None, "d": None}.items():

        def remember(topic=topic):
            threads.setdefault(topic, set()).add(threading.get_ident())

        topics[topic] = subscribe(node, topic, remember, group)
    with Lanes(node, groups):
        for _ in range(20):
            for topic in topics.values():
                topic.publish()
        wait_until(lambda: len(threads) == 4, "every callback has run")

    assert all(len(used) == 1 for used in threads.values())
    assert threads["c"] == threads["d"]
    assert len(set.union(*threads.values())) == 3


def test_a_callback_that_fails_is_logged_and_the_node_lives_on(node, capfd):
    group = MutuallyExclusiveCallbackGroup()
    calls = []

    def fail_once():
        calls.append(None)
        if len(calls) == 1:
            raise KeyError("joint_9")

    topic = subscribe(node, "a", fail_once, group)
    with Lanes(node, [group]), repeating(topic.publish, 100.0):
        wait_until(lambda: len(calls) > 2, "callbacks after the one that failed")
    told = capfd.readouterr().err
    assert told.count("Traceback") == 1
    assert "KeyError: 'joint_9'" in told


def test_entities_made_later_are_served(node):
    heard = threading.Event()
    with Lanes(node, []):
        topic = subscribe(node, "late", heard.set)
        with repeating(topic.publish, 100.0):
            wait_until(heard.is_set, "a message for the late subscription")


def test_leaving_ends_the_node_and_its_threads(node):
    before = threading.active_count()
    with Lanes(node, [MutuallyExclusiveCallbackGroup()]):
        assert threading.active_count() == before + 2
    assert not node.context.ok()
    wait_until(lambda: threading.active_count() == before, "the threads have ended")


def test_services_answer_in_the_thread_of_their_group_beside_timers(node):
    answering, ticking = MutuallyExclusiveCallbackGroup(), MutuallyExclusiveCallbackGroup()
    threads = {}

    def answer(request, response):
        threads["service"] = threading.get_ident()
        response.message = request.reference_frame
        return response

    def tick():
        threads["timer"] = threading.get_ident()

    node.create_service(ComputeFK, "frames", answer, callback_group=answering)
    node.create_timer(0.01, tick, callback_group=ticking)
    client = node.create_client(ComputeFK, "frames")
    with Lanes(node, [answering, ticking]):
        assert client.wait_for_service(DEADLINE_S)
        for wanted in ("base", "tool", "base"):
            answered = client.call_async(ComputeFK.Request(reference_frame=wanted))
            wait_until(answered.done, "an answer")
            assert answered.result().message == wanted
        wait_until(lambda: "timer" in threads, "the timer")
    assert threads["service"] != threads["timer"]


def test_a_publisher_that_cannot_be_heard_is_told(node):
    told = threading.Event()
    events = SubscriptionEventCallbacks(incompatible_qos=lambda _: told.set())
    group = MutuallyExclusiveCallbackGroup()
    node.create_subscription(
        Empty, "a", lambda _: None, 10, callback_group=group, event_callbacks=events
    )
    with Lanes(node, [group]):
        node.create_publisher(Empty, "a", best_effort(10))
        wait_until(told.is_set, "the event of an incompatible publisher")
