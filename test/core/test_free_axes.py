# SPDX-License-Identifier: Apache-2.0
"""Free axes and wide tolerances: what they free, that it is used, and that nothing else gives."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from ik_solver_ros import IKRequest, Status
from ik_solver_ros.core.pinocchio_import import pin
from ik_solver_ros.core.pose_error import pose_error
from ik_solver_ros.core.tolerance import AxisTolerance, Tolerance
from support import hand_robots, poses, targets
from support.judging import (
    FREE,
    ORIENTATION_RAD,
    POSITION_M,
    SOLVERS,
    made_arm,
    refused,
    robot_arm,
)

INF = math.inf
MASKS = list(itertools.product([0.0, INF], repeat=3))
MASK_PAIRS = list(itertools.product(MASKS, MASKS))[:-1]  # all but everything free
FIVE_JOINTS = ["so100", "so101"]


@pytest.fixture(params=SOLVERS)
def name(request):
    return request.param


def free(*axes):
    return tuple(INF if axis in axes else 0.0 for axis in "xyz")


def error_in_target_frame(T_target, T_reached, position, orientation):
    T = poses.inverse(T_target) @ T_reached
    tolerance = Tolerance(AxisTolerance.of(position, 1.0), AxisTolerance.of(orientation, 1.0))
    return pose_error(pin.SE3(T[:3, :3], T[:3, 3]), tolerance)


def reached(arm, result):
    assert result.success, result.message
    positions = dict(zip(result.joint_names, result.q.tolist(), strict=True))
    arm.assert_allowed(positions)
    return arm.pose(positions)


def nudged(T, rng, distance_m, angle_rad):
    """T moved by exactly these amounts in random directions, in its own frame."""
    moves = rng.normal(size=(2, 3))
    moves /= np.linalg.norm(moves, axis=1)[:, None]
    turn = poses.rotation_from_vector(moves[1] * angle_rad)
    return T @ poses.transform(turn, moves[0] * distance_m)


# --- no mask raises or lies ---


def test_every_mask_of_free_axes_is_solved_and_bounds_the_rest(name):
    arm, rng = robot_arm("demo_arm"), np.random.default_rng(1)
    solver = arm.solver(solver=name)
    for position, orientation in MASK_PAIRS:
        positions = arm.kinematics.random_configuration(rng, arm.joint_names)
        T = arm.pose(positions)
        bounds = {"position_tolerance": position, "orientation_tolerance": orientation}
        result = solver.solve(IKRequest.from_matrix(T, **bounds))
        error = error_in_target_frame(T, reached(arm, result), position, orientation)
        assert error.position_m <= POSITION_M
        assert error.orientation_rad <= ORIENTATION_RAD
        assert result.position_error_m == pytest.approx(error.position_m, abs=1e-9)
        assert result.orientation_error_rad == pytest.approx(error.orientation_rad, abs=1e-9)


@pytest.mark.parametrize("robot", ["one_revolute", "one_prismatic", "planar_2r", "continuous_7r"])
def test_no_mask_breaks_the_linear_algebra_of_an_arm_that_cannot_follow(name, robot):
    arm = made_arm(getattr(hand_robots, robot)())
    solver = arm.solver(solver=name)
    for position, orientation in MASK_PAIRS:
        result = solver.solve(
            IKRequest.from_xyz_quat(
                [0.3, 0.2, 0.4],
                [0.5, 0.5, 0.5, 0.5],
                position_tolerance=position,
                orientation_tolerance=orientation,
            )
        )
        assert result.status not in (Status.UNKNOWN, Status.INTERNAL_ERROR)
        if result.closest is not None:
            assert np.isfinite(result.closest.q).all()


def test_with_everything_free_there_is_nothing_to_ask_for():
    with refused("position_tolerance", "nothing to reach"):
        IKRequest.from_matrix(np.eye(4), position_tolerance=FREE, orientation_tolerance=FREE)


# --- what free means ---


@pytest.mark.parametrize("axis", "xyz")
def test_a_free_rotation_is_one_about_the_targets_own_axis(name, axis):
    """A target turned about it, by however much, is met by the same arm without moving."""
    arm, rng = robot_arm("ur5"), np.random.default_rng(3)
    solver = arm.solver(solver=name)
    for turn_rad in (0.3, -2.0, math.pi, 3.1):
        positions = arm.kinematics.random_configuration(rng, arm.joint_names)
        turn = poses.rotation_about(np.eye(3)["xyz".index(axis)], turn_rad)
        T = arm.pose(positions) @ poses.transform(turn, np.zeros(3))
        request = IKRequest.from_matrix(T, orientation_tolerance=free(axis), seed=positions)
        result = solver.solve(request)
        assert result.max_joint_jump < 1e-5


@pytest.mark.parametrize("axis", "xyz")
def test_a_free_position_is_one_along_the_targets_own_axis(name, axis):
    arm, rng = robot_arm("ur5"), np.random.default_rng(4)
    solver = arm.solver(solver=name)
    for shift_m in (0.05, -3.0, 40.0):
        positions = arm.kinematics.random_configuration(rng, arm.joint_names)
        shift = poses.transform(np.eye(3), shift_m * np.eye(3)["xyz".index(axis)])
        T = arm.pose(positions) @ shift
        request = IKRequest.from_matrix(T, position_tolerance=free(axis), seed=positions)
        assert solver.solve(request).max_joint_jump < 1e-5


def test_position_only_reaches_the_point_however_it_is_turned(name):
    arm, rng = robot_arm("so101"), np.random.default_rng(5)
    solver = arm.solver(solver=name)
    _, poses_T = targets.fk_targets(arm.kinematics, arm.base, arm.tip, 15, seed=6)
    for T in poses_T:
        quat_xyzw = rng.normal(size=4)
        request = IKRequest.from_xyz_quat(T[:3, 3], quat_xyzw, orientation_tolerance=FREE)
        T_reached = reached(arm, solver.solve(request))
        assert poses.position_error_m(T, T_reached) <= POSITION_M


@pytest.mark.parametrize("robot", FIVE_JOINTS)
def test_five_joints_reach_any_pose_of_theirs_whatever_the_turn_of_the_tool(name, robot):
    arm, rng = robot_arm(robot), np.random.default_rng(7)
    solver = arm.solver(solver=name)
    _, poses_T = targets.fk_targets(arm.kinematics, arm.base, arm.tip, 10, seed=8)
    for T in poses_T:
        turn = poses.rotation_about([0, 0, 1], rng.uniform(-3, 3))
        turned = T @ poses.transform(turn, np.zeros(3))
        request = IKRequest.from_matrix(turned, orientation_tolerance=free("z"))
        T_reached = reached(arm, solver.solve(request))
        error = error_in_target_frame(turned, T_reached, (0, 0, 0), free("z"))
        assert error.position_m <= POSITION_M
        assert error.orientation_rad <= ORIENTATION_RAD


# --- wide tolerances ---


@pytest.mark.parametrize("bound_rad", [0.02, 0.1, 0.3])
@pytest.mark.parametrize("robot", [*FIVE_JOINTS, "ur5", "z1"])
def test_a_wide_tolerance_per_axis_is_used_where_the_exact_pose_is_out_of_reach(
    name, robot, bound_rad
):
    """The target is the pose of a configuration, turned by two thirds of what is allowed."""
    arm, rng = robot_arm(robot), np.random.default_rng(9)
    solver = arm.solver(solver=name)
    bounds = (bound_rad,) * 3
    made = targets.fk_targets(arm.kinematics, arm.base, arm.tip, 15, seed=10, margin=0.1)
    for positions, T in zip(*made, strict=True):
        T = nudged(T, rng, 0.0, bound_rad * 2 / 3)
        for seed in (None, positions):
            request = IKRequest.from_matrix(T, orientation_tolerance=bounds, seed=seed)
            T_reached = reached(arm, solver.solve(request))
            error = error_in_target_frame(T, T_reached, (0, 0, 0), (0, 0, 0))
            assert error.position_m <= POSITION_M
            assert max(map(abs, error.orientation)) <= bound_rad


@pytest.mark.parametrize("bound_m", [0.001, 0.02])
@pytest.mark.parametrize("robot", FIVE_JOINTS)
def test_a_wide_position_tolerance_is_used_while_the_orientation_stays_exact(name, robot, bound_m):
    arm, rng = robot_arm(robot), np.random.default_rng(11)
    solver = arm.solver(solver=name)
    made = targets.fk_targets(arm.kinematics, arm.base, arm.tip, 15, seed=12, margin=0.1)
    for _, T in zip(*made, strict=True):
        T = nudged(T, rng, bound_m * 2 / 3, 0.0)
        result = solver.solve(IKRequest.from_matrix(T, position_tolerance=(bound_m,) * 3))
        error = error_in_target_frame(T, reached(arm, result), (0, 0, 0), (0, 0, 0))
        assert max(map(abs, error.position)) <= bound_m
        assert error.orientation_rad <= ORIENTATION_RAD


@pytest.mark.parametrize("bound_rad", [0.02, 0.3])
@pytest.mark.parametrize("robot", [*FIVE_JOINTS, "ur5"])
def test_a_wide_default_tolerance_is_used_like_one_per_axis(name, robot, bound_rad):
    arm, rng = robot_arm(robot), np.random.default_rng(13)
    solver = arm.solver(solver=name, orientation_tolerance=bound_rad)
    made = targets.fk_targets(arm.kinematics, arm.base, arm.tip, 12, seed=14, margin=0.1)
    for _, T in zip(*made, strict=True):
        T = nudged(T, rng, 0.0, bound_rad * 2 / 3)
        arm.assert_solved(solver.solve(IKRequest.from_matrix(T)), T, orientation_rad=bound_rad)


def test_a_seed_that_is_inside_the_tolerance_is_an_answer(name):
    """Whatever the search does on its way to the exact pose, it may not lose that one."""
    rng = np.random.default_rng(15)
    for robot in (*FIVE_JOINTS, "demo_arm"):
        arm = robot_arm(robot)
        solver = arm.solver(solver=name)
        made = targets.fk_targets(arm.kinematics, arm.base, arm.tip, 10, seed=16)
        for positions, T in zip(*made, strict=True):
            T = nudged(T, rng, 0.8 * POSITION_M, 0.8 * ORIENTATION_RAD)
            result = solver.solve(IKRequest.from_matrix(T, seed=positions))
            arm.assert_solved(result, T)
            assert result.max_joint_jump < 0.5


def test_a_seed_inside_a_wide_tolerance_is_not_lost_on_the_way_to_the_exact_pose(name):
    """The way there leads one in twenty astray; from the seed itself it is no step at all."""
    arm, rng = robot_arm("so101"), np.random.default_rng(3)
    solver = arm.solver(solver=name, orientation_tolerance=0.02, max_attempts=1)
    made = targets.fk_targets(arm.kinematics, arm.base, arm.tip, 60, seed=5, margin=0.1)
    for positions, T in zip(*made, strict=True):
        T = nudged(T, rng, 0.85 * POSITION_M, 0.85 * 0.02)
        result = solver.solve(IKRequest.from_matrix(T, seed=positions))
        arm.assert_solved(result, T, orientation_rad=0.02)


def test_near_the_exact_pose_a_wide_tolerance_does_not_make_the_answer_worse(name):
    arm = robot_arm("ur5")
    solver = arm.solver(solver=name)
    made, poses_T = targets.fk_targets(arm.kinematics, arm.base, arm.tip, 15, seed=17)
    seeds = targets.tracking_seeds(arm.kinematics, arm.base, arm.tip, made, seed=18)
    for T, seed in zip(poses_T, seeds, strict=True):
        wide = IKRequest.from_matrix(
            T, seed=seed, position_tolerance=(0.01,) * 3, orientation_tolerance=(0.1,) * 3
        )
        result = solver.solve(wide)
        assert result.position_error_m < 1e-5
        assert result.orientation_error_rad < 1e-5


@pytest.mark.parametrize("tight", [1e-6, 1e-8, 1e-9])
def test_a_tight_tolerance_is_kept(name, tight):
    arm = robot_arm("ur5")
    solver = arm.solver(solver=name, position_tolerance=tight, orientation_tolerance=tight)
    _, poses_T = targets.fk_targets(arm.kinematics, arm.base, arm.tip, 15, seed=18)
    for T in poses_T:
        result = solver.solve(IKRequest.from_matrix(T))
        arm.assert_solved(result, T, position_m=tight, orientation_rad=tight)


# --- relaxed answers ---


def off_by(robot, distance_m, angle_rad, n=12):
    arm, rng = robot_arm(robot), np.random.default_rng(19)
    made = targets.fk_targets(arm.kinematics, arm.base, arm.tip, n, seed=20, margin=0.1)
    return arm, [nudged(T, rng, distance_m, angle_rad) for T in made[1]]


def test_a_relaxed_answer_is_flagged_and_inside_the_relaxed_tolerance(name):
    arm, poses_T = off_by("so101", 0.0, 0.007)
    solver = arm.solver(solver=name)
    relaxed = 0
    for T in poses_T:
        result = solver.solve(IKRequest.from_matrix(T, allow_relaxed=True))
        if result.status is Status.SOLVED:  # another branch may reach it exactly
            arm.assert_solved(result, T)
            continue
        assert result.status is Status.SOLVED_RELAXED, result.message
        assert "relaxed" in result.message
        arm.assert_solved(result, T, position_m=1e-3, orientation_rad=1e-2)
        assert (
            result.position_error_m > POSITION_M or result.orientation_error_rad > ORIENTATION_RAD
        )
        relaxed += 1
    assert relaxed >= 6


def test_without_permission_nothing_is_relaxed(name):
    arm, poses_T = off_by("so101", 0.0, 0.007)
    solver = arm.solver(solver=name)
    for T in poses_T:
        result = solver.solve(IKRequest.from_matrix(T))
        assert result.status is not Status.SOLVED_RELAXED
        if result.success:
            arm.assert_solved(result, T)


def test_permission_does_not_make_a_reachable_pose_worse(name):
    arm, poses_T = off_by("ur5", 0.0, 0.0)
    solver = arm.solver(solver=name)
    for T in poses_T:
        result = solver.solve(IKRequest.from_matrix(T, allow_relaxed=True))
        assert result.status is Status.SOLVED
        assert result.position_error_m < 1e-5


def test_what_is_beyond_the_relaxed_tolerance_stays_refused(name):
    arm = robot_arm("ur5")
    far = IKRequest.from_xyz_quat([10, 0, 0], [0, 0, 0, 1], allow_relaxed=True)
    assert arm.solver(solver=name).solve(far).status is Status.UNREACHABLE


def test_the_relaxed_tolerance_is_never_tighter_than_the_strict_one(name):
    arm, poses_T = off_by("so101", 0.0, 0.05, n=4)
    solver = arm.solver(solver=name, orientation_tolerance=0.1, relaxed_orientation_tolerance=1e-3)
    for T in poses_T:
        result = solver.solve(IKRequest.from_matrix(T, allow_relaxed=True))
        arm.assert_solved(result, T, orientation_rad=0.1)
        assert result.status is Status.SOLVED
