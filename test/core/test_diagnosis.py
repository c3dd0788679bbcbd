# SPDX-License-Identifier: Apache-2.0
"""Why there is no answer: labels against what is known by construction or by long searches."""

from __future__ import annotations

import functools
import math

import numpy as np
import pytest
from hypothesis import given, settings

from ik_solver_ros import IKRequest, IKSolver, RobotModel, SolverSettings, Status
from ik_solver_ros.core.solvers.numeric import NumericSolver
from ik_solver_ros.core.tolerance import DEFAULT_AXES, AxisTolerance, Tolerance
from support import hand_robots, poses, strategies, targets
from support.judging import FREE, PATIENT_S, SOLVERS, made_arm, robot_arm
from support.random_chains import random_chain
from support.robots import robot_urdf
from support.urdf_fk import Mimic
from support.urdf_writer import JointSpec, serial_robot

INF = math.inf


@pytest.fixture(params=SOLVERS)
def name(request):
    return request.param


def beyond_limits(arm, rng):
    """Positions as if there were no limits: any turn, sliders within twice their stroke."""
    masters = {}
    for joint, (lower, upper) in arm.kinematics.usable_ranges(arm.joint_names).items():
        if arm.kinematics.joints[joint].kind == "prismatic":
            stroke = upper - lower
            masters[joint] = rng.uniform(lower - 0.5 * stroke, upper + 0.5 * stroke)
        else:
            masters[joint] = rng.uniform(-math.pi, math.pi)
    return masters | {joint: arm.kinematics.position(masters, joint) for joint in arm.joint_names}


def without_limits_of(urdf, joints):
    """The same robot with some joints that turn on and on, as a solver judges it."""
    for joint in joints:
        head, tail = urdf.split(f'<joint name="{joint}" type="revolute"', 1)
        urdf = f'{head}<joint name="{joint}" type="continuous"{tail}'
    return urdf


def assert_closest_is_true(arm, result, T):
    """Inside all limits, and as far from the target as it says."""
    closest = result.closest
    positions = dict(zip(closest.joint_names, closest.q.tolist(), strict=True))
    arm.assert_allowed(positions)
    T_closest = arm.pose(positions)
    assert closest.position_error_m == pytest.approx(poses.position_error_m(T, T_closest), abs=1e-9)
    assert closest.orientation_error_rad == pytest.approx(
        float(poses.orientation_error_rad(T, T_closest)), abs=1e-9
    )
    assert not closest.q.flags.writeable


# --- out of reach ---


@pytest.mark.parametrize("robot", ["demo_arm", "panda", "ur5", "so101", "tiago", "pr2", "kinova"])
def test_ten_metres_away_is_certainly_unreachable(name, robot):
    arm = robot_arm(robot)
    solver = arm.solver(solver=name)
    for direction in (*np.eye(3), *-np.eye(3)):
        T = poses.transform(np.eye(3), 10.0 * direction)
        for orientation in ((0, 0, 0), FREE):
            request = IKRequest.from_matrix(T, orientation_tolerance=orientation)
            result = solver.solve(request)
            assert result.status is Status.UNREACHABLE
            assert f"out of reach for '{arm.tip}'" in result.message
            assert f"'{arm.joint_names[0]}'" in result.message
            assert result.attempts <= 3
            assert 8.0 < result.closest.position_error_m < 12.0
        assert_closest_is_true(arm, solver.solve(IKRequest.from_matrix(T)), T)


@settings(max_examples=100)
@given(strategies.chains(), strategies.SEEDS)
def test_nothing_that_is_in_reach_is_certified_out_of_it(made, seed):
    """Stretched arms above all: with all joints at random the bound is never even close."""
    arm = made_arm(made)
    rng = np.random.default_rng(seed)
    core = arm.solver().arm()
    for _ in range(5):
        positions = arm.kinematics.random_configuration(rng, arm.joint_names)
        request = arm.target(positions)
        exact = AxisTolerance.of(DEFAULT_AXES, 1e-9)
        for orientation in (exact, AxisTolerance.of(FREE, 1e-9)):
            tolerance = Tolerance(exact, orientation)
            assert core.reach.certainly_exceeded(request.T_base_target, tolerance) == ""


