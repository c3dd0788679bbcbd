# SPDX-License-Identifier: Apache-2.0
"""Where the tool has been."""

from __future__ import annotations

from collections import deque

import numpy as np
from numpy.typing import ArrayLike, NDArray

_LENGTH = 600  # points


class Trace:
    """The last few hundred points of the tool.

    Args:
        step_m: points nearer than this to the last one are left out.
    """

    def __init__(self, step_m: float) -> None:
        self._step_m = step_m
        self._points: deque[NDArray[np.float64]] = deque(maxlen=_LENGTH)

    def add(self, point_m: ArrayLike) -> None:
        """Go on to a point."""
        point = np.array(point_m, dtype=float)
        if not self._points or float(np.linalg.norm(point - self._points[-1])) > self._step_m:
            self._points.append(point)

    def clear(self) -> None:
        """Forget them all."""
        self._points.clear()

    def points(self) -> NDArray[np.float64]:
        """(n, 3) in metres, oldest first."""
        return np.array(self._points).reshape(-1, 3)
