# SPDX-License-Identifier: Apache-2.0
"""What words on the command line may mean: numbers, counts, joint positions."""

from __future__ import annotations

import argparse
import math


def number(text: str) -> float:
    """A finite number out of an argument."""
    value = _float(text)
    if not math.isfinite(value):
        raise argparse.ArgumentTypeError(f"'{text.strip()}' is not a finite number")
    return value


def positive(text: str) -> float:
    """A finite number above zero."""
    value = number(text)
    if not value > 0.0:
        raise argparse.ArgumentTypeError(f"'{text.strip()}' is not above 0")
    return value


def tolerance(text: str) -> float:
    """A number from 0 to infinity."""
    value = _float(text)
    if not value >= 0.0:
        reason = "is not a tolerance; 0 is the default, inf free"
        raise argparse.ArgumentTypeError(f"'{text.strip()}' {reason}")
    return value


def count(text: str) -> int:
    """A whole number above zero."""
    try:
        value = int(text)
    except ValueError:
        value = 0
    if value < 1:
        raise argparse.ArgumentTypeError(f"'{text.strip()}' is not a whole number above 0")
    return value


def assignment(text: str) -> tuple[str, float]:
    """``joint_1=0.3`` as a pair."""
    name, equals, value = text.rpartition("=")
    if not equals or not name:
        raise argparse.ArgumentTypeError(
            f"'{text}' is not JOINT=VALUE, such as joint_1=0.3 (the URDF comes before it)"
        )
    return name, number(value)


def _float(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"'{text.strip()}' is not a number") from None
