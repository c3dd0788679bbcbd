# SPDX-License-Identifier: Apache-2.0
"""The gate: what passes is right by a kinematics that shares nothing with it; lies do not pass."""

from __future__ import annotations

import copy
import dataclasses
import math
import pickle

import numpy as np
import pytest
from hypothesis import given, settings

from ik_solver_ros import IKRequest, IKResult, RobotModel, Status, VerifiedSolution
from ik_solver_ros.core.chain import build_chain
from ik_solver_ros.core.pinocchio_import import pin
from ik_solver_ros.core.solvers.reference import ReferenceSolver
from ik_solver_ros.core.tolerance import DEFAULT_AXES, AxisTolerance, Tolerance
from ik_solver_ros.core.verification import Rejection, Verifier
from support import hand_robots, poses, strategies
from support.judging import ORIENTATION_RAD, POSITION_M, made_arm, robot_arm
from support.robots import REQUIRED
from support.urdf_fk import Mimic
from support.urdf_writer import JointSpec, serial_robot

TOLERANCE = Tolerance(
    AxisTolerance.of(DEFAULT_AXES, POSITION_M), AxisTolerance.of(DEFAULT_AXES, ORIENTATION_RAD)
)


def se3(T):
    return pin.SE3(T[:3, :3].copy(), T[:3, 3].copy())


class Bench:
    """A verifier for one arm, and a configuration inside its limits."""

    def __init__(self, arm, seed=0):
        self.arm = arm
        self.names = build_chain(arm.model, arm.base, arm.tip).joint_names
        self.verifier = Verifier(arm.model, arm.base, arm.tip, self.names)
        rng = np.random.default_rng(seed)
        self.positions = arm.kinematics.random_configuration(rng, self.names)
        self.values = np.array([self.positions[name] for name in self.names])
        self.T_base_target = arm.pose(self.positions)

    def verify(self, values, T=None, tolerance=TOLERANCE, seed=None, T_tip_tcp=None):
        T = self.T_base_target if T is None else T
        seed = self.values if seed is None else seed
        return self.verifier.verify(values, se3(T), tolerance, list(seed), T_tip_tcp)

    def is_accepted_in_a_batch(self, values, T):
        judge = self.arm.solver().arm().batch_verifier
        return bool(judge.accepted(values[None], T[None, :3], TOLERANCE)[0].all())

    def rejection(self, values, *parts, **options):
        judged = self.verify(values, **options)
        assert isinstance(judged, Rejection)
        for part in parts:
            assert part in judged.reason
        return judged


def geared_robot():
    return serial_robot(
        "geared",
        [
            JointSpec("first", "revolute", "base", "a", lower=-1.0, upper=2.0),
            JointSpec(
                "geared", "revolute", "a", "b", (0.3, 0, 0), axis=(0, 1, 0), lower=-9.0, upper=9.0,
                mimic=Mimic("first", -2.0, 0.5),
            ),
            JointSpec("last", "continuous", "b", "tip", (0.2, 0, 0)),
        ],
    )  # fmt: skip


ARMS = {entry.name: lambda name=entry.name: robot_arm(name) for entry in REQUIRED}
ARMS |= {"geared": lambda: made_arm(geared_robot())}


@pytest.fixture(params=ARMS)
def bench(request):
    return Bench(ARMS[request.param]())


# --- what is right passes, and is measured right ---


def test_a_right_answer_passes_with_its_true_errors(bench):
    rng = np.random.default_rng(1)
    for _ in range(20):
        nudge = poses.transform(
            poses.rotation_from_vector(rng.uniform(-1, 1, 3) * 5e-4), rng.uniform(-1, 1, 3) * 5e-5
        )
        T = bench.T_base_target @ nudge
        solution = bench.verify(bench.values, T)
        assert isinstance(solution, VerifiedSolution)
        assert solution.joint_names == bench.names
        assert solution.q.tolist() == bench.values.tolist()
        bench.arm.assert_is_answer(solution, T)


@settings(max_examples=40)
@given(strategies.chains(), strategies.SEEDS)
def test_random_configurations_of_random_chains_pass_at_their_own_pose(made, seed):
    bench = Bench(made_arm(made), seed)
    solution = bench.verify(bench.values)
    assert isinstance(solution, VerifiedSolution)
    assert solution.position_error_m < 1e-9
    assert solution.orientation_error_rad < 1e-9


