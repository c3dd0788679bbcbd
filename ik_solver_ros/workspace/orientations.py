# SPDX-License-Identifier: Apache-2.0
"""Which orientations the tool is tried in at every place."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ..core.errors import InvalidRequestError
from ..core.transforms import unit_quat_xyzw

_MOST = 10_000
_GOLDEN = 0.5 * (1.0 + math.sqrt(5.0))
# The positive root of x^4 = x + 4, for which the second spiral spreads evenly, too.
_PSI = 1.533751168755204288118041

Quat = tuple[float, float, float, float]


@dataclass(frozen=True)
class OrientationSet:
    """Orientations of the tool in the base frame, and which of its turns do not matter.

    Attributes:
        quats_xyzw: unit quaternions x, y, z, w, one for each orientation.
        tolerance: radians per axis of the tool, as in ``IKRequest``: 0 = default, inf = free.
        meaning: for people, in a few words.
    """

    quats_xyzw: tuple[Quat, ...]
    tolerance: tuple[float, float, float]
    meaning: str

    @classmethod
    def even(cls, count: int) -> OrientationSet:
        """Spread evenly over all orientations.

        Super-Fibonacci spirals (M. Alexa, "Super-Fibonacci Spirals: Fast, Low-Discrepancy Sampling
        of SO(3)", CVPR 2022).

        Args:
            count: how many.
        """
        _require_count(count)
        quats = []
        for i in range(count):
            s = i + 0.5
            r, rest = math.sqrt(s / count), math.sqrt(1.0 - s / count)
            a, b = 2.0 * math.pi * s / math.sqrt(2.0), 2.0 * math.pi * s / _PSI
            quats.append((r * math.sin(a), r * math.cos(a), rest * math.sin(b), rest * math.cos(b)))
        return cls(tuple(quats), (0.0, 0.0, 0.0), f"{count} orientations")

    @classmethod
    def even_directions(cls, count: int) -> OrientationSet:
        """The tool's z axis spread evenly over all directions; the roll about it does not matter.

        A Fibonacci lattice (R. Swinbank and R. J. Purser, "Fibonacci grids: a novel approach to
        global modelling", Q. J. Royal Met. Soc. 132, 2006).

        Args:
            count: how many.
        """
        _require_count(count)
        quats = []
        for i in range(count):
            height = 1.0 - (2.0 * i + 1.0) / count
            azimuth = 2.0 * math.pi * i / _GOLDEN
            quats.append(_turning_z_to(math.acos(height), azimuth))
        return cls(tuple(quats), (0.0, 0.0, math.inf), f"{count} directions, any roll")

    @classmethod
    def any(cls) -> OrientationSet:
        """One orientation, which does not matter."""
        return cls(((0.0, 0.0, 0.0, 1.0),), (math.inf,) * 3, "any orientation")

    @classmethod
    def given(cls, quats_xyzw: Sequence[ArrayLike]) -> OrientationSet:
        """Orientations that the caller chooses.

        Args:
            quats_xyzw: quaternions x, y, z, w of any length.

        Raises:
            InvalidRequestError: for one without direction, or if there is none.
        """
        _require_count(len(quats_xyzw))
        quats = tuple(unit_quat_xyzw(quat, "quat_xyzw") for quat in quats_xyzw)
        meaning = "the given orientation" if len(quats) == 1 else f"{len(quats)} orientations"
        return cls(quats, (0.0, 0.0, 0.0), meaning)

    def __len__(self) -> int:
        return len(self.quats_xyzw)

    def targets(self, positions_m: np.ndarray) -> np.ndarray:
        """Rows x, y, z, qx, qy, qz, qw (n * len(self), 7): every orientation at every position."""
        n, m = len(positions_m), len(self)
        at = np.repeat(np.asarray(positions_m), m, axis=0)
        return np.hstack((at, np.tile(np.array(self.quats_xyzw), (n, 1))))


def _turning_z_to(tilt_rad: float, azimuth_rad: float) -> Quat:
    """The shortest turn of the z axis to a direction."""
    half, sine = 0.5 * tilt_rad, math.sin(0.5 * tilt_rad)
    return (-sine * math.sin(azimuth_rad), sine * math.cos(azimuth_rad), 0.0, math.cos(half))


def _require_count(count: int) -> None:
    if not 1 <= count <= _MOST:
        raise InvalidRequestError("orientations", f"{count} is not a number from 1 to {_MOST}")
