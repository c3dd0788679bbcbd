# SPDX-License-Identifier: Apache-2.0
"""Where searches start."""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np

from ..limits import TWO_PI, Floats, Limits

_NEAR_EVERY = 8
_NEAR_SHARE = 0.1  # of the way from the seed to where the start would be
_REACH_M = 1.0  # half width of the sampling range of a slider without limits


class Starts:
    """Start configurations: the seed, then a fixed low-discrepancy sequence inside the limits.

    Joints that turn all the way are sampled within half a turn of the seed. The sequence is the
    additive recurrence R_m: u_j(k) = frac(1/2 + k / phi^(j+1)), with phi the positive root of
    x^(m+1) = x + 1 (Roberts, "The unreasonable effectiveness of quasirandom sequences", 2018). It
    has no random state, so a request has the same starts everywhere. Every eighth start stays near
    the seed: an answer beside it may have a small basin of its own, and is the one wanted most.
    """

    def __init__(self, limits: Limits, seed: Floats) -> None:
        self._limits = limits
        self._seed = seed
        #: Start 0: the seed inside the limits.
        self.first = seed.clip(limits.open_lower, limits.open_upper)
        self._box: tuple[Floats, Floats] | None = None

    def start(self, k: int) -> Floats:
        """Start number k, shape (m,); 0 is the seed."""
        if k == 0:
            return self.first
        if self._box is None:
            self._box = self._sampling_box()
        low, extent = self._box
        unit: Floats = np.modf(0.5 + k * _ratios(len(low)))[0]
        start: Floats = low + unit * extent
        return start if k % _NEAR_EVERY else self.first + _NEAR_SHARE * (start - self.first)

    def _sampling_box(self) -> tuple[Floats, Floats]:
        limits, seed = self._limits, self._seed
        inside = seed.clip(limits.lower, limits.upper)
        span = limits.upper - limits.lower
        wide = ~np.isfinite(span) | (~limits.prismatic & (span >= TWO_PI))
        reach = np.where(limits.prismatic, _REACH_M, math.pi)
        low = np.where(wide, np.maximum(limits.lower, inside - reach), limits.lower)
        high = np.where(wide, np.minimum(limits.upper, inside + reach), limits.upper)
        low = np.where(limits.free_turn, seed - math.pi, low)
        high = np.where(limits.free_turn, seed + math.pi, high)
        return low, high - low


@lru_cache(maxsize=64)
def _ratios(dimensions: int) -> Floats:
    phi = 2.0
    for _ in range(64):  # a contraction: settles in the last bit
        phi = (1.0 + phi) ** (1.0 / (dimensions + 1))
    return np.asarray(phi ** -np.arange(1.0, dimensions + 1), dtype=float)
