# SPDX-License-Identifier: Apache-2.0
"""config/ik.rviz, checked without RViz: classes that exist, topics that are published."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest
import yaml

from support.launch_runs import LAUNCH_FILE, LaunchRunner
from support.robots import DEMO_ARM, robot_urdf
from support.ros_harness import Program, node_in_cell, own_domain, wait_until

CONFIG = yaml.safe_load((LAUNCH_FILE.parents[1] / "config" / "ik.rviz").read_text(encoding="utf-8"))
MANAGER = CONFIG["Visualization Manager"]
DISPLAYS = {display["Class"]: display for display in MANAGER["Displays"]}
# Registered by rviz_common and rviz_default_plugins of Jazzy and Kilted.
PANELS = {"rviz_common/Displays", "rviz_common/Views"}
TOOLS = {f"rviz_default_plugins/{name}" for name in ("Interact", "MoveCamera", "Select")}
VIEWS = {"rviz_default_plugins/Orbit"}


def test_it_shows_robot_frames_base_floor_answers_and_a_marker_to_drag():
    names = ("RobotModel", "TF", "Axes", "Grid", "MarkerArray", "InteractiveMarkers")

    assert set(DISPLAYS) == {f"rviz_default_plugins/{name}" for name in names}
    # RViz reads both, and a display with one of them missing stays dark.
    assert all(display["Enabled"] and display["Value"] for display in DISPLAYS.values())


def test_panels_tools_and_view_are_classes_of_rviz():
    assert {panel["Class"] for panel in CONFIG["Panels"]} <= PANELS
    assert {tool["Class"] for tool in MANAGER["Tools"]} <= TOOLS
    assert MANAGER["Views"]["Current"]["Class"] in VIEWS


def test_the_robot_comes_from_the_latched_description():
    robot = DISPLAYS["rviz_default_plugins/RobotModel"]
    topic = robot["Description Topic"]

    assert robot["Description Source"] == "Topic"
    # The name that the launch file's remapping brings into the namespace.
    assert topic["Value"] == "/robot_description"
    # As robot_state_publisher offers it: without, a late RViz would show no robot.
    assert topic["Durability Policy"] == "Transient Local"
    assert topic["Reliability Policy"] == "Reliable"


def test_the_answers_are_heard_from_now_on():
    topic = DISPLAYS["rviz_default_plugins/MarkerArray"]["Topic"]

    # What the node offers; RViz would not hear it with a wish for more.
    assert topic["Durability Policy"] == "Volatile"


def test_what_is_shown_is_what_the_processes_offer(tmp_path):
    shown = {value["Value"] for display in DISPLAYS.values() for value in _topics(display)}
    marker = DISPLAYS["rviz_default_plugins/InteractiveMarkers"]["Interactive Markers Namespace"]
    parameters = {"robot_description": robot_urdf(DEMO_ARM.name)}
    with (
        own_domain() as domain,
        node_in_cell(tmp_path, domain, parameters) as (_, cell),
        Program(tmp_path, "ik_interactive_marker", domain) as program,
    ):
        program.wait_for(marker)
        published = {"/robot_description"}  # by robot_state_publisher
        for topic in shown - published:
            wait_until(lambda name=topic: cell.node.count_publishers(name), topic)
        for topic, count in (
            ("update", cell.node.count_publishers),
            ("feedback", cell.node.count_subscribers),
        ):
            wait_until(lambda name=topic, count=count: count(f"{marker}/{name}"), topic)
        services = wait_until(
            lambda: [
                types
                for name, types in cell.node.get_service_names_and_types()
                if name == f"{marker}/get_interactive_markers"
            ],
            "the service of the marker",
        )
        assert services == [["visualization_msgs/srv/GetInteractiveMarkers"]]
    assert shown == {"/robot_description", "/ik_solver/markers"}


def test_the_launch_file_brings_all_of_it_into_its_namespace(tmp_path):
    runner = LaunchRunner(tmp_path, real=False)
    runner.install("rviz2", "rviz2")
    launched = runner.run("rviz:=true", "namespace:=left").nodes
    marker = DISPLAYS["rviz_default_plugins/InteractiveMarkers"]["Interactive Markers Namespace"]
    absolute = {value["Value"] for display in DISPLAYS.values() for value in _topics(display)}
    absolute |= {f"{marker}/{name}" for name in ("update", "feedback", "get_interactive_markers")}

    assert launched["rviz2"].remappings == {name: name[1:] for name in absolute}
    assert launched["ik_interactive_marker"].namespace == "/left"


def test_the_fixed_frame_is_the_root_of_the_demo_arm():
    robot = ElementTree.fromstring(robot_urdf(DEMO_ARM.name))
    children = {child.get("link") for child in robot.iterfind("joint/child")}
    roots = {link.get("name") for link in robot.iterfind("link")} - children

    assert {MANAGER["Global Options"]["Fixed Frame"]} == roots


@pytest.mark.parametrize("name", ["Grid", "Axes"])
def test_floor_and_base_follow_the_fixed_frame(name):
    display = DISPLAYS[f"rviz_default_plugins/{name}"]

    assert display["Reference Frame"] == "<Fixed Frame>"


def _topics(display):
    return [value for key, value in display.items() if key.endswith("Topic")]
