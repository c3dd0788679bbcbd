# SPDX-License-Identifier: Apache-2.0
"""Easier problems beside one that has no answer, to be able to say what would help."""

from __future__ import annotations

import math
from collections.abc import Iterator

from .solvers.base import Problem
from .tolerance import Axes, AxisTolerance, Tolerance


def with_one_axis_freed(problem: Problem) -> Iterator[tuple[Problem, str]]:
    """The problem with each bounded rotation axis freed in turn, and how to ask for that."""
    axes = problem.tolerance.orientation.axes
    for i in (2, 0, 1):  # the tool's own axis is the usual one
        if not math.isinf(axes[i]):
            freed = tuple(math.inf if j == i else axis for j, axis in enumerate(axes))
            name = "xyz"[i]
            yield (
                _with_orientation(problem, freed),  # type: ignore[arg-type]
                f"rotation about the target's {name} axis free "
                f"(orientation_tolerance.{name} = inf)",
            )


def with_orientation_free(problem: Problem) -> Problem:
    """The problem of reaching the position alone."""
    return _with_orientation(problem, (math.inf, math.inf, math.inf))


def _with_orientation(problem: Problem, axes: Axes) -> Problem:
    tolerance = problem.tolerance
    orientation = AxisTolerance.of(axes, tolerance.orientation.norm)
    return problem._replace(tolerance=Tolerance(tolerance.position, orientation))
