# SPDX-License-Identifier: Apache-2.0
"""Where searches start: inside the limits, spread evenly, the same in both solvers."""

from __future__ import annotations

import math

import numpy as np
import pytest

from ik_solver_ros.core.limits import TWO_PI, Limits
from ik_solver_ros.core.solvers.starts import Starts

INF = math.inf
MOST_JOINTS = 64  # of the kernel


def limits_of(bounds, kinds):
    lower, upper = np.array(bounds, dtype=float).T
    prismatic = np.array([kind == "m" for kind in kinds])
    return Limits(lower, upper, prismatic, ~prismatic)


BOUNDS = [
    ([(-1.0, 2.0), (0.3, 0.4)], "rr"),
    ([(-1.0, 2.0), (0.5, 0.5)], "rr"),
    ([(-INF, INF), (-0.1, 0.3)], "rm"),
    ([(-TWO_PI, TWO_PI), (-INF, INF)], "rm"),
    ([(-INF, 0.5), (0.2, INF)], "mm"),
    ([(-900.0, 900.0), (1.0, INF)], "rr"),
    ([(-60.0, 60.0), (-3.0, 90.0)], "mm"),
    ([(-50.0, 50.0), (-500.0, INF)], "mm"),
]


@pytest.mark.parametrize(("bounds", "kinds"), BOUNDS)
@pytest.mark.parametrize("seed", [0.0, 0.35, 100.0, -1e6])
def test_starts_are_inside_the_limits_and_around_the_seed_where_there_are_none(bounds, kinds, seed):
    limits = limits_of(bounds, kinds)
    q_seed = np.full(2, seed)
    starts = [Starts(limits, q_seed).start(k) for k in range(200)]
    inside = q_seed.clip(limits.lower, limits.upper)
    turned = q_seed - TWO_PI * np.round(q_seed / TWO_PI)
    assert starts[0].tolist() == np.where(limits.free_turn, turned, inside).tolist()
    for q in starts:
        assert np.all((limits.open_lower <= q) & (q <= limits.open_upper))
        for i, kind in enumerate(kinds):
            span = bounds[i][1] - bounds[i][0]
            if kind == "r" and span >= TWO_PI:
                assert abs(q[i] - starts[0][i]) <= math.pi + 1e-9 * abs(seed)
            elif kind == "m" and span >= 100.0:
                assert abs(q[i] - inside[i]) <= 1.0 + 1e-9 * abs(seed)


@pytest.mark.parametrize(("bounds", "kinds"), BOUNDS)
@pytest.mark.parametrize("seed", [0.0, 0.35, -2.9, 100.0, -1e6])
def test_the_kernel_starts_at_the_same_places(bounds, kinds, seed):
    kernel = pytest.importorskip("ik_solver_ros._kernel", reason="the kernel is not built here")
    limits, q_seed = limits_of(bounds, kinds), np.full(2, seed)
    here = np.eye(4)[:3]
    chain = kernel.Chain(
        [here, here], limits.prismatic, [0, 1], [1.0, 1.0], [0.0, 0.0], here, limits.periodic
    )
    starts = Starts(limits, q_seed)
    for k in range(130):
        there = chain.start(k, q_seed, limits.lower, limits.upper)
        assert np.abs(starts.start(k) - there).max() <= 1e-12


def test_the_kernel_starts_at_the_same_places_with_as_many_joints_as_it_takes():
    kernel = pytest.importorskip("ik_solver_ros._kernel", reason="the kernel is not built here")
    m = MOST_JOINTS
    limits, seed = limits_of([(0.0, 1.0)] * m, "r" * m), np.full(m, 0.5)
    here = np.eye(4)[:3]
    chain = kernel.Chain([here] * m, [False] * m, range(m), [1.0] * m, [0.0] * m, here, [True] * m)
    starts = Starts(limits, seed)
    for k in range(130):
        there = chain.start(k, seed, limits.lower, limits.upper)
        assert np.abs(starts.start(k) - there).max() <= 1e-15
    for number, wrong in ((-1, seed), (1, seed[1:])):
        with pytest.raises(ValueError, match=r"number is negative|seed has shape"):
            chain.start(number, wrong, limits.lower, limits.upper)


