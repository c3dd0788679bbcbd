# SPDX-License-Identifier: Apache-2.0
"""The request that is shown, as text to be copied: a service call, Python, or JSON."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from typing import Any

from ..core.request import IKRequest
from ..core.transforms import xyz_quat_from_se3

_DECIMALS = 9


def service_call(request: IKRequest, base_frame: str, tip_frame: str, service: str) -> str:
    """For a shell with the ``ros2`` command."""
    position, quat_xyzw = _pose(request)
    fields: dict[str, Any] = {
        "target": {
            "header": {"frame_id": base_frame},
            "pose": {
                "position": dict(zip("xyz", position)),
                "orientation": dict(zip("xyzw", quat_xyzw)),
            },
        },
        "tip_frame": tip_frame,
    }
    for name in ("position_tolerance", "orientation_tolerance"):
        axes = getattr(request, name)
        if any(axes):
            fields[name] = dict(zip("xyz", axes))
    if isinstance(request.seed, Mapping):
        seed = _rounded(request.seed)
        fields["seed"] = {"name": list(seed), "position": list(seed.values())}
    if request.allow_relaxed:
        fields["allow_relaxed"] = True
    # YAML 1.1 writes infinity with a dot; in double quotes $ and ` would mean something to a shell.
    text = _yaml(fields).replace("'", "'\\''")
    return f"ros2 service call {service} ik_solver_ros/srv/SolveIK \\\n  '{text}'"


def python(request: IKRequest, base_frame: str, tip_frame: str, urdf: str) -> str:
    """A complete program."""
    position, quat_xyzw = _pose(request)
    options = "".join(f"    {line},\n" for line in _python_options(request))
    return (
        ("from math import inf\n\n" if "inf" in options else "")
        + f"""from ik_solver_ros import IKRequest, IKSolver, RobotModel

robot = RobotModel.from_urdf_file({urdf!r})
solver = IKSolver(robot, tip_frame={tip_frame!r}, base_frame={base_frame!r})
request = IKRequest.from_xyz_quat(
    {position},
    {quat_xyzw},
{options})
result = solver.solve(request)
print(result.message, dict(zip(result.joint_names, result.q)))
"""
    )


def as_json(
    request: IKRequest, base_frame: str, tip_frame: str, positions: Mapping[str, float]
) -> str:
    """Target and joint positions."""
    position, quat_xyzw = _pose(request)
    content = {
        "base_frame": base_frame,
        "tip_frame": tip_frame,
        "position_m": position,
        "quat_xyzw": quat_xyzw,
        "joints": _rounded(positions),
    }
    return json.dumps(content, indent=2, ensure_ascii=False)


def _python_options(request: IKRequest) -> Iterator[str]:
    for name in ("position_tolerance", "orientation_tolerance"):
        axes = getattr(request, name)
        if any(axes):
            yield f"{name}={list(axes)}"
    if isinstance(request.seed, Mapping):
        yield f"seed={_rounded(request.seed)}"
    if request.allow_relaxed:
        yield "allow_relaxed=True"


def _pose(request: IKRequest) -> tuple[list[float], list[float]]:
    position, quat_xyzw = xyz_quat_from_se3(request.T_base_target)
    return [_round(x) for x in position], [_round(x) for x in quat_xyzw]


def _rounded(positions: Mapping[str, float]) -> dict[str, float]:
    return {name: _round(value) for name, value in positions.items()}


def _round(value: float) -> float:
    return round(value, _DECIMALS) + 0.0  # no negative zeros


def _yaml(value: Any) -> str:
    """In flow style, on one line."""
    if isinstance(value, dict):
        inner = ", ".join(f"{name}: {_yaml(entry)}" for name, entry in value.items())
        return f"{{{inner}}}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_yaml, value)) + "]"
    if isinstance(value, float) and math.isinf(value):
        return ".inf"
    return json.dumps(value, ensure_ascii=False)
