# SPDX-License-Identifier: Apache-2.0
"""Draws a ``View`` into a scene of viser: each thing once, then only what changed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core.pinocchio_import import pin
from . import solids
from .arm_drawing import ArmDrawing, GhostDrawing, wxyz_xyz
from .camera import Framing
from .scene import Marked, Tone, View
from .shapes import Part

_ELLIPSOID_SCALE = 0.25
_TRACE_RGB, _ERROR_RGB, _BLOCKING_RGB = (20, 110, 190), (214, 57, 52), (150, 20, 90)
_ELLIPSOID_RGB = (90, 120, 220)


@dataclass
class Layers:
    """What is shown beside the arm; switched by the user."""

    ghosts: bool = True
    ellipsoid: bool = False
    trace: bool = True


class Drawing:
    """All of the scene but the handle that is dragged.

    Args:
        scene: viser's.
        parts: the robot's shapes.
        moving: links that the arm moves.
        frame: sizes.
        with_robot: whether a real robot is shown where it stands elsewhere.
    """

    def __init__(
        self,
        scene: Any,
        parts: Sequence[Part],
        moving: Sequence[str],
        frame: Framing,
        with_robot: bool,
    ) -> None:
        self._scene, size = scene, frame.size_m
        self.layers = Layers()
        self._size = size
        self._arm = ArmDrawing(scene, "/arm", parts)
        self._robot = ArmDrawing(scene, "/robot", parts, 0.35) if with_robot else None
        self._ghosts = GhostDrawing(scene, parts, moving)
        self._drawn_ghosts: object = ()
        self._tool = scene.add_frame("/tool", axes_length=0.1 * size, axes_radius=0.004 * size)
        self._ellipsoid = scene.add_mesh_simple(
            "/ellipsoid",
            *solids.sphere(),
            color=_ELLIPSOID_RGB,
            visible=False,
            opacity=0.3,
            cast_shadow=False,
            receive_shadow=False,
        )
        self._lines: dict[str, Any] = {}
        self._marks: list[Any] = []
        self._marked: tuple[Marked, ...] = ()

    def draw(self, view: View) -> None:
        """Bring the scene up to date."""
        layers = self.layers
        self._arm.show(view.links, view.tone)
        if self._robot is not None:
            self._robot.show(view.robot, Tone.ROBOT)
        self._tool.wxyz, self._tool.position = wxyz_xyz(view.T_base_tool)
        ghosts = view.ghosts if layers.ghosts else ()
        if ghosts or self._drawn_ghosts:
            self._ghosts.show(ghosts)
        self._drawn_ghosts = ghosts
        self._draw_ellipsoid(view)
        trace = view.trace if layers.trace else view.trace[:0]
        self._draw_line("/trace", trace, _TRACE_RGB)
        gap = np.array([[view.T_base_tool.translation, view.T_base_target.translation]])
        self._draw_line("/gap", gap if view.tone is Tone.FAILED else gap[:0], _ERROR_RGB)
        self._draw_marks(view.marked)

    def _draw_ellipsoid(self, view: View) -> None:
        shape = view.ellipsoid
        pose = pin.SE3(shape.axes, view.T_base_tool.translation)
        self._ellipsoid.wxyz, self._ellipsoid.position = wxyz_xyz(pose)
        flat = 0.004 * self._size  # a singular arm's is a disc or a line
        # Always, so that it has its size when it appears: browsers show first and scale later.
        self._ellipsoid.scale = tuple(max(_ELLIPSOID_SCALE * float(r), flat) for r in shape.radii)
        self._ellipsoid.visible = self.layers.ellipsoid

    def _draw_line(self, name: str, segments: NDArray[Any], rgb: tuple[int, int, int]) -> None:
        line = self._lines.get(name)
        if line is None:
            if len(segments):
                self._lines[name] = self._scene.add_line_segments(
                    name, segments, colors=rgb, thickness=0.006 * self._size
                )
            return
        line.visible = bool(len(segments))
        if len(segments):
            line.points = segments.astype(np.float32)

    def _draw_marks(self, marked: tuple[Marked, ...]) -> None:
        if not marked and not self._marked:
            return
        for handle in self._marks:
            handle.remove()
        self._marks, self._marked = [], marked
        for i, mark in enumerate(marked):
            vertices, faces = solids.ring(
                mark.axis.tolist(), 0.115 * self._size, 0.016 * self._size
            )
            self._marks.append(
                self._scene.add_mesh_simple(
                    f"/blocking/{i}",
                    vertices,
                    faces,
                    color=_BLOCKING_RGB,
                    position=tuple(mark.position_m),
                    cast_shadow=False,
                )
            )
            self._marks.append(
                self._scene.add_label(
                    f"/blocking/{i}/label",
                    mark.text,
                    position=(0.0, 0.0, 0.17 * self._size),
                    anchor="bottom-center",
                )
            )
