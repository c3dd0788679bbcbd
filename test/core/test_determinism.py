# SPDX-License-Identifier: Apache-2.0
"""The same question has the same answer, to the last bit: elsewhere, later, and in any company."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

import ik_solver_ros
from ik_solver_ros import IKRequest
from support import targets
from support.judging import PATIENT_S, SOLVERS, all_answers, robot_arm

ROBOTS = ["panda", "ur5", "tiago", "pr2"]
THREADS = 8


@pytest.fixture(params=SOLVERS)
def name(request):
    return request.param


def questions(robot, n, seed=31):
    """Requests of every sort: cold, seeded, many answers, bounded jumps, hopeless."""
    arm = robot_arm(robot)
    made = targets.fk_targets(arm.kinematics, arm.base, arm.tip, n, seed)
    asked = []
    for i, (positions, T) in enumerate(zip(*made, strict=True)):
        options = [
            {},
            {"seed": {joint: 0.9 * value for joint, value in positions.items()}},
            {"max_solutions": 3},
            {"max_joint_jump": 1.0, "seed": positions},
            {"allow_relaxed": True},
        ][i % 5]
        T = T.copy()
        if i % 7 == 6:
            T[:3, 3] *= 1.6
        asked.append(IKRequest.from_matrix(T, **options))
    return asked


def in_bits(result):
    """All that is said, floats as they are in memory; how long it took is left out."""
    answers = [[value.hex() for value in answer.q.tolist()] for answer in all_answers(result)]
    closest = [] if result.closest is None else [v.hex() for v in result.closest.q.tolist()]
    return [int(result.status), result.message, answers, closest, result.attempts]


def answers_of(solver, asked):
    return [in_bits(solver.solve(request)) for request in asked]


@pytest.mark.parametrize("robot", ROBOTS)
def test_neither_earlier_requests_nor_a_new_solver_change_an_answer(name, robot):
    arm, asked = robot_arm(robot), questions(robot, 14)
    solver = arm.solver(solver=name)
    in_order = answers_of(solver, asked)
    backwards = answers_of(solver, asked[::-1])[::-1]
    each_alone = [in_bits(arm.solver(solver=name).solve(request)) for request in asked]
    assert in_order == backwards == each_alone


def test_another_process_gives_the_same_bits(name, tmp_path):
    code = (
        "import json, sys, test_determinism as t\n"
        "from support.judging import robot_arm\n"
        f"solver = robot_arm('ur5').solver(solver={name!r})\n"
        "print(json.dumps(t.answers_of(solver, t.questions('ur5', 12))))\n"
    )
    folders = [
        Path(__file__).parent,
        Path(__file__).parents[1],
        Path(ik_solver_ros.__file__).parents[1],
    ]
    path = os.pathsep.join([*map(str, folders), os.environ.get("PYTHONPATH", "")])
    # Another hash seed is another order of every set.
    environment = {**os.environ, "PYTHONPATH": path, "PYTHONHASHSEED": "12345"}
    run = subprocess.run(
        [sys.executable, "-c", code],
        env=environment, cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert run.returncode == 0, run.stderr
    solver = robot_arm("ur5").solver(solver=name)
    assert json.loads(run.stdout) == answers_of(solver, questions("ur5", 12))


def in_threads(work):
    """Run work(number) in many threads at once; their results by number."""
    results, failures = {}, []
    gate = threading.Barrier(THREADS)

    def run(number):
        try:
            gate.wait(PATIENT_S)
            results[number] = work(number)
        except Exception as failure:  # noqa: BLE001 - raised again below
            failures.append(failure)

    threads = [threading.Thread(target=run, args=(number,)) for number in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(2 * PATIENT_S)
    assert failures == []
    return [results[number] for number in range(THREADS)]


def test_threads_that_share_a_solver_do_not_disturb_each_other(name):
    """Each asks for other targets on another arm of the same robot, in another order."""
    arm = robot_arm("tiago")
    solver = arm.solver(solver=name)
    asked = [questions("tiago", 12, seed=40 + number) for number in range(THREADS)]
    alone = [answers_of(arm.solver(solver=name), mine) for mine in asked]

    def work(number):
        return [answers_of(solver, asked[number]) for _ in range(2)]

    for number, rounds in enumerate(in_threads(work)):
        assert rounds == [alone[number]] * 2


def test_threads_with_tools_and_tips_of_their_own_each_get_their_own_answer():
    arm = robot_arm("ur5")
    solver = arm.solver()

    def work(number):
        rng = np.random.default_rng(number)
        offset = np.eye(4)
        offset[2, 3] = 0.01 * (number + 1)
        for _ in range(15):
            positions = arm.kinematics.random_configuration(rng, arm.joint_names)
            T = arm.pose(positions) @ offset
            result = solver.solve(IKRequest.from_matrix(T, tcp_offset=offset))
            arm.assert_solved(result, T, T_tip_tcp=offset)
        return True

    assert all(in_threads(work))


def test_threads_may_ask_the_robot_where_it_stands():
    arm = robot_arm("pr2")

    def work(number):
        rng = np.random.default_rng(number)
        worst = 0.0
        for _ in range(60):
            positions = arm.kinematics.random_configuration(rng, arm.joint_names)
            found = arm.model.forward_kinematics(positions, arm.tip, arm.base)
            worst = max(worst, float(np.abs(found - arm.pose(positions)).max()))
        return worst

    assert max(in_threads(work)) < 1e-12
