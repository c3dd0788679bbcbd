# SPDX-License-Identifier: Apache-2.0
"""Every field of SolveIK and every way a call can end, through the real node."""

from __future__ import annotations

import importlib.util
import itertools
import math

import numpy as np
import pytest
from builtin_interfaces.msg import Duration
from geometry_msgs.msg import Vector3

from ik_solver_ros import Status
from support.poses import (
    orientation_error_rad,
    position_error_m,
    rotation_about,
    rotation_from_rpy,
    transform,
)
from support.ros_harness import (
    joint_state,
    positions_of,
    request_for,
    set_pose,
    stamped_transform,
    wait_until,
)

OFFSET = transform(rotation_from_rpy((0.0, math.pi / 2, 0.3)), (0.02, -0.01, 0.1))
FREE = Vector3(x=math.inf, y=math.inf, z=math.inf)
TF_IS_INSTALLED = importlib.util.find_spec("tf2_ros") is not None
PARAMETERS = {
    "max_joint_state_age": 0,  # the arm rests: it need not say so again
    "relaxed_position_tolerance": 0.01,
    "relaxed_orientation_tolerance": 0.05,
}


@pytest.fixture(scope="module", autouse=True)
def joint_states_are_known(cell, arm):
    probe = request_for(arm.pose(arm.start), dry_run=True)
    cell.move_joints(arm.start, lambda: cell.call(probe).success)


def test_a_reachable_target_is_reached(cell, arm):
    target = arm.pose(arm.near)
    answer = cell.call(request_for(target))

    arm.assert_reaches(answer, target)
    assert (answer.status, answer.seed_source) == (Status.SOLVED, "joint_states")
    assert answer.iterations > 0
    assert answer.attempts > 0
    assert answer.solve_time > 0.0
    jumps = {j: abs(p - arm.start[j]) for j, p in positions_of(answer.solution).items()}
    assert answer.max_joint_jump == pytest.approx(max(jumps.values()))
    assert answer.solution.header.stamp.sec > 0


def test_the_same_call_gives_the_same_answer_to_the_last_bit(cell, arm):
    request = request_for(arm.pose(arm.near), seed=arm.start)
    first, second = cell.call(request), cell.call(request)
    assert first.solution.position == second.solution.position


@pytest.fixture(scope="module")
def table(cell):
    """A frame outside the robot, T_base_table; only TF knows it."""
    import tf2_ros

    T_base_table = transform(rotation_from_rpy((0.3, -0.2, 1.0)), (0.4, -0.5, 0.1))
    broadcaster = tf2_ros.StaticTransformBroadcaster(cell.node)
    broadcaster.sendTransform(stamped_transform("base_link", "table", T_base_table))
    return T_base_table


LINKS = ["base_link", "shoulder_link", "elbow_link", "tool0"]


@pytest.mark.parametrize("frame", LINKS + (["table"] if TF_IS_INSTALLED else []))
def test_the_same_place_asked_for_in_another_frame_gets_the_same_answer(cell, arm, frame, request):
    T_base_target = arm.pose(arm.near)
    is_link = frame in LINKS
    T_base_frame = arm.pose(arm.start, frame) if is_link else request.getfixturevalue(frame)
    in_frame = request_for(np.linalg.inv(T_base_frame) @ T_base_target, seed=arm.start)
    in_frame.target.header.frame_id = frame

    plain = cell.call(request_for(T_base_target, seed=arm.start))
    wait_until(lambda: cell.call(in_frame).status != Status.FRAME_UNAVAILABLE, "TF is heard")
    answer = cell.call(in_frame)
    arm.assert_reaches(answer, T_base_target)
    assert list(answer.solution.position) == pytest.approx(list(plain.solution.position), abs=1e-6)


def test_another_tip(cell, arm):
    target = arm.pose(arm.near, "flange")
    answer = cell.call(request_for(target, tip_frame="flange"))
    arm.assert_reaches(answer, target, "flange")


def test_the_tool_centre_point_is_brought_to_the_target(cell, arm):
    T_base_target = arm.pose(arm.near) @ OFFSET
    request = request_for(T_base_target)
    request.tcp_offset = set_pose(request.tcp_offset, xyz_quat(OFFSET))
    arm.assert_reaches(cell.call(request), T_base_target @ np.linalg.inv(OFFSET))


def xyz_quat(T):
    return pose_numbers(request_for(T).target.pose)


def pose_numbers(pose):
    at, turned = pose.position, pose.orientation
    return at.x, at.y, at.z, turned.x, turned.y, turned.z, turned.w


