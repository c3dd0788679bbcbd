# SPDX-License-Identifier: Apache-2.0
"""Which nodes ik.launch.py starts, under which names, with which parameters."""

from __future__ import annotations

import pytest
import yaml

from support.launch_runs import LAUNCH_FILE
from support.robots import DEMO_ARM, robot_urdf, robot_urdf_path

EVERYTHING = ("joint_states:=fake", "robot_state_publisher:=true", "rviz:=true")
CONFIG = LAUNCH_FILE.parents[1] / "config"


@pytest.fixture
def complete_runner(runner):
    """On a machine where everything is installed."""
    runner.install("robot_state_publisher", "robot_state_publisher")
    runner.install("rviz2", "rviz2")
    return runner


def test_by_default_only_the_ik_node_starts_with_the_demo_arm(complete_runner):
    launched = complete_runner.run()

    assert launched.exit_code == 0, launched.output
    assert set(launched.nodes) == {"ik_node"}
    node = launched.nodes["ik_node"]
    assert (node.namespace, node.name) == ("/", "ik_solver")
    assert node.parameters["robot_description"] == robot_urdf(DEMO_ARM.name)


def test_the_parameters_are_those_of_the_configuration_file(runner):
    parameters = runner.run().nodes["ik_node"].parameters

    # The section '/**', so that an overlay with the same section comes after it and wins.
    defaults = yaml.safe_load((CONFIG / "ik_solver.yaml").read_text(encoding="utf-8"))["/**"][
        "ros__parameters"
    ]
    del defaults["robot_description"]
    assert {name: parameters[name] for name in defaults} == defaults


def test_any_urdf_reaches_the_node_unchanged(runner):
    node = runner.run(f"urdf:={robot_urdf_path('panda')}").nodes["ik_node"]

    assert node.parameters["robot_description"] == robot_urdf("panda")


@pytest.mark.parametrize("section", ["/**", "ik_solver", "/ik_solver"])
def test_the_params_file_beats_the_defaults_and_the_tip_argument_beats_both(
    runner, tmp_path, section
):
    overlay = tmp_path / "overlay.yaml"
    content = {section: {"ros__parameters": {"tip_frame": "flange", "timeout": 0.2}}}
    overlay.write_text(yaml.dump(content))

    from_file = runner.run(f"params_file:={overlay}").nodes["ik_node"].parameters
    assert (from_file["tip_frame"], from_file["timeout"]) == ("flange", 0.2)

    from_both = (
        runner.run(f"params_file:={overlay}", "tip_frame:=tool0").nodes["ik_node"].parameters
    )
    assert (from_both["tip_frame"], from_both["timeout"]) == ("tool0", 0.2)


@pytest.mark.parametrize("tip", ["007", "true", "1e3", "a: b", "~"])
def test_a_tip_frame_stays_a_text(runner, tip):
    assert runner.run(f"tip_frame:={tip}").nodes["ik_node"].parameters["tip_frame"] == tip


@pytest.mark.parametrize("given", ["cell_1/arm", "/cell_1/arm"])
def test_the_namespace_holds_every_node(complete_runner, given):
    launched = complete_runner.run(f"namespace:={given}", *EVERYTHING)

    assert len(launched.nodes) == 5, launched.output
    assert {node.namespace for node in launched.nodes.values()} == {"/cell_1/arm"}


def test_simulated_time_is_for_every_node(complete_runner):
    launched = complete_runner.run("use_sim_time:=true", *EVERYTHING)

    assert len(launched.nodes) == 5, launched.output
    assert {node.parameters["use_sim_time"] for node in launched.nodes.values()} == {True}


def test_without_the_argument_the_params_file_decides_on_simulated_time(runner, tmp_path):
    overlay = tmp_path / "overlay.yaml"
    overlay.write_text("/**: {ros__parameters: {use_sim_time: true}}")

    assert runner.run(f"params_file:={overlay}").nodes["ik_node"].parameters["use_sim_time"] is True


def test_a_fake_robot_brings_joint_states_and_a_state_publisher(complete_runner):
    nodes = complete_runner.run("joint_states:=fake").nodes

    assert set(nodes) == {"ik_node", "fake_joint_states", "robot_state_publisher"}
    assert {node.parameters["robot_description"] for node in nodes.values()} == {
        robot_urdf(DEMO_ARM.name)
    }
    assert nodes["fake_joint_states"].parameters["follow"] == "ik_solver/joint_targets"


@pytest.mark.parametrize(
    ("arguments", "started"),
    [
        (("robot_state_publisher:=true",), True),
        (("robot_state_publisher:=false", "joint_states:=fake"), False),
        (("robot_state_publisher:=auto",), False),
        (("urdf:=topic", "joint_states:=fake"), False),
    ],
)
def test_the_state_publisher_starts_when_wanted(complete_runner, arguments, started):
    nodes = complete_runner.run(*arguments).nodes

    assert "ik_node" in nodes
    assert ("robot_state_publisher" in nodes) == started


def test_with_the_topic_no_description_is_given(runner):
    parameters = runner.run("urdf:=topic").nodes["ik_node"].parameters

    assert parameters.get("robot_description", "") == ""


def test_rviz_shows_this_robot(complete_runner):
    rviz = complete_runner.run("rviz:=true", f"urdf:={robot_urdf_path('panda')}").nodes["rviz2"]

    option, configuration, *fixed_frame = rviz.arguments
    assert (option, configuration) == ("-d", str(complete_runner.share / "config" / "ik.rviz"))
    assert fixed_frame == ["-f", "panda_link0"]
    # The configuration's absolute topics become those of the namespace.
    assert rviz.remappings["/robot_description"] == "robot_description"


def test_with_rviz_comes_the_marker_to_drag(complete_runner):
    nodes = complete_runner.run("rviz:=true", "namespace:=left").nodes

    assert set(nodes) == {"ik_node", "rviz2", "ik_interactive_marker"}
    assert nodes["ik_interactive_marker"].name == "ik_interactive_marker"


def test_rviz_opens_without_knowing_the_robot(complete_runner):
    rviz = complete_runner.run("rviz:=true", "urdf:=topic").nodes["rviz2"]

    assert "-f" not in rviz.arguments


@pytest.mark.parametrize("package", ["robot_state_publisher", "rviz2"])
def test_the_ik_node_starts_without_its_companions(runner, package):
    launched = runner.run(*EVERYTHING)

    assert launched.exit_code == 0
    assert set(launched.nodes) == {"ik_node", "fake_joint_states"}
    hint = f"sudo apt install ros-jazzy-{package.replace('_', '-')}"
    assert [line for line in launched.output.splitlines() if "WARNING" in line and hint in line]


def test_the_viewer_learns_where_the_urdf_lies(runner):
    path = robot_urdf_path("panda")
    viewer = runner.run("viewer:=true", f"urdf:={path}").nodes["ik_viewer"]

    assert viewer.parameters["urdf_file"] == str(path)
    assert "ik_viewer" not in runner.run("viewer:=false").nodes


def test_the_viewer_takes_the_robot_of_the_topic(runner):
    viewer = runner.run("viewer:=true", "urdf:=topic").nodes["ik_viewer"]

    assert "urdf_file" not in viewer.parameters
