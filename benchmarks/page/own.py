# SPDX-License-Identifier: Apache-2.0
"""The parts of the page about this package alone."""

from __future__ import annotations

from typing import Any

from support.tables import milliseconds, per_second, table, times

from .goals import goal_lines


def goals(results: dict[str, Any]) -> str:
    """Return the goals and what came out."""
    rows = [
        (line.what, line.bound, line.measured, "yes" if line.met else "**no**")
        for line in goal_lines(results)
    ]
    return table(("goal", "bound", "measured", "met"), rows)


def solve_rates(results: dict[str, Any]) -> str:
    """Return our solve rates by chain and kind of target."""
    rates = results["solve_rates"]
    kinds = list(dict.fromkeys(kind for arm in rates.values() for kind in arm if kind != "joints"))
    rows = []
    for name, arm in rates.items():
        cells = []
        for kind in kinds:
            line = arm.get(kind)
            cells.append(_count(line) if line else "")
        rows.append([name, str(arm["joints"]), *cells])
    return table(("chain", "joints", *kinds), rows)


def batches(results: dict[str, Any]) -> str:
    """Return targets a second, in one call and one by one."""
    rows = []
    for arm, kinds in results["batch"].items():
        for kind, line in kinds.items():
            rates = line["per_second"]
            base = rates["scalar kernel, one call a target"]
            rows += [
                [f"{arm}, {kind}: {way}", times(rate / base), per_second(rate), str(line["n"])]
                for way, rate in rates.items()
            ]
    head = ("way", "÷ scalar calls", "targets a second", "n")
    return table(head, rows) if rows else "The kernel was not built: no batches."


def startup(results: dict[str, Any]) -> str:
    """Return the time until a new process can solve."""
    rows = [(step, milliseconds(seconds)) for step, seconds in results["startup"].items()]
    return table(("step, Panda", "ms"), rows)


def _count(line: dict[str, Any]) -> str:
    if line["solved"] == line["n"]:
        return f"{line['n']} of {line['n']}"
    missed = ", ".join(f"{n} {why}" for why, n in line["missed"].items())
    return f"{line['solved']} of {line['n']} ({missed})"
