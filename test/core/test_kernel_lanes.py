# SPDX-License-Identifier: Apache-2.0
"""Answers depend on the request alone, not on vector width, thread, row or process."""

from __future__ import annotations

import os
import subprocess
import sys
import threading

import numpy as np
import pytest
from hypothesis import given, settings

from support import strategies
from support.kernel import FREE, INF, WIDTHS, KernelArm
from support.robots import ROBOTS

WIDE = [lanes for lanes in WIDTHS if lanes > 1]
TASKS = {
    "strict": {},
    "free spin": {"rotation_tolerance": np.array([0.0, 0.0, INF])},
    "one angle": {"rotation_tolerance": np.array([INF, 0.0, INF])},
    "position": {"rotation_tolerance": FREE},
    "slack": {"rotation_tolerance": np.array([0.1, 0.1, 0.3]), "use_slack": True},
    "by norm with slack": {"position_norm": 0.01, "rotation_norm": 0.2, "use_slack": True},
}


def same(a, b):
    return all(np.array_equal(x, y) for x, y in zip(a, b))


def mixed_targets(arm, n, seed):
    """Reachable targets, and every third one moved away, so that some fail."""
    T_base_targets = arm.forward(arm.random(n, seed)).copy()
    T_base_targets[::3, :3, 3] *= 1.3
    return T_base_targets


def test_scalar_code_is_always_there():
    assert WIDTHS[:2] == (1, 2)


def test_a_width_that_this_processor_has_not_is_refused():
    arm = KernelArm.of("panda")
    with pytest.raises(ValueError, match="3 lanes"):
        arm.search(arm.forward(arm.middle), lanes=3)


# If only 8 lanes differ, the compiler has fused multiplications and additions: see lanes.hpp.
@pytest.mark.parametrize("lanes", WIDE)
@pytest.mark.parametrize("robot", ROBOTS, ids=str)
def test_all_widths_give_the_same_bits(robot, lanes):
    arm = KernelArm.of(robot.name)
    T_base_targets = mixed_targets(arm, 100, seed=1)
    narrow, wide = (
        arm.batch(T_base_targets, arm.middle, max_attempts=20, lanes=n) for n in (1, lanes)
    )
    assert same(narrow, wide)
    for T_base_target in T_base_targets[:20]:
        narrow, wide = (
            arm.search(T_base_target, wanted=4, seed_suffices=False, max_attempts=20, lanes=n)
            for n in (1, lanes)
        )
        assert same(narrow.candidates, wide.candidates)
        assert narrow.closest.tolist() == wide.closest.tolist()
        assert narrow[3:] == wide[3:]


@pytest.mark.parametrize("lanes", WIDE)
@pytest.mark.parametrize("task", TASKS)
@pytest.mark.parametrize("name", ["panda", "so101"])
def test_all_widths_give_the_same_bits_for_every_task(name, task, lanes):
    arm = KernelArm.of(name)
    T_base_targets = mixed_targets(arm, 100, seed=2)
    narrow, wide = (
        arm.batch(T_base_targets, arm.middle, max_attempts=10, lanes=n, **TASKS[task])
        for n in (1, lanes)
    )
    assert same(narrow, wide)


@settings(max_examples=100)
@given(strategies.chains(), strategies.SEEDS)
def test_all_widths_give_the_same_bits_for_any_chain(made, seed):
    arm = KernelArm.made(made)
    T_base_targets = mixed_targets(arm, 10, seed)
    answers = [arm.batch(T_base_targets, arm.middle, max_attempts=10, lanes=n) for n in WIDTHS]
    assert all(same(answers[0], other) for other in answers[1:])


@pytest.mark.parametrize("task", TASKS)
@pytest.mark.parametrize("name", ["panda", "ur5"])
def test_a_row_of_a_batch_is_a_search(name, task):
    arm = KernelArm.of(name)
    T_base_targets = mixed_targets(arm, 100, seed=3)
    seeds = arm.random(100, seed=4)
    batch = arm.batch(T_base_targets, seeds, max_attempts=10, **TASKS[task])
    for i, (T_base_target, seed) in enumerate(zip(T_base_targets, seeds)):
        answer = arm.search(T_base_target, seed, max_attempts=10, **TASKS[task])
        assert bool(answer.candidates) == batch.solved[i]
        assert answer.closest.tolist() == batch.q[i].tolist()
        assert answer.closest_position_error_m == batch.position_error_m[i]
        assert answer.closest_rotation_error_rad == batch.rotation_error_rad[i]
        assert (answer.iterations, answer.attempts) == (batch.iterations[i], batch.attempts[i])


