# SPDX-License-Identifier: Apache-2.0
"""The launch file's arguments explain themselves."""

from __future__ import annotations

import pytest

from support.launch_runs import declared_arguments

# The contract with users: a name leaves this list only with an entry in the changelog.
NAMES = {
    "urdf",
    "xacro_args",
    "params_file",
    "tip_frame",
    "namespace",
    "use_sim_time",
    "joint_states",
    "robot_state_publisher",
    "rviz",
    "viewer",
}
CHOICES = {
    "use_sim_time": {"true", "false"},
    "joint_states": {"real", "fake"},
    "robot_state_publisher": {"auto", "true", "false"},
    "rviz": {"true", "false"},
    "viewer": {"true", "false"},
}


def test_the_arguments_are_those_promised():
    assert {argument["name"] for argument in declared_arguments()} == NAMES


@pytest.mark.parametrize("argument", declared_arguments(), ids=lambda argument: argument["name"])
def test_each_argument_has_a_description_and_its_choices(argument):
    assert len(argument["description"]) > 20
    assert set(argument["choices"] or []) == CHOICES.get(argument["name"], set())
