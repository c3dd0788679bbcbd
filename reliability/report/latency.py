# SPDX-License-Identifier: Apache-2.0
"""The section about latency."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from support.tables import milliseconds, percent, table

TITLE = "Latency"

_COLUMNS = ("median", "p90", "p99")
_TEXT = """\
The echo is a service of the same types that does nothing, as a node of its own that is spun as
rclpy does by default; its round trip is what the middleware and Python cost. Calls go to both in
turns, so that whatever else the machine does hits both alike.

{calls} calls with one target each, joint states at {rate:g} Hz, milliseconds:

{single}

{batch_calls} calls with {targets} targets each, milliseconds:

{batch}

A stream of {stream_rate:g} commands a second for {duration:g} s, led by {target_rate:g} targets a
second, with joint states at the rate of the commands. The due times are the grid that fits the
commands best; late are those without a command within three quarters of a period. How far commands
are from their due times, in milliseconds:

{stream}

{goals}"""


def render(data: Mapping[str, Any]) -> str:
    """Return Markdown."""
    single, batch, stream = data["single"], data["batch"], data["stream"]
    return _TEXT.format(
        calls=single["calls"],
        rate=single["joint_state_rate_hz"],
        single=_single(single),
        batch_calls=batch["calls"],
        targets=batch["targets"],
        batch=_batch(batch),
        stream_rate=stream["rate_hz"],
        duration=stream["duration_s"],
        target_rate=stream["target_rate_hz"],
        stream=_stream(stream),
        goals=_goals(data),
    )


def goals(data: Mapping[str, Any]) -> dict[str, tuple[float, float]]:
    """Return what was measured and what it shall not exceed, by goal."""
    single, batch = data["single"], data["batch"]
    ours, echo = single["ik_solver"], single["echo"]
    least_s = 2.0 * batch["echo"] + batch["kernel"]
    return {
        "round trip ÷ echo, median": (ours["median"] / echo["median"], 1.15),
        "round trip ÷ echo, p99": (ours["p99"] / echo["p99"], 1.3),
        "batch ÷ (2 echoes and the kernel's time)": (batch["ik_solver"] / least_s, 1.0),
        "share of commands that are sent late": (data["stream"]["sent"]["late"], 0.01),
    }


def _single(single: Mapping[str, Any]) -> str:
    names = {"ik_solver": "solve_ik", "echo": "echo", "solving": "thereof solving"}
    rows = [
        (shown, *(milliseconds(single[name][column]) for column in _COLUMNS))
        for name, shown in names.items()
    ]
    ratios = [f"{single['ik_solver'][c] / single['echo'][c]:.2f}" for c in _COLUMNS]
    return table(("", *_COLUMNS), [*rows, ("solve_ik ÷ echo", *ratios)])


def _batch(batch: Mapping[str, Any]) -> str:
    names = {
        "ik_solver": "solve_ik_batch",
        "echo": "echo",
        "library": "IKSolver.solve_batch, without ROS",
        "kernel": "thereof the kernel",
    }
    rows = [(shown, milliseconds(batch[name])) for name, shown in names.items()]
    return table(("", "median"), rows)


def _stream(stream: Mapping[str, Any]) -> str:
    names = {"sent": "by the stamp of the node", "heard": "by arrival at a subscriber in Python"}
    rows = [
        (
            shown,
            percent(stream[name]["late"]),
            milliseconds(stream[name]["median_s"]),
            milliseconds(stream[name]["p99_s"]),
        )
        for name, shown in names.items()
    ]
    return table(("", "late", "median", "p99"), rows)


def _goals(data: Mapping[str, Any]) -> str:
    rows = [
        (what, f"{measured:.3g}", f"{bound:g}", "yes" if measured <= bound else "**no**")
        for what, (measured, bound) in goals(data).items()
    ]
    return table(("goal", "measured", "at most", "met"), rows)