@pytest.mark.parametrize(("beyond_m", "certain"), [(-1e-9, False), (0.5e-4, False), (1.5e-4, True)])
def test_the_certificate_starts_where_the_stretched_arm_and_the_tolerance_end(beyond_m, certain):
    arm = made_arm(hand_robots.planar_2r())
    x_m = 0.8 + beyond_m
    request = IKRequest.from_xyz_quat([x_m, 0, 0], [0, 0, 0, 1], orientation_tolerance=FREE)
    result = arm.solver().solve(request)
    assert result.success != certain
    assert ("out of reach" in result.message) == certain


def test_a_certificate_leaves_room_for_a_tool_that_may_be_askew():
    """Stretched out, with a target turned by less than what is allowed."""
    arm = made_arm(hand_robots.planar_2r())
    T = poses.transform(poses.rotation_about([0, 0, 1], 0.45), [0.8, 0.0, 0.0])
    request, reach = IKRequest.from_matrix(T), arm.solver().arm().reach
    result = arm.solver(orientation_tolerance=0.5).solve(request)
    arm.assert_solved(result, T, orientation_rad=0.5)
    position = AxisTolerance.of(DEFAULT_AXES, 1e-4)
    for bound_rad, certain in ((0.5, False), (0.1, True)):
        tolerance = Tolerance(position, AxisTolerance.of(DEFAULT_AXES, bound_rad))
        assert bool(reach.certainly_exceeded(request.T_base_target, tolerance)) == certain


def test_a_hole_in_the_workspace_is_unreachable_without_a_certificate(name):
    arm = made_arm(hand_robots.planar_2r(0.5, 0.2))
    request = IKRequest.from_xyz_quat([0.1, 0.1, 0], [0, 0, 0, 1], orientation_tolerance=FREE)
    result = arm.solver(solver=name).solve(request)
    assert result.status is Status.UNREACHABLE
    assert "even without joint limits" in result.message
    assert result.closest.position_error_m == pytest.approx(0.3 - math.hypot(0.1, 0.1), abs=0.05)


@pytest.mark.parametrize("x_m", [10.0, -10.0])
def test_sliders_are_not_drawn_out_beyond_reason(name, x_m):
    arm = made_arm(hand_robots.one_prismatic())
    result = arm.solver(solver=name).solve(IKRequest.from_xyz_quat([x_m, 0, 0.1], [0, 0, 0, 1]))
    assert result.status is Status.UNREACHABLE
    assert result.closest.position_error_m == pytest.approx(9.4 if x_m > 0 else 9.8, abs=1e-3)


# --- limits ---


@pytest.mark.parametrize(
    ("angle", "blocked"), [(1.5, False), (1.52, True), (-1.0, False), (-1.1, True)]
)
def test_a_single_joint_is_blocked_by_its_limit_and_by_nothing_else(name, angle, blocked):
    arm = made_arm(hand_robots.one_revolute(-1.0, 1.5))
    T = arm.pose({"crank": angle})
    result = arm.solver(solver=name).solve(IKRequest.from_matrix(T))
    if not blocked:
        arm.assert_solved(result, T)
        return
    limit, side = (1.5, "above") if angle > 0 else (-1.0, "below")
    assert result.status is Status.JOINT_LIMITS
    assert result.blocking_joints == ("crank",)
    assert f"'crank' {abs(angle - limit):.3g} rad {side} its limit {limit:.5g}" in result.message
    assert_closest_is_true(arm, result, T)


@pytest.mark.parametrize("position", [0.61, 0.9, -0.21, -0.9])
def test_a_slider_is_blocked_in_metres(name, position):
    arm = made_arm(hand_robots.one_prismatic())
    result = arm.solver(solver=name).solve(arm.target({"slide": position}))
    assert result.status is Status.JOINT_LIMITS
    assert result.blocking_joints == ("slide",)
    assert " m above" in result.message or " m below" in result.message


