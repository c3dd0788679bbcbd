# SPDX-License-Identifier: Apache-2.0
"""Robots in a scene of viser: one that moves and changes its colour, and ghosts of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ..core.pinocchio_import import pin
from ..core.transforms import xyz_quat_from_se3
from .scene import Tone, tinted
from .shapes import Part

_GHOST_OPACITY = 0.16
_GHOST_RGB = (110, 125, 145)


def wxyz_xyz(pose: pin.SE3) -> tuple[tuple[float, ...], tuple[float, float, float]]:
    """Quaternion and position as viser takes them."""
    position, (x, y, z, w) = xyz_quat_from_se3(pose)
    return (w, x, y, z), position


class ArmDrawing:
    """A robot that can be moved and coloured.

    Args:
        scene: viser's.
        name: of its node.
        parts: its shapes.
        opacity: None is opaque.
    """

    def __init__(
        self, scene: Any, name: str, parts: Sequence[Part], opacity: float | None = None
    ) -> None:
        links = list(dict.fromkeys(part.link for part in parts))
        # By number: names of links may hold anything, and "/" means a child here.
        names = {link: f"{name}/{i}" for i, link in enumerate(links)}
        self._root = scene.add_frame(name, show_axes=False)
        self._frames = {link: scene.add_frame(names[link], show_axes=False) for link in links}
        self._meshes = [
            (
                part,
                scene.add_mesh_simple(
                    f"{names[part.link]}/{i}",
                    part.vertices,
                    part.faces,
                    color=part.rgb,
                    opacity=opacity,
                    flat_shading=True,
                    side="double",
                    cast_shadow=opacity is None,
                    receive_shadow=False,
                ),
            )
            for i, part in enumerate(parts)
        ]
        self._tone: Tone | None = None

    def show(self, links: Mapping[str, pin.SE3] | None, tone: Tone) -> None:
        """Move and colour it; None hides it."""
        self._root.visible = links is not None
        if links is None:
            return
        for link, frame in self._frames.items():
            frame.wxyz, frame.position = wxyz_xyz(links[link])
        if tone is not self._tone:
            self._tone = tone
            for part, mesh in self._meshes:
                mesh.color = tinted(part.rgb, tone)


class GhostDrawing:
    """Further branches, all of them in one mesh for each part.

    Args:
        scene: viser's.
        parts: the robot's shapes.
        moving: links that stand elsewhere in another branch.
    """

    def __init__(self, scene: Any, parts: Sequence[Part], moving: Sequence[str]) -> None:
        self._scene = scene
        self._parts = [part for part in parts if part.link in moving]
        self._handles: list[Any] = []

    def show(self, ghosts: Sequence[Mapping[str, pin.SE3]]) -> None:
        """Draw them; the number of instances cannot change, so a change makes them anew."""
        if not ghosts and not self._handles:
            return
        for handle in self._handles:
            handle.remove()
        self._handles = []
        for i, part in enumerate(self._parts if ghosts else ()):
            poses = [wxyz_xyz(links[part.link]) for links in ghosts]
            self._handles.append(
                self._scene.add_batched_meshes_simple(
                    f"/ghosts/{i}",
                    part.vertices,
                    part.faces,
                    batched_wxyzs=np.array([wxyz for wxyz, _ in poses]),
                    batched_positions=np.array([xyz for _, xyz in poses]),
                    batched_colors=_GHOST_RGB,
                    opacity=_GHOST_OPACITY,
                    flat_shading=True,
                    lod="off",
                    cast_shadow=False,
                    receive_shadow=False,
                )
            )
