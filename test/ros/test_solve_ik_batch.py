# SPDX-License-Identifier: Apache-2.0
"""Batches through the real node: each row like a call of its own, and nothing published."""

from __future__ import annotations

import math
from array import array

import numpy as np
import pytest
from builtin_interfaces.msg import Duration
from geometry_msgs.msg import Pose, Vector3

from ik_solver_ros import Status
from ik_solver_ros.srv import SolveIKBatch
from support.poses import (
    orientation_error_rad,
    position_error_m,
    rotation_about,
    rotation_from_rpy,
    transform,
    xyz_quat_from_transform,
)
from support.ros_harness import joint_state, request_for, set_pose, wait_until

PARAMETERS = {
    "max_joint_state_age": 0,
    "timeout": 0.5,
    "relaxed_position_tolerance": 0.01,
    "relaxed_orientation_tolerance": 0.05,
}
OFFSET = transform(rotation_from_rpy((0.0, math.pi / 2, 0.3)), (0.02, -0.01, 0.1))


@pytest.fixture(scope="module", autouse=True)
def joint_states_are_known(cell, arm):
    probe = request_for(arm.pose(arm.start), dry_run=True)
    cell.move_joints(arm.start, lambda: cell.call(probe).success)


@pytest.fixture(scope="module")
def targets(arm):
    """(50, 4, 4) poses around one, made by a kinematics that is not ours."""
    random = np.random.default_rng(8)
    near = np.array(list(arm.near.values()))
    return np.array(
        [
            arm.pose(dict(zip(arm.joints, near + random.uniform(-0.4, 0.4, len(near)))))
            for _ in range(50)
        ]
    )


def batch_of(targets, **fields):
    request = SolveIKBatch.Request(targets=array("d", rows_of(targets).ravel().tolist()))
    if "seed" in fields:
        request.seed = joint_state(fields.pop("seed"))
    for name, value in fields.items():
        setattr(request, name, value)
    return request


def rows_of(targets):
    return np.array([xyz_quat_from_transform(T) for T in targets])


def solve(cell, request):
    return cell.ask("solve_ik_batch", SolveIKBatch, request)


def positions_of(answer):
    return np.array(answer.positions).reshape(len(answer.status), len(answer.joint_names))


def assert_rows_reach(arm, answer, targets, rows=None, link="", T_tip_tcp=None):
    """These rows are successes, and true; the reported errors are what is measured here."""
    assert list(answer.joint_names) == arm.joints
    for row in range(len(targets)) if rows is None else rows:
        positions = dict(zip(arm.joints, positions_of(answer)[row].tolist()))
        reached = arm.pose(positions, link) @ (np.eye(4) if T_tip_tcp is None else T_tip_tcp)
        assert answer.status[row] in (Status.SOLVED, Status.SOLVED_RELAXED)
        off_m = position_error_m(targets[row], reached)
        off_rad = orientation_error_rad(targets[row], reached)
        assert off_m <= 1e-4
        assert off_rad <= 1e-3
        assert answer.position_error[row] == pytest.approx(off_m, abs=1e-9)
        assert answer.orientation_error[row] == pytest.approx(off_rad, abs=1e-9)
        arm.assert_within_limits(positions)


def assert_is_no_answer(answer, row):
    assert np.isnan(positions_of(answer)[row]).all()
    assert math.isnan(answer.position_error[row])
    assert math.isnan(answer.orientation_error[row])


def assert_is_refused(answer, status):
    assert (answer.batch_status, answer.success) == (status, False)
    assert answer.message
    for flat in (answer.positions, answer.status, answer.position_error, answer.joint_names):
        assert len(flat) == 0


def test_every_row_is_reached(cell, arm, targets):
    answer = solve(cell, batch_of(targets))
    assert_rows_reach(arm, answer, targets)
    assert (answer.success, answer.batch_status) == (True, Status.SOLVED)
    assert answer.message == "50 of 50 targets solved"
    assert answer.seed_source == "joint_states"
    assert list(answer.failed_rows) == []
    assert answer.solve_time > 0.0


def test_a_row_is_answered_like_a_call_of_its_own(cell, arm, targets):
    answer = solve(cell, batch_of(targets, seed=arm.start))
    assert answer.seed_source == "request"
    for target, positions in zip(targets[:10], positions_of(answer)):
        single = cell.call(request_for(target, seed=arm.start, dry_run=True))
        assert list(single.solution.position) == pytest.approx(positions.tolist(), abs=1e-3)


def test_the_same_batch_gives_the_same_answer_to_the_last_bit(cell, targets):
    first, second = (solve(cell, batch_of(targets)) for _ in range(2))
    assert first.positions == second.positions
    assert first.status == second.status