def discrepancy(*coordinates):
    """Star discrepancy of points in the unit interval (n,) or the unit square (n,), (n,).

    That is the largest difference between the share of the points in a box that begins at the
    origin, and its size; boxes that end at the points' coordinates are the worst ones.
    """
    ends = [np.append(x, 1.0) for x in coordinates]
    sizes = ends[0] if len(ends) == 1 else np.outer(*ends)
    worst = 0.0
    for inside in (np.less, np.less_equal):
        in_each = [inside(x, end[:, None]).astype(float) for x, end in zip(coordinates, ends)]
        others = in_each[1].T if len(ends) == 2 else np.ones(len(coordinates[0]))
        shares = in_each[0] @ others / len(coordinates[0])
        worst = max(worst, float(np.abs(shares - sizes).max()))
    return worst


def unit_starts(joints, count):
    """Starts 1 to count (count, joints) on joints from 0 to 1, those near the seed moved out."""
    limits, seed = limits_of([(0.0, 1.0)] * joints, "r" * joints), np.full(joints, 0.5)
    starts = Starts(limits, seed)
    rows = [
        seed + 10.0 * (starts.start(k) - seed) if k % 8 == 0 else starts.start(k)
        for k in range(1, count + 1)
    ]
    return np.array(rows)


@pytest.mark.parametrize(
    ("count", "of_one", "of_two"),
    [(16, 0.15, 0.25), (32, 0.10, 0.17), (64, 0.06, 0.12), (128, 0.05, 0.08)],
)
def test_no_joint_and_no_two_near_each_other_leave_gaps(count, of_one, of_two):
    """Two joints drawn at random have 0.29, 0.21, 0.15 and 0.11 on average.

    How many joints an arm has makes no difference, so that the largest one speaks for all.
    """
    u = unit_starts(MOST_JOINTS, count)
    assert max(discrepancy(column) for column in u.T) < of_one
    for apart in range(1, 8):
        assert max(discrepancy(a, b) for a, b in zip(u.T, u.T[apart:])) < of_two
    assert (unit_starts(9, count) == u[:, :9]).all()


@pytest.mark.parametrize("joints", [1, 2, 3, 4, 5, 6, 7, 8, 10, 12])
def test_starts_spread_evenly(joints):
    """No tenth of a joint's range is visited less than half or more than twice as often as due.

    Of the starts that are not near the seed: those are every eighth.
    """
    limits = limits_of([(-1.0, 1.0)] * joints, "r" * joints)
    starts = Starts(limits, np.zeros(joints))
    q = np.array([starts.start(k) for k in range(1, 458) if k % 8])
    for i in range(joints):
        counts, _ = np.histogram(q[:, i], bins=10, range=(-1, 1))
        assert counts.min() >= 20
        assert counts.max() <= 80
    assert len({tuple(row) for row in q.round(6).tolist()}) == 400


def test_every_eighth_start_stays_near_the_seed():
    limits = limits_of([(-1.0, 1.0), (-9.0, 9.0)], "rr")
    seed = np.array([0.8, 4.0])
    starts = Starts(limits, seed)
    for k in range(8, 200, 8):
        change = np.abs(starts.start(k) - starts.start(0))
        assert np.all(change <= [0.18 + 1e-12, 0.1 * math.pi + 1e-12])
        assert np.all(change > 0.0)


def test_starts_have_no_memory():
    limits = limits_of([(-1.0, 1.0)] * 3, "rrr")
    first, second = (Starts(limits, np.zeros(3)) for _ in range(2))
    second.start(17)
    assert first.start(5).tolist() == second.start(5).tolist()


def test_a_held_joint_stays_held():
    starts = Starts(limits_of([(0.5, 0.5)], "r"), np.array([0.0]))
    assert {starts.start(k)[0] for k in range(20)} == {0.5}
