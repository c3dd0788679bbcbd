# SPDX-License-Identifier: Apache-2.0
"""A map as a picture: three cuts through it, where the arm stands and where it reaches most."""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import Any

import numpy as np

from ..core.limits import Floats
from ..plotting import new_figure
from .map import LAYERS, ReachabilityMap

_INK, _SOFT = "#2b2f36", "#8a919c"
_BASE = "#d55e00"
_DPI = 110


def draw_map(reachable: ReachabilityMap, path: str | Path, layer: str = "share") -> None:
    """Write a picture of a map; its format follows the file's name.

    Args:
        reachable: the map.
        path: .png, .svg or .pdf.
        layer: what is shown, one of ``LAYERS``.

    Raises:
        MissingDependencyError: Matplotlib is not installed.
        InvalidRequestError: there is no such layer.
    """
    values = reachable.layer(layer)
    axes_m = reachable.x_m, reachable.y_m, reachable.z_m
    at = [_nearest(axes_m[0], reachable.base_m[0]), _nearest(axes_m[1], reachable.base_m[1])]
    height = int(np.nanargmax(np.nansum(reachable.share, axis=(0, 1))))
    largest = 1.0 if layer != "manipulability" else max(float(np.nanmax(values, initial=0)), 1e-12)

    figure = new_figure(11.0, 3.9)
    figure.set_facecolor("white")
    figure.suptitle(_title(reachable), x=0.01, ha="left", fontsize=11, color=_INK)
    planes = (
        ("from the side", "x", "z", values[:, at[1], :], f"y = {axes_m[1][at[1]]:.2f} m"),
        ("from the front", "y", "z", values[at[0], :, :], f"x = {axes_m[0][at[0]]:.2f} m"),
        ("from above", "x", "y", values[:, :, height], f"z = {axes_m[2][height]:.2f} m"),
    )
    ends = {name: _ends(axis, reachable) for name, axis in zip("xyz", axes_m)}
    shown = _shown(reachable)
    image = None
    for axes, (view, across, up, plane, where) in zip(figure.subplots(1, 3), planes):
        image = axes.imshow(
            plane.T, origin="lower", extent=(*ends[across], *ends[up]), cmap="viridis", vmin=0.0,
            vmax=largest, interpolation="nearest",
        )  # fmt: skip
        base = dict(zip("xyz", reachable.base_m.tolist()))
        axes.plot(base[across], base[up], marker="P", color=_BASE, markersize=9, mec="white")
        axes.set_title(f"{view}, {where}", loc="left", fontsize=10, color=_INK)
        axes.set_xlabel(f"{across} in m", color=_INK)
        axes.set_ylabel(f"{up} in m", color=_INK)
        axes.set_xlim(*shown[across])
        axes.set_ylim(*shown[up])
        _style(axes)
    bar = figure.colorbar(image, ax=figure.axes, shrink=0.85, pad=0.015)
    bar.set_label(textwrap.fill(LAYERS[layer], 44), color=_INK)
    bar.ax.tick_params(colors=_SOFT, labelcolor=_INK, labelsize=8)
    bar.outline.set_visible(False)
    figure.savefig(path, dpi=_DPI)


def _title(reachable: ReachabilityMap) -> str:
    return (
        f"{reachable.robot_name}, {reachable.tip_frame}: {reachable.cells:,} cells of "
        f"{100.0 * reachable.cell_m:.3g} cm are reached, {reachable.volume_m3:.2f} m³, "
        + reachable.how_often
    )


def _nearest(axis: Floats, coordinate: float) -> int:
    return int(np.abs(axis - coordinate).argmin())


def _shown(reachable: ReachabilityMap) -> dict[str, tuple[float, float]]:
    """What there is to see along each axis, the base included; as wide along each."""
    ends, inside = {}, reachable.reached > 0
    for n, (name, axis) in enumerate(zip("xyz", (reachable.x_m, reachable.y_m, reachable.z_m))):
        used = axis[inside.any(axis=tuple(i for i in range(3) if i != n))]
        reached = (*used[:1], *used[-1:], float(reachable.base_m[n]))
        ends[name] = min(reached), max(reached)
    half = 0.5 * max(high - low for low, high in ends.values()) + 1.5 * reachable.cell_m
    return {
        name: (0.5 * (low + high) - half, 0.5 * (low + high) + half)
        for name, (low, high) in ends.items()
    }


def _ends(axis: Floats, reachable: ReachabilityMap) -> tuple[float, float]:
    half = 0.5 * reachable.cell_m
    return float(axis[0] - half), float(axis[-1] + half)


def _style(axes: Any) -> None:
    axes.tick_params(colors=_SOFT, labelcolor=_INK, labelsize=8)
    axes.locator_params(nbins=6)
    axes.set_facecolor("#f4f5f7")
    for spine in axes.spines.values():
        spine.set_visible(False)
