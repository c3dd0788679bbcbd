# SPDX-License-Identifier: Apache-2.0
"""The marker that is dragged in RViz: real processes, and a client that behaves as RViz does."""

from __future__ import annotations

import contextlib
import copy
import importlib.util
import math

import pytest
from geometry_msgs.msg import Pose, Quaternion
from visualization_msgs.msg import InteractiveMarkerControl as Control
from visualization_msgs.msg import InteractiveMarkerFeedback as Feedback
from visualization_msgs.msg import MarkerArray

from support.marker_client import MarkerClient
from support.poses import xyz_quat_from_transform
from support.ros_harness import Cell, Program, own_domain, set_pose, wait_until

PARAMETERS = {"max_joint_state_age": 0, "frame_prefix": "left/"}
MOVE_HERE, BACK_TO_TOOL = 1, 2


@pytest.fixture(scope="module")
def program(running, cell, arm, tmp_path_factory):
    """The marker's own process."""
    cell.hear_targets()
    domain = cell.node.context.get_domain_id()
    with Program(tmp_path_factory.mktemp("marker"), "ik_interactive_marker", domain) as program:
        with cell.moving_joints(arm.start):
            client = MarkerClient(cell.node, "the first")
            client.begin()
        yield program
        assert program.is_running(), program.log
    assert len(program.log.splitlines()) == 1, program.log


@pytest.fixture
def rviz(program, cell, arm):
    """A client that has the marker, back at the tool; nothing was published yet."""
    client = MarkerClient(cell.node)
    client.begin()
    while not _comes_back(client):
        assert program.is_running(), program.log
    assert distance(client.marker.pose, pose_of(arm.pose(arm.start))) < 1e-6
    cell.targets.clear()
    client.updates.clear()
    return client


def _comes_back(client) -> bool:
    """Send it back to the tool; the ROS package hears nobody in a marker's first second."""
    client.send(Feedback.MENU_SELECT, menu_entry=BACK_TO_TOOL)
    with contextlib.suppress(AssertionError):
        wait_until(lambda: _is_new(client), "the marker anew", 5.0)
    return _is_new(client)


def _is_new(client) -> bool:
    return any("drag me" in m.description for update in client.updates for m in update.markers)


def pose_of(T_base_pose) -> Pose:
    return set_pose(Pose(), xyz_quat_from_transform(T_base_pose))


def distance(a: Pose, b: Pose) -> float:
    return math.dist(*((p.position.x, p.position.y, p.position.z) for p in (a, b)))


def verdict(client, words):
    """Wait for the sentence above the marker; returns it in one line."""
    wait_until(lambda: words in client.marker.description, f"'{words}' above the marker")
    return client.marker.description.replace("\n", " ")


def colour(client) -> str:
    ball = client.ball
    if ball.r == ball.g == ball.b:
        return "grey"
    return "green" if ball.g > ball.r else "amber" if ball.g > 0.5 else "red"


def test_it_waits_at_the_tool_with_six_handles_and_a_menu(rviz, arm):
    marker = rviz.marker
    assert marker.header.frame_id == "left/base_link"  # a frame of TF
    assert (marker.header.stamp.sec, marker.header.stamp.nanosec) == (0, 0)
    assert distance(marker.pose, pose_of(arm.pose(arm.start))) < 1e-9
    assert colour(rviz) == "grey"
    ball, *handles = marker.controls
    assert ball.interaction_mode == Control.MOVE_3D
    modes = [handle.interaction_mode for handle in handles]
    assert sorted(modes) == [Control.MOVE_AXIS] * 3 + [Control.ROTATE_AXIS] * 3
    assert len({control.name for control in marker.controls}) == 7
    assert {entry.title: entry.id for entry in marker.menu_entries} == {
        "Move here": MOVE_HERE,
        "Back to the tool": BACK_TO_TOOL,
    }


def test_the_handles_lie_along_the_axes(rviz):
    axes = set()
    for handle in rviz.marker.controls[1:]:
        q = handle.orientation
        # Where the quaternion turns the x axis.
        axis = (
            1 - 2 * (q.y**2 + q.z**2),
            2 * (q.x * q.y + q.z * q.w),
            2 * (q.x * q.z - q.y * q.w),
        )
        axes.add((handle.interaction_mode, tuple(abs(round(x)) for x in axis)))
    unit = {(1, 0, 0), (0, 1, 0), (0, 0, 1)}
    assert axes == {(mode, x) for mode in (Control.MOVE_AXIS, Control.ROTATE_AXIS) for x in unit}


def test_dragging_to_a_reachable_pose_ends_green_and_publishes_nothing(cell, rviz, arm):
    target = pose_of(arm.pose(arm.near))
    rviz.drag(pose_of(arm.pose(arm.start)), target)
    assert verdict(rviz, "SOLVED").startswith("SOLVED: solved: off by")
    assert colour(rviz) == "green"
    assert distance(rviz.marker.pose, target) < 1e-9
    assert cell.targets == []


def test_dragging_out_of_reach_ends_red_with_the_reason(cell, rviz, arm):
    far = copy.deepcopy(rviz.marker.pose)
    far.position.x = 4.0
    rviz.drag(far)
    assert "out of reach" in verdict(rviz, "UNREACHABLE")
    assert colour(rviz) == "red"
    assert cell.targets == []


