# SPDX-License-Identifier: Apache-2.0
"""Pictures: the one module that knows Matplotlib, always without a screen."""

from __future__ import annotations

from typing import Any

from .core.errors import MissingDependencyError


def new_figure(width_in: float, height_in: float) -> Any:
    """An empty `matplotlib.figure.Figure` that draws into files only (Agg).

    Args:
        width_in: width in inches.
        height_in: height in inches.

    Raises:
        MissingDependencyError: Matplotlib is not installed.
    """
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError as error:
        raise MissingDependencyError(
            "Matplotlib",
            "a picture",
            "pip install 'ik_solver_ros[plot]', or apt install python3-matplotlib",
        ) from error
    figure = Figure(figsize=(width_in, height_in), layout="constrained")
    FigureCanvasAgg(figure)
    return figure
