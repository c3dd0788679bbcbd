# SPDX-License-Identifier: Apache-2.0
"""Many callers at once get every answer, each of one robot, and the node stays as it was."""

from __future__ import annotations

import sys

import pytest
from rclpy.qos import QoSProfile

from ik_solver_ros.srv import SolveIK
from support.robots import REPOSITORY
from support.ros_harness import request_for, wait_until

sys.path.insert(0, str(REPOSITORY / "reliability"))

from load.bystanders import beside_a_large_batch, idle
from load.concurrency import crowd
from load.robots import MODELS, URDFS
from load.soak import soak
from report import concurrency
from report import soak as soak_section

PARAMETERS = {}


def test_answers_to_many_clients_are_of_one_robot_each_while_robots_are_swapped(tmp_path):
    found = crowd(tmp_path, processes=2, clients=4, calls=60)
    assert found["faults"] == []
    assert found["answers"] == 8 * 60
    assert sum(found["by_robot"]) == 8 * 60
    assert min(found["by_robot"]) > 0


def test_bystanders_are_measured_and_shown(tmp_path):
    idling = idle(tmp_path, seconds=2.0)
    # Processor time on both sides, of the same messages: a busy machine changes both alike.
    assert 0.0 < idling["node"] < 3.0 * idling["listener"]
    batch = beside_a_large_batch(tmp_path, rows=3000)
    assert batch["solved"] == batch["rows"]
    assert batch["calls_beside"] > 0
    shown = {"median": 0.001, "p99": 0.002, "largest": 0.003}
    crowded = {
        "clients": 1, "processes": 1, "calls": 1, "answers": 1, "swaps": 1, "took_s": 1.0,
        "joint_state_rate_hz": 500.0, "by_robot": [1, 0], "waits": {"client_0": shown},
        "resources": {"memory_first_mb": 1.0, "memory_last_mb": 1.0}, "faults": ["a mix"],
    }  # fmt: skip
    text = concurrency.render({"crowd": crowded, "idle": idling, "large_batch": batch})
    assert "- a mix" in text
    assert "client 0" in text


def test_half_a_minute_of_everything_leaves_the_node_as_it_was(tmp_path):
    found = soak(tmp_path, seconds=30.0, samples=60)
    assert found["faults"] == []
    assert min(found["by_robot"]) > 0
    assert found["published"] > 100
    assert "All stayed right and flat" in soak_section.render(found)


def test_a_burst_of_calls_gets_every_answer(cell, arm):
    # rclpy's default lets 10 answers wait; who calls more often without waiting needs more room.
    client = cell.node.create_client(
        SolveIK, "ik_solver/solve_ik", qos_profile=QoSProfile(depth=1000)
    )
    wait_until(client.service_is_ready, "the service")
    request = request_for(arm.pose(arm.near), seed=arm.start, dry_run=True)
    waiting = [client.call_async(request) for _ in range(300)]
    wait_until(lambda: all(future.done() for future in waiting), "300 answers")
    assert all(future.result().success for future in waiting)


def test_the_two_robots_differ_by_three_millimetres():
    positions = dict.fromkeys(MODELS[0].chain_joints("base_link", "tool0"), 0.1)
    first, second = (model.relative(positions, "base_link", "tool0") for model in MODELS)
    assert URDFS[0] != URDFS[1]
    assert abs(first - second)[:3, 3].max() == pytest.approx(0.003, rel=0.2)
