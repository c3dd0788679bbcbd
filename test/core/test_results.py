# SPDX-License-Identifier: Apache-2.0
"""Results: words found late are the same words, and nothing in them is shared or changes."""

from __future__ import annotations

import copy
import dataclasses
import itertools
import math
import pickle

import numpy as np
import pytest

from ik_solver_ros import IKRequest, IKResult, Status, VerifiedSolution
from ik_solver_ros.core.pinocchio_import import pin
from ik_solver_ros.core.tolerance import DEFAULT_AXES, Tolerance
from ik_solver_ros.core.verification import Rejection, Verifier
from support.judging import SOLVERS, made_arm, robot_arm
from support.urdf_writer import JointSpec, serial_robot

TOLERANCE = Tolerance.of(DEFAULT_AXES, 1e-4, DEFAULT_AXES, 1e-3)
POSITIONS = {
    "shoulder_pan_joint": 0.4,
    "shoulder_lift_joint": -1.1,
    "elbow_joint": 1.3,
    "wrist_1_joint": 0.2,
    "wrist_2_joint": 0.7,
    "wrist_3_joint": -0.5,
}
FAR_SEED = {"elbow_joint": 9.0}


def solved(seed=None, **settings):
    arm = robot_arm("ur5")
    return arm.solver(**settings).solve(arm.target(POSITIONS, seed=seed))


# --- words ---


def test_the_message_says_what_was_measured():
    result = solved()
    expected = (
        f"solved: off by {result.position_error_m:.2g} m and {result.orientation_error_rad:.2g} rad"
    )
    assert result.message == expected
    assert result.message is result.message


def test_a_seed_outside_the_limits_is_in_the_message_of_an_answer():
    message = solved(FAR_SEED).message
    assert message.startswith("solved: off by ")
    assert "; the seed was outside the limits, with 'elbow_joint' 5.86 rad above its" in message


def test_the_words_do_not_depend_on_when_they_are_asked_for():
    early, late = solved(FAR_SEED), solved(FAR_SEED)
    words = early.message
    for _ in range(20):
        solved()
    assert late.message == words


def sent(result):
    return pickle.loads(pickle.dumps(result))


@pytest.mark.parametrize("twin_of", [copy.copy, copy.deepcopy, sent])
@pytest.mark.parametrize("is_read", [False, True])
def test_a_result_may_be_copied_and_sent_whether_its_message_was_read_or_not(twin_of, is_read):
    result = solved(FAR_SEED)
    if is_read:
        assert result.message
    twin = twin_of(result)
    assert twin.message == result.message
    assert twin.q.tolist() == result.q.tolist()
    assert (twin.status, twin.iterations, twin.solver) == (
        result.status,
        result.iterations,
        result.solver,
    )
    assert result.message in repr(twin)
    assert vars(twin).keys() == {field.name for field in dataclasses.fields(twin)}  # no chain
    assert dataclasses.replace(twin, message="other").message == "other"


def test_a_message_may_be_given_as_text_or_as_what_makes_it():
    as_text = IKResult(Status.UNREACHABLE, "too far")
    made = IKResult(Status.UNREACHABLE, lambda: "too far")
    assert made.message == as_text.message == "too far"
    assert IKResult(Status.UNREACHABLE, lambda: "too far") == as_text
    assert IKResult(Status.UNREACHABLE, lambda: "too near") != as_text


# --- nothing changes ---


def parts_of(result):
    return [result, result.solution]


def test_no_attribute_of_a_result_can_be_set_added_or_deleted():
    for part in parts_of(solved()):
        names = [field.name for field in dataclasses.fields(part)]
        for name in [*names, "another"]:
            with pytest.raises(dataclasses.FrozenInstanceError):
                setattr(part, name, None)
            with pytest.raises(dataclasses.FrozenInstanceError):
                delattr(part, name)


def arrays_of(result):
    return [
        *(solution.q for solution in (result.solution, *result.alternatives) if solution),
        *([result.closest.q] if result.closest else []),
    ]


@pytest.mark.parametrize("solver", SOLVERS)
def test_no_array_of_a_result_is_shared(solver):
    """Neither with another result, nor with anything that the next search writes to."""
    arm = robot_arm("ur5")
    made = arm.solver(solver=solver, max_attempts=2, timeout_s=0.5)
    far = arm.pose(POSITIONS)
    far[:3, 3] += [0.0, 0.0, 5.0]
    requests = [arm.target(POSITIONS, max_solutions=8), arm.target(POSITIONS)]
    results = [made.solve(request) for request in requests for _ in range(2)]
    results += [made.solve(IKRequest.from_matrix(far)) for _ in range(2)]
    arrays = [q for result in results for q in arrays_of(result)]
    assert len(arrays) >= len(results)
    before = [q.tolist() for q in arrays]
    for q in arrays:
        assert q.base is None
        with pytest.raises(ValueError, match="read-only"):
            q[0] = 0.0
    assert not any(np.shares_memory(a, b) for a, b in itertools.combinations(arrays, 2))
    for seed in (-0.3, 0.3):
        made.solve(arm.target(POSITIONS, seed=dict.fromkeys(POSITIONS, seed)))
    assert [q.tolist() for q in arrays] == before


