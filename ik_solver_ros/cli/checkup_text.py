# SPDX-License-Identifier: Apache-2.0
"""What `ik check` found out, for people."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from .output import coloured, table

_COLOUR_OF = {"error": "red", "warning": "yellow", "note": "dim"}
_MOST_TIPS = 12
_MOST_MESHES = 2
_DEEPEST = 90  # characters before a link in the tree


def checkup_lines(found: Mapping[str, Any]) -> Iterator[str]:
    """The whole report; see ``checkup`` for what is in ``found``."""
    if found["robot"]:
        yield from _head(found)
        yield from _section("tree", _tree(found))
        yield from _section("joints", _joints(found["joints"]))
        yield from _section("tips", _tips(found))
        yield from _section("meshes", _meshes(found["meshes"]))
    for severity in ("error", "warning", "note"):
        chosen = [fault for fault in found["faults"] if fault["severity"] == severity]
        yield from _section(f"{severity}s", _faults(chosen))
    if found["parameters"]:
        yield from _section("parameters for the node", parameter_lines(found))
    yield _verdict(found)


def parameter_lines(found: Mapping[str, Any]) -> Iterator[str]:
    """A parameter file for ``params_file:=``; JSON strings are YAML, whatever is in them."""
    yield f"# {json.dumps(found['robot']['name'])}: what differs from ik_solver.yaml."
    yield "/**:"
    yield "  ros__parameters:"
    for name, value in found["parameters"].items():
        yield f"    {name}: {json.dumps(value)}"


def _head(found: Mapping[str, Any]) -> Iterator[str]:
    robot, joints = found["robot"], found["joints"]
    moving = [joint for joint in joints if joint["lower"] is not None]
    followers = sum(joint["follows"] is not None for joint in moving)
    yield (
        f"{coloured(robot['name'] or 'a robot without a name', 'bold')}: "
        f"{len(robot['links'])} links, {len(moving)} moving joints"
        + (f", {followers} of them followers" if followers else "")
        + f"; root {robot['root_link']}"
    )


def _section(title: str, lines: Iterator[str] | Sequence[str]) -> Iterator[str]:
    lines = list(lines)
    if lines:
        yield f"\n{coloured(title, 'bold')}"
        yield from ("  " + line for line in lines)


def _tree(found: Mapping[str, Any]) -> Iterator[str]:
    below: dict[str, list[Mapping[str, Any]]] = {}
    for joint in found["joints"]:
        below.setdefault(joint["parent"], []).append(joint)
    yield found["robot"]["root_link"]
    # (joint, what stands before it, what stands before the joints below it)
    todo = _branches(below.get(found["robot"]["root_link"], []), "")
    while todo:
        joint, before, behind = todo.pop()
        yield f"{before}{joint['child']}  ({joint['name']}, {joint['type']})"
        todo += _branches(below.get(joint["child"], []), behind)


def _branches(
    joints: Sequence[Mapping[str, Any]], before: str
) -> list[tuple[Mapping[str, Any], str, str]]:
    """What is still to be drawn, the first one last."""
    if len(before) > _DEEPEST:  # no terminal is wide enough for a chain of hundreds
        return [(joint, f"{before}└─ ", before) for joint in reversed(joints)]
    drawn = [(joint, f"{before}├─ ", f"{before}│  ") for joint in joints[:-1]]
    drawn += [(joint, f"{before}└─ ", f"{before}   ") for joint in joints[-1:]]
    return drawn[::-1]


def _joints(joints: Sequence[Mapping[str, Any]]) -> list[str]:
    rows = [_joint_row(joint) for joint in joints if joint["type"] != "fixed"]
    header = ("joint", "type", "lower", "upper", "unit", "lower", "upper", "per s", "follows")
    return table(rows, header) if rows else []


def _joint_row(joint: Mapping[str, Any]) -> Sequence[str]:
    name, kind = joint["name"], joint["type"]
    if joint["lower"] is None:
        return (name, kind, "", "", "", "", "", "", "held at its neutral pose")
    slides = kind == "prismatic"
    limits = [joint["lower"], joint["upper"]]
    degrees = ["" if slides else _limit(math.degrees(limit), 1, "°") for limit in limits]
    metres_or_rad = [_limit(limit, 4) for limit in limits]
    speed = "" if joint["velocity"] is None else f"{joint['velocity']:.3g}"
    return (name, kind, *metres_or_rad, "m" if slides else "rad", *degrees, speed, _follows(joint))


def _limit(limit: float, decimals: int, unit: str = "") -> str:
    return f"{limit:.{decimals}f}{unit}" if math.isfinite(limit) else "none"


def _follows(joint: Mapping[str, Any]) -> str:
    if joint["follows"] is None:
        return ""
    follows = joint["follows"]
    offset = f" {follows['offset']:+g}" if follows["offset"] else ""
    return f"{follows['multiplier']:g} × {follows['joint']}{offset}"


def _tips(found: Mapping[str, Any]) -> Iterator[str]:
    tips = found["tips"]
    rows = [
        (
            "→" if i == 0 else "",
            tip["tip_frame"],
            tip["base_frame"],
            tip["freedoms"],
            tip["problem"] or tip["analytic"] or "no, so it is solved numerically",
            "a finger" if tip["is_finger"] else "",
        )
        for i, tip in enumerate(tips[:_MOST_TIPS])
    ]
    if rows:
        yield from table(rows, ("", "tip", "from", "joints", "decomposes", ""))
        if len(tips) > len(rows):
            yield f"and {len(tips) - len(rows)} more (--json lists them)"
        yield f"likely: {tips[0]['tip_frame']}, {found['why']}"
        if tips[0]["freedoms"] < 6:
            yield (
                f"{tips[0]['freedoms']} joints cannot reach every orientation: free an axis "
                "(--free-axes) or widen its tolerance"
            )


def _meshes(meshes: Mapping[str, Any]) -> Iterator[str]:
    missing = len(meshes["missing"])
    if meshes["found"] or missing:
        yield f"{meshes['found']} found, {missing} missing (kinematics needs none of them)"
        if missing:
            yield "--package-dir DIR says where the packages are"


def _faults(faults: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """One line each, but for meshes: the first few stand for all, lest they bury the others."""
    meshes = [fault for fault in faults if fault["kind"] == "missing-mesh"]
    left_out = meshes[_MOST_MESHES:]
    yield from (_fault(fault) for fault in faults if fault not in left_out)
    if left_out:
        count = len(left_out)
        yield f"and {_many(count, 'more mesh', 'more meshes')} missing (--json lists them)"


def _fault(fault: Mapping[str, Any]) -> str:
    place = "" if fault["line"] is None else f"line {fault['line']}: "
    return coloured(place, _COLOUR_OF[fault["severity"]]) + fault["message"]


def _verdict(found: Mapping[str, Any]) -> str:
    count = {
        severity: sum(fault["severity"] == severity for fault in found["faults"])
        for severity in ("error", "warning")
    }
    if count["error"]:
        verdict = f"cannot be used: {_many(count['error'], 'error')}"
    elif not found["usable"]:
        problem = found["tips"][0]["problem"] if found["tips"] else "no arm in it"
        verdict = f"nothing to solve for: {problem}"
    else:
        verdict = "can be used"
    if count["warning"]:
        verdict += f", {_many(count['warning'], 'warning')}"
    return f"\n{found['file']}: {coloured(verdict, 'green' if found['usable'] else 'red')}"


def _many(count: int, noun: str, plural: str = "") -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {plural or noun + 's'}"
