# SPDX-License-Identifier: Apache-2.0
"""The section about abuse."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from support.tables import milliseconds, table

TITLE = "Abuse"

_TEXT = """\
{total} messages, random by seed {seed}: NaN, infinities, denormals and 1e308; empty and ragged
arrays, 10 000 names, 100 000 targets; names that do not exist or hold zero bytes; strings of a
million characters; zero quaternions, negative times; truncated, mutated and hostile robot
descriptions; parameters of every type; bytes that are no message, and messages of other types on
the node's topics. Every answer has to have a status and a sentence, every solution and everything
published is checked by the foreign forward kinematics and the limits of the robot in use, and after
every {block} messages the node is set back by what any client can send and has to solve plain
targets right. Any message can be sent again by its number:
`make abuse ARGS="--seed {seed} --first NUMBER --messages 1"`.

{sent}

The calls ended as {answers}. {published} messages were published and checked, {probes} plain
targets solved in between. Memory: {memory_first_mb:.0f} MB at first, {memory_largest_mb:.0f} MB at
most, {memory_last_mb:.0f} MB at last; by quarters of the run {quarters} MB: the middleware keeps
room for the largest messages it saw, so memory fills up to that, and has to stay there. Open files
{files_first:.0f} and {files_last:.0f}, threads {threads_first:.0f} and {threads_last:.0f}. The node
wrote {log_lines} lines to its log in {took_s:.0f} s.

**{verdict}**
{faults}"""


def render(data: Mapping[str, Any]) -> str:
    """Return Markdown."""
    faults = data["faults"]
    return _TEXT.format(
        **{**data, **data["resources"]}
        | {
            "total": sum(data["sent"].values()),
            "sent": _sent(data),
            "answers": ", ".join(f"{n} {name}" for name, n in sorted(data["answers"].items())),
            "quarters": ", ".join(f"{quarter_mb:.0f}" for quarter_mb in data["quarters_mb"]),
            "verdict": f"{len(faults)} faults." if faults else "No fault was found.",
            "faults": "".join(
                f"\n- {fault['number']} ({fault['channel']}): {fault['fault'][:300]}"
                for fault in faults
            ),
        }
    )


def _sent(data: Mapping[str, Any]) -> str:
    rows = [
        [channel, str(n), milliseconds(data["slowest_s"][channel])]
        if channel in data["slowest_s"]
        else [channel, str(n), "–"]
        for channel, n in sorted(data["sent"].items(), key=lambda pair: -pair[1])
    ]
    return table(["sent to", "messages", "slowest answer [ms]"], rows)
