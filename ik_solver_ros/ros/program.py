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
import time
from collections.abc import Callable

# One Ctrl-C may arrive twice: from the terminal, and handed on by `ros2 launch` or a supervisor.
_ONE_WISH_S = 1.0


class Ending:
    """Turns SIGINT and SIGTERM into a wish to end; a second wish ends the process on the spot."""

    def __init__(self) -> None:
        self.is_wished = False
        self._wished_s = 0.0
        # Not an Event: the thread that the handler interrupts could be holding its lock.
        self._wishes, self._pen = os.pipe()
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self._wish)

    def wait(self, timeout_s: float | None = None) -> bool:
        """Block until the end is wished for, or for a time; returns whether it is."""
        if not self.is_wished:
            select.select([self._wishes], [], [], timeout_s)
        return self.is_wished

    def ignore_further_wishes(self) -> None:
        """For a process that is about to end: a signal during Python's own end would kill it."""
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, signal.SIG_IGN)

    def _wish(self, number: int, _frame: object) -> None:
        now_s = time.monotonic()
        if not self.is_wished:
            self.is_wished, self._wished_s = True, now_s
            os.write(self._pen, b".")
        elif now_s - self._wished_s > _ONE_WISH_S:
            os._exit(128 + number)


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
    finally:
        ending.ignore_further_wishes()
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