def test_a_bad_row_gets_its_status_and_the_others_their_answers(cell, arm, targets):
    request = batch_of(targets)
    rows = np.frombuffer(request.targets).reshape(-1, 7).copy()
    rows[0, 0] = math.nan
    rows[7, 3:] = 0.0
    rows[19, 2] = math.inf
    rows[20, 5] = 1e308  # large, and still a direction
    rows[33, :3] = (10.0, 0.0, 0.0)
    rows[48, 0] = 1e308
    request.targets = array("d", rows.ravel().tolist())
    answer = solve(cell, request)

    bad = dict.fromkeys((0, 7, 19, 48), Status.INVALID_REQUEST) | {33: Status.UNREACHABLE}
    assert {row: answer.status[row] for row in bad} == bad
    good = [row for row in range(50) if row not in bad and row != 20]
    assert_rows_reach(arm, answer, targets, good)
    for row in bad:
        assert_is_no_answer(answer, row)
    assert (answer.success, answer.batch_status) == (False, Status.INVALID_REQUEST)
    told = dict(zip(answer.failed_rows, answer.failure_messages))
    assert set(bad) <= set(told) <= set(bad) | {20}
    assert "orientation" in told[7]
    assert "no direction" in told[7]
    assert "position" in told[0]
    assert "4 INVALID_REQUEST, 1 UNREACHABLE" in answer.message


@pytest.mark.parametrize("frame", ["base_link", "shoulder_link", "tool0"])
def test_all_rows_may_be_given_in_another_frame(cell, arm, targets, frame):
    T_frame_base = np.linalg.inv(arm.pose(arm.start, frame))
    answer = solve(cell, batch_of([T_frame_base @ T for T in targets], frame_id=frame))
    assert_rows_reach(arm, answer, targets)


def test_bad_rows_stay_bad_in_another_frame(cell, targets):
    request = batch_of(targets[:4], frame_id="tool0")
    rows = np.frombuffer(request.targets).reshape(-1, 7).copy()
    rows[0, 1], rows[1, 3:], rows[2, 4] = math.nan, 0.0, -math.inf
    request.targets = array("d", rows.ravel().tolist())
    answer = solve(cell, request)
    assert list(answer.status[:3]) == [Status.INVALID_REQUEST] * 3


def test_tip_and_tool(cell, arm, targets):
    with_tool = [T @ OFFSET for T in targets]
    request = batch_of(with_tool)
    set_pose(request.tcp_offset, xyz_quat_from_transform(OFFSET))
    assert_rows_reach(arm, solve(cell, request), with_tool, T_tip_tcp=OFFSET)

    at_flange = [arm.pose(arm.near, "flange"), arm.pose(arm.start, "flange")]
    answer = solve(cell, batch_of(at_flange, tip_frame="flange"))
    assert_rows_reach(arm, answer, at_flange, link="flange")


def test_free_axes_and_tolerances_count_for_all_rows(cell, arm, targets):
    turned = [T @ transform(rotation_about((0, 0, 1), 2.5), (0, 0, 0)) for T in targets]
    answer = solve(cell, batch_of(turned, orientation_tolerance=Vector3(z=math.inf)))
    assert answer.success, answer.message
    for T_base_target, row in zip(turned, positions_of(answer)):
        reached = arm.pose(dict(zip(arm.joints, row.tolist())))
        assert position_error_m(reached, T_base_target) <= 1e-4
        assert reached[:3, 2] @ T_base_target[:3, 2] >= math.cos(1e-3)


def test_a_path_starts_each_row_where_the_last_one_ended(cell, arm):
    start, end = (np.array(list(c.values())) for c in (arm.start, arm.near))
    start[5], end[5] = -3.0, 3.0  # half a turn further than a cloud from the start would go
    path = [
        arm.pose(dict(zip(arm.joints, (start + s * (end - start)).tolist())))
        for s in np.linspace(0.0, 1.0, 300)
    ]
    seed = dict(zip(arm.joints, start.tolist()))
    answer = solve(cell, batch_of(path, seed=seed, chain_seeds=True))

    assert_rows_reach(arm, answer, path)
    steps = np.abs(np.diff(positions_of(answer), axis=0)).max()
    assert steps <= 0.05
    np.testing.assert_allclose(positions_of(answer)[-1], end, atol=1e-2)


def test_a_path_goes_on_behind_a_row_that_fails(cell, arm):
    path = [arm.pose(arm.start), transform(np.eye(3), (9.0, 0.0, 0.0)), arm.pose(arm.near)]
    answer = solve(cell, batch_of(path, chain_seeds=True))
    assert list(answer.status) == [Status.SOLVED, Status.UNREACHABLE, Status.SOLVED]
    assert_rows_reach(arm, answer, path, [0, 2])


def test_a_bound_on_the_jump(cell, arm, targets):
    answer = solve(cell, batch_of([arm.pose(arm.start), *targets], max_joint_jump=0.05))
    assert answer.status[0] == Status.SOLVED
    start = np.array(list(arm.start.values()))
    for row, status in zip(positions_of(answer), answer.status):
        if status == Status.SOLVED:
            assert np.abs(row - start).max() <= 0.05
    assert Status.JOINT_JUMP in answer.status
    assert "joint_" in answer.failure_messages[0]


