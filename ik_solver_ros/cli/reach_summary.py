# SPDX-License-Identifier: Apache-2.0
"""A reachability map in a few numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..workspace.map import ReachabilityMap


def summary(reachable: ReachabilityMap) -> dict[str, Any]:
    """The map in numbers, under the names that programs get."""
    tried = reachable.cells * reachable.orientations
    inside = reachable.reached > 0
    blocked = reachable.blocked.sum(axis=(0, 1, 2))
    axes_m = {"x_m": reachable.x_m, "y_m": reachable.y_m, "z_m": reachable.z_m}
    box = {
        name: [float(axis[used][0]), float(axis[used][-1])] if inside.any() else None
        for n, (name, axis) in enumerate(axes_m.items())
        for used in [inside.any(axis=tuple(i for i in range(3) if i != n))]
    }
    return {
        "robot": reachable.robot_name,
        "base_frame": reachable.base_frame,
        "tip_frame": reachable.tip_frame,
        "cell_m": reachable.cell_m,
        "orientations": reachable.orientations,
        "orientations_meaning": reachable.orientations_meaning,
        "cells": reachable.cells,
        "cells_in_every_orientation": int((reachable.reached == reachable.orientations).sum()),
        "volume_m3": reachable.volume_m3,
        "share": float(reachable.reached.sum() / tried) if tried else 0.0,
        "box": box,
        "manipulability_mean": float(np.nanmean(reachable.manipulability)) if tried else None,
        "limit_margin_mean": float(np.nanmean(reachable.limit_margin)) if tried else None,
        "blocked_by_joint": dict(zip(reachable.joint_names, blocked.tolist())),
    }


def lines(reachable: ReachabilityMap) -> list[str]:
    """The map for people."""
    found = summary(reachable)
    text = [
        f"robot     {found['robot']}, {found['base_frame']} to {found['tip_frame']}",
        f"reached   {found['cells']:,} cells of {found['cell_m']:g} m, "
        f"{found['volume_m3']:.3g} m³; {reachable.how_often}",
    ]
    if not found["cells"]:
        return text
    if reachable.orientations > 1:
        text.append(
            f"          {found['cells_in_every_orientation']:,} of them in every orientation tried"
        )
    ends = (f"{name[0]} {low:.2f} to {high:.2f}" for name, (low, high) in found["box"].items())
    text += [
        f"box       {', '.join(ends)} m",
        f"mean      manipulability {found['manipulability_mean']:.3g}, "
        f"{100.0 * found['limit_margin_mean']:.0f} % of half the range to the nearest limit",
    ]
    blocked = {name: n for name, n in found["blocked_by_joint"].items() if n}
    if blocked:
        worst = sorted(blocked, key=lambda name: -blocked[name])
        text.append("blocked   by " + ", ".join(f"{name} {blocked[name]:,} x" for name in worst))
    return text
