# SPDX-License-Identifier: Apache-2.0
"""Where the camera and the floor are, so that an arm of any size is seen whole."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..core.pinocchio_import import pin
from .shapes import Part

FIELD_OF_VIEW_RAD = math.radians(38.0)  # vertical; a longer lens than viser's, as for products
_FROM = (0.62, -0.72, 0.36)  # the arm points along x, and is seen from its right, from above
_MARGIN = 1.25
_PANEL_SHIFT = 0.16  # of the distance, so that the panel at the right does not cover the arm


@dataclass(frozen=True, eq=False)
class Framing:
    """Attributes: see their names; metres, in the arm's base frame."""

    camera_m: NDArray[np.float64]
    look_at_m: NDArray[np.float64]
    floor_m: float
    size_m: float
    cell_m: float


def framing(parts: Sequence[Part], poses: Mapping[str, pin.SE3], reach_m: float) -> Framing:
    """A view of the whole robot with room for the tool to move, and the floor it stands on.

    Args:
        parts: the robot's shapes.
        poses: T_base_link of its links.
        reach_m: size of the arm.
    """
    clouds = [
        part.vertices @ poses[part.link].rotation.T + poses[part.link].translation for part in parts
    ]
    clouds.append(np.array([pose.translation for pose in poses.values()]))
    points = np.concatenate(clouds)
    low, high = points.min(axis=0), points.max(axis=0)
    centre, radius = 0.5 * (low + high), 0.5 * float(np.linalg.norm(high - low))
    radius = max(radius, 0.55 * reach_m)
    distance = _MARGIN * radius / math.sin(0.5 * FIELD_OF_VIEW_RAD)
    backwards = np.array(_FROM) / np.linalg.norm(_FROM)
    right = np.cross([0.0, 0.0, 1.0], backwards)
    right /= np.linalg.norm(right)
    look_at = centre + _PANEL_SHIFT * distance * right * 0.5
    return Framing(
        camera_m=look_at + distance * backwards,
        look_at_m=look_at,
        floor_m=float(low[2]) if low[2] < -0.01 * reach_m else 0.0,
        size_m=radius,
        cell_m=10.0 ** math.floor(math.log10(0.6 * radius)),
    )