def test_while_it_is_dragged_the_marker_is_not_replaced(cell, rviz, arm):
    """RViz would let go of it; meanwhile the node's own markers show what came of it."""
    drawn = []
    cell.node.create_subscription(MarkerArray, "ik_solver/markers", drawn.append, 100)
    target = pose_of(arm.pose(arm.near))

    def dragged_and_drawn():
        rviz.send(Feedback.POSE_UPDATE, target)
        return drawn

    rviz.send(Feedback.MOUSE_DOWN)
    wait_until(dragged_and_drawn, "a drawing of the node")
    assert not any(update.markers for update in rviz.updates)
    rviz.send(Feedback.MOUSE_UP, target)
    verdict(rviz, "SOLVED")


def test_only_the_menu_moves_and_it_moves_once(cell, rviz, arm):
    target = pose_of(arm.pose(arm.near))
    rviz.drag(target)
    verdict(rviz, "SOLVED")
    assert cell.targets == []
    rviz.send(Feedback.MENU_SELECT, menu_entry=MOVE_HERE)
    verdict(rviz, "published")
    wait_until(lambda: cell.targets, "a published target")
    assert len(cell.targets) == 1
    arm.assert_within_limits(dict(zip(cell.targets[0].name, cell.targets[0].position)))


def test_moving_out_of_reach_publishes_nothing(cell, rviz):
    far = copy.deepcopy(rviz.marker.pose)
    far.position.z = 3.0
    rviz.drag(far)
    verdict(rviz, "UNREACHABLE")
    rviz.updates.clear()
    rviz.send(Feedback.MENU_SELECT, menu_entry=MOVE_HERE)
    wait_until(lambda: any(update.markers for update in rviz.updates), "an answer to the menu")
    assert "published" not in rviz.marker.description
    assert cell.targets == []


def test_numbers_of_updates_rise_by_one_and_a_late_client_starts_from_the_last(cell, rviz, arm):
    rviz.drag(*(pose_of(arm.pose(arm.near)),) * 5)
    verdict(rviz, "SOLVED")
    late = MarkerClient(cell.node, "late")
    number = late.begin()
    wait_until(lambda: rviz.updates[-1].seq_num >= number, "all updates up to then")
    numbers = [update.seq_num for update in rviz.updates]
    assert len(numbers) >= 6
    assert numbers == list(range(numbers[0], numbers[0] + len(numbers)))
    assert {update.type for update in rviz.updates} == {1}
    assert number >= numbers[-2]  # a second answer may have come meanwhile
    assert distance(late.marker.pose, rviz.marker.pose) < 1e-12


def test_a_second_client_sees_the_drag_and_cannot_disturb_it(cell, rviz, arm):
    other = MarkerClient(cell.node, "other")
    other.begin()
    target, elsewhere = pose_of(arm.pose(arm.near)), copy.deepcopy(rviz.marker.pose)
    elsewhere.position.x = 4.0
    rviz.send(Feedback.MOUSE_DOWN)
    rviz.send(Feedback.POSE_UPDATE, target)
    wait_until(lambda: distance(other.marker.pose, target) < 1e-9, "the drag at the other client")
    other.send(Feedback.POSE_UPDATE, elsewhere)
    rviz.send(Feedback.MOUSE_UP, target)
    verdict(rviz, "SOLVED")
    assert distance(rviz.marker.pose, target) < 1e-9


@pytest.mark.skipif(
    importlib.util.find_spec("interactive_markers") is not None,
    reason="the package interactive_markers takes over any pose it hears",
)
@pytest.mark.parametrize("x", [math.nan, math.inf])
def test_feedback_that_is_no_pose_is_ignored(cell, rviz, arm, x):
    broken = copy.deepcopy(rviz.marker.pose)
    broken.position.x = x
    rviz.drag(broken)
    turned = copy.deepcopy(rviz.marker.pose)
    turned.orientation = Quaternion(w=0.0)
    rviz.drag(turned)
    rviz.drag(pose_of(arm.pose(arm.near)))
    verdict(rviz, "SOLVED")
    assert len([update for update in rviz.updates if update.poses]) == 1


def test_it_appears_with_the_robot_and_says_when_the_node_is_gone(tmp_path, arm):
    parameters = {"robot_description": arm.urdf, "max_joint_state_age": 0}
    with (
        own_domain() as domain,
        Cell(domain) as cell,
        Program(tmp_path, "ik_interactive_marker", domain) as program,
        Program(tmp_path, "ik_node", domain, parameters) as node,
    ):
        client = MarkerClient(cell.node)
        with cell.moving_joints(arm.start):
            client.begin()
        assert client.marker.header.frame_id == "base_link"
        node.end()
        wait_until(lambda: not cell.client.service_is_ready(), "the end of the node")
        client.drag(pose_of(arm.pose(arm.near)))
        verdict(client, "does not answer")
        assert colour(client) == "grey"
        assert program.end() == 0
    assert len(program.log.splitlines()) == 1, program.log


def test_it_ends_quietly_without_a_node(tmp_path, domain):
    with Program(tmp_path, "ik_interactive_marker", domain) as program:
        program.wait_for("/ik_solver/interactive")
        assert program.end() == 0
    assert len(program.log.splitlines()) == 1, program.log
