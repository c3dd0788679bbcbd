# SPDX-License-Identifier: Apache-2.0
"""How exact an answer has to be, axis by axis of the target frame."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .errors import InvalidRequestError
from .rows import numbers

Axes = tuple[float, float, float]
DEFAULT_AXES: Axes = (0.0, 0.0, 0.0)
FREE_AXES: Axes = (math.inf, math.inf, math.inf)
_FINEST = 1e-9  # m or rad; below this an error is mostly rounding
_WIDE_M, _WIDE_RAD = 5e-4, 5e-3


@dataclass(frozen=True)
class AxisTolerance:
    """Bounds on one kind of error (position or orientation) in the target frame.

    Attributes:
        axes: per axis x, y, z: 0 = bounded by ``norm``, inf = free, any other number bounds that
            axis by itself.
        norm: bound on the norm of the error over the axes that are 0.
        free: which axes are free.
    """

    axes: Axes
    norm: float
    free: tuple[bool, bool, bool]

    @classmethod
    def of(cls, axes: Axes, norm: float) -> AxisTolerance:
        """Combine a request's axes with the default bound of the settings."""
        return cls(axes, norm, tuple(math.isinf(a) for a in axes))  # type: ignore[arg-type]

    @cached_property
    def constraints(self) -> int:
        """How many axes are not free."""
        return 3 - sum(self.free)

    @cached_property
    def is_default(self) -> bool:
        """No axis is free or bounded by itself."""
        return self.axes == DEFAULT_AXES

    @cached_property
    def reach(self) -> float:
        """No error that is accepted is longer than this; inf where an axis is free."""
        return self.norm + math.hypot(*self.axes)

    @cached_property
    def bounds(self) -> NDArray[np.float64]:
        """``axes`` as an array, read-only."""
        bounds = np.array(self.axes)
        bounds.setflags(write=False)
        return bounds

    def accepts(self, error: Axes) -> bool:
        """Whether an error vector (zero along free axes) is inside; a NaN never is."""
        x, y, z = error
        if self.is_default:
            return math.sqrt(x * x + y * y + z * z) <= self.norm
        by_norm = 0.0
        for value, bound in zip(error, self.axes):
            if bound == 0.0:
                by_norm += value * value
            elif not abs(value) <= bound:
                return False
        return math.sqrt(by_norm) <= self.norm

    def widened(self, norm: float) -> AxisTolerance:
        """The same axes, each bound at least ``norm``."""
        axes = tuple(a if a == 0.0 else max(a, norm) for a in self.axes)
        return AxisTolerance(axes, max(self.norm, norm), self.free)  # type: ignore[arg-type]


@dataclass(frozen=True, eq=False)  # a key of caches: found by identity, not by all its numbers
class Tolerance:
    """Position tolerance in metres and orientation tolerance in radians, judged apart."""

    position: AxisTolerance
    orientation: AxisTolerance

    @staticmethod
    @lru_cache(maxsize=64)  # nearly all requests have the same
    def of(
        position_axes: Axes, position_m: float, orientation_axes: Axes, orientation_rad: float
    ) -> Tolerance:
        """Combine a request's axes with the default bounds of the settings."""
        return Tolerance(
            AxisTolerance.of(position_axes, position_m),
            AxisTolerance.of(orientation_axes, orientation_rad),
        )

    @cached_property
    def constraints(self) -> int:
        """How many of the six axes are not free."""
        return self.position.constraints + self.orientation.constraints

    @cached_property
    def is_wide(self) -> bool:
        """Whether an axis is bounded by itself, or a norm so widely that using it up pays."""
        axes = self.position.axes + self.orientation.axes
        if any(0.0 < axis < math.inf for axis in axes):
            return True
        return self.position.norm > _WIDE_M or self.orientation.norm > _WIDE_RAD

    def accepts(self, position_error: Axes, orientation_error: Axes) -> bool:
        """Whether both errors are inside their bounds."""
        return self.position.accepts(position_error) and self.orientation.accepts(orientation_error)

    def widened(self, position_m: float, orientation_rad: float) -> Tolerance:
        """The same axes with wider bounds."""
        return Tolerance(
            self.position.widened(position_m), self.orientation.widened(orientation_rad)
        )


def tolerance_axes(values: ArrayLike, field: str) -> Axes:
    """Read a request's per-axis tolerance: 0 = default, inf = free.

    Raises:
        InvalidRequestError: for a negative number, NaN, one below 1e-9, or a wrong shape.
    """
    if values is DEFAULT_AXES:
        return DEFAULT_AXES
    x, y, z = numbers(values, 3, field, "x, y, z")
    for axis, value in zip("xyz", (x, y, z)):
        if not value >= 0.0:
            raise InvalidRequestError(
                f"{field}.{axis}", f"{value:g} is not a tolerance (0 = default, inf = free)"
            )
        if 0.0 < value < _FINEST:
            raise InvalidRequestError(
                f"{field}.{axis}", f"{value:g} is finer than can be told, {_FINEST:g} (0 = default)"
            )
    return x, y, z
