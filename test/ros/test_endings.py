# SPDX-License-Identifier: Apache-2.0
"""Ctrl-C and SIGTERM are a normal end: exit code 0 and no word, whatever the node is doing."""

from __future__ import annotations

import os
import signal
from contextlib import contextmanager
from pathlib import Path

import pytest
from builtin_interfaces.msg import Duration

from support.ros_harness import Cell, Program, request_for

SLOW = {"solver": "reference", "max_attempts": 100_000}
EITHER = pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=lambda n: n.name)


def ends_silently(program, number):
    said = program.stderr
    assert program.end(number) == 0, program.log
    assert program.stderr == said
    assert "Traceback" not in said


@EITHER
def test_while_idle(tmp_path, domain, arm, number):
    with Program(tmp_path, "ik_node", domain, {"robot_description": arm.urdf}) as node:
        node.wait_for("serving")
        ends_silently(node, number)


@pytest.mark.parametrize(
    ("executable", "number"), [("ik_node", signal.SIGINT), ("fake_joint_states", signal.SIGTERM)]
)
def test_while_waiting_for_a_description(tmp_path, domain, executable, number):
    with Program(tmp_path, executable, domain) as program, Cell(domain) as cell:
        program.wait_until(lambda: cell.node.count_subscribers("/robot_description"), "listening")
        if executable == "ik_node":
            program.wait_for("serving")
        ends_silently(program, number)


@pytest.mark.parametrize(
    ("executable", "library", "number"),
    [
        ("ik_node", "_rclpy_pybind11", signal.SIGINT),
        ("ik_node", "pinocchio_pywrap", signal.SIGTERM),
        ("fake_joint_states", "pinocchio_pywrap", signal.SIGINT),
    ],
)
def test_while_starting(tmp_path, domain, arm, executable, library, number):
    with Program(tmp_path, executable, domain, {"robot_description": arm.urdf}) as program:
        maps = Path(f"/proc/{program.pid}/maps")
        program.wait_until(lambda: library in maps.read_text(), f"loading {library}")
        assert "serving" not in program.log
        program.send(number)
        assert program.exit_code() == 0, program.log
        assert "Traceback" not in program.log


@contextmanager
def solving(tmp_path, domain, arm):
    """The node, at work on a request that takes a minute."""
    with Program(tmp_path, "ik_node", domain, {"robot_description": arm.urdf} | SLOW) as node:
        node.wait_for("serving")
        with Cell(domain) as cell:
            cell.find_service()
            long = request_for(arm.pose(arm.beyond), seed=arm.start, timeout=Duration(sec=60))
            before_s = processor_time_s(node)
            answer = cell.start_call(long)
            node.wait_until(lambda: processor_time_s(node) > before_s + 0.3, "solving")
            assert not answer.done()
            yield node


def processor_time_s(program):
    fields = Path(f"/proc/{program.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")  # user and system time


@EITHER
def test_while_solving(tmp_path, domain, arm, number):
    with solving(tmp_path, domain, arm) as node:
        ends_silently(node, number)


def test_a_signal_that_arrives_twice_is_as_quiet_as_one(tmp_path, domain, arm):
    with solving(tmp_path, domain, arm) as node:
        node.send(signal.SIGINT)
        ends_silently(node, signal.SIGINT)
