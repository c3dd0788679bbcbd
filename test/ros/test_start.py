# SPDX-License-Identifier: Apache-2.0
"""A node that cannot start says why in one sentence, and its exit code says that it did not."""

from __future__ import annotations

import math
import os
import re

import pytest

from ik_solver_ros.ros.parameters import declared_fields
from support.ros_harness import Cell, Program, request_for, wait_until


def fails_to_start(tmp_path, domain, parameters, *words, executable="ik_node", arguments=()):
    with Program(tmp_path, executable, domain, parameters, arguments) as program:
        assert program.exit_code() == 1, program.log
        assert "Traceback" not in program.log
        *before, sentence = program.stderr.strip().splitlines()
        assert all(re.match(r"\[(INFO|WARN|ERROR)\]", line) for line in before)
        assert sentence.startswith(f"{executable}: ")
        for word in words:
            assert word in sentence


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ({"timeout": -1.0}, ["timeout", "-1", "60 s"]),
        ({"tcp_offset": [0.0, 0.0, 0.1]}, ["tcp_offset", "6 numbers"]),
        ({"robot_description": "DEMO", "tip_frame": "tool"}, ["'tool'", "'tool0'"]),
        ({"use_sim_time": "perhaps"}, ["use_sim_time"]),
        ({"qos_overrides./joint_states.subscription.reliability": "some"}, ["reliability"]),
    ],
    ids=lambda value: "-".join(value) if isinstance(value, dict) else "",
)
def test_parameters_that_cannot_be_used(tmp_path, domain, arm, parameters, words):
    if parameters.get("robot_description") == "DEMO":
        parameters = parameters | {"robot_description": arm.urdf}
    fails_to_start(tmp_path, domain, parameters, *words)


def test_a_broken_description_names_the_joint(tmp_path, domain, arm):
    broken = arm.urdf.replace('upper="2.9671"', 'upper="${pi}"')
    fails_to_start(tmp_path, domain, {"robot_description": broken}, "joint_1", "xacro")


def test_arguments_that_ros_cannot_read(tmp_path, domain):
    fails_to_start(tmp_path, domain, None, arguments=["--ros-args", "-p", "timeout"])


@pytest.mark.parametrize(
    ("executable", "content"),
    [
        ("ik_node", "raise ImportError('no libboost')"),
        ("fake_joint_states", "raise ImportError('no libboost')"),
        ("ik_demo", "another = 'package'"),
    ],
)
def test_a_pinocchio_that_is_missing_broken_or_another_package(
    tmp_path, domain, arm, executable, content
):
    (tmp_path / "pinocchio.py").write_text(content)
    path = f"{tmp_path}:{os.environ.get('PYTHONPATH', '')}"
    parameters = None if executable == "ik_demo" else {"robot_description": arm.urdf}
    started = Program(tmp_path, executable, domain, parameters, environment={"PYTHONPATH": path})
    with started as program:
        assert program.exit_code() == 1
        (sentence,) = program.log.splitlines()
        assert sentence.startswith(f"{executable}: ")
        assert "Pinocchio" in sentence
        assert "pip install" in sentence


def test_fake_joint_states_that_cannot_be_made(tmp_path, domain):
    parameters = {"rate": 0.0}
    fails_to_start(tmp_path, domain, parameters, "rate", executable="fake_joint_states")
    parameters = {"robot_description": "<robot"}
    fails_to_start(tmp_path, domain, parameters, executable="fake_joint_states")


def test_the_node_declares_what_the_configuration_file_lists(cell):
    declared = {name for name in cell.list_parameters() if not name.startswith("qos_overrides.")}
    of_ros = {"use_sim_time", "start_type_description_service"}
    assert declared - of_ros == {name for name, _ in declared_fields()}
    fixed = {told.name for told in cell.describe_parameters(*declared - of_ros) if told.read_only}
    assert fixed == {"command_type", "command_topic", "command_joints"}


def test_a_wrong_value_is_refused_while_running_and_a_right_one_is_not(cell):
    refused, misfit, accepted, foreign = cell.set_parameters(
        timeout=math.nan, tip_frame="tool", max_attempts=7, use_sim_time=False
    )
    assert not refused.successful
    assert "timeout" in refused.reason
    assert not misfit.successful
    assert "did you mean 'tool0'?" in misfit.reason
    assert accepted.successful
    assert foreign.successful
    assert cell.get_parameters("timeout", "tip_frame", "max_attempts") == [5.0, "", 7]


def test_two_nodes_live_in_their_namespaces(tmp_path, domain, arm):
    def node(name):
        parameters = {"robot_description": arm.urdf, "max_joint_state_age": 0.0}
        arguments = ["--ros-args", "-r", f"__ns:=/{name}"]
        return Program(tmp_path, "ik_node", domain, parameters, arguments)

    request = request_for(arm.pose(arm.near))
    with node("left") as one, node("right") as other:
        one.wait_for("serving")
        other.wait_for("serving")
        with Cell(domain, "left") as left, Cell(domain, "right") as right:
            left.find_service()
            right.find_service()
            left.move_joints(arm.start, lambda: left.call(request).success)
            assert not right.call(request).success  # it did not hear the left one's joints
            wait_until(lambda: left.targets, "a target of the left one")
            assert right.targets == []
            right.move_joints(arm.near, lambda: right.call(request).success)
            assert right.call(request).max_joint_jump <= 1e-6
