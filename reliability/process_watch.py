# SPDX-License-Identifier: Apache-2.0
"""What a process takes from the machine, read from /proc, and whether it takes ever more of it."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

_WARM_UP = 0.3  # share of a run after which everything was allocated once
_TICKS_PER_S = os.sysconf("SC_CLK_TCK")
_SURE = 2.58  # standard deviations: 99 % between -this and this
# What may be added over a run after its warm-up, at the lower end of the confidence interval.
# Caches and heaps settle late; a leak of any rate passes these bounds in a run of enough length.
_MEMORY_SHARE = 0.03
_MOST_MORE = 1.0  # files, threads
_KINDS = {"memory_mb": "MB of memory", "files": "open files", "threads": "threads"}


class Sample(NamedTuple):
    """One look at a process.

    Attributes:
        memory_mb: resident memory.
        files: open file descriptors.
        threads: number of them.
        processor_s: user and system time so far.
    """

    memory_mb: float
    files: int
    threads: int
    processor_s: float


def look_at(pid: int) -> Sample:
    """Look at a process."""
    folder = Path("/proc", str(pid))
    status = dict(
        line.split(":", 1) for line in (folder / "status").read_text().splitlines() if ":" in line
    )
    times = (folder / "stat").read_text().rpartition(")")[2].split()
    return Sample(
        memory_mb=int(status["VmRSS"].split()[0]) / 1024.0,
        files=len(list((folder / "fd").iterdir())),
        threads=int(status["Threads"]),
        processor_s=(int(times[11]) + int(times[12])) / _TICKS_PER_S,
    )


class Growth(NamedTuple):
    """How much a number grew over a run, once it was warm: per run, and at the very least."""

    most_likely: float
    at_least: float


def growth(values: Sequence[float]) -> Growth:
    """Growth over the run by the Theil-Sen slope and its 99 % confidence bound.

    The median of the slopes between all pairs does not mind single peaks; its bounds are those of
    P. K. Sen (Journal of the American Statistical Association 63, 1968), from the variance of
    Kendall's tau. The first part of the run, in which caches and heaps fill up, does not count.

    Args:
        values: at equal distances in time.
    """
    warm = np.asarray(values[int(_WARM_UP * len(values)) :], dtype=float)
    n = len(warm)
    if n < 3:
        raise ValueError(f"{len(values)} samples tell nothing about a growth")
    first, second = np.triu_indices(n, 1)
    slopes = np.sort((warm[second] - warm[first]) / (second - first))
    spread = _SURE * np.sqrt(n * (n - 1) * (2 * n + 5) / 18.0)
    low = max(0, int((len(slopes) - spread) / 2.0))
    return Growth(float(np.median(slopes)) * len(values), float(slopes[low]) * len(values))


def leaks(samples: Sequence[Sample]) -> list[str]:
    """What the process took more and more of, as sentences; none if all stayed flat."""
    found = []
    for name, unit in _KINDS.items():
        values = [getattr(sample, name) for sample in samples]
        allowed = _MEMORY_SHARE * float(np.median(values)) if name == "memory_mb" else _MOST_MORE
        grown = growth(values)
        if not grown.at_least <= allowed:
            found.append(f"{grown.most_likely:.1f} {unit} more, at first {values[0]:.1f}")
    return found


def resources(samples: Sequence[Sample]) -> dict[str, float]:
    """Memory, files and threads over a run, for a page."""
    memory = [sample.memory_mb for sample in samples]
    return {
        "memory_first_mb": memory[0],
        "memory_last_mb": memory[-1],
        "memory_largest_mb": max(memory),
        "files_first": samples[0].files,
        "files_last": samples[-1].files,
        "threads_first": samples[0].threads,
        "threads_last": samples[-1].threads,
    }
