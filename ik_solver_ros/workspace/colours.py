# SPDX-License-Identifier: Apache-2.0
"""Colours of equal steps to the eye, also where no plotting library is installed."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..core.limits import Floats

# Every sixteenth of viridis (S. van der Walt and N. Smith, 2015, CC0), the default of Matplotlib.
_VIRIDIS = np.array(
    [
        [68, 1, 84], [72, 24, 106], [71, 45, 123], [66, 64, 134], [59, 82, 139],
        [51, 99, 141], [44, 114, 142], [38, 130, 142], [33, 145, 140], [31, 160, 136],
        [40, 174, 128], [63, 188, 115], [94, 201, 98], [132, 212, 75], [173, 220, 48],
        [216, 226, 25], [253, 231, 37],
    ]
)  # fmt: skip


def viridis(shares: Floats) -> NDArray[np.uint8]:
    """Colours (n, 3) red, green, blue from 0 to 255 for shares (n,) from 0 to 1."""
    at = np.linspace(0.0, 1.0, len(_VIRIDIS))
    channels = [np.interp(shares, at, channel) for channel in _VIRIDIS.T]
    return np.asarray(np.stack(channels, axis=-1).round().astype(np.uint8))