@given(strategies.poses())
def test_the_tool_centre_point_is_what_is_judged(T_tip_tcp):
    bench = Bench(robot_arm("ur5"))
    T = bench.T_base_target @ T_tip_tcp
    solution = bench.verify(bench.values, T, T_tip_tcp=se3(T_tip_tcp))
    bench.arm.assert_is_answer(solution, T, T_tip_tcp)


def test_a_solution_is_a_copy_that_nobody_can_change(bench):
    values = bench.values.copy()
    solution = bench.verify(values)
    values[0] += 1.0
    assert solution.q.tolist() == bench.values.tolist()
    with pytest.raises(ValueError, match="read-only"):
        solution.q[0] = 0.0
    for field in dataclasses.fields(solution):
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(solution, field.name, None)


def test_the_largest_change_from_the_seed_is_reported_with_its_joint(bench):
    for i, name in enumerate(bench.names):
        seed = bench.values.copy()
        seed += 0.01
        for way in (-0.7, 0.7):
            start = seed.copy()
            start[i] += way
            solution = bench.verify(bench.values, seed=start)
            assert solution.jumping_joint == name
            assert solution.max_joint_jump == pytest.approx(abs(way + 0.01))


# --- both sides of each bound ---


@pytest.mark.parametrize(("share", "passes"), [(1 - 1e-7, True), (1 + 1e-7, False)])
def test_the_position_bound_is_where_it_says(bench, share, passes):
    direction = np.array([0.6, 0.0, 0.8])
    T = bench.T_base_target.copy()
    T[:3, 3] += share * POSITION_M * direction
    assert isinstance(bench.verify(bench.values, T), VerifiedSolution) == passes


@pytest.mark.parametrize(("share", "passes"), [(1 - 1e-7, True), (1 + 1e-7, False)])
def test_the_orientation_bound_is_where_it_says(bench, share, passes):
    turn = poses.rotation_about([0.6, 0.0, 0.8], share * ORIENTATION_RAD)
    T = bench.T_base_target @ poses.transform(turn, np.zeros(3))
    assert isinstance(bench.verify(bench.values, T), VerifiedSolution) == passes


@pytest.mark.parametrize("axis", range(3))
def test_a_free_axis_is_an_axis_of_the_target_frame(bench, axis):
    """Neither of the base frame nor of the tool."""
    far = np.eye(3)[axis] * 0.3
    bounds = tuple(math.inf if i == axis else 0.0 for i in range(3))
    tolerance = Tolerance(AxisTolerance.of(bounds, POSITION_M), TOLERANCE.orientation)
    T = bench.T_base_target @ poses.transform(np.eye(3), far)
    assert isinstance(bench.verify(bench.values, T, tolerance), VerifiedSolution)
    bench.rejection(bench.values, "off by 0.3 m", T=T)
    in_base = bench.T_base_target.copy()
    in_base[:3, 3] += far
    bench.rejection(bench.values, T=in_base, tolerance=tolerance)


def limited(bench):
    for i, name in enumerate(bench.names):
        lower, upper = bench.arm.kinematics.limits(name)
        if math.isfinite(lower) and bench.arm.kinematics.mimic(name) is None:
            yield i, name, lower, upper


def with_followers(bench, values):
    positions = dict(zip(bench.names, values.tolist()))
    return np.array([bench.arm.kinematics.position(positions, name) for name in bench.names])


def test_on_a_limit_is_inside_and_the_next_number_is_outside(bench):
    for i, name, lower, upper in limited(bench):
        for limit, outward in ((lower, -math.inf), (upper, math.inf)):
            values = bench.values.copy()
            values[i] = limit
            values = with_followers(bench, values)
            T = bench.arm.pose(dict(zip(bench.names, values.tolist())))
            judged = bench.verify(values, T)
            assert isinstance(judged, VerifiedSolution), judged
            assert bench.is_accepted_in_a_batch(values, T)
            for beyond in (math.nextafter(limit, outward), limit + math.copysign(1e-12, outward)):
                values[i] = beyond
                bench.rejection(values, f"'{name}'", "is outside", repr(float(beyond)), T=T)
                assert not bench.is_accepted_in_a_batch(values, T)


