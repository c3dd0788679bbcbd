# SPDX-License-Identifier: Apache-2.0
"""A run as a picture: the path, the joint velocities against their limits, the errors over time."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from ..core.limits import Floats
from ..plotting import new_figure
from .run import Run
from .summary import commanded_tool, off_figure

_INK, _SOFT, _TARGET = "#2b2f36", "#8a919c", "#c9ced6"
# Okabe and Ito, "Color universal design", 2008: told apart by everybody.
_COLOURS = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#8c6bb1", "#999999")
_DPI = 110


def draw_run(run: Run, path: Path) -> None:
    """Write the picture of a run; its format follows the file's name.

    Raises:
        MissingDependencyError: Matplotlib is not installed.
    """
    figure = new_figure(11.0, 5.2)
    figure.set_facecolor("white")
    left, right = figure.subfigures(1, 2, width_ratios=(1.05, 1.0))
    _draw_path(left.subplots(), run)
    above, below = right.subplots(2, 1, sharex=True)
    _draw_velocities(above, run)
    _draw_errors(below, run)
    figure.savefig(path, dpi=_DPI)


def _draw_path(axes: Any, run: Run) -> None:
    wanted = _in_figure(run, run.figure.poses(400)[:, :3, 3])
    drawn = _in_figure(run, run.record.tool[:, :3, 3])
    axes.plot(*wanted, color=_TARGET, linewidth=9, solid_capstyle="round", label="target")
    axes.plot(*drawn, color=_COLOURS[0], linewidth=1.6, label="tool, by the physics")
    axes.set_aspect("equal", adjustable="datalim")
    axes.margins(0.1)
    robot, off = run.robot.name, run.summary.tool_to_figure
    _style(axes, f"{robot}: {1e3 * off.mean_m:.1f} mm off the figure, at most "
                 f"{1e3 * off.max_m:.1f} mm")  # fmt: skip
    axes.set_xlabel("in the tool's plane, x in mm", color=_INK)
    axes.set_ylabel("y in mm", color=_INK)
    axes.legend(loc="lower right", frameon=False, labelcolor=_INK)


def _draw_velocities(axes: Any, run: Run) -> None:
    allowed = np.array([joint.allowed_velocity for joint in run.summary.joints])
    share = 100.0 * run.record.velocity / allowed
    for i, name in enumerate(run.record.joint_names):
        colour = _COLOURS[i % len(_COLOURS)]
        axes.plot(run.record.time_s, share[:, i], color=colour, linewidth=1.2, label=name)
    for limit in (-100.0, 100.0):
        axes.axhline(limit, color=_COLOURS[5], linewidth=1.2, linestyle=(0, (5, 3)))
    axes.set_ylim(-125.0, 125.0)
    axes.set_yticks((-100, -50, 0, 50, 100))
    _style(axes, "joint velocities, in % of what the stream may use")
    axes.legend(
        loc="center left", bbox_to_anchor=(1.0, 0.5), frameon=False, labelcolor=_INK, fontsize=8,
        handlelength=1.2,
    )  # fmt: skip


def _draw_errors(axes: Any, run: Run) -> None:
    record, tool = run.record, run.record.tool[:, :3, 3]
    frames = run.solver.tip_frame, run.solver.base_frame
    commanded = commanded_tool(record, run.robot, frames)
    curves = {
        "from the target": np.linalg.norm(tool - record.target[:, :3, 3], axis=1),
        "from the command": np.linalg.norm(tool - commanded, axis=1),
        "off the figure": off_figure(tool, run.figure),
    }
    for (label, error_m), colour in zip(curves.items(), _COLOURS):
        axes.plot(record.time_s, 1e3 * error_m, color=colour, linewidth=1.4, label=label)
    axes.set_ylim(bottom=0.0)
    axes.set_xlim(0.0, float(record.time_s[-1]))
    axes.set_xlabel("s", color=_INK)
    _style(
        axes, f"the tool's distance in mm; it follows {1e3 * run.summary.behind_s:.0f} ms behind"
    )
    axes.legend(
        loc="center left", bbox_to_anchor=(1.0, 0.5), frameon=False, labelcolor=_INK, fontsize=8,
        handlelength=1.2,
    )  # fmt: skip


def _in_figure(run: Run, points: Floats) -> tuple[Floats, Floats]:
    """Coordinates x and y in mm of points (n, 3) of the base, in the figure's plane."""
    T = run.figure.T_base_centre
    local = 1e3 * (points - T[:3, 3]) @ T[:3, :3]
    return local[:, 0], local[:, 1]


def _style(axes: Any, title: str) -> None:
    axes.set_title(title, loc="left", fontsize=10, color=_INK)
    axes.tick_params(colors=_SOFT, labelcolor=_INK, labelsize=8)
    axes.grid(color="#eef0f3", linewidth=0.8)
    axes.set_axisbelow(True)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    for side in ("left", "bottom"):
        axes.spines[side].set_color(_SOFT)
