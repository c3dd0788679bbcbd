# SPDX-License-Identifier: Apache-2.0
"""Who does the work: threads of this process, or a cluster that the user already runs."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from typing import Protocol

from ..core.errors import InvalidRequestError
from ..core.limits import Floats
from .cells import CellValues, MapJob, evaluate

_MOST_THREADS = 256


class Backend(Protocol):
    """Works off blocks of places."""

    def values(self, job: MapJob, blocks: Sequence[Floats]) -> Iterator[tuple[int, CellValues]]:
        """Number and answer of each block (n, 3), as they get done, in any order."""


class Threads:
    """This process.

    Args:
        count: how many threads; None = as many as there are cores to be had.
    """

    def __init__(self, count: int | None = None) -> None:
        self._count = cores() if count is None else count
        if not 1 <= self._count <= _MOST_THREADS:
            raise InvalidRequestError("threads", f"{count} is not a number from 1 to 256")

    def values(self, job: MapJob, blocks: Sequence[Floats]) -> Iterator[tuple[int, CellValues]]:
        """See ``Backend.values``."""
        job.solver()  # once, and not by every thread
        with ThreadPoolExecutor(self._count) as pool:
            number = {pool.submit(evaluate, job, block): i for i, block in enumerate(blocks)}
            try:
                waiting = set(number)
                while waiting:
                    done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
                    for future in done:
                        yield number[future], future.result()
            finally:
                pool.shutdown(wait=True, cancel_futures=True)


def cores() -> int:
    """Cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