def test_every_joint_matters(bench):
    for i, name in enumerate(bench.names):
        values = bench.values.copy()
        values[i] += 0.05 if values[i] < 0.5 * sum(bench.arm.kinematics.limits(name)) else -0.05
        bench.rejection(values)


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_numbers_that_are_not_finite_are_rejected(bench, value):
    for i, name in enumerate(bench.names):
        values = bench.values.copy()
        values[i] = value
        bench.rejection(values, f"'{name}'")


def test_a_wrong_count_of_positions_is_rejected(bench):
    many = len(bench.names)
    for values in (bench.values[:-1], np.append(bench.values, 0.0), np.zeros(0)):
        bench.rejection(values, f"{len(values)} positions for {many} joints")


@pytest.mark.parametrize(
    ("defect", "passes"),
    [(1e-10, True), (-1e-10, True), (1e-8, False), (-1e-8, False), (0.1, False)],
)
def test_a_follower_that_does_not_follow_is_rejected(defect, passes):
    bench = Bench(made_arm(geared_robot()))
    values = bench.values.copy()
    values[bench.names.index("geared")] += defect
    positions = dict(zip(bench.names, values.tolist()))
    T = RobotModel.forward_kinematics(bench.arm.model, positions, "tip")  # right for these values
    assert bench.is_accepted_in_a_batch(values, T) == passes
    if passes:
        assert isinstance(bench.verify(values, T), VerifiedSolution)
    else:
        bench.rejection(values, "'geared' does not follow 'first'", T=T)


@pytest.mark.parametrize("multiplier", [2.0, -2.0])
def test_a_joint_elsewhere_that_follows_beyond_its_limits_is_reason_to_reject(multiplier):
    """It is no part of the answer, but the real robot would have to move it along."""
    joints = [
        JointSpec(
            "beside", "revolute", "base", "other", lower=-0.5, upper=0.5,
            mimic=Mimic("first", multiplier, 0.1),
        ),
        JointSpec("first", "revolute", "base", "a"),
        JointSpec("last", "revolute", "a", "tip", (0.4, 0, 0)),
    ]  # fmt: skip
    arm = made_arm(serial_robot("beside", joints))
    solver, verifier = arm.solver(), Verifier(arm.model, "base", "tip", ("first", "last"))
    judge = solver.arm().batch_verifier
    for follower, passes in ((0.45, True), (0.55, False), (-0.45, True), (-0.55, False)):
        values = np.array([(follower - 0.1) / multiplier, 0.3])
        T = arm.pose({"first": values[0], "last": 0.3})
        judged = verifier.verify(values, se3(T), TOLERANCE, [0.0, 0.0])
        assert isinstance(judged, VerifiedSolution) == passes
        if not passes:
            assert "'beside', which follows 'first', at " in judged.reason
            assert "is outside [-0.5, 0.5]" in judged.reason
        assert judge.accepted(values[None], T[None, :3], TOLERANCE)[0].tolist() == [passes]


def test_a_joint_elsewhere_that_never_moves_is_no_reason_to_reject():
    joints = [
        JointSpec(
            "beside", "revolute", "base", "other", lower=-0.5, upper=0.5,
            mimic=Mimic("first", 0.0, 0.7),
        ),
        JointSpec("first", "revolute", "base", "a"),
        JointSpec("last", "revolute", "a", "tip", (0.4, 0, 0)),
    ]  # fmt: skip
    bench = Bench(made_arm(serial_robot("beside", joints)))
    assert isinstance(bench.verify(bench.values), VerifiedSolution)
    T = bench.T_base_target[None, :3]
    judge = bench.arm.solver().arm().batch_verifier
    assert judge.accepted(bench.values[None], T, TOLERANCE)[0].tolist() == [True]


def test_a_base_that_moves_is_where_targets_are_seen_from():
    """Its own frame says nothing of that: it stands where its joint does."""
    joints = [
        JointSpec("lift", "prismatic", "world", "base", (0.3, 0, 0.2), lower=-1.0, upper=1.0),
        JointSpec("first", "revolute", "base", "a", (0, 0, 0.1), axis=(0, 1, 0)),
        JointSpec("last", "revolute", "a", "tip", (0.4, 0, 0)),
    ]
    lifted = dataclasses.replace(serial_robot("lifted", joints), base="base")
    bench = Bench(made_arm(lifted))
    assert bench.names == ("first", "last")
    assert isinstance(bench.verify(bench.values), VerifiedSolution)


