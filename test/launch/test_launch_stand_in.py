# SPDX-License-Identifier: Apache-2.0
"""The stand-in has the traps of the real launch system, without which its tests prove nothing.

Each test runs with both systems where both are there, so that they can't drift apart.
"""

from __future__ import annotations

import pytest

LAUNCH_FILE = """
from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument, OpaqueFunction
from launch.substitutions import LaunchConfiguration
from launch_ros.actions import Node
from launch_ros.parameter_descriptions import ParameterValue

def generate_launch_description():
    return LaunchDescription([
        DeclareLaunchArgument("text", default_value="none"),
        OpaqueFunction(function=lambda context: [
            Node(package="ik_solver_ros", executable="ik_node", name="n", namespace="",
                 parameters=[{{"text": {value}}}], output="screen"),
        ]),
    ])
"""


@pytest.fixture
def launch_with(runner, tmp_path):
    """Launches a node whose parameter `text` is written as given."""

    def run(value, *arguments):
        file = tmp_path / "trap.launch.py"
        file.write_text(LAUNCH_FILE.format(value=value))
        return runner.run(*arguments, launch_file=file)

    return run


@pytest.mark.parametrize(
    ("text", "read_as"), [("007", 7), ("1.5", 1.5), ("yes", True), ("'a'", "a"), ("a # b", "a")]
)
def test_an_undeclared_text_is_read_as_yaml(launch_with, text, read_as):
    launched = launch_with('LaunchConfiguration("text")', f"text:={text}")

    assert launched.nodes["ik_node"].parameters["text"] == read_as


@pytest.mark.parametrize("text", ["<!-- GROUPS: a: b --><robot/>", "{a: b}", "%s"])
@pytest.mark.parametrize("value", ["{}", "ParameterValue({})"])
def test_a_description_does_not_survive_as_an_undeclared_text(launch_with, value, text):
    launched = launch_with(value.format('LaunchConfiguration("text")'), f"text:={text}")

    assert launched.exit_code == 1
    assert launched.nodes == {}


@pytest.mark.parametrize("text", ["<!-- GROUPS: a: b --><robot/>", "007", "a # b"])
def test_a_declared_text_survives(launch_with, text):
    value = 'ParameterValue(LaunchConfiguration("text"), value_type=str)'
    launched = launch_with(value, f"text:={text}")

    assert launched.nodes["ik_node"].parameters["text"] == text


def test_an_empty_value_is_refused_on_the_command_line(launch_with):
    launched = launch_with('"constant"', "text:=")

    assert launched.exit_code == 1
    assert "malformed launch argument 'text:='" in launched.output


def test_a_missing_executable_is_an_error(runner, tmp_path):
    file = tmp_path / "missing.launch.py"
    file.write_text(LAUNCH_FILE.format(value='"a"').replace('"ik_node"', '"no_such_node"'))

    launched = runner.run(launch_file=file)

    assert launched.exit_code == 1
    assert "no_such_node" in launched.output
