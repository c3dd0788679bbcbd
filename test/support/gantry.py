# SPDX-License-Identifier: Apache-2.0
"""Three sliders along x, y and z: an arm whose workspace is a box, in one orientation."""

from __future__ import annotations

from collections.abc import Mapping

#: Limits in m by axis.
STROKES: Mapping[str, tuple[float, float]] = {"x": (-0.3, 0.5), "y": (0.0, 0.4), "z": (-0.2, 0.2)}


def gantry(strokes: Mapping[str, tuple[float, float]] = STROKES) -> str:
    """Its URDF: joints slide_x, slide_y and slide_z from `base` to `z`."""
    links = "".join(f'<link name="{name}"/>' for name in ("base", *strokes))
    joints, parent = "", "base"
    for i, (name, (lower, upper)) in enumerate(strokes.items()):
        axis = " ".join("1" if i == k else "0" for k in range(3))
        joints += f"""<joint name="slide_{name}" type="prismatic"><parent link="{parent}"/>
          <child link="{name}"/><axis xyz="{axis}"/>
          <limit lower="{lower}" upper="{upper}" effort="1" velocity="1"/></joint>"""
        parent = name
    return f'<robot name="gantry">{links}{joints}</robot>'
