# SPDX-License-Identifier: Apache-2.0
"""Which of many answers: all distinct ones, nearest first, and none that jumps too far."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ik_solver_ros import IKRequest, Status, VerifiedSolution
from ik_solver_ros.core.chain import build_chain
from ik_solver_ros.core.pinocchio_import import pin
from ik_solver_ros.core.selection import nearest_first
from ik_solver_ros.core.solvers import reference
from ik_solver_ros.core.solvers.base import DISTINCT, METRES_PER_RAD
from ik_solver_ros.core.tolerance import AxisTolerance, Tolerance
from ik_solver_ros.core.verification import Verifier
from support import hand_robots, strategies, targets
from support.judging import FREE, SOLVERS, all_answers, made_arm, robot_arm
from support.urdf_fk import Mimic
from support.urdf_writer import JointSpec, serial_robot

TWO_PI = 2.0 * math.pi
MANY = 60


@pytest.fixture(params=SOLVERS)
def name(request):
    return request.param


def apart(first, second):
    """Largest difference of a joint, whole turns aside (all joints of these arms turn)."""
    difference = np.asarray(first) - np.asarray(second)
    return np.abs(difference - TWO_PI * np.round(difference / TWO_PI)).max()


def distance(arm, q, seed):
    """The documented order: the largest change of a joint, 0.3 m counting as 1 rad."""
    kinds = [arm.model.joints[joint].is_prismatic for joint in arm.joint_names]
    weights = np.where(kinds, 1.0 / METRES_PER_RAD, 1.0)
    return float((np.abs(np.asarray(q) - seed) * weights).max())


# --- many answers ---


def test_an_arm_with_a_spherical_wrist_has_eight_branches(name):
    arm, rng = made_arm(hand_robots.ur_like_6r()), np.random.default_rng(1)
    solver = arm.solver(solver=name)
    found = set()
    for _ in range(6):
        positions = dict(zip(arm.joint_names, rng.uniform(0.4, 1.2, 6).tolist()))
        answers = all_answers(solver.solve(arm.target(positions, max_solutions=MANY)))
        for answer in answers:
            arm.assert_is_answer(answer, arm.pose(positions))
        found.add(len(answers))
    assert found <= {4, 8}
    assert 8 in found


@settings(max_examples=40)
@given(strategies.SEEDS, st.integers(1, 12))
def test_answers_are_distinct_in_order_and_no_more_than_asked_for(seed, many):
    arm = robot_arm("demo_arm")
    rng = np.random.default_rng(seed)
    start, there = (arm.kinematics.random_configuration(rng, arm.joint_names) for _ in range(2))
    result = arm.solver().solve(arm.target(there, seed=start, max_solutions=many))
    arm.assert_solved(result, arm.pose(there))
    answers = [answer.q for answer in all_answers(result)]
    assert 1 <= len(answers) <= many
    for i, q in enumerate(answers):
        assert all(apart(q, other) > DISTINCT for other in answers[:i])
    seed_values = np.array([start[joint] for joint in arm.joint_names])
    distances = [distance(arm, q, seed_values) for q in answers]
    assert distances == sorted(distances)


@pytest.mark.parametrize("many", [0, 1])
def test_zero_and_one_mean_the_one_answer(name, many):
    arm = robot_arm("demo_arm")
    positions = arm.kinematics.random_configuration(np.random.default_rng(3), arm.joint_names)
    result = arm.solver(solver=name).solve(arm.target(positions, max_solutions=many))
    assert result.success
    assert result.alternatives == ()


HALF_TURNS = [[math.pi, -1, 1.2, 0.3, 0.8, 0.2], [0.1, -1, 1.2, 0.3, 0.8, -math.pi]]
HALF_TURNS += [[math.pi, -1, 1.2, 0.3, 0.8, math.pi]]


@pytest.mark.parametrize("values", HALF_TURNS)
@pytest.mark.parametrize("seed", [[0.0] * 6, [0.0, -1.0, 1.2, 0.3, 0.8, 0.0]])
def test_an_answer_half_a_turn_from_the_seed_is_one_answer(name, values, seed):
    """Its copies at +π and -π are as near as each other, and the same arm."""
    arm = made_arm(hand_robots.ur_like_6r())
    positions = dict(zip(arm.joint_names, values, strict=True))
    result = arm.solver(solver=name).solve(arm.target(positions, seed=seed, max_solutions=MANY))
    answers = [answer.q for answer in all_answers(result)]
    assert 4 <= len(answers) <= 8
    for i, q in enumerate(answers):
        assert all(apart(q, other) > DISTINCT for other in answers[:i])


def test_a_full_turn_of_the_only_joint_is_one_answer():
    arm = made_arm(hand_robots.one_revolute(-math.pi, math.pi))
    result = arm.solver().solve(arm.target({"crank": math.pi}, max_solutions=5))
    assert len(all_answers(result)) == 1
    assert abs(result.q[0]) == pytest.approx(math.pi)


def test_a_slider_that_moves_a_hand_weighs_as_much_as_a_joint_that_turns_it():
    """0.2 m count for 2/3 rad, so half a radian is nearer."""
    arm = robot_arm("tiago")
    chain = build_chain(arm.model, arm.base, arm.tip)
    verifier = Verifier(arm.model, arm.base, arm.tip, chain.joint_names)
    anything = AxisTolerance.of((0.0, 0.0, 0.0), 1e6)
    seed = np.array([0.1, 1.0, 0.0, -1.0, 1.0, 0.0, 0.0, 0.0])
    moves = {"slider": [0.2] + [0.0] * 7, "joint": [0.0, 0.5] + [0.0] * 6}
    solutions = {}
    for moved, move in moves.items():
        tolerance = Tolerance(anything, anything)
        judged = verifier.verify(seed + move, pin.SE3.Identity(), tolerance, seed.tolist())
        assert isinstance(judged, VerifiedSolution), judged
        solutions[moved] = judged
    in_order = nearest_first([solutions["slider"], solutions["joint"]], chain, seed)
    assert in_order == [solutions["joint"], solutions["slider"]]


def test_sliders_are_weighed_by_the_lever():
    """Answers come by their largest change, at 0.3 m to the radian."""
    arm, rng = robot_arm("tiago"), np.random.default_rng(4)
    start, there = (arm.kinematics.random_configuration(rng, arm.joint_names) for _ in range(2))
    result = arm.solver().solve(arm.target(there, seed=start, max_solutions=12))
    seed_values = np.array([start[joint] for joint in arm.joint_names])
    distances = [distance(arm, answer.q, seed_values) for answer in all_answers(result)]
    assert len(distances) > 3
    assert distances == sorted(distances)


# --- jumps ---


def with_all_answers(arm, rng):
    """A target, a seed, and the jumps of all the answers there are, ascending."""
    start, there = (arm.kinematics.random_configuration(rng, arm.joint_names) for _ in range(2))
    request = arm.target(there, seed=start, max_solutions=MANY)
    answers = all_answers(arm.solver(max_attempts=1000).solve(request))
    return start, there, sorted(answer.max_joint_jump for answer in answers)


@pytest.mark.parametrize("robot", ["ur5", "demo_arm", "z1", "panda", "xarm7"])
def test_an_answer_within_the_jump_is_found_if_there_is_one(name, robot):
    """Not only if the first answers that come to hand are: the bound is part of the question."""
    arm, rng = robot_arm(robot), np.random.default_rng(5)
    solver = arm.solver(solver=name)
    for _ in range(12):
        start, there, jumps = with_all_answers(arm, rng)
        bound = jumps[0] + 0.01
        result = solver.solve(arm.target(there, seed=start, max_joint_jump=bound))
        arm.assert_solved(result, arm.pose(there))
        assert result.max_joint_jump <= bound


@pytest.mark.parametrize("robot", ["ur5", "demo_arm", "z1", "irb140"])
def test_where_all_answers_jump_too_far_the_joint_and_the_amount_are_told(name, robot):
    arm, rng = robot_arm(robot), np.random.default_rng(6)
    solver = arm.solver(solver=name)
    for _ in range(8):
        start, there, jumps = with_all_answers(arm, rng)
        bound = 0.9 * jumps[0]
        result = solver.solve(arm.target(there, seed=start, max_joint_jump=bound))
        assert result.status is Status.JOINT_JUMP, result.message
        assert result.solution is None
        nearest = dict(zip(result.closest.joint_names, result.closest.q.tolist(), strict=True))
        changes = {joint: abs(nearest[joint] - start[joint]) for joint in nearest}
        joint = max(changes, key=changes.get)
        assert f"'{joint}' by {changes[joint]:.4g} rad" in result.message
        assert f"allowed {bound:.4g}" in result.message
        assert changes[joint] >= jumps[0] - 1e-3
        assert result.closest.position_error_m <= 1e-4


@pytest.mark.parametrize(("bound", "solved"), [(0.5, True), (0.5 + 1e-9, True), (0.4998, False)])
@pytest.mark.parametrize("side", [-1.0, 1.0])
def test_a_jump_exactly_as_far_as_allowed_is_allowed(name, side, bound, solved):
    arm = made_arm(hand_robots.one_revolute(length_m=1.0))
    request = arm.target({"crank": 0.3 + side * 0.5}, seed=[0.3], max_joint_jump=bound)
    result = arm.solver(solver=name).solve(request)
    assert result.status is (Status.SOLVED if solved else Status.JOINT_JUMP), result.message
    if solved:
        assert result.max_joint_jump <= bound


def test_a_slider_jumps_in_metres(name):
    arm = made_arm(hand_robots.one_prismatic())
    request = arm.target({"slide": 0.5}, seed=[0.1], max_joint_jump=0.3)
    result = arm.solver(solver=name).solve(request)
    assert result.status is Status.JOINT_JUMP
    assert "'slide' by 0.4 m" in result.message


def test_alternatives_keep_the_bound_too(name):
    arm, rng = robot_arm("ur5"), np.random.default_rng(7)
    solver = arm.solver(solver=name)
    for _ in range(6):
        start, there, jumps = with_all_answers(arm, rng)
        bound = jumps[len(jumps) // 2] + 0.01
        request = arm.target(there, seed=start, max_joint_jump=bound, max_solutions=MANY)
        answers = all_answers(solver.solve(request))
        assert len(answers) >= sum(jump < bound - 0.02 for jump in jumps)
        assert all(answer.max_joint_jump <= bound for answer in answers)


def test_the_bound_of_the_settings_holds_where_the_request_has_none():
    arm = made_arm(hand_robots.one_revolute())
    solver = arm.solver(max_joint_jump=0.2)
    far = arm.target({"crank": 1.0}, seed=[0.0])
    assert solver.solve(far).status is Status.JOINT_JUMP
    wider = arm.target({"crank": 1.0}, seed=[0.0], max_joint_jump=1.1)
    assert solver.solve(wider).status is Status.SOLVED


def test_a_bound_does_not_turn_unreachable_into_a_jump(name):
    arm = robot_arm("ur5")
    far = IKRequest.from_xyz_quat([10, 0, 0], [0, 0, 0, 1], max_joint_jump=0.1, seed=[0.1] * 6)
    assert arm.solver(solver=name).solve(far).status is Status.UNREACHABLE


def test_a_seed_so_far_outside_that_any_answer_jumps_says_both(name):
    arm = made_arm(hand_robots.one_revolute(-1.0, 1.0))
    request = arm.target({"crank": 0.9}, seed=[2.5], max_joint_jump=0.5)
    result = arm.solver(solver=name).solve(request)
    assert result.status is Status.JOINT_JUMP
    assert "'crank' by 1.6 rad" in result.message
    assert "the seed was outside the limits" in result.message


def test_a_relaxed_answer_keeps_the_bound():
    arm = robot_arm("so101")
    made = targets.fk_targets(arm.kinematics, arm.base, arm.tip, 6, seed=8, margin=0.2)
    solver = arm.solver()
    for positions, T in zip(*made, strict=True):
        T = T.copy()
        T[:3, 3] += [5e-4, 0.0, 0.0]
        far_seed = {
            joint: value + (0.8 if value < 0 else -0.8) for joint, value in positions.items()
        }
        request = IKRequest.from_matrix(T, seed=far_seed, allow_relaxed=True, max_joint_jump=0.3)
        result = solver.solve(request)
        assert not result.success or result.max_joint_jump <= 0.3


def test_a_follower_must_not_jump_further_than_allowed_either():
    geared = {"axis": (0, 1, 0), "lower": -9.0, "upper": 9.0, "mimic": Mimic("first", -2.0, 0.1)}
    joints = [
        JointSpec("first", "revolute", "base", "a"),
        JointSpec("geared", "revolute", "a", "tip", xyz_m=(0.3, 0, 0), **geared),
    ]
    arm = made_arm(serial_robot("geared", joints))
    there = {"first": 0.5, "geared": -0.9}
    request = arm.target(there, seed={"first": 0.0}, max_joint_jump=0.8)
    result = arm.solver().solve(request)
    assert result.status is Status.JOINT_JUMP
    assert "'geared' by 1 rad" in result.message
    wider = arm.target(there, seed={"first": 0.0}, max_joint_jump=1.001)
    assert arm.solver().solve(wider).success


def test_redundant_arms_stay_near_their_seed(name):
    """Of the many configurations of a 7-joint arm, one near the seed is given, not just any."""
    arm, rng = robot_arm("panda"), np.random.default_rng(9)
    solver = arm.solver(solver=name)
    for _ in range(10):
        seed = arm.kinematics.random_configuration(rng, arm.joint_names, margin=0.2)
        there = {joint: value + rng.uniform(-0.05, 0.05) for joint, value in seed.items()}
        result = solver.solve(arm.target(there, seed=seed))
        arm.assert_solved(result, arm.pose(there))
        assert result.max_joint_jump < 0.25


def test_self_motion_is_used_to_come_nearer_to_the_seed(monkeypatch):
    """Without the pull toward the seed a redundant arm ends further away, on the whole."""
    arm = robot_arm("panda")
    _, poses_T = targets.fk_targets(arm.kinematics, arm.base, arm.tip, 40, seed=10)
    requests = [IKRequest.from_matrix(T) for T in poses_T]

    def jumps():
        solver = arm.solver(solver="reference")
        return np.array([solver.solve(request).max_joint_jump for request in requests])

    pulled = jumps()
    monkeypatch.setattr(reference._Descent, "_pulled_to_seed", lambda self, q: q)
    assert pulled.mean() < 0.99 * jumps().mean()


def test_a_point_to_reach_is_reached_from_where_the_arm_is(name):
    arm = made_arm(hand_robots.planar_2r())
    T = arm.pose({"shoulder": 0.5, "elbow": 1.0})
    for seed in ([0.4, 0.9], [1.2, -0.9]):
        request = IKRequest.from_matrix(T, orientation_tolerance=FREE, seed=seed)
        result = arm.solver(solver=name).solve(request)
        assert math.copysign(1.0, result.q[1]) == math.copysign(1.0, seed[1])
