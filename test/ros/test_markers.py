# SPDX-License-Identifier: Apache-2.0
"""What RViz is shown of each request, through the real node."""

from __future__ import annotations

import numpy as np
import pytest
from geometry_msgs.msg import Vector3
from visualization_msgs.msg import Marker, MarkerArray

from support.poses import rotation_from_rpy, transform, xyz_quat_from_transform
from support.ros_harness import positions_of, request_for, set_pose, wait_until

PARAMETERS = {"max_joint_state_age": 0, "frame_prefix": "left/"}
OFFSET = transform(rotation_from_rpy((0.2, 0.4, 0.3)), (0.02, -0.01, 0.1))


@pytest.fixture(scope="module")
def drawings(cell, arm):
    """Every drawing that is heard, from a moment on when the node knows that somebody listens."""
    heard = []
    probe = request_for(arm.pose(arm.start), dry_run=True)
    cell.move_joints(arm.start, lambda: cell.call(probe).success)
    cell.node.create_subscription(MarkerArray, "ik_solver/markers", heard.append, 100)
    wait_until(lambda: cell.call(probe) and heard, "a drawing")
    return heard


def drawing_of(cell, drawings, request):
    """The answer and its markers by namespace, the one that clears all others left out."""
    before = len(drawings)
    answer = cell.call(request)
    wait_until(lambda: len(drawings) > before, "a drawing")
    clearing, *markers = drawings[-1].markers
    assert clearing.action == Marker.DELETEALL
    for marker in markers:
        assert marker.header.frame_id == "left/base_link"
        assert marker.action == Marker.ADD
        assert max(marker.scale.x, marker.scale.z) > 0.0
        assert marker.pose.orientation.w == 1.0
    assert len({(marker.ns, marker.id) for marker in markers}) == len(markers)
    return answer, {marker.ns: marker for marker in markers}


def points(marker):
    return np.array([(p.x, p.y, p.z) for p in marker.points])


def assert_shows(marker, T_base_frame):
    """Three lines from the origin along the axes, in the colours that RViz gives to x, y, z."""
    assert marker.type == Marker.LINE_LIST
    ends = points(marker)
    np.testing.assert_allclose(ends[::2], [T_base_frame[:3, 3]] * 3, atol=1e-6)
    axes = (ends[1::2] - ends[::2]).T
    np.testing.assert_allclose(axes / np.linalg.norm(axes, axis=0), T_base_frame[:3, :3], atol=1e-6)
    strongest = [np.argmax((c.r, c.g, c.b)) for c in marker.colors]
    assert strongest == [0, 0, 1, 1, 2, 2]


def test_a_solution_is_drawn_at_its_target(cell, arm, drawings):
    T_base_target = arm.pose(arm.near)
    answer, markers = drawing_of(cell, drawings, request_for(T_base_target))
    assert set(markers) == {"target", "reached", "error", "status"}
    assert_shows(markers["target"], T_base_target)
    assert_shows(markers["reached"], arm.pose(positions_of(answer.solution)))
    assert markers["status"].text == "SOLVED"


def test_with_a_tool_it_is_the_tool_centre_point_that_is_drawn(cell, arm, drawings):
    T_base_target = arm.pose(arm.near) @ OFFSET
    request = request_for(T_base_target)
    set_pose(request.tcp_offset, xyz_quat_from_transform(OFFSET))
    answer, markers = drawing_of(cell, drawings, request)
    assert_shows(markers["reached"], arm.pose(positions_of(answer.solution)) @ OFFSET)


def test_a_failure_shows_the_closest_pose_and_how_far_it_is(cell, arm, drawings):
    T_base_target = transform(np.eye(3), (3.0, 0.5, 0.5))
    answer, markers = drawing_of(cell, drawings, request_for(T_base_target))
    assert set(markers) == {"target", "closest", "error", "status"}
    T_base_closest = arm.pose(positions_of(answer.closest))
    assert_shows(markers["closest"], T_base_closest)
    np.testing.assert_allclose(
        points(markers["error"]), [T_base_target[:3, 3], T_base_closest[:3, 3]], atol=1e-6
    )
    assert markers["status"].text == "UNREACHABLE"
    (red, _) = markers["error"].colors
    assert red.r > 2 * max(red.g, red.b)


@pytest.mark.parametrize("frame", ["left/tool0", "tool0"])
def test_targets_in_a_link_with_its_prefix_or_without(cell, arm, drawings, frame):
    T_base_target = arm.pose(arm.near)
    request = request_for(np.linalg.inv(arm.pose(arm.start, "tool0")) @ T_base_target)
    request.target.header.frame_id = frame
    answer, markers = drawing_of(cell, drawings, request)
    arm.assert_reaches(answer, T_base_target)
    assert_shows(markers["target"], T_base_target)


@pytest.mark.parametrize("frame", ["right/tool0", "left/left/tool0", "left/"])
def test_the_links_of_another_robot_are_not_ours(cell, arm, frame):
    request = request_for(arm.pose(arm.near))
    request.target.header.frame_id = frame
    answer = cell.call(request)
    assert not answer.success
    assert frame in answer.message


def test_a_request_of_no_use_draws_nothing_and_markers_can_be_switched_off(cell, arm, drawings):
    before = len(drawings)
    assert not cell.call(
        request_for(arm.pose(arm.near), position_tolerance=Vector3(x=-1.0))
    ).success
    (accepted,) = cell.set_parameters(publish_markers=False)
    assert accepted.successful
    assert cell.call(request_for(arm.pose(arm.near))).success
    (accepted,) = cell.set_parameters(publish_markers=True)
    assert accepted.successful
    drawing_of(cell, drawings, request_for(arm.pose(arm.near)))
    assert len(drawings) == before + 1
