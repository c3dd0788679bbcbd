# SPDX-License-Identifier: Apache-2.0
"""Where searches start."""

from __future__ import annotations

import math

import numpy as np

from ..limits import TWO_PI, Floats, Limits

_NEAR_EVERY = 8
_NEAR_SHARE = 0.1  # of the way from the seed to where the start would be
_LONG_SLIDER_M = 100.0  # a slider with such a range is sampled near the seed only
_REACH_M = 1.0  # half the width of that
#: The first primes, without those whose roots come so close to simple fractions, of a whole or of
#: each other, that one joint or two joints less than eight places apart would leave gaps.
_PRIMES = (
    2, 3, 5, 7, 11, 23, 29, 31, 67, 127, 157, 193, 227, 337, 367, 409, 431, 433, 457, 461, 479,
    509, 521, 523, 607, 613, 617, 859, 907, 937, 997, 1033, 1181, 1187, 1213, 1279, 1361, 1439,
    1471, 1531, 1543, 1621, 1637, 1663, 1667, 1697, 1759, 1789, 1861, 1879, 1889, 1913, 1987, 1997,
    2083, 2089, 2099, 2221, 2267, 2281, 2293, 2297, 2357, 2411,
)  # fmt: skip
_STEPS = np.sqrt(_PRIMES) % 1.0


class Starts:
    """Start configurations: the seed, then a fixed low-discrepancy sequence inside the limits.

    Joints that turn all the way are sampled within half a turn of the seed, long sliders within a
    metre. The sequence is Richtmyer's (1951; Niederreiter, "Random Number Generation and
    Quasi-Monte Carlo Methods", 1992, ch. 3): u_j(k) = frac(1/2 + k sqrt(p_j)), p_j prime. It has no
    random state, so a request has the same starts everywhere; the kernel makes the same ones. Every
    eighth start stays near the seed: an answer beside it may have a small basin of its own, and is
    the one wanted most.
    """

    def __init__(self, limits: Limits, seed: Floats) -> None:
        self._limits = limits
        #: Start 0: the seed inside the limits, free turns near 0.
        near_0 = seed - TWO_PI * np.round(seed / TWO_PI)
        self.first = np.where(limits.free_turn, near_0, seed.clip(limits.lower, limits.upper))
        self._box: tuple[Floats, Floats] | None = None

    def start(self, k: int) -> Floats:
        """Start number k, shape (m,); 0 is the seed."""
        if k == 0:
            return self.first
        if self._box is None:
            self._box = self._sampling_box()
        low, extent = self._box
        unit: Floats = (0.5 + k * np.resize(_STEPS, len(low))) % 1.0
        start: Floats = low + unit * extent
        return start if k % _NEAR_EVERY else self.first + _NEAR_SHARE * (start - self.first)

    def _sampling_box(self) -> tuple[Floats, Floats]:
        limits, first = self._limits, self.first
        reach = np.where(limits.prismatic, _REACH_M, math.pi)
        longest = np.where(limits.prismatic, _LONG_SLIDER_M, TWO_PI)
        endless = ~(limits.upper - limits.lower < longest)
        low = np.where(endless, np.maximum(limits.lower, first - reach), limits.lower)
        high = np.where(endless, np.minimum(limits.upper, first + reach), limits.upper)
        low = np.where(limits.free_turn, first - math.pi, low)
        return low, np.where(limits.free_turn, TWO_PI, high - low)
