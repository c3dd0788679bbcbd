# SPDX-License-Identifier: Apache-2.0
"""config/ik.rviz, checked without RViz: classes that exist, topics that are published."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest
import yaml

from support.launch_runs import LAUNCH_FILE
from support.robots import DEMO_ARM, robot_urdf

CONFIG = yaml.safe_load((LAUNCH_FILE.parents[1] / "config" / "ik.rviz").read_text(encoding="utf-8"))
MANAGER = CONFIG["Visualization Manager"]
DISPLAYS = {display["Class"]: display for display in MANAGER["Displays"]}
# Registered by rviz_common and rviz_default_plugins of Jazzy and Kilted.
PANELS = {"rviz_common/Displays", "rviz_common/Views"}
TOOLS = {f"rviz_default_plugins/{name}" for name in ("Interact", "MoveCamera", "Select")}
VIEWS = {"rviz_default_plugins/Orbit"}


def test_it_shows_the_robot_its_frames_its_base_and_a_floor():
    names = ("RobotModel", "TF", "Axes", "Grid")

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


def test_no_display_waits_for_a_topic_that_nobody_publishes():
    topics = [value["Value"] for display in DISPLAYS.values() for value in _topics(display)]

    assert topics == ["/robot_description"]


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