def test_a_held_joint_is_named_if_it_is_in_the_way(name):
    """`<limit>` without lower and upper holds a joint at zero, which surprises its owner."""
    joints = [
        JointSpec("shoulder", "revolute", "base", "a", lower=0.0, upper=0.0),
        JointSpec("elbow", "revolute", "a", "b", (0.5, 0, 0)),
        JointSpec("end", "fixed", "b", "tip", (0.3, 0, 0)),
    ]
    arm = made_arm(serial_robot("held", joints))
    solver = arm.solver(solver=name)
    held = solver.solve(arm.target({"shoulder": 0.0, "elbow": 1.0}))
    assert held.success
    result = solver.solve(arm.target({"shoulder": 0.4, "elbow": 1.0}))
    assert result.status is Status.JOINT_LIMITS
    assert result.blocking_joints == ("shoulder",)


@pytest.mark.parametrize("robot", ["demo_arm", "panda", "z1", "romeo"])
def test_one_joint_a_little_beyond_its_limit_is_what_is_told(name, robot):
    """Reachable as a whole, so whoever is named must make it reachable when his limits go."""
    arm = robot_arm(robot)
    solver, rng = arm.solver(solver=name), np.random.default_rng(3)
    told = 0
    for joint in arm.joint_names[:4]:
        for side in (0, 1):
            positions = arm.kinematics.random_configuration(rng, arm.joint_names)
            limit = arm.kinematics.limits(joint)[side]
            positions[joint] = limit + (0.3 if side else -0.3)
            result = solver.solve(arm.target(positions, seed=positions))
            if result.success:  # another branch does without
                arm.assert_solved(result, arm.pose(positions))
                continue
            assert result.status is Status.JOINT_LIMITS, result.message
            assert len(result.blocking_joints) >= 1
            assert_closest_is_true(arm, result, arm.pose(positions))
            told += 1
    assert told > 0


KINDS = {
    "four joints": lambda k: random_chain(k, 4, kinds=("revolute",), tight_limits=True),
    "six joints": lambda k: random_chain(k, 6, kinds=("revolute",)),
    "six tight joints": lambda k: random_chain(k, 6, tight_limits=True),
    "sliders": lambda k: random_chain(k, 6, kinds=("revolute", "prismatic"), tight_limits=True),
    "gears": lambda k: random_chain(k, 6, mimic_count=2, tight_limits=True, shuffled=True),
    "seven joints": lambda k: random_chain(k, 7, kinds=("revolute", "continuous")),
}


@pytest.mark.parametrize("kind", KINDS)
def test_labels_are_right(kind):
    """Each target is reachable but for limits, by construction; inside them, by a long search.

    So SOLVED and JOINT_LIMITS are the only right labels, and SOLVED is right wherever a search of
    three times the length finds an answer. None of these is wrong; of 3000 of every sort, 8 were.
    """
    wrong, count = [], 50
    for k in range(count):
        arm = made_arm(KINDS[kind](1000 + k))
        T = arm.pose(beyond_limits(arm, np.random.default_rng(k)))
        result = arm.solver().solve(IKRequest.from_matrix(T))
        if result.success:
            arm.assert_solved(result, T)
            continue
        long_search = arm.solver(max_attempts=300).solve(IKRequest.from_matrix(T))
        if result.status is not Status.JOINT_LIMITS or long_search.success:
            wrong.append((k, result.message))
        assert result.blocking_joints or result.status is not Status.JOINT_LIMITS
        assert_closest_is_true(arm, result, T)
    assert wrong == []


