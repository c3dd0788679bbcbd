# SPDX-License-Identifier: Apache-2.0
"""Triangles of simple solids, made by trimesh, which viser brings; all in metres."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..core.errors import MissingDependencyError
from ..core.pinocchio_import import pin

Triangles = tuple[NDArray[Any], NDArray[Any]]  # vertices (v, 3), faces (f, 3)

_SEGMENTS = 48  # of a circle


def box(half_sides: ArrayLike) -> Triangles:
    """A box about the origin."""
    return _of(_creation().box(extents=2.0 * np.asarray(half_sides)))


def cylinder(radius: float, length: float) -> Triangles:
    """A cylinder about the origin, along z."""
    return _of(_creation().cylinder(radius, length, sections=_SEGMENTS))


def rod(radius: float, start: ArrayLike, end: ArrayLike) -> Triangles:
    """A cylinder from one point to another."""
    ends = [np.asarray(start), np.asarray(end)]
    return _of(_creation().cylinder(radius, segment=ends, sections=_SEGMENTS))


def capsule(radius: float, length: float) -> Triangles:
    """A cylinder with half spheres at its ends, about the origin, along z."""
    vertices, faces = _of(_creation().capsule(length, radius))
    low, high = vertices.min(axis=0), vertices.max(axis=0)
    return vertices - 0.5 * (low + high), faces


def sphere(radius: float = 1.0) -> Triangles:
    """A sphere about the origin."""
    return _of(_creation().icosphere(subdivisions=4, radius=radius))


def ring(axis: Sequence[float], radius: float, thickness: float) -> Triangles:
    """A torus about an axis through the origin."""
    vertices, faces = _of(_creation().torus(radius, thickness, 64, 16))
    turn = pin.Quaternion.FromTwoVectors(np.array([0.0, 0.0, 1.0]), np.asarray(axis)).matrix()
    return vertices @ turn.T, faces


def _of(made: Any) -> Triangles:
    return np.asarray(made.vertices), np.asarray(made.faces)


def _creation() -> Any:
    try:
        from trimesh import creation
    except ImportError as error:
        raise MissingDependencyError(
            "trimesh", "the viewer", "pip install 'ik_solver_ros[viewer]'"
        ) from error
    return creation
