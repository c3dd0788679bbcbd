# SPDX-License-Identifier: Apache-2.0
"""The section about many at once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from support.tables import milliseconds, percent, table

TITLE = "Many at once"

_TEXT = """\
{clients} clients in {processes} processes make {calls} calls each (single targets, batches of 20,
forward kinematics of several frames), while joint states are sent at {nominal_rate_hz:.0f} Hz and
two robots that share all names, one with an upper arm 3 mm longer, are published in turns. Every
answer has to be right for one of the robots and no other, in every row and every frame.

{answers} of {expected} calls were answered in {took_s:.0f} s: {first} for the one robot, {second}
for the other, {swaps} swaps; on the machine that all of them share, {joint_state_rate_hz:.0f} joint
states a second got through. Memory {memory_first_mb:.0f} MB at first, {memory_last_mb:.0f} MB at
last.

How long each client waited, milliseconds:

{waits}

**{verdict}**
{faults}
### A node that only listens

With joint states at {nominal_rate_hz:.0f} Hz, of which {idle_rate_hz:.0f} a second got through, the
node takes {node} of one processor. A process that does nothing but hear the same in rclpy takes
{listener}: the node's share is {ratio:.2f} × that.

### A very large batch, and somebody who asks meanwhile

A batch of {rows} targets took {batch_s:.1f} s and solved {solved} of them; {calls_beside} single
calls were made meanwhile. Milliseconds until a single answer:

{beside}
"""
_COLUMNS = ("median", "p99", "largest")


def render(data: Mapping[str, Any]) -> str:
    """Return Markdown."""
    crowd, idle, batch = data["crowd"], data["idle"], data["large_batch"]
    faults = crowd["faults"]
    return _TEXT.format(
        **{**crowd, **crowd["resources"]}
        | {"waits": _waits(crowd["waits"]), "faults": "".join(f"\n- {f[:300]}" for f in faults)},
        expected=crowd["clients"] * crowd["calls"],
        first=crowd["by_robot"][0],
        second=crowd["by_robot"][1],
        verdict=f"{len(faults)} faults." if faults else "Nothing was lost, mixed or wrong.",
        nominal_rate_hz=idle["nominal_rate_hz"],
        idle_rate_hz=idle["joint_state_rate_hz"],
        node=percent(idle["node"]),
        listener=percent(idle["listener"]),
        ratio=idle["ratio"],
        rows=batch["rows"],
        solved=batch["solved"],
        batch_s=batch["batch_s"],
        calls_beside=batch["calls_beside"],
        beside=_waits({"alone": batch["alone"], "beside the batch": batch["beside"]}),
    )


def _waits(by_name: Mapping[str, Mapping[str, float]]) -> str:
    rows = [
        [name.replace("_", " "), *(milliseconds(waits[column]) for column in _COLUMNS)]
        for name, waits in by_name.items()
    ]
    return table(["", *_COLUMNS], rows)