def test_a_rejection_for_the_pose_carries_the_measured_error():
    bench = Bench(robot_arm("ur5"))
    T = bench.T_base_target.copy()
    T[:3, 3] += [0.0, 0.0, 0.25]
    assert bench.rejection(bench.values, T=T).error.position_m == pytest.approx(0.25)


# --- nobody else makes one ---


@pytest.mark.parametrize("key", [None, object(), "key", 0, True])
def test_nobody_else_makes_a_verified_solution(key):
    solution = Bench(robot_arm("ur5")).verify(Bench(robot_arm("ur5")).values)
    with pytest.raises(TypeError, match="nobody else"):
        VerifiedSolution(key, solution.joint_names, solution.q, None, [0.0] * 6)
    with pytest.raises(TypeError):
        VerifiedSolution(solution.joint_names, solution.q, 0.0, 0.0, 0.0, "elbow_joint")
    with pytest.raises(TypeError):
        dataclasses.replace(solution, q=np.zeros(6))


def test_a_solution_may_be_copied_and_sent_to_another_process():
    bench = Bench(robot_arm("ur5"))
    solution = bench.verify(bench.values)
    for twin in (copy.deepcopy(solution), pickle.loads(pickle.dumps(solution))):
        assert twin.q.tolist() == solution.q.tolist()
        assert twin.position_error_m == solution.position_error_m


@pytest.mark.parametrize("status", Status)
def test_a_result_has_a_solution_exactly_if_it_is_a_success(status):
    bench = Bench(robot_arm("ur5"))
    solution = bench.verify(bench.values)
    wrong = None if status.is_success else solution
    with pytest.raises(ValueError, match=status.name):
        IKResult(status, "", solution=wrong)


def test_a_failure_has_no_numbers_to_take_for_an_answer():
    result = IKResult(Status.UNREACHABLE, "too far")
    assert not result.success
    assert result.q.size == len(result.joint_names) == len(result.alternatives) == 0
    for number in (result.position_error_m, result.orientation_error_rad, result.max_joint_jump):
        assert math.isnan(number)


# --- lying solvers ---


class Liar:
    """Finds the truth, then tells something else."""

    name = "liar"

    def __init__(self, lie):
        self.lie, self.honest = lie, ReferenceSolver()

    def search(self, problem):
        outcome = self.honest.search(problem)
        lies = tuple(self.lie(q.copy()) for q in outcome.candidates)
        return outcome._replace(candidates=lies, closest=self.lie(outcome.closest.copy()))


def shifted(q):
    q[-1] += 2e-3
    return q


def out_of_limits(q):
    return np.full_like(q, 3.0 + 1e-12)


LIES = {
    "off by 0.002 rad": shifted,
    "a hair outside the limits": out_of_limits,
    "NaN": lambda q: np.full_like(q, math.nan),
    "infinite": lambda q: np.full_like(q, math.inf),
    "nothing but zeros": np.zeros_like,
    "one joint too many": lambda q: np.append(q, 0.0),
    "no joint": lambda q: q[:0],
}


@pytest.mark.parametrize("lie", LIES.values(), ids=LIES)
def test_a_lie_is_never_an_answer(lie):
    arm = made_arm(hand_robots.planar_2r())
    solver = arm.solver()
    solver._solver = Liar(lie)
    request = arm.target({"shoulder": 0.4, "elbow": 1.1}, seed=[0.3, 1.0])
    result = solver.solve(request)
    assert not result.success
    assert result.solution is None
    assert result.q.size == 0
    assert "refused" in result.message
    assert "\n" not in result.message


def test_what_the_liar_hides_is_there():
    arm = made_arm(hand_robots.planar_2r())
    solver = arm.solver()
    solver._solver = Liar(lambda q: q)
    request = arm.target({"shoulder": 0.4, "elbow": 1.1}, seed=[0.3, 1.0])
    assert solver.solve(request).success


def test_one_truth_among_lies_is_the_answer():
    arm = made_arm(hand_robots.planar_2r())
    solver = arm.solver()
    T = arm.pose({"shoulder": 0.4, "elbow": 1.1})

    class Mixed(Liar):
        def search(self, problem):
            outcome = self.honest.search(problem)
            wrong = [q + 0.1 for q in outcome.candidates]
            return outcome._replace(candidates=(*wrong, *outcome.candidates))

    solver._solver = Mixed(None)
    result = solver.solve(IKRequest.from_matrix(T))
    arm.assert_solved(result, T)
