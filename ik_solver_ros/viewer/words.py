# SPDX-License-Identifier: Apache-2.0
"""What the panel says about an answer, in few words and in units for people."""

from __future__ import annotations

import math

from ..core.status import Status
from .backend import Answer


def headline_of(answer: Answer) -> str:
    """The state in a word or two."""
    if answer.status is Status.SOLVED:
        return "solved"
    if answer.success:
        return "solved, relaxed"
    return answer.status.name.replace("_", " ").lower()


def details_of(answer: Answer) -> str:
    """Errors and effort, for the line below the message."""
    parts = []
    if math.isfinite(answer.position_error_m):
        whose = "off by" if answer.success else "closest: off by"
        errors = _length(answer.position_error_m), _angle(answer.orientation_error_rad)
        parts.append(f"{whose} {', '.join(errors)}")
    if answer.attempts:
        tries = "try" if answer.attempts == 1 else "tries"
        steps = "iteration" if answer.iterations == 1 else "iterations"
        parts.append(f"{answer.iterations} {steps}, {answer.attempts} {tries}")
    if answer.solve_time_s > 0.0:
        parts.append(f"{answer.solve_time_s * 1e3:.2g} ms")
    return " · ".join(parts)


def _length(metres: float) -> str:
    for unit, size in (("m", 1.0), ("mm", 1e-3), ("µm", 1e-6), ("nm", 1e-9)):
        if metres >= size:
            return f"{metres / size:.3g} {unit}"
    return "< 1 nm"


def _angle(radians: float) -> str:
    degrees = math.degrees(radians)
    if degrees >= 100.0:
        return f"{degrees:.0f}°"
    return f"{degrees:.2g}°" if degrees >= 1e-3 else "< 0.001°"