def test_a_tool_of_the_parameters_is_used_for_their_tip_only(cell, arm):
    x, y, z = OFFSET[:3, 3]
    (accepted,) = cell.set_parameters(tcp_offset=[x, y, z, 0.0, math.pi / 2, 0.3])
    try:
        assert accepted.successful, accepted.reason
        T_base_target = arm.pose(arm.near) @ OFFSET
        answer = cell.call(request_for(T_base_target))
        arm.assert_reaches(answer, T_base_target @ np.linalg.inv(OFFSET))

        at_flange = arm.pose(arm.near, "flange")
        answer = cell.call(request_for(at_flange, tip_frame="flange"))
        arm.assert_reaches(answer, at_flange, "flange")
    finally:
        cell.set_parameters(tcp_offset=[0.0] * 6)


def test_position_only_with_no_orientation_at_all(cell, arm):
    target = arm.pose(arm.near)
    request = request_for(target, orientation_tolerance=FREE)
    set_pose(request.target.pose, (*target[:3, 3], 0, 0, 0, 0))
    answer = cell.call(request)

    assert answer.status == Status.SOLVED, answer.message
    assert position_error_m(arm.pose(positions_of(answer.solution)), target) <= 1e-4
    assert answer.orientation_error == 0.0


def test_free_rotation_about_the_tool_axis(cell, arm):
    target = arm.pose(arm.near) @ transform(rotation_about((0, 0, 1), 2.5), (0, 0, 0))
    answer = cell.call(request_for(target, orientation_tolerance=Vector3(z=math.inf)))

    assert answer.status == Status.SOLVED, answer.message
    reached = arm.pose(positions_of(answer.solution))
    assert position_error_m(reached, target) <= 1e-4
    assert reached[:3, 2] @ target[:3, 2] >= math.cos(1e-3)


def test_a_tolerance_of_one_axis(cell, arm):
    target = arm.pose(arm.start)
    request = request_for(target, position_tolerance=Vector3(x=math.inf, y=0.05, z=0.001))
    error = (np.linalg.inv(target) @ arm.pose(positions_of(cell.call(request).solution)))[:3, 3]
    assert abs(error[1]) <= 0.05
    assert abs(error[2]) <= 0.001


def test_a_complete_seed_is_where_the_search_starts(cell, arm):
    request = request_for(arm.pose(arm.near), seed=arm.near)
    answer = cell.call(request)
    assert answer.seed_source == "request"
    assert answer.max_joint_jump <= 1e-6


def test_a_partial_seed_overrides_the_joint_states_by_name(cell, arm):
    seed = {"joint_6": arm.start["joint_6"] - 2 * math.pi}
    target = arm.pose(arm.start)
    answer = cell.call(request_for(target, seed=seed))
    arm.assert_reaches(answer, target)
    assert answer.seed_source == "request+joint_states"
    assert positions_of(answer.solution) == pytest.approx(arm.start | seed, abs=1e-5)


def test_a_seed_outside_the_limits_is_said_and_the_answer_is_inside(cell, arm):
    target = arm.pose(arm.near)
    for beyond in (1e-8, 1e-3, 0.5):
        answer = cell.call(request_for(target, seed=arm.near | {"joint_3": 1.0472 + beyond}))
        arm.assert_reaches(answer, target)
        assert "seed was outside" in answer.message
        assert "'joint_3'" in answer.message


def test_a_jump_that_is_too_large_is_refused_with_joint_and_size(cell, arm):
    answer = cell.call(request_for(arm.pose(arm.near), seed=arm.start, max_joint_jump=0.05))
    assert answer.status == Status.JOINT_JUMP
    assert "joint_" in answer.message
    assert "0.05" in answer.message
    assert list(answer.closest.name) == arm.joints
    assert_is_no_answer(answer)


def test_a_jump_that_is_small_enough_is_no_matter(cell, arm):
    answer = cell.call(request_for(arm.pose(arm.near), seed=arm.start, max_joint_jump=0.41))
    assert answer.status == Status.SOLVED, answer.message
    assert answer.max_joint_jump <= 0.41


def test_several_solutions_are_distinct_true_and_nearest_first(cell, arm):
    target = arm.pose(arm.near)
    answer = cell.call(request_for(target, max_solutions=8))
    solutions = [answer.solution, *answer.alternatives]

    assert len(solutions) > 1
    for one, other in itertools.combinations(solutions, 2):
        assert np.max(np.abs(np.array(one.position) - np.array(other.position))) > 0.05
    for solution in solutions:
        reached = arm.pose(positions_of(solution))
        assert position_error_m(reached, target) <= 1e-4
        assert orientation_error_rad(reached, target) <= 1e-3
        arm.assert_within_limits(positions_of(solution))
    assert len(cell.call(request_for(target, max_solutions=1)).alternatives) == 0


