# SPDX-License-Identifier: Apache-2.0
"""The places that are asked about: cubes side by side, as far as the arm is long."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from ..core.chain import Chain
from ..core.errors import InvalidRequestError
from ..core.limits import Floats
from ..core.reach import longest_reach_m

_MOST_CELLS = 4_000_000


class Grid:
    """Cubes around an arm; one has its corner in the base frame's origin.

    Args:
        chain: the arm.
        cell_m: edge of a cube.

    Attributes:
        axes: coordinates of the cubes' centres along x, y and z of the base frame, in m.
        inside: (nx, ny, nz) whether the arm is long enough for the nearest point of a cube.

    Raises:
        InvalidRequestError: for cubes that are too small, or an arm without an end.
    """

    def __init__(self, chain: Chain, cell_m: float) -> None:
        reach_m, centre = longest_reach_m(chain), chain.placements[0, :, 3]
        if not math.isfinite(reach_m):
            raise InvalidRequestError(
                "robot", "it has a slider without limits, so no map has an end"
            )
        if not 0.0 < cell_m < math.inf:
            raise InvalidRequestError("cell_m", f"{cell_m:g} is not a length above 0")
        if not (2.0 * reach_m / cell_m + 2.0) ** 3 <= _MOST_CELLS:
            smallest_m = 2.0 * reach_m / (_MOST_CELLS ** (1.0 / 3.0) - 2.0)
            raise InvalidRequestError(
                "cell_m",
                f"cubes of {cell_m:g} m are too many for an arm of {reach_m:.3g} m; "
                f"from {smallest_m:.2g} m on it can be done",
            )
        self.axes: tuple[Floats, Floats, Floats] = tuple(  # type: ignore[assignment]
            (np.arange(math.floor((c - reach_m) / cell_m), math.ceil((c + reach_m) / cell_m)) + 0.5)
            * cell_m
            for c in centre.tolist()
        )
        away = [
            np.maximum(np.abs(axis - c) - 0.5 * cell_m, 0.0) for axis, c in zip(self.axes, centre)
        ]
        x, y, z = np.meshgrid(*away, indexing="ij")
        self.inside: NDArray[np.bool_] = x**2 + y**2 + z**2 <= reach_m**2

    def positions_m(self) -> Floats:
        """Centres (n, 3) of the cubes that are inside, in the order of the grid."""
        return np.stack(np.meshgrid(*self.axes, indexing="ij"), axis=-1)[self.inside]
