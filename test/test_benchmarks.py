# SPDX-License-Identifier: Apache-2.0
"""The benchmark counts what it says it counts: liars are caught, whatever they call a success."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

from support.robots import DEMO_ARM
from support.urdf_fk import UrdfKinematics

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "benchmarks"))

from harness import programme, singular, target_sets, unreachable
from harness.arm import arm_of
from harness.contest import BLOCK, contest
from harness.flat import poses_and_jacobians
from harness.goal import Goal
from harness.lean_urdf import BASE, TIP, lean_urdf
from harness.oracle import Oracle
from harness.summary import summary
from page.goals import goal_lines
from page.page import page
from peers.base import Peer
from peers.branches import nearest_inside
from peers.ours import FullSolve

from support.tables import percent

GOAL = Goal(1e-5, 1e-5, 1.0)
ARM = arm_of(DEMO_ARM)


class Fake(Peer):
    """Answers with the seed: true for questions whose seed is the answer."""

    name = "honest"
    distribution = "none"
    settings = "knows the answer"

    def solve(self, target, seed):
        return seed

    def joints(self, raw):
        return raw


class Liar(Fake):
    name = "liar"

    def joints(self, raw):
        return raw + 0.001


class Outside(Fake):
    """A whole turn away: the tool is right, the joint is not."""

    name = "outside"

    def joints(self, raw):
        return raw + 2.0 * np.pi * np.eye(6)[0]


class Refuser(Fake):
    name = "refuser"

    def joints(self, raw):
        return None


class Raiser(Fake):
    name = "raiser"

    def solve(self, target, seed):
        raise RuntimeError("no")


class Broken(Fake):
    name = "broken"

    def joints(self, raw):
        return raw * np.nan


class Slow(Fake):
    name = "slow"
    share = 0.1


@pytest.fixture(scope="module")
def questions():
    """Targets whose seed is an answer."""
    rng = np.random.default_rng(5)
    q = rng.uniform(ARM.lower, ARM.upper, (40, 6))
    return target_sets.TargetSet(ARM, ARM.tip_poses(q), q)


def counted(peer_type, questions):
    (record,) = contest([peer_type(ARM, GOAL)], questions)
    return summary(record, questions, GOAL)


@pytest.mark.parametrize(
    ("peer_type", "solved", "false_success", "outside"),
    [
        (FullSolve, 1.0, 0.0, 0.0),
        (Fake, 1.0, 0.0, 0.0),
        (Liar, 0.0, 1.0, 0.0),
        (Outside, 0.0, 0.0, 1.0),
        (Refuser, 0.0, 0.0, 0.0),
        (Raiser, 0.0, 0.0, 0.0),
        (Broken, 0.0, 1.0, 1.0),
    ],
)
def test_an_answer_counts_for_what_it_is(peer_type, solved, false_success, outside, questions):
    line = counted(peer_type, questions)
    assert (line["solved"], line["false_success"], line["outside"]) == (
        solved,
        false_success,
        outside,
    )
    assert line["n"] == len(questions)
    assert line["errors"] == (len(questions) if peer_type is Raiser else 0)


def test_jumps_are_measured_from_the_seed(questions):
    assert counted(Fake, questions)["mean_jump"] == 0.0
    assert counted(Refuser, questions)["mean_jump"] is None


def test_a_slow_solver_gets_the_first_targets_only(questions):
    assert counted(Slow, questions)["n"] == BLOCK < len(questions)


def test_solvers_take_turns(questions):
    asked = []

    class Listener(Fake):
        def solve(self, target, seed):
            asked.append(self)
            return seed

    peers = [Listener(ARM, GOAL), Listener(ARM, GOAL)]
    contest(peers, questions)
    turns = [peer for i, peer in enumerate(asked) if i == 0 or asked[i - 1] is not peer]
    assert turns == peers * 2  # 40 questions are two blocks


@pytest.mark.parametrize(("factor", "solved"), [(0.99, 1.0), (1.01, 0.0)])
def test_the_tolerance_of_the_judge_is_the_goal(factor, solved, questions):
    class Off(Fake):
        def joints(self, raw):
            # The tool turns as much as joint 1 does.
            return raw + factor * self.goal.orientation_rad * np.eye(6)[0]

    goal = Goal(1.0, 1e-5, 1.0)
    inside = np.abs(questions.seeds[:, 0]) < 3.0
    kept = target_sets.TargetSet(ARM, questions.T_base_tip[inside], questions.seeds[inside])
    (record,) = contest([Off(ARM, goal)], kept)
    assert summary(record, kept, goal)["solved"] == solved
    assert goal.for_every_reading().orientation_rad == pytest.approx(3**0.5 * 1e-5)


def test_sets_are_what_they_say():
    n = 30
    near = target_sets.tracking(ARM, n, 1)
    assert len(near) == n
    true = target_sets.cold(ARM, n, 1)
    assert np.array_equal(near.T_base_tip, true.T_base_tip)
    moved = np.abs(np.linalg.norm((ARM.tip_poses(near.seeds) - true.T_base_tip)[:, :3, 3], axis=1))
    assert 0.0 < moved.max() < 0.5
    assert np.array_equal(true.seeds, np.tile(0.5 * (ARM.lower + ARM.upper), (n, 1)))


def test_flat_poses_and_jacobians_agree_with_the_judge():
    rng = np.random.default_rng(1)
    q = rng.uniform(ARM.lower, ARM.upper, (5, 6))
    T, J = poses_and_jacobians(ARM, q)
    assert np.abs(T - ARM.tip_poses(q)).max() < 1e-12
    step = 1e-6
    for i in range(6):
        ahead = (ARM.tip_poses(q + step * np.eye(6)[i]) - T) / step
        spin = ahead[:, :3, :3] @ np.swapaxes(T[:, :3, :3], -1, -2)
        twist = np.hstack((ahead[:, :3, 3], spin[:, [2, 0, 1], [1, 2, 0]]))
        assert np.abs(twist - J[:, :, i]).max() < 1e-5


def test_the_lean_description_is_the_same_arm():
    lean = UrdfKinematics(lean_urdf(ARM))
    q = np.random.default_rng(2).uniform(ARM.lower, ARM.upper, (5, 6))
    T_base_tip = lean.relative(dict(zip(ARM.joint_names, q.T)), BASE, TIP)
    assert np.abs(T_base_tip - ARM.tip_poses(q)).max() < 1e-12
    assert [lean.limits(name) for name in ARM.joint_names] == list(zip(ARM.lower, ARM.upper))


def test_singular_configurations_are_singular():
    rng = np.random.default_rng(3)
    q = singular.singular_configurations(ARM, (5,), 10, rng)
    _, J = poses_and_jacobians(ARM, q)
    assert np.abs(np.cross(J[:, 3:, 3], J[:, 3:, 5])).max() < 1e-10  # axes 4 and 6 are parallel
    assert np.all((q >= ARM.lower) & (q <= ARM.upper))
    assert len(np.unique(q[:, 0])) == len(q)


def test_the_oracle_knows_what_can_be_reached():
    rng = np.random.default_rng(4)
    oracle = Oracle(ARM, GOAL, starts=200)
    for T_base_tip in target_sets.cold(ARM, 5, 6).T_base_tip:
        assert oracle.reaches(T_base_tip, limited=True, rng=rng)
    assert not oracle.reaches(unreachable.far(ARM, rng), limited=False, rng=rng)
    targets, reasons = unreachable.unreachable_targets(ARM, "limit-blocked", 3, oracle, rng)
    assert reasons == [unreachable.JOINT_LIMITS] * 3
    assert oracle.reaches(targets[0], limited=False, rng=rng)


def test_of_analytic_branches_the_nearest_inside_the_limits_is_judged():
    seed = np.full(6, 0.1)
    outside = seed + np.pi * np.eye(6)[1]
    branches = np.array([seed + 1.0, seed + 0.5 - 2.0 * np.pi, outside, seed * np.nan])
    assert outside[1] > ARM.upper[1]
    assert nearest_inside(ARM, branches, seed) == pytest.approx(seed + 0.5)
    assert nearest_inside(ARM, np.zeros((0, 6)), seed) is None


@pytest.mark.parametrize(
    ("part", "shown"),
    [(1.0, "100 %"), (0.999999, "99.99 %"), (0.5, "50.00 %"), (1e-9, "0.01 %"), (0.0, "0 %")],
)
def test_no_rate_is_rounded_to_all_or_nothing(part, shown):
    assert percent(part) == shown


def test_the_page_shows_ours_and_the_liar():
    types = [FullSolve, Liar, Refuser]
    results = {
        "command": "a test",
        "sizes": {"protocol": 4, "oracle_starts": 60},
        "block": BLOCK,
        "machine": dict.fromkeys(
            ("date", "cpu", "cores", "architecture", "os", "python", "numpy", "pinocchio"), "x"
        ),
        "peers": [
            {"name": t.name, "distribution": "", "version": "", "settings": "", "ours": t.ours}
            for t in types
        ],
        "absent": {"gone": "no wheel"},
        "protocol": programme.trac_ik_protocol(types, [ARM], 4, GOAL),
        "sets": programme.other_sets(types, [ARM], 4, GOAL),
        "unreachable": programme.without_answer(types, [ARM], 1, 60, GOAL),
        "solve_rates": programme.solve_rates([ARM], 4, GOAL),
        "batch": {},
        "certificate": {"median_s": 1e-6},
        "startup": {"import pinocchio": 1.0, "rest": 0.01},
    }
    assert all(line.met for line in goal_lines(results) if "solved at" in line.what)
    results["solve_rates"]["demo_arm"]["cold"]["solved"] -= 1
    missed = [line.what for line in goal_lines(results) if not line.met]
    assert any("solved at" in what and "cold" in what for what in missed)
    text = page(results, "figure.svg")
    assert "{" not in text
    assert "| liar | 1 of 1 |" in text
    assert "**gone**: not measured: no wheel." in text
    assert "4 of 4" in text
    assert "3 of 4" in text
    (liar,) = (line for line in text.splitlines() if line.startswith("| liar | 1 of 1 |"))
    assert liar.count("| 100 % ") == 1  # false success; solved nothing