def test_just_beyond_a_limit_names_the_joint(cell, arm):
    answer = cell.call(request_for(arm.pose(arm.beyond)))
    assert answer.status == Status.JOINT_LIMITS
    assert list(answer.blocking_joints) == ["joint_3"]
    assert list(answer.closest.name) == arm.joints
    assert 0.0 < answer.closest_position_error < 0.01
    assert_is_no_answer(answer)


def test_relaxed_tolerances_are_used_if_allowed_and_said(cell, arm):
    target = arm.pose(arm.beyond)
    answer = cell.call(request_for(target, allow_relaxed=True))
    assert (answer.status, answer.success) == (Status.SOLVED_RELAXED, True)
    assert "relaxed" in answer.message
    reached = arm.pose(positions_of(answer.solution))
    assert answer.position_error == pytest.approx(position_error_m(reached, target), abs=1e-9)
    assert 1e-4 < answer.position_error <= 0.01 or 1e-3 < answer.orientation_error <= 0.05


def test_far_away_is_unreachable(cell, arm):
    target = arm.pose(arm.start)
    target[0, 3] += 10.0
    answer = cell.call(request_for(target))
    assert answer.status == Status.UNREACHABLE
    assert answer.closest_position_error > 8.0
    assert_is_no_answer(answer)


def test_no_time_at_all_is_a_timeout(cell, arm):
    request = request_for(arm.pose(arm.beyond), seed=arm.start, timeout=Duration(nanosec=1))
    answer = cell.call(request)
    assert answer.status == Status.TIMEOUT, answer.message
    assert_is_no_answer(answer)


def assert_is_no_answer(answer):
    assert not answer.success
    assert list(answer.solution.name) == []
    assert list(answer.solution.position) == []
    assert list(answer.alternatives) == []
    assert math.isnan(answer.position_error)
    assert answer.message


def refusal(cell, status, *words, **fields):
    request = request_for(np.eye(4))
    for name, value in fields.items():
        holder, _, last = name.rpartition("__")
        target = request
        for part in filter(None, holder.split("__")):
            target = getattr(target, part)
        setattr(target, last, value)
    answer = cell.call(request)
    assert answer.status == status, answer.message
    assert_is_no_answer(answer)
    for word in words:
        assert word in answer.message


def test_what_the_caller_got_wrong_is_told_by_field(cell):
    invalid = Status.INVALID_REQUEST
    refusal(cell, invalid, "target.pose.position", target__pose__position__x=math.nan)
    refusal(cell, invalid, "target.pose.orientation", target__pose__orientation__w=0.0)
    refusal(cell, invalid, "tcp_offset", tcp_offset__position__z=math.inf)
    refusal(cell, invalid, "position_tolerance.y", position_tolerance=Vector3(y=-1.0))
    refusal(cell, invalid, "orientation_tolerance.z", orientation_tolerance=Vector3(z=math.nan))
    refusal(cell, invalid, "max_joint_jump", max_joint_jump=-0.1)
    refusal(cell, invalid, "max_solutions", max_solutions=2_000_000_000)
    refusal(cell, invalid, "timeout", timeout=Duration(sec=-1))
    refusal(cell, invalid, "seed", "joint_1", seed=joint_state({"joint_1": math.nan}))
    refusal(cell, invalid, "seed", "joint_7", seed=joint_state({"joint_7": 0.0}))
    refusal(cell, invalid, "no moving joint", tip_frame="base_link")


def test_frames_that_do_not_exist_are_told_with_near_ones(cell):
    refusal(cell, Status.UNKNOWN_FRAME, "'tool'", "'tool0'", tip_frame="tool")
    refusal(cell, Status.UNKNOWN_FRAME, "'base_link'", target__header__frame_id="/base_link")


def test_a_target_frame_outside_the_robot_is_refused_where_tf_does_not_know_it(cell):
    request = request_for(np.eye(4))
    request.target.header.frame_id = "elbow_lnk"
    answer = cell.call(request)
    # Without tf2_ros nobody could know it; with it, it may come yet.
    assert answer.status in (Status.UNKNOWN_FRAME, Status.FRAME_UNAVAILABLE)
    assert "'elbow_link'" in answer.message
    assert_is_no_answer(answer)