@pytest.mark.parametrize("robot", ["demo_arm", "z1", "baxter"])
def test_blocking_joints_are_enough_and_as_few_as_can_be(robot):
    """With their limits gone it is solved; with any one of the others' gone alone it is not."""
    arm, rng, told = robot_arm(robot), np.random.default_rng(4), 0

    @functools.cache
    def solver_without_limits_of(*joints):
        model = RobotModel.from_urdf(without_limits_of(robot_urdf(robot), joints))
        patient = SolverSettings(timeout_s=PATIENT_S, max_attempts=200)
        return IKSolver(model, arm.tip, arm.base, settings=patient)

    for _ in range(14):
        request = IKRequest.from_matrix(arm.pose(beyond_limits(arm, rng)))
        result = arm.solver().solve(request)
        if result.success:
            continue
        assert result.status is Status.JOINT_LIMITS
        told += 1
        assert solver_without_limits_of(*result.blocking_joints).solve(request).success
        if len(result.blocking_joints) > 1:
            for joint in arm.joint_names:
                alone = solver_without_limits_of(joint).solve(request)
                assert not alone.success, (result.blocking_joints, joint)
    assert told > 0


def test_several_blocking_joints_are_all_named():
    """Both joints of a planar arm with the tool's direction given: one branch only per side."""
    joints = [
        JointSpec("shoulder", "revolute", "base", "a", lower=-0.5, upper=0.5),
        JointSpec("elbow", "revolute", "a", "b", (0.5, 0, 0), lower=-0.5, upper=0.5),
        JointSpec("end", "fixed", "b", "tip", (0.3, 0, 0)),
    ]
    arm = made_arm(serial_robot("stiff", joints))
    result = arm.solver().solve(arm.target({"shoulder": 1.0, "elbow": 1.2}))
    assert result.status is Status.JOINT_LIMITS
    assert result.blocking_joints == ("shoulder", "elbow")
    assert "'shoulder' 0.5 rad above its limit 0.5 and 'elbow' 0.7 rad above" in result.message


def test_a_blocking_joint_is_told_on_the_turn_that_is_least_outside():
    arm = made_arm(hand_robots.one_revolute(-1.0, 1.5))
    result = arm.solver().solve(arm.target({"crank": 1.6 + 2 * math.pi}))
    assert "'crank' 0.1 rad above its limit 1.5" in result.message


def test_limits_of_a_follower_block_its_master():
    joints = [
        JointSpec("first", "revolute", "base", "a"),
        JointSpec(
            "geared", "revolute", "a", "tip", (0.3, 0, 0), axis=(0, 1, 0), lower=-1.0, upper=1.0,
            mimic=Mimic("first", 2.0, 0.0),
        ),
    ]  # fmt: skip
    arm = made_arm(serial_robot("geared", joints))
    result = arm.solver().solve(arm.target({"first": 0.8}))
    assert result.status is Status.JOINT_LIMITS
    assert result.blocking_joints == ("first",)
    assert "'first' 0.3 rad above its limit 0.5" in result.message


def test_answers_in_corners_that_a_short_search_misses_are_found_by_the_diagnosis():
    """A wrong reason is worse than a slow answer. The puma's elbow has such corners."""
    arm = robot_arm("puma560")
    solver = arm.solver(max_attempts=20)
    _, Ts = targets.fk_targets(arm.kinematics, arm.base, arm.tip, 6000, seed=7)
    missed = np.flatnonzero(~solver.solve_batch(Ts, diagnose=False).success)
    assert len(missed) >= 20
    results = [solver.solve(IKRequest.from_matrix(Ts[i])) for i in missed]
    found = [result for result in results if result.success]
    assert len(found) >= 0.7 * len(missed)
    for i, result in zip(missed, results):
        assert result.status in (Status.SOLVED, Status.JOINT_LIMITS)
        assert bool(result.blocking_joints) != result.success
        if result.success:
            arm.assert_solved(result, Ts[i])


