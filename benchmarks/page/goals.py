# SPDX-License-Identifier: Apache-2.0
"""What this package holds itself to, and what came out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from support.tables import microseconds, milliseconds, percent, times

FULL, KERNEL = "IKSolver.solve", "kernel"
_ARMS = {"panda": "Panda", "ur5": "UR5"}


class GoalLine(NamedTuple):
    """One goal: what is measured, the bound, what came out, whether that is inside."""

    what: str
    bound: str
    measured: str
    met: bool


def goal_lines(results: dict[str, Any]) -> list[GoalLine]:
    """Return every goal whose numbers are there."""
    parts = (_solve_rates, _hard_solve_rates, _times, _ratios, _batches, _reasons, _start)
    return [line for part in parts for line in part(results)]


def _solve_rates(results: dict[str, Any]) -> Iterator[GoalLine]:
    rates = results["solve_rates"]
    for kind in ("cold", "tracking"):
        n = sum(arm[kind]["n"] for arm in rates.values())
        solved = sum(arm[kind]["solved"] for arm in rates.values())
        what = f"reachable targets solved at 1e-6 m, 1e-6 rad, {kind}, on {len(rates)} chains"
        yield GoalLine(what, "all", f"{solved} of {n}", solved == n)


def _hard_solve_rates(results: dict[str, Any]) -> Iterator[GoalLine]:
    worst: dict[str, float] = {}
    for arm in results["solve_rates"].values():
        for kind, line in arm.items():
            if kind not in ("joints", "cold", "tracking"):
                worst[kind] = min(worst.get(kind, 1.0), line["solved"] / line["n"])
    for kind, rate in worst.items():
        what = f"the same, {kind}: the worst chain"
        yield GoalLine(what, "≥ 99.9 %", percent(rate), rate >= 0.999)


def _times(results: dict[str, Any]) -> Iterator[GoalLine]:
    for solver, bound_s in ((FULL, 25e-6), (KERNEL, 5e-6)):
        for arm, solvers in _cold(results, solver):
            median_s = solvers[solver]["median_s"]
            what = f"`{solver}`, {arm}, cold: median"
            bound = f"≤ {microseconds(bound_s)} µs"
            yield GoalLine(what, bound, f"{microseconds(median_s)} µs", median_s <= bound_s)
    for arm, solvers in _cold(results, KERNEL):
        ratio = solvers[KERNEL]["percentiles_s"]["99"] / solvers[KERNEL]["median_s"]
        yield GoalLine(
            f"`{KERNEL}`, {arm}, cold: p99 ÷ median", "≤ 4 ×", times(ratio), ratio <= 4.0
        )


def _ratios(results: dict[str, Any]) -> Iterator[GoalLine]:
    for peer, least in (("ik_LM, tol=1e-12", 12.0), ("TRAC-IK", 60.0)):
        for arm, solvers in _cold(results, KERNEL):
            if peer in solvers:
                ratio = solvers[peer]["median_s"] / solvers[KERNEL]["median_s"]
                what = f"`{KERNEL}` faster than {peer}, {arm}, cold: medians"
                yield GoalLine(what, f"≥ {least:g} ×", times(ratio), ratio >= least)


def _batches(results: dict[str, Any]) -> Iterator[GoalLine]:
    for arm, sets in results["batch"].items():
        for name, line in sets.items():
            rates = line["per_second"]
            if "kernel, one batch" in rates:
                ratio = rates["kernel, one batch"] / rates["scalar kernel, one call a target"]
                what = (
                    f"batch on one thread faster than scalar calls, {_ARMS.get(arm, arm)}, {name}"
                )
                yield GoalLine(what, "≥ 3.3 ×", times(ratio), ratio >= 3.3)


def _reasons(results: dict[str, Any]) -> Iterator[GoalLine]:
    check_s = results["certificate"]["median_s"]
    what = "out of reach, certified: median of the check"
    yield GoalLine(what, "≤ 2 µs", f"{microseconds(check_s)} µs", check_s <= 2e-6)
    lines = [
        (solvers["solvers"][FULL], sum(solvers["truth"].values()), kind)
        for kinds in results["unreachable"].values()
        for kind, solvers in kinds.items()
        if FULL in solvers["solvers"]
    ]
    searched = [line["median_s"] for line, _, kind in lines if kind != "far"]
    slowest_s = max(searched)
    what = f"no answer, diagnosed by `{FULL}`: median on the slowest set"
    yield GoalLine(what, "≤ 500 µs", f"{microseconds(slowest_s)} µs", slowest_s <= 500e-6)
    total = sum(n for _, n, _ in lines)
    right = sum(line["labels"]["right"] * n for line, n, _ in lines) / total
    yield GoalLine("no answer: the reason is right", "≥ 99.9 %", percent(right), right >= 0.999)


def _start(results: dict[str, Any]) -> Iterator[GoalLine]:
    seconds = sum(list(results["startup"].values())[1:])
    what = "import and model load, Panda, once Pinocchio is imported"
    yield GoalLine(what, "≤ 50 ms", f"{milliseconds(seconds)} ms", seconds <= 0.050)


def _cold(results: dict[str, Any], solver: str) -> Iterator[tuple[str, dict[str, Any]]]:
    for arm, label in _ARMS.items():
        if arm in results["protocol"] and solver in results["protocol"][arm]["solvers"]:
            yield label, results["protocol"][arm]["solvers"]