@pytest.mark.parametrize("threads", [2, 3, 100])
def test_threads_change_nothing(threads):
    arm = KernelArm.of("panda")
    T_base_targets = mixed_targets(arm, 500, seed=5)
    one = arm.batch(T_base_targets, arm.middle, max_attempts=10)
    assert same(one, arm.batch(T_base_targets, arm.middle, max_attempts=10, threads=threads))


def test_rows_know_nothing_of_each_other():
    arm = KernelArm.of("ur5")
    T_base_targets = mixed_targets(arm, 300, seed=6)
    order = np.random.default_rng(7).permutation(300)
    answer = arm.batch(T_base_targets, arm.middle, max_attempts=10)
    shuffled = arm.batch(T_base_targets[order], arm.middle, max_attempts=10)
    assert same([column[order] for column in answer], shuffled)
    slices = [
        arm.batch(part, arm.middle, max_attempts=10) for part in np.array_split(T_base_targets, 7)
    ]
    assert same(answer, [np.concatenate(columns) for columns in zip(*slices)])


@pytest.mark.parametrize("n", range(20))
def test_batches_of_every_length(n):
    arm = KernelArm.of("kr16")
    q = arm.random(20, seed=8)[:n]
    answer = arm.batch(arm.forward(q), arm.middle)
    assert [len(column) for column in answer] == [n] * 6
    assert answer.solved.all()


def test_a_path_starts_each_row_at_the_answer_before():
    arm = KernelArm.of("panda")
    share = np.linspace(0.0, 1.0, 50)[:, None]
    begin, end = arm.random(2, seed=9)
    T_base_targets = arm.forward(begin + share * (end - begin)).copy()
    T_base_targets[20, :3, 3] = [10.0, 0.0, 0.0]  # unreachable: the row after it starts at row 19
    path = arm.batch(T_base_targets, begin, chain_seeds=True)
    assert np.flatnonzero(~path.solved).tolist() == [20]
    seed = begin
    for i, T_base_target in enumerate(T_base_targets):
        answer = arm.search(T_base_target, seed)
        assert answer.closest.tolist() == path.q[i].tolist()
        seed = answer.candidates[0] if answer.candidates else seed
    assert np.abs(np.diff(path.q[:20], axis=0)).max() < 0.5  # no branch is left


def test_two_threads_may_use_one_chain():
    arm = KernelArm.of("panda")
    T_base_targets = arm.forward(arm.random(300, seed=10))
    expected = [arm.search(target).closest.tolist() for target in T_base_targets]
    found = {}

    def work(number):
        found[number] = [arm.search(target).closest.tolist() for target in T_base_targets]

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(found[number] == expected for number in range(4))


def test_other_threads_run_while_a_search_goes_on():
    arm = KernelArm.of("panda")
    T_out_of_reach = arm.forward(arm.middle).copy()
    T_out_of_reach[:3, 3] *= 10.0
    prepared = arm.prepared(max_attempts=2**31 - 1)
    answers = []
    thread = threading.Thread(
        target=lambda: answers.append(prepared(T_out_of_reach[:3], arm.middle, 0.2))
    )
    thread.start()
    rounds = 0
    while not answers:
        rounds += 1
    thread.join()
    assert answers[0][-1]  # it took all its time
    assert rounds > 1000


PRINT_BITS = """
from support.kernel import KernelArm
arm = KernelArm.of("panda")
q, *others = arm.batch(arm.forward(arm.random(200, seed=11)), arm.middle)
print(q.tobytes().hex(), others)
"""


def test_two_processes_give_the_same_bits(tmp_path):
    def bits(hash_seed):
        changes = {"PYTHONPATH": os.pathsep.join(sys.path), "PYTHONHASHSEED": hash_seed}
        done = subprocess.run(
            [sys.executable, "-c", PRINT_BITS],
            env={**os.environ, **changes},
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=True,
        )
        return done.stdout

    assert len(bits("1")) > 200 * 7 * 16
    assert bits("1") == bits("2")
