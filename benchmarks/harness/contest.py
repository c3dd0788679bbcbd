# SPDX-License-Identifier: Apache-2.0
"""Asks every solver the same questions in turn, and times nothing but its own call."""

from __future__ import annotations

import gc
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from peers.base import Peer

from .target_sets import TargetSet

#: Solvers take turns after so many targets: drift of the machine hits all alike, and a solver that
#: needs microseconds is not measured with its code swept out of the caches by one that needs
#: milliseconds.
BLOCK = 25


@dataclass
class Record:
    """What one solver made of the first n targets of a set.

    Attributes:
        seconds: (n,) time of each call.
        answers: (m,) or None each.
        labels: why there is no answer, from solvers that say so.
        errors: calls that raised; they count as no answer.
    """

    seconds: list[float] = field(default_factory=list)
    answers: list[Any] = field(default_factory=list)
    labels: list[str] = field(default_factory=list)
    errors: int = 0


def contest(peers: Sequence[Peer], questions: TargetSet) -> list[Record]:
    """Return each solver's record; slow ones get the first part of the targets only."""
    records = [Record() for _ in peers]
    counts = [min(len(questions), max(BLOCK, round(peer.share * len(questions)))) for peer in peers]
    gc.collect()
    gc.disable()
    try:
        for start in range(0, len(questions), BLOCK):
            for peer, count, record in zip(peers, counts, records):
                if start < count:
                    _ask(peer, questions, range(start, min(start + BLOCK, count)), record)
    finally:
        gc.enable()
    return records


def _ask(peer: Peer, questions: TargetSet, rows: range, record: Record) -> None:
    """Ask one block; its last question comes once before, not timed, to warm the caches."""
    asked = [
        (peer.target(questions.T_base_tip[i]), peer.seed(questions.seeds[i]))
        for i in (rows[-1], *rows)
    ]
    replies = [_timed(peer, target, seed) for target, seed in asked][1:]
    record.seconds += [seconds for seconds, _ in replies]
    for _, raw in replies:
        failed = isinstance(raw, Exception)
        record.errors += failed
        record.answers.append(None if failed else _copy(peer.joints(raw)))
        record.labels.append("" if failed else peer.label(raw))


def _timed(peer: Peer, target: Any, seed: Any) -> tuple[float, Any]:
    solve, clock = peer.solve, time.perf_counter
    started_s = clock()
    try:
        raw = solve(target, seed)
    except Exception as error:  # noqa: BLE001 - whatever a solver raises, it gave no answer
        raw = error
    return clock() - started_s, raw


def _copy(q: Any) -> Any:
    return None if q is None else np.array(q, dtype=float)
