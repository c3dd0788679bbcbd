# SPDX-License-Identifier: Apache-2.0
"""The picture: how long one call takes, solver by solver."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter

from support.tables import percent

_ARMS = {"panda": "Panda, 7 joints", "ur5": "UR5, 6 joints"}
_OURS, _THEIRS, _FAINT = "#c2410c", "#475569", "#94a3b8"


def draw(results: dict[str, Any], path: Path) -> None:
    """Write the figure as SVG."""
    peers = results["peers"][::-1]  # the first one on top
    arms = {arm: label for arm, label in _ARMS.items() if arm in results["protocol"]}
    figure = Figure(figsize=(11.0, 0.36 * len(peers) + 1.1))
    panels = figure.subplots(1, len(arms), sharey=True, squeeze=False)
    for axes, (arm, label) in zip(panels[0], arms.items()):
        _panel(axes, results["protocol"][arm]["solvers"], peers)
        axes.set_title(label, fontsize=11, loc="left", fontweight="bold")
    panels[0][0].set_yticks(range(len(peers)), [peer["name"] for peer in peers], fontsize=9.5)
    for tick, peer in zip(panels[0][0].get_yticklabels(), peers):
        tick.set_color(_OURS if peer["ours"] else "black")
    figure.tight_layout(w_pad=2.5)
    with mpl.rc_context({"svg.hashsalt": "benchmarks"}):  # the same numbers draw the same file
        figure.savefig(path, metadata={"Date": None})


def _panel(axes: Axes, solvers: dict[str, Any], peers: list[dict[str, Any]]) -> None:
    for row, peer in enumerate(peers):
        line = solvers.get(peer["name"])
        if line is None:
            axes.text(0.985, row, "not on this arm", **_note(axes), color=_FAINT)
            continue
        _strip(axes, row, line["percentiles_s"], _OURS if peer["ours"] else _THEIRS)
        axes.text(0.985, row, percent(line["solved"]), **_note(axes), color="black")
    axes.set_xscale("log")
    low, high = axes.get_xlim()
    axes.set_xlim(low, high * 12.0)  # room for the rates
    axes.set_ylim(-0.6, len(peers) - 0.4)
    axes.xaxis.set_major_formatter(FuncFormatter(_time))
    axes.grid(axis="x", color="#e2e8f0", linewidth=0.8)
    axes.set_axisbelow(True)
    axes.tick_params(axis="y", length=0)
    axes.tick_params(axis="x", which="both", labelsize=9)
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    axes.text(0.985, len(peers) - 0.35, "solved", **_note(axes), color=_THEIRS)


def _strip(axes: Axes, row: int, percentiles_s: dict[str, float], color: str) -> None:
    axes.plot([percentiles_s["1"], percentiles_s["99"]], [row, row], color=color, linewidth=1.0)
    axes.plot(
        [percentiles_s["25"], percentiles_s["75"]],
        [row, row],
        color=color,
        linewidth=7.0,
        alpha=0.45,
        solid_capstyle="butt",
    )
    axes.plot(percentiles_s["50"], row, "o", color=color, markersize=5.0)


def _note(axes: Axes) -> dict[str, Any]:
    return {
        "transform": axes.get_yaxis_transform(),
        "ha": "right",
        "va": "center",
        "fontsize": 9,
    }


def _time(seconds: float, _position: int | None = None) -> str:
    for unit, size in (("s", 1.0), ("ms", 1e-3)):
        if seconds >= size:
            return f"{seconds / size:g} {unit}"
    return f"{seconds / 1e-6:g} µs"
