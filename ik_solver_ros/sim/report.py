# SPDX-License-Identifier: Apache-2.0
"""A run as text for people."""

from __future__ import annotations

import math
from collections.abc import Iterator

from .figure import FigureOfEight
from .pace import Pace
from .summary import Distance, Summary
from .world import DRIVE_LAG_S

_BAR = 24  # characters for the velocity that a stream may use


def announcement(robot: str, tip_frame: str, figure: FigureOfEight, rounds: int) -> str:
    """What is about to be drawn, and why no larger."""
    lines = [
        f"robot     {robot}, {len(figure.start)} joints, draws with {tip_frame}",
        f"figure    {figure.width_m:.3g} m wide, {0.5 * figure.width_m:.3g} m high, "
        f"{rounds} x {figure.period_s:.3g} s",
    ]
    lines += [f"          not {reason}" for reason in figure.refused]
    return "\n".join(lines)


def report(result: Summary, pace: Pace, steps: int, hurried: int) -> str:
    """Errors, joint velocities against their limits, and what must not happen."""
    return "\n".join(_lines(result, pace, steps, hurried))


def _lines(result: Summary, pace: Pace, steps: int, hurried: int) -> Iterator[str]:
    yield f"tool      {_distance(result.tool_to_target)} from the target of that moment"
    yield (
        f"          {1e3 * result.behind_s:.0f} ms behind it, {1e3 * DRIVE_LAG_S:.0f} ms of them "
        "the drives'"
    )
    yield f"          {_distance(result.tool_to_commanded)} from where it was commanded to be"
    yield f"          {_distance(result.tool_to_figure)} off the figure"
    yield f"          {1e3 * result.left_m:.2g} mm at rest in the end"
    width = max(len(joint.name) for joint in result.joints)
    label = "joints    "
    for joint in result.joints:
        share = joint.peak_velocity / joint.allowed_velocity
        yield (
            f"{label}{joint.name:{width}}  {_bar(share)} {joint.peak_velocity:.3f} of "
            f"{joint.allowed_velocity:.3f} {joint.unit}/s{_saturation(joint.saturated_share)}"
        )
        label = " " * len(label)
    yield f"commands  {result.commands}, {result.branch_jumps} jumps to another branch"
    if hurried:
        yield f"          {hurried} taken faster than meant, since this machine was busy"
    lost = f", {pace.lost_s:.2f} s lost to a busy machine" if pace.lost_s else ""
    yield f"physics   {steps} steps, {pace.late_steps} late{lost}"


def _distance(distance: Distance) -> str:
    return f"{1e3 * distance.mean_m:.2f} mm, at most {1e3 * distance.max_m:.2f} mm,"


def _bar(share: float) -> str:
    filled = min(_BAR, math.ceil(share * _BAR))
    return "█" * filled + "░" * (_BAR - filled)


def _saturation(share: float) -> str:
    return f", at its largest force in {100.0 * share:.1f} % of the steps" if share else ""
