# SPDX-License-Identifier: Apache-2.0
"""What every reader of arguments needs: the unit of angles, and stdin."""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Iterable

from ..core.errors import RobotModelError

DEGREES_MEANT = "this is more than a turn in radians; if degrees were meant, add --degrees"
_MOST_BYTES = 100_000_000


def more_than_a_turn(angles_rad: Iterable[float]) -> bool:
    """Whether an angle looks like one in degrees; NaN does not."""
    return any(abs(angle) > math.tau for angle in angles_rad)


def turn(given: argparse.Namespace) -> float:
    """Radians in one unit of the angles on the command line."""
    return math.radians(1.0) if given.degrees else 1.0


def read_stdin(what: str) -> str:
    """Everything on stdin."""
    try:
        return sys.stdin.buffer.read(_MOST_BYTES).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise RobotModelError(f"{what} on stdin is not UTF-8 text") from error
