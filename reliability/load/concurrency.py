# SPDX-License-Identifier: Apache-2.0
"""Many clients at once, while joint states arrive at 500 Hz and robots are swapped."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import numpy as np
from process_watch import leaks, resources

from .clients import asked_by_clients
from .surroundings import Surroundings, log_faults, surroundings

SWAP_PERIOD_S = 0.2
_SAMPLE_PERIOD_S = 0.25
_FEWEST_SAMPLES = 100  # that tell something about memory


def crowd(folder: Path, processes: int, clients: int, calls: int) -> dict[str, Any]:
    """What so many clients in so many processes found, who each made so many calls."""
    with surroundings(folder, timeout=5.0) as around:
        return _crowd(around, processes, clients, calls)


def _crowd(around: Surroundings, processes: int, clients: int, calls: int) -> dict[str, Any]:
    with (
        around.watched(_SAMPLE_PERIOD_S) as samples,
        around.swapping(SWAP_PERIOD_S) as swaps,
        around.rate() as rate,
    ):
        started_s = time.perf_counter()
        told = asked_by_clients(around.domain, around.now, processes, clients, calls)
        took_s, rate_hz = time.perf_counter() - started_s, rate()
    faults = [fault for client in told for fault in client["faults"]]
    for client in told:
        faults += [f"{client['name']}: no answer to {lost}" for lost in client["lost"]]
    faults += log_faults(around.node.log)
    if len(samples) >= _FEWEST_SAMPLES:
        faults += leaks(samples)
    return {
        "processes": processes,
        "clients": len(told),
        "calls": calls,
        "answers": sum(client["answers"] for client in told),
        "by_robot": [sum(client["by_robot"][i] for client in told) for i in (0, 1)],
        "swaps": len(swaps),
        "joint_state_rate_hz": rate_hz,
        "took_s": took_s,
        "waits": {client["name"]: _waits(client["waits_s"]) for client in told},
        "resources": resources(samples),
        "faults": faults,
    }


def _waits(by_service: dict[str, list[float]]) -> dict[str, float]:
    """Median, 99th percentile and the longest wait of a client, in seconds."""
    waits_s = np.array([wait for waits in by_service.values() for wait in waits])
    median, p99 = np.percentile(waits_s, (50, 99)).tolist()
    return {"median": median, "p99": p99, "largest": float(waits_s.max())}
