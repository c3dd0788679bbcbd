# SPDX-License-Identifier: Apache-2.0
"""Where the tool has been."""

from __future__ import annotations

from collections import deque

import numpy as np
from numpy.typing import ArrayLike, NDArray

_LENGTH = 600  # pieces
_STEP, _LEAP = 2e-3, 0.15  # of the arm's size


class Trace:
    """The last few hundred short pieces of the tool's way.

    Args:
        size_m: of the arm. Points very near to the last one are left out; to one far away the tool
            was not led, so nothing is drawn between.
    """

    def __init__(self, size_m: float) -> None:
        self._step_m, self._leap_m = _STEP * size_m, _LEAP * size_m
        self._pieces: deque[tuple[NDArray[np.float64], NDArray[np.float64]]] = deque(maxlen=_LENGTH)
        self._last: NDArray[np.float64] | None = None

    def add(self, point_m: ArrayLike) -> None:
        """Go on to a point."""
        point, last = np.array(point_m, dtype=float), self._last
        way_m = np.inf if last is None else float(np.linalg.norm(point - last))
        if way_m < self._step_m:
            return
        if last is not None and way_m <= self._leap_m:
            self._pieces.append((last, point))
        self._last = point

    def clear(self) -> None:
        """Forget all of it."""
        self._pieces.clear()
        self._last = None

    def pieces(self) -> NDArray[np.float64]:
        """(n, 2, 3) start and end of each piece in metres, oldest first."""
        return np.array(self._pieces).reshape(-1, 2, 3)
