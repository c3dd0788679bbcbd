# SPDX-License-Identifier: Apache-2.0
"""Many targets in one call: each answer is judged as if it were the only one."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ik_solver_ros import IKRequest, Status
from ik_solver_ros.core.batch_frames import Frames
from ik_solver_ros.core.batch_pose_error import batch_pose_errors
from ik_solver_ros.core.batch_verification import BatchVerifier
from ik_solver_ros.core.chain import build_chain
from ik_solver_ros.core.pinocchio_import import pin
from ik_solver_ros.core.pose_error import pose_error
from ik_solver_ros.core.tolerance import AxisTolerance, Tolerance
from ik_solver_ros.core.verification import VerifiedSolution, Verifier
from support import hand_robots, poses, strategies, targets
from support.judging import FREE, SOLVERS, made_arm, refused, robot_arm

INF = math.inf


@pytest.fixture(params=SOLVERS)
def name(request):
    return request.param


def rows_of(poses_T):
    return np.array([poses.xyz_quat_from_transform(T) for T in poses_T])


def assert_rows_are_right(arm, batch, poses_T):
    """Solved rows by the independent kinematics, failed rows by their emptiness."""
    assert batch.joint_names == tuple(arm.joint_names)
    assert len(batch.positions) == len(batch.status) == len(poses_T)
    for i, T in enumerate(poses_T):
        if not batch.success[i]:
            assert np.isnan(batch.positions[i]).all()
            assert math.isnan(batch.position_error_m[i])
            assert math.isnan(batch.orientation_error_rad[i])
            assert batch.messages[i]
            continue
        assert i not in batch.messages
        positions = dict(zip(batch.joint_names, batch.positions[i].tolist(), strict=True))
        arm.assert_allowed(positions)
        reached = arm.pose(positions)
        off_m = poses.position_error_m(T, reached)
        off_rad = poses.orientation_error_rad(T, reached)
        assert batch.position_error_m[i] == pytest.approx(off_m, abs=1e-9)
        assert batch.orientation_error_rad[i] == pytest.approx(float(off_rad), abs=1e-9)
        assert off_m <= 1e-4
        assert off_rad <= 1e-3


def mixed_targets(arm, n, seed=5):
    """Reachable ones, with one in six far away."""
    made, poses_T = targets.fk_targets(arm.kinematics, arm.base, arm.tip, n, seed)
    poses_T = poses_T.copy()
    poses_T[3::6, :3, 3] += 20.0
    return made, poses_T


# --- the same as one by one ---


@pytest.mark.parametrize("robot", ["ur5", "panda", "tiago", "pr2", "demo_arm"])
def test_every_row_is_judged_by_the_independent_kinematics(name, robot):
    arm = robot_arm(robot)
    _, poses_T = mixed_targets(arm, 30)
    batch = arm.solver(solver=name).solve_batch(rows_of(poses_T))
    assert_rows_are_right(arm, batch, poses_T)
    far = np.zeros(30, dtype=bool)
    far[3::6] = True
    assert (batch.status[~far] == Status.SOLVED).all()
    assert (batch.status[far] == Status.UNREACHABLE).all()


@settings(max_examples=25)
@given(strategies.chains(), strategies.SEEDS)
def test_random_chains_are_solved_in_batches_too(made, seed):
    arm = made_arm(made)
    _, poses_T = targets.fk_targets(arm.kinematics, arm.base, arm.tip, 4, seed)
    batch = arm.solver().solve_batch(poses_T)
    if batch.joint_names == tuple(arm.joint_names):
        assert_rows_are_right(arm, batch, poses_T)
    assert batch.success.all()


def test_matrices_and_rows_are_the_same_targets(name):
    arm = robot_arm("ur5")
    _, poses_T = mixed_targets(arm, 12)
    solver = arm.solver(solver=name)
    by_row, by_matrix = solver.solve_batch(rows_of(poses_T)), solver.solve_batch(poses_T)
    assert np.array_equal(by_row.status, by_matrix.status)
    assert by_row.positions == pytest.approx(by_matrix.positions, abs=1e-6, nan_ok=True)


def test_failures_have_the_reason_that_a_single_request_gets(name):
    arm = robot_arm("z1")
    solver, rng = arm.solver(solver=name), np.random.default_rng(6)
    poses_T = []
    for joint in arm.joint_names[:4]:
        positions = arm.kinematics.random_configuration(rng, arm.joint_names)
        positions[joint] = arm.kinematics.limits(joint)[1] + 0.5
        poses_T.append(arm.pose(positions))
    batch = solver.solve_batch(np.array(poses_T))
    for i, T in enumerate(poses_T):
        single = solver.solve(IKRequest.from_matrix(T))
        assert batch.status[i] == single.status
        if not single.success:
            assert batch.messages[i] == single.message


def test_without_diagnosis_failures_are_left_unexplained(name):
    arm = robot_arm("ur5")
    _, poses_T = mixed_targets(arm, 12)
    batch = arm.solver(solver=name).solve_batch(poses_T, diagnose=False)
    assert_rows_are_right(arm, batch, poses_T)
    assert not batch.success[3]
    assert "diagnosis is off" in batch.messages[3]


@pytest.mark.parametrize("threads", [2, 3, 8])
def test_answers_do_not_depend_on_the_number_of_threads(name, threads):
    arm = robot_arm("panda")
    _, poses_T = mixed_targets(arm, 40)
    solver = arm.solver(solver=name)
    alone, together = solver.solve_batch(poses_T), solver.solve_batch(poses_T, threads=threads)
    assert np.array_equal(alone.positions, together.positions, equal_nan=True)
    assert np.array_equal(alone.status, together.status)


def test_rows_do_not_depend_on_their_neighbours(name):
    arm = robot_arm("panda")
    _, poses_T = mixed_targets(arm, 23)
    solver = arm.solver(solver=name)
    together = solver.solve_batch(poses_T)
    backwards = solver.solve_batch(poses_T[::-1])
    assert np.array_equal(together.positions, backwards.positions[::-1], equal_nan=True)
    for i in (0, 11, 22):
        alone = solver.solve_batch(poses_T[i : i + 1])
        assert np.array_equal(alone.positions[0], together.positions[i], equal_nan=True)


# --- seeds ---


def test_rows_may_have_seeds_of_their_own(name):
    arm = robot_arm("ur5")
    made, poses_T = targets.fk_targets(arm.kinematics, arm.base, arm.tip, 20, seed=7)
    seeds = targets.tracking_seeds(arm.kinematics, arm.base, arm.tip, made, seed=8, step=0.02)
    rows = np.array([[seed[joint] for joint in arm.joint_names] for seed in seeds])
    batch = arm.solver(solver=name).solve_batch(poses_T, seed=rows, max_joint_jump=0.3)
    assert_rows_are_right(arm, batch, poses_T)
    for i in np.flatnonzero(batch.success):
        assert np.abs(batch.positions[i] - rows[i]).max() <= 0.3


def path_of(arm, n, step):
    """Configurations one small step after the other, and their poses."""
    rng = np.random.default_rng(9)
    start = arm.kinematics.random_configuration(rng, arm.joint_names, margin=1.0)
    direction = {joint: step * rng.choice([-1.0, 1.0]) for joint in arm.joint_names}
    made = [{j: start[j] + i * direction[j] for j in arm.joint_names} for i in range(n)]
    return made, np.array([arm.pose(positions) for positions in made])


def test_a_path_goes_on_from_where_it_is(name):
    """Each row starts from the last answer, so the arm never changes its branch."""
    arm = robot_arm("ur5")
    made, poses_T = path_of(arm, 30, 0.02)
    batch = arm.solver(solver=name).solve_batch(poses_T, seed=made[0], chain_seeds=True)
    assert batch.success.all()
    assert_rows_are_right(arm, batch, poses_T)
    assert np.abs(np.diff(batch.positions, axis=0)).max() < 0.2


def test_a_path_goes_on_behind_a_row_that_is_out_of_reach(name):
    arm = robot_arm("ur5")
    made, poses_T = path_of(arm, 12, 0.02)
    poses_T[5, :3, 3] += 20.0
    batch = arm.solver(solver=name).solve_batch(poses_T, seed=made[0], chain_seeds=True)
    assert batch.status[5] == Status.UNREACHABLE
    assert batch.success.sum() == 11
    assert np.abs(batch.positions[6] - batch.positions[4]).max() < 0.2


def test_a_path_that_would_have_to_jump_says_so_and_goes_on(name):
    arm = made_arm(hand_robots.one_revolute())
    angles = [0.0, 0.1, 2.0, 0.2, 0.3]
    poses_T = np.array([arm.pose({"crank": angle}) for angle in angles])
    batch = arm.solver(solver=name).solve_batch(
        poses_T, seed=[0.0], chain_seeds=True, max_joint_jump=0.5
    )
    assert batch.status.tolist() == [1, 1, Status.JOINT_JUMP, 1, 1]
    assert batch.positions[[0, 1, 3, 4], 0] == pytest.approx([0.0, 0.1, 0.2, 0.3], abs=1e-5)


# --- rows and options that cannot be used ---


def test_a_row_that_is_no_pose_does_not_stop_the_others(name):
    arm = robot_arm("ur5")
    _, poses_T = targets.fk_targets(arm.kinematics, arm.base, arm.tip, 6, seed=10)
    rows = rows_of(poses_T)
    rows[1, 0] = math.nan
    rows[2, 3:] = 0.0
    rows[3, 1] = math.inf
    rows[4, 2] = 1e9
    batch = arm.solver(solver=name).solve_batch(rows)
    assert batch.status.tolist() == [1, 10, 10, 10, 10, 1]
    assert all(batch.messages[i] for i in (1, 2, 3, 4))
    assert np.isnan(batch.positions[1:5]).all()


def test_quaternions_of_rows_are_normalised(name):
    arm = robot_arm("ur5")
    _, poses_T = targets.fk_targets(arm.kinematics, arm.base, arm.tip, 4, seed=11)
    rows = rows_of(poses_T)
    rows[:, 3:] *= [[1e-5], [-2.0], [1e3], [1e200]]
    batch = arm.solver(solver=name).solve_batch(rows)
    assert_rows_are_right(arm, batch, poses_T)
    assert batch.success.all()


@pytest.mark.parametrize(
    "rows", [None, 5, "rows", [], [[1, 2, 3]], np.zeros((2, 6)), np.zeros((2, 3, 3)), [["a"] * 7]]
)
def test_what_is_no_table_of_targets_is_refused(rows):
    arm = robot_arm("ur5")
    if isinstance(rows, list) and rows == []:
        assert len(arm.solver().solve_batch(np.zeros((0, 7))).status) == 0
        return
    with refused("targets"):
        arm.solver().solve_batch(rows)


@pytest.mark.parametrize(
    ("field", "options"),
    [
        ("max_solutions", {"max_solutions": 2}),
        ("seed", {"seed": np.zeros((3, 6))}),
        ("seed", {"seed": np.zeros((2, 5))}),
        ("seed", {"seed": np.zeros((2, 6)), "chain_seeds": True}),
        ("seed", {"seed": np.full((2, 6), math.nan)}),
        ("timeout_s", {"timeout_s": -1.0}),
        ("position_tolerance.x", {"position_tolerance": (-1, 0, 0)}),
    ],
)
def test_options_that_fit_no_batch_are_refused(field, options):
    arm = robot_arm("ur5")
    _, poses_T = targets.fk_targets(arm.kinematics, arm.base, arm.tip, 2, seed=12)
    with refused(field):
        arm.solver().solve_batch(poses_T, **options)


@pytest.mark.parametrize("threads", [0, -1, 1.5, "2", None, True])
def test_threads_are_a_count(threads):
    with refused("threads"):
        robot_arm("ur5").solver().solve_batch(np.eye(4)[None], threads=threads)


def test_progress_is_told_up_to_the_end():
    arm = robot_arm("ur5")
    _, poses_T = targets.fk_targets(arm.kinematics, arm.base, arm.tip, 5, seed=13)
    told = []
    arm.solver().solve_batch(poses_T, progress=lambda done, of: told.append((done, of)))
    assert told[-1] == (5, 5)
    assert told == sorted(told)


def test_arrays_are_read_only():
    arm = robot_arm("ur5")
    _, poses_T = targets.fk_targets(arm.kinematics, arm.base, arm.tip, 2, seed=14)
    batch = arm.solver().solve_batch(poses_T)
    for array in (batch.positions, batch.status, batch.position_error_m):
        assert not array.flags.writeable


def test_free_axes_and_tools_hold_for_every_row(name):
    arm = robot_arm("so101")
    _, poses_T = targets.fk_targets(arm.kinematics, arm.base, arm.tip, 8, seed=15)
    offset = poses.transform(np.eye(3), [0.0, 0.0, 0.05])
    rows = rows_of(poses_T @ offset)
    rows[:, 3:] = 0.0  # nobody looks at it
    batch = arm.solver(solver=name).solve_batch(rows, orientation_tolerance=FREE, tcp_offset=offset)
    assert batch.success.all()
    for i, T in enumerate(poses_T @ offset):
        positions = dict(zip(batch.joint_names, batch.positions[i].tolist(), strict=True))
        assert poses.position_error_m(T, arm.pose(positions) @ offset) <= 1e-4


# --- the gate for many rows against the gate for one ---


@settings(max_examples=40)
@given(
    strategies.chains(),
    strategies.SEEDS,
    st.tuples(*[st.sampled_from([0.0, INF, 1e-3])] * 3),
    st.tuples(*[st.sampled_from([0.0, INF, 1e-2])] * 3),
)
def test_both_gates_give_the_same_verdict_and_measure_the_same(made, seed, position, orientation):
    arm, rng = made_arm(made), np.random.default_rng(seed)
    chain = build_chain(arm.model, arm.base, arm.tip)
    one = Verifier(arm.model, arm.base, arm.tip, chain.joint_names)
    many = BatchVerifier(arm.model, arm.base, arm.tip, chain.joint_names, None)
    tolerance = Tolerance(AxisTolerance.of(position, 1e-3), AxisTolerance.of(orientation, 1e-2))
    rows, aims = [], []
    for i in range(8):
        positions = arm.kinematics.random_configuration(rng, chain.joint_names)
        row = np.array([positions[joint] for joint in chain.joint_names])
        nudge = poses.transform(
            poses.rotation_from_vector(rng.normal(size=3) * 8e-3), rng.normal(size=3) * 8e-4
        )
        if i == 5:
            row[rng.integers(len(row))] += 1e-3  # a follower or its master, maybe
        if i == 6:
            row[rng.integers(len(row))] += 50.0  # outside, if there is a limit
        reached = arm.model.forward_kinematics(
            dict(zip(chain.joint_names, row.tolist())), arm.tip, arm.base
        )
        aims.append(reached @ nudge if i < 5 else reached)
        if i == 7:
            row[-1] = math.nan
        rows.append(row)
    passed, off_m, off_rad = many.accepted(np.array(rows), np.array(aims)[:, :3], tolerance)
    for i, (row, T) in enumerate(zip(rows, aims)):
        target = pin.SE3(T[:3, :3].copy(), T[:3, 3].copy())
        judged = one.verify(row, target, tolerance, row.tolist())
        assert isinstance(judged, VerifiedSolution) == passed[i]
        if passed[i]:
            assert judged.position_error_m == pytest.approx(off_m[i], abs=1e-9)
            assert judged.orientation_error_rad == pytest.approx(off_rad[i], abs=1e-9)


@settings(max_examples=60)
@given(
    st.tuples(*[st.sampled_from([0.0, INF])] * 3),
    st.tuples(*[st.sampled_from([0.0, INF])] * 3),
    st.lists(strategies.poses(), min_size=1, max_size=5),
    strategies.poses(),
)
def test_errors_of_many_rows_are_the_errors_of_each(position, orientation, reached, target):
    tolerance = Tolerance(AxisTolerance.of(position, 1.0), AxisTolerance.of(orientation, 1.0))
    goal = np.broadcast_to(target[:3], (len(reached), 3, 4))
    errors = batch_pose_errors(Frames.of_rows(np.array(reached)), Frames.of_rows(goal), tolerance)
    off_m, off_rad = (error.T for error in errors)
    for i, T in enumerate(reached):
        T_target_tcp = poses.inverse(target) @ T
        pose = pin.SE3(T_target_tcp[:3, :3].copy(), T_target_tcp[:3, 3].copy())
        expected = pose_error(pose, tolerance)
        assert off_m[i] == pytest.approx(expected.position, abs=1e-9)
        assert np.linalg.norm(off_rad[i]) == pytest.approx(expected.orientation_rad, abs=1e-7)
