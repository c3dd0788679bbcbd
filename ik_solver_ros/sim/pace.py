# SPDX-License-Identifier: Apache-2.0
"""Keeps simulated time beside real time, by a steady clock."""

from __future__ import annotations

import time
from collections.abc import Callable

_LONGEST_BEHIND_S = 0.25  # what is caught up with; more than that is lost


class Pace:
    """Waits for each step's time.

    Args:
        step_s: length of a step.
        wait: sleeps for some seconds.
        now_s: steady time.

    Attributes:
        late_steps: steps that began a whole step too late.
        lost_s: time that was too much to catch up with.
        behind_s: how far the last step was behind real time; 0 if it was not.
    """

    def __init__(
        self,
        step_s: float,
        wait: Callable[[float], object] = time.sleep,
        now_s: Callable[[], float] = time.monotonic,
    ) -> None:
        self._step_s, self._wait, self._now_s = step_s, wait, now_s
        self._due_s = now_s()
        self.late_steps = 0
        self.lost_s = self.behind_s = 0.0

    def next_step(self) -> None:
        """Return when the next step is due, at once if that is past."""
        self._due_s += self._step_s
        ahead_s = self._due_s - self._now_s()
        self.behind_s = max(0.0, -ahead_s)
        if ahead_s > 0.0:
            self._wait(ahead_s)
        elif ahead_s < -self._step_s:
            self.late_steps += 1
            if ahead_s < -_LONGEST_BEHIND_S:
                self._due_s -= ahead_s
                self.lost_s -= ahead_s
