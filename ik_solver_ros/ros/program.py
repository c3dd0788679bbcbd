# SPDX-License-Identifier: Apache-2.0
"""How our executables start and end: quietly on signals, with one sentence when they cannot run.

Imports nothing but the standard library, so that signals are looked after before ROS and Pinocchio
are loaded, which takes a second.
"""

from __future__ import annotations

import os
import select
import signal
import sys
from collections.abc import Callable


class Ending:
    """Turns SIGINT and SIGTERM into a wish to end; the second one ends the process on the spot."""

    def __init__(self) -> None:
        self.is_wished = False
        # Not an Event: the thread that the handler interrupts could be holding its lock.
        self._wishes, self._pen = os.pipe()
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self._wish)

    def wait(self, timeout_s: float | None = None) -> bool:
        """Block until the end is wished for, or for a time; returns whether it is."""
        if not self.is_wished:
            select.select([self._wishes], [], [], timeout_s)
        return self.is_wished

    def _wish(self, number: int, _frame: object) -> None:
        if self.is_wished:
            os._exit(128 + number)
        self.is_wished = True
        os.write(self._pen, b".")


def run(name: str, work: Callable[[Ending], None]) -> int:
    """Run the work of an executable.

    Args:
        name: of the executable.
        work: returns soon after the end was wished for.

    Returns:
        Exit code: 0, or 1 if it could not start or go on; then the reason is on stderr.
    """
    ending = Ending()
    try:
        work(ending)
    except Exception as error:
        if ending.is_wished:
            return 0
        if not _is_for_people(error):
            raise
        print(f"{name}: {_sentence(error)}", file=sys.stderr)
        return 1
    return 0


def _is_for_people(error: Exception) -> bool:
    """Whether its text is enough; anything else is a bug, and its traceback helps."""
    expected = (RuntimeError, ValueError, ImportError, OSError)
    return isinstance(error, expected) or type(error).__module__.startswith("rclpy")


def _sentence(error: Exception) -> str:
    text = " ".join(str(error).split()) or type(error).__name__
    if isinstance(error, ModuleNotFoundError) and error.name in ("rclpy", "rcl_interfaces"):
        return f"{text}; source the set-up file of ROS 2 or this package's env.sh first"
    return text
