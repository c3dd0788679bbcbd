# SPDX-License-Identifier: Apache-2.0
"""One ``<joint>`` element, read for people: every fault in it, with its reason and its line.

Reading goes on behind a fault, with a neutral value in its place, so that all faults are found at
once; the caller drops the joint if there was an error.
"""

from __future__ import annotations

import math

from ..errors import quoted
from .elements import Element
from .faults import About, FaultLog, Kind
from .limit import read_limit
from .origin import read_origin
from .tree import MOVING_TYPES, UrdfJoint, Vector
from .values import read_name, read_number_of, read_numbers_of, unresolved

_TYPES = (*MOVING_TYPES, "fixed", "floating", "planar")
_ATTRIBUTES = {
    "parent": {"link"},
    "child": {"link"},
    "origin": {"xyz", "rpy"},
    "axis": {"xyz"},
    "limit": {"lower", "upper", "velocity", "effort"},
    "mimic": {"joint", "multiplier", "offset"},
}
_SHORTEST_AXIS = 1e-6
_ROUNDING = 1e-3  # how far from 1 the length of an axis with rounded decimals may be
_X_AXIS: Vector = (1.0, 0.0, 0.0)


def read_joint(element: Element, urdf_version: str, faults: FaultLog) -> UrdfJoint:
    """Read a joint and log what is wrong with it.

    Args:
        element: the ``<joint>``.
        urdf_version: version of the format, from ``<robot>``; quaternions came with 1.1.
        faults: takes the faults.

    Returns:
        The joint, with ``mimic_joint`` as written, "" for an end that is missing, and a neutral
        value wherever there was an error.
    """
    name = read_name(element, faults)
    about = About(faults, "joint", name, element.line)
    joint_type = _read_type(element, about)
    _check_parts(element, about)
    if joint_type in ("floating", "planar"):
        about.note(
            "held-joint",
            f"is {joint_type}: it is held at its neutral pose, and no arm can lead over it",
        )
    parent, child = _read_end(element, "parent", about), _read_end(element, "child", about)
    xyz, rpy = read_origin(element.first("origin"), urdf_version, about)
    axis = _read_axis(element.first("axis"), about) if joint_type in MOVING_TYPES else _X_AXIS
    limit = read_limit(element.first("limit"), joint_type, about)
    mimic, multiplier, offset = _read_mimic(element.first("mimic"), joint_type, about)
    return UrdfJoint(
        name=name,
        type=joint_type,
        parent=parent,
        child=child,
        xyz=xyz,
        rpy=rpy,
        axis=axis,
        lower=limit.lower,
        upper=limit.upper,
        velocity=limit.velocity,
        effort=limit.effort,
        mimic_joint=mimic,
        mimic_multiplier=multiplier,
        mimic_offset=offset,
        line=element.line,
    )


def _read_type(element: Element, about: About) -> str:
    joint_type = element.attributes.get("type", "")
    if joint_type in _TYPES:
        return joint_type
    if not joint_type.strip():
        about.error("missing-type", f'has no type; add type="…", one of {", ".join(_TYPES)}')
    elif not unresolved(joint_type, "type", about):
        plain = joint_type.strip().lower()
        hint = f"write {plain}" if plain in _TYPES else f"write one of {', '.join(_TYPES)}"
        about.error("unknown-type", f"has the unknown type {quoted(joint_type)}; {hint}")
    return "fixed"


def _check_parts(element: Element, about: About) -> None:
    """Tell of what ROS tools silently pass over: repeated parts and misspelt attributes."""
    for tag, known in _ATTRIBUTES.items():
        parts = list(element.all(tag))
        for repeated in parts[1:]:
            about.warning(
                "duplicate-element",
                f"has more than one <{tag}>, of which only the first counts; delete the others",
                repeated.line,
            )
        for part in parts[:1]:
            unknown = sorted(part.attributes.keys() - known - {"quat_xyzw"})
            if unknown and not known <= part.attributes.keys():
                about.warning(
                    "unknown-attribute",
                    f"has {', '.join(map(quoted, unknown))} in its <{tag}>, which nothing reads; "
                    f"write {', '.join(sorted(known))}",
                    part.line,
                )


def _read_end(element: Element, tag: str, about: About) -> str:
    end = element.first(tag)
    link = "" if end is None else end.attributes.get("link", "")
    line = None if end is None else end.line
    if not link.strip():
        fault: Kind = "missing-parent" if tag == "parent" else "missing-child"
        about.error(fault, f'has no {tag} link; add <{tag} link="…"/>', line)
        return ""
    return "" if unresolved(link, f"{tag} link", about, line) else link


def _read_axis(element: Element | None, about: About) -> Vector:
    """The unit vector of a moving joint's axis; x, as in URDF, where there is none."""
    if element is None:
        about.note("default-axis", 'has no <axis>, which means <axis xyz="1 0 0"/>')
        return _X_AXIS
    if "xyz" not in element.attributes:
        about.error("missing-axis", 'has an <axis> without xyz; add xyz="…"', element.line)
        return _X_AXIS
    numbers = read_numbers_of(element, "xyz", 3, about)
    if numbers is None:
        return _X_AXIS
    largest = max(map(abs, numbers))
    if not largest > _SHORTEST_AXIS:
        text = quoted(element.attributes["xyz"])
        about.error(
            "zero-axis",
            f'has the axis {text}, which has no direction; write one such as "0 0 1"',
            element.line,
        )
        return _X_AXIS
    x, y, z = (number / largest for number in numbers)  # squares of 1e200 would overflow
    norm = math.hypot(x, y, z)
    if not abs(norm * largest - 1.0) <= _ROUNDING:
        about.note(
            "axis-length",
            f"has an axis of length {norm * largest:.4g}; only its direction counts",
            element.line,
        )
    return x / norm, y / norm, z / norm


def _read_mimic(
    element: Element | None, joint_type: str, about: About
) -> tuple[str | None, float, float]:
    """Joint that is followed, multiplier and offset; the joint is None where none is followed."""
    if element is None:
        return None, 1.0, 0.0
    if joint_type not in MOVING_TYPES:
        about.note("mimic-ignored", f"is {joint_type}, so its <mimic> does not count", element.line)
        return None, 1.0, 0.0
    master = element.attributes.get("joint", "")
    if not master.strip():
        about.error("missing-mimic", 'has a <mimic> without joint; add joint="…"', element.line)
        return None, 1.0, 0.0
    if unresolved(master, "mimic joint", about, element.line):
        return None, 1.0, 0.0
    multiplier = read_number_of(element, "multiplier", 1.0, about)
    offset = read_number_of(element, "offset", 0.0, about)
    if multiplier is None or offset is None:
        return None, 1.0, 0.0
    if multiplier == 0.0:
        about.warning(
            "mimic-still",
            f"follows {quoted(master)} times 0, so it never moves; correct its multiplier if it "
            f"does",
            element.line,
        )
    return master, multiplier, offset