def test_the_reason_is_worth_no_search_for_every_branch(monkeypatch):
    """That takes milliseconds on an arm of seven joints, and adds nothing to the reason."""
    asked = []

    def search(self, problem, original=NumericSolver.search):
        asked.append(problem.every_branch)
        return original(self, problem)

    monkeypatch.setattr(NumericSolver, "search", search)
    arm = robot_arm("panda")
    positions = dict(zip(arm.joint_names, [0.0, 2.2, 0.0, -0.5, 0.0, 2.0, 0.0]))
    result = arm.solver().solve(arm.target(positions))
    assert result.status is Status.JOINT_LIMITS
    assert result.solver == "numeric"
    assert len(asked) >= 2
    assert not any(asked)


# --- too few joints ---


@pytest.mark.parametrize(("robot", "joints"), [("so101", 5), ("so100", 5)])
def test_an_arm_with_too_few_joints_says_so_and_which_axis_to_free(name, robot, joints):
    arm, rng = robot_arm(robot), np.random.default_rng(5)
    solver = arm.solver(solver=name)
    advised = 0
    _, poses_T = targets.fk_targets(arm.kinematics, arm.base, arm.tip, 8, seed=6, margin=0.1)
    for T in poses_T:
        turn = poses.rotation_about([0, 0, 1], rng.uniform(1.0, 2.0))
        turned = T @ poses.transform(turn, np.zeros(3))
        result = solver.solve(IKRequest.from_matrix(turned))
        if result.status is not Status.UNREACHABLE:
            continue
        assert f"the arm moves {joints} joints for 6 constraints" in result.message
        for axis in "xyz":
            if f"orientation_tolerance.{axis} = inf" in result.message:
                free = tuple(INF if a == axis else 0.0 for a in "xyz")
                advice = IKRequest.from_matrix(turned, orientation_tolerance=free)
                assert solver.solve(advice).success
                advised += 1
        if "the position alone is reachable" in result.message:
            advice = IKRequest.from_matrix(turned, orientation_tolerance=FREE)
            assert solver.solve(advice).success
            advised += 1
    assert advised >= 4


def test_held_joints_do_not_count_as_joints_to_move():
    joints = [
        JointSpec("held", "revolute", "base", "a", lower=0.0, upper=0.0),
        JointSpec("turn", "revolute", "a", "tip", (0.5, 0, 0)),
    ]
    arm = made_arm(serial_robot("held", joints))
    result = arm.solver().solve(IKRequest.from_xyz_quat([0.1, 0.1, 0.1], [0, 0, 0, 1]))
    assert result.status is Status.UNREACHABLE
    assert "the arm moves 1 joint for 6 constraints" in result.message


# --- undecided ---


def test_with_few_attempts_the_end_is_undecided():
    arm = robot_arm("ur5")
    T = arm.pose(dict(zip(arm.joint_names, [0.3, -1.0, 1.2, 0.3, 0.8, 0.2])))
    T[:3, 3] = [0.05, 0.0, 0.05]  # inside the shoulder
    result = arm.solver(max_attempts=5).solve(IKRequest.from_matrix(T))
    assert result.status is Status.NOT_CONVERGED
    assert "5 attempts" in result.message
    assert "another seed" in result.message
    assert_closest_is_true(arm, result, T)


@settings(max_examples=40)
@given(strategies.chains(), strategies.poses(reach_m=2.0))
def test_every_end_is_one_of_the_documented_and_speaks_in_one_sentence(made, T):
    arm = made_arm(made)
    result = arm.solver(max_attempts=25).solve(IKRequest.from_matrix(T))
    endings = (Status.SOLVED, Status.UNREACHABLE, Status.JOINT_LIMITS)
    assert result.status in endings, result.message
    assert "\n" not in result.message
    assert 10 < len(result.message) < 700
    assert "nan" not in result.message
    assert (result.status is Status.JOINT_LIMITS) == bool(result.blocking_joints)
    if not result.success:
        assert_closest_is_true(arm, result, T)


def test_the_arm_in_the_middle_of_a_robot_is_diagnosed_like_any_other():
    arm = robot_arm("talos")
    far = poses.transform(np.eye(3), [5.0, 0.0, 0.0])
    assert arm.solver().solve(IKRequest.from_matrix(far)).status is Status.UNREACHABLE
