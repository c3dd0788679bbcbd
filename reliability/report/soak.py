# SPDX-License-Identifier: Apache-2.0
"""The section about a long time."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from support.tables import milliseconds, table

TITLE = "For a long time"

_TEXT = """\
{minutes:.3g} minutes of everything at once: a client that asks for single targets, batches and
forward kinematics, one call after the other; a stream of 50 targets a second; joint states at
{joint_state_rate_hz:.0f} Hz; two robots in turns ({swaps} swaps); {settings} parameters set, some
of them wrong.

{answers} answers, {first_robot} for the one robot and {second_robot} for the other; the stream
sent {published} commands. Milliseconds from call to answer:

{waits}

| | first | last | growth |
|:---|---:|---:|---:|
| memory [MB] | {memory_first_mb:.1f} | {memory_last_mb:.1f} | {growth_mb:.2f} |
| open files | {files_first:.0f} | {files_last:.0f} | |
| threads | {threads_first:.0f} | {threads_last:.0f} | |

The growth is the median slope between all pairs of looks at the process, without the first third of
the run, over its whole length; with 99 % confidence it is at least
{growth_at_least_mb:.2f} MB. The run fails if that is more than 3 % of the memory.

**{verdict}**
{faults}"""
_COLUMNS = ("median", "p99", "largest")


def render(data: Mapping[str, Any]) -> str:
    """Return Markdown."""
    faults = data["faults"]
    waits = [
        [name, *(milliseconds(data[key][column]) for column in _COLUMNS)]
        for name, key in (("first tenth", "first"), ("last tenth", "last"))
    ]
    return _TEXT.format(
        **{**data, **data["resources"]}
        | {
            "growth_mb": data["memory_growth"]["most_likely"],
            "growth_at_least_mb": data["memory_growth"]["at_least"],
            "minutes": data["seconds"] / 60.0,
            "first_robot": data["by_robot"][0],
            "second_robot": data["by_robot"][1],
            "waits": table(["", *_COLUMNS], waits),
            "verdict": f"{len(faults)} faults." if faults else "All stayed right and flat.",
            "faults": "".join(f"\n- {fault[:300]}" for fault in faults[:20]),
        }
    )
