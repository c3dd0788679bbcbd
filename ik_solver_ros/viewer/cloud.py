# SPDX-License-Identifier: Apache-2.0
"""A cloud of coloured points around the robot, such as a map of its workspace."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

_SHARE_OF_CELL = 0.2  # so that the arm is seen through the cloud


class Cloud:
    """Points with a switch and a cut: what is on this side of it, along y, is left out.

    At first half of the points are, so that the arm is seen.

    Args:
        server: viser's.
        points_m: (n, 3) in the base frame.
        rgb: (n, 3) colours from 0 to 255.
        cell_m: distance between neighbours.
        label: what it is, for its switch.
    """

    def __init__(
        self,
        server: Any,
        points_m: NDArray[np.float64],
        rgb: NDArray[np.uint8],
        cell_m: float,
        label: str,
    ) -> None:
        self._points_m, self._rgb = points_m.astype(np.float32), rgb
        self._handle = server.scene.add_point_cloud(
            "/map",
            self._points_m,
            rgb,
            point_size=_SHARE_OF_CELL * cell_m,
            point_shape="circle",
            precision="float32",
        )
        y = points_m[:, 1] if len(points_m) else np.zeros(1)
        with server.gui.add_folder("map"):
            self.switch = server.gui.add_checkbox(label, True)
            self.cut = server.gui.add_slider(
                "from y [m]", float(y.min()), float(y.max()) + cell_m, cell_m, float(y.mean())
            )
        self.switch.on_update(self._changed)
        self.cut.on_update(self._changed)
        self._changed(None)

    @property
    def shown(self) -> int:
        """How many points are shown."""
        return len(self._handle.points) if self._handle.visible else 0

    def _changed(self, _event: object) -> None:
        behind = self._points_m[:, 1] >= self.cut.value - 1e-6
        self._handle.points, self._handle.colors = self._points_m[behind], self._rgb[behind]
        self._handle.visible = self.switch.value