def test_what_a_solver_does_to_its_candidates_afterwards_does_not_reach_an_answer():
    arm = robot_arm("ur5")
    solver = arm.solver()
    handed_out = []

    class Keeper:
        def __init__(self, honest):
            self.honest = honest

        def search(self, problem):
            outcome = self.honest.search(problem)
            handed_out.extend([*outcome.candidates, outcome.closest])
            return outcome

    solver._solver = Keeper(solver._solver)
    far = arm.pose(POSITIONS)
    far[:3, 3] += [0.0, 0.0, 5.0]
    results = [solver.solve(arm.target(POSITIONS)), solver.solve(IKRequest.from_matrix(far))]
    assert [result.success for result in results] == [True, False]
    before = [q.tolist() for result in results for q in arrays_of(result)]
    for q in handed_out:
        q += 1.0
    assert [q.tolist() for result in results for q in arrays_of(result)] == before


# --- the gate, wherever the base is and however the joints are stored ---


def joints_of_all_kinds():
    """Angles stored as such and as cosine and sine in turns, under a base that is turned."""
    axis = (0.0, 1.0, 0.0)
    return serial_robot(
        "kinds",
        [
            JointSpec("mount", "fixed", "world", "base", (0.1, 0.2, 0.3), rpy_rad=(0.1, 0.2, 0.3)),
            JointSpec("a", "revolute", "base", "l1", (0, 0, 0.2), axis=axis, lower=-2, upper=2),
            JointSpec("b", "continuous", "l1", "l2", (0.1, 0, 0.2)),
            JointSpec("c", "revolute", "l2", "l3", (0, 0.1, 0.2), axis=axis, lower=-2, upper=2),
            JointSpec("d", "prismatic", "l3", "l4", (0, 0, 0.1), axis=(1, 0, 0), lower=0, upper=1),
            JointSpec("e", "continuous", "l4", "l5", (0, 0, 0.2), axis=axis),
            JointSpec("f", "continuous", "l5", "tip", (0.1, 0, 0.2)),
        ],
    )


NAMES = ("a", "b", "c", "d", "e", "f")


@pytest.mark.parametrize("base", ["world", "base", "l1", "l2", "l3"])
@pytest.mark.parametrize("tip", ["l4", "l5", "tip"])
def test_the_gate_measures_from_any_base_to_any_tip(base, tip):
    arm = made_arm(joints_of_all_kinds())
    rng = np.random.default_rng(7)
    tree = arm.model.tree
    moved = [j.name for j in tree.path(base, tip) if j.name in NAMES]
    for order in (moved, moved[::-1]):
        verifier = Verifier(arm.model, base, tip, order)
        values = rng.uniform(0.1, 1.0, len(order))
        positions = dict(zip(order, values.tolist()))
        T = arm.kinematics.relative(dict.fromkeys(NAMES, 0.0) | positions, base, tip)
        judge = judged_by(verifier, T)
        solution = judge(values)
        assert isinstance(solution, VerifiedSolution), solution
        assert solution.position_error_m < 1e-12
        assert solution.orientation_error_rad < 1e-12
        for i in range(len(order)):
            nudged = values.copy()
            nudged[i] += 1e-2
            assert isinstance(judge(nudged), Rejection)


def judged_by(verifier, T):
    target = pin.SE3(T[:3, :3].copy(), T[:3, 3].copy())
    return lambda values: verifier.verify(values, target, TOLERANCE, [0.0] * len(values))


def test_a_limit_that_is_none_is_called_infinite():
    arm = made_arm(joints_of_all_kinds())
    verifier = Verifier(arm.model, "base", "tip", NAMES)
    judge = judged_by(verifier, np.eye(4))
    for value in (math.inf, -math.inf, math.nan):
        rejection = judge(np.array([0.0, value, 0.0, 0.0, 0.0, 0.0]))
        assert rejection.reason == f"joint 'b' at {value!r} is outside [-inf, inf]"


@pytest.mark.parametrize("count", [0, 5, 7])
def test_a_wrong_count_of_positions_has_no_error_that_passes(count):
    arm = robot_arm("ur5")
    verifier = Verifier(arm.model, arm.base, arm.tip, arm.joint_names)
    error = verifier.measure(np.zeros(count), pin.SE3.Identity(), TOLERANCE)
    assert math.isnan(error.position_m)
    assert math.isnan(error.orientation_rad)
    assert not TOLERANCE.accepts(error.position, error.orientation)
