# SPDX-License-Identifier: Apache-2.0
"""The parts of the page that compare solvers."""

from __future__ import annotations

import statistics
from typing import Any

from support.tables import angle, folded, microseconds, percent, table, times

from .goals import FULL

_HEAD = (
    "solver",
    "median ÷ ours",
    "mean ÷ ours",
    "solved",
    "false success",
    "outside limits",
    "median µs",
    "p95 µs",
    "p99 µs",
    "mean µs",
    "mean jump",
    "n",
)


def overview(results: dict[str, Any]) -> str:
    """Return one line for each solver over all chains of the protocol."""
    arms = results["protocol"].values()
    rows = []
    for peer in results["peers"]:
        name = peer["name"]
        lines = [
            (arm["solvers"][name], arm["solvers"][FULL]) for arm in arms if name in arm["solvers"]
        ]
        if not lines:
            continue
        theirs = [line for line, _ in lines]
        rows.append(
            [
                _named(peer),
                f"{len(lines)} of {len(results['protocol'])}",
                times(statistics.geometric_mean(a["median_s"] / b["median_s"] for a, b in lines)),
                times(statistics.geometric_mean(a["mean_s"] / b["mean_s"] for a, b in lines)),
                percent(statistics.fmean(line["solved"] for line in theirs)),
                percent(min(line["solved"] for line in theirs)),
                percent(statistics.fmean(line["solved_in_time"] for line in theirs)),
                percent(statistics.fmean(line["false_success"] for line in theirs)),
                percent(statistics.fmean(line["outside"] for line in theirs)),
            ]
        )
    head = (
        "solver",
        "chains",
        "median ÷ ours",
        "mean ÷ ours",
        "solved",
        "worst chain",
        "in 5 ms",
        "false success",
        "outside limits",
    )
    return table(head, rows)


def protocol(results: dict[str, Any]) -> str:
    """Return a table for each chain."""
    return "\n\n".join(
        folded(
            f"{name}, {arm['joints']} joints",
            _comparison(arm["solvers"], results) + _refusals(arm["refused"]),
        )
        for name, arm in results["protocol"].items()
    )


def sets(results: dict[str, Any]) -> str:
    """Return how many targets of each set are solved, and the tables behind it."""
    parts = []
    for arm, line in results["sets"].items():
        rows = [
            [
                _named(peer),
                *(percent(kind[peer["name"]]["solved"]) for kind in line["sets"].values()),
            ]
            for peer in results["peers"]
            if peer["name"] not in line["refused"]
        ]
        parts.append(f"Solved, **{arm}**:\n\n" + table(("solver", *line["sets"]), rows))
        parts += [
            folded(f"{arm}, {kind}", _comparison(solvers, results))
            for kind, solvers in line["sets"].items()
        ]
    return "\n\n".join(parts)


def unreachable(results: dict[str, Any]) -> str:
    """Return what is said to targets without an answer."""
    rows, false = [], {}
    for arm, kinds in results["unreachable"].items():
        for kind, line in kinds.items():
            ours = line["solvers"].get(FULL)
            if ours:
                wrong = ours["labels"]["wrong"]
                rows.append(
                    [
                        f"{arm}, {kind}",
                        ", ".join(f"{reason} {n}" for reason, n in line["truth"].items()),
                        percent(ours["labels"]["right"]),
                        ", ".join(f"{said} ({n})" for said, n in wrong.items()) or "–",
                        microseconds(ours["median_s"]),
                        microseconds(ours["percentiles_s"]["99"]),
                    ]
                )
            for solver, numbers in line["solvers"].items():
                false.setdefault(solver, []).append(numbers)
    head = ("targets", "truth", "reason right", "wrong ones", "median µs", "p99 µs")
    ours_table = table(head, rows)
    peer_rows = [
        [
            _named(peer),
            percent(statistics.fmean(line["false_success"] for line in false[peer["name"]])),
            microseconds(statistics.fmean(line["mean_s"] for line in false[peer["name"]])),
        ]
        for peer in results["peers"]
        if peer["name"] in false
    ]
    return f"`{FULL}`:\n\n{ours_table}\n\nEveryone:\n\n" + table(
        ("solver", "false success", "mean µs until the answer no"), peer_rows
    )


def settings(results: dict[str, Any]) -> str:
    """Return how each solver is run, and which ones are missing."""
    rows = [
        f"- **{peer['name']}** ({peer['distribution']} {peer['version']}): {peer['settings']}."
        for peer in results["peers"]
    ]
    absent = [f"- **{name}**: not measured: {why}." for name, why in results["absent"].items()]
    return "\n".join(rows + absent)


def _comparison(solvers: dict[str, Any], results: dict[str, Any]) -> str:
    ours = solvers[FULL]
    rows = []
    for peer in results["peers"]:
        line = solvers.get(peer["name"])
        if line is None:
            continue
        rows.append(
            [
                _named(peer),
                times(line["median_s"] / ours["median_s"]),
                times(line["mean_s"] / ours["mean_s"]),
                percent(line["solved"]),
                percent(line["false_success"]),
                percent(line["outside"]),
                microseconds(line["median_s"]),
                microseconds(line["percentiles_s"]["95"]),
                microseconds(line["percentiles_s"]["99"]),
                microseconds(line["mean_s"]),
                angle(line["mean_jump"]),
                str(line["n"]),
            ]
        )
    return table(_HEAD, rows)


def _refusals(refused: dict[str, str]) -> str:
    if not refused:
        return ""
    reasons = "; ".join(f"{name}: {why}" for name, why in refused.items())
    return f"\n\nNot on this chain: {reasons}."


def _named(peer: dict[str, Any]) -> str:
    return f"**{peer['name']}**" if peer["ours"] else peer["name"]
