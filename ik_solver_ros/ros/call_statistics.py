# SPDX-License-Identifier: Apache-2.0
"""How calls ended and how long they took, in memory that does not grow."""

from __future__ import annotations

import math
import threading
from collections import Counter, deque
from collections.abc import Sequence
from dataclasses import dataclass, field

from ..core.status import Status

_LATEST = 1000  # calls whose durations are kept


@dataclass
class ServiceStatistics:
    """Calls of one service.

    Attributes:
        counts: calls since the start, by status.
        durations_s: of the latest calls, from message in to message out.
    """

    counts: Counter[Status] = field(default_factory=Counter)
    durations_s: deque[float] = field(default_factory=lambda: deque(maxlen=_LATEST))


class CallStatistics:
    """Counts the calls of all services; written and read from different threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._services: dict[str, ServiceStatistics] = {}

    def note(self, service: str, status: Status, duration_s: float) -> None:
        """Count one call."""
        with self._lock:
            statistics = self._services.setdefault(service, ServiceStatistics())
            statistics.counts[status] += 1
            statistics.durations_s.append(duration_s)

    def snapshot(self) -> dict[str, ServiceStatistics]:
        """A copy, by service."""
        with self._lock:
            return {
                name: ServiceStatistics(Counter(found.counts), found.durations_s.copy())
                for name, found in self._services.items()
            }


def percentile(values: Sequence[float], share: float) -> float:
    """The smallest value that at least a share of them do not exceed; NaN without any.

    Args:
        values: in ascending order.
        share: from 0 to 1.
    """
    if not values:
        return math.nan
    return values[max(0, math.ceil(share * len(values)) - 1)]