def test_relaxed_answers_are_flagged(cell, arm):
    out_of_reach = [arm.pose(arm.start), arm.pose(arm.beyond)]
    strict = solve(cell, batch_of(out_of_reach, seed=arm.start))
    assert list(strict.status) == [Status.SOLVED, Status.JOINT_LIMITS]
    assert "joint_3" in strict.failure_messages[0]
    relaxed = solve(cell, batch_of(out_of_reach, seed=arm.start, allow_relaxed=True))
    assert list(relaxed.status) == [Status.SOLVED, Status.SOLVED_RELAXED]
    assert (relaxed.success, relaxed.batch_status) == (True, Status.SOLVED_RELAXED)


def test_without_diagnosis_failures_have_no_reason(cell, arm):
    both = [arm.pose(arm.start), transform(np.eye(3), (9.0, 0.0, 0.0))]
    answer = solve(cell, batch_of(both, skip_diagnosis=True))
    assert list(answer.status) == [Status.SOLVED, Status.NOT_CONVERGED]
    assert_is_no_answer(answer, 1)


def test_at_the_time_limit_the_rows_that_are_left_say_so(cell, arm):
    impossible = [arm.pose(arm.beyond)] * 3000  # each takes the search to its end
    answer = solve(cell, batch_of(impossible, timeout=Duration(nanosec=100_000_000)))
    assert answer.status[-1] == Status.TIMEOUT
    assert answer.status[0] == Status.JOINT_LIMITS
    assert list(answer.failed_rows) == list(range(1000))
    assert answer.solve_time < 5.0
    assert np.isnan(positions_of(answer)).all()


def test_single_calls_are_answered_while_a_batch_is_worked_on(cell, arm):
    limit = Duration(sec=3)
    slow = batch_of([arm.pose(arm.beyond)] * 20_000, timeout=limit)
    client = cell.node.create_client(SolveIKBatch, "ik_solver/solve_ik_batch")
    assert client.wait_for_service(10.0)
    running = client.call_async(slow)
    answered = 0
    while not running.done():
        assert cell.call(request_for(arm.pose(arm.near), dry_run=True)).success
        answered += 1
    assert running.result().status[0] == Status.JOINT_LIMITS
    assert answered >= 20


def test_a_large_batch_is_answered(cell, arm, targets):
    many = np.tile(rows_of(targets), (2000, 1))  # 100,000
    request = SolveIKBatch.Request(skip_diagnosis=True)
    request.targets.frombytes(many.tobytes())
    answer = solve(cell, request)
    assert (len(answer.status), answer.success) == (100_000, True)
    rows = positions_of(answer).reshape(2000, 50, -1)
    assert (rows == rows[0]).all()  # wherever the slices ended
    assert_rows_reach(arm, answer, targets, range(50))


REFUSED = {
    "no rows": ({"targets": array("d")}, Status.INVALID_REQUEST, "targets"),
    "ragged": ({"targets": array("d", [0.0] * 13)}, Status.INVALID_REQUEST, "13 numbers"),
    "tip": ({"tip_frame": "tool"}, Status.UNKNOWN_FRAME, "'tool0'"),
    "frame": ({"frame_id": "shouldr_link"}, None, "'shoulder_link'"),
    "seed": ({"seed": joint_state({"joint_9": 1.0})}, Status.INVALID_REQUEST, "joint_9"),
    "seed value": ({"seed": joint_state({"joint_1": math.nan})}, Status.INVALID_REQUEST, "joint_1"),
    "jump": ({"max_joint_jump": -1.0}, Status.INVALID_REQUEST, "max_joint_jump"),
    "time": ({"timeout": Duration(sec=-1)}, Status.INVALID_REQUEST, "timeout"),
    "tolerance": (
        {"position_tolerance": Vector3(x=math.nan)}, Status.INVALID_REQUEST, "position_tolerance.x",
    ),
    "tool": (
        {"tcp_offset": set_pose(Pose(), (1, 0, 0, 0, 0, 0, 0))}, Status.INVALID_REQUEST, "tcp_off",
    ),
}  # fmt: skip


@pytest.mark.parametrize("fault", REFUSED)
def test_a_request_of_no_use_is_refused_as_a_whole(cell, targets, fault):
    fields, status, words = REFUSED[fault]
    request = batch_of(targets)
    for name, value in fields.items():
        setattr(request, name, value)
    answer = solve(cell, request)
    if status is None:
        status = answer.batch_status
        assert status in (Status.UNKNOWN_FRAME, Status.FRAME_UNAVAILABLE)
    assert_is_refused(answer, status)
    assert words in answer.message


def test_nothing_is_published_for_a_batch(cell, arm, targets):
    cell.hear_targets()
    before = len(cell.targets)
    solve(cell, batch_of(targets))
    last = cell.call(request_for(arm.pose(arm.near)))
    wait_until(lambda: len(cell.targets) > before, "the target of a single call")
    assert [list(t.position) for t in cell.targets[before:]] == [list(last.solution.position)]
