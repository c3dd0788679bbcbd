# SPDX-License-Identifier: Apache-2.0
"""The ``<limit>`` of a joint: where it ends, how fast and how strong it is."""

from __future__ import annotations

import math
from typing import NamedTuple

from .elements import Element
from .faults import About
from .tree import FAR_M, MOVING_TYPES, UNBOUNDED
from .values import read_number_of

_MOST_TURNS_RAD = 4.0 * math.pi + 1e-3  # ±2 turns are common; ±180 are degrees


class Limit(NamedTuple):
    """Limits as in ``UrdfJoint``."""

    lower: float | None
    upper: float | None
    velocity: float | None = None
    effort: float | None = None


def read_limit(element: Element | None, joint_type: str, about: About) -> Limit:
    """Limits of a joint of this type; neutral ones where there is an error."""
    if joint_type not in MOVING_TYPES:
        return Limit(None, None)
    if element is None:
        if joint_type != "continuous":
            about.error(
                "missing-limit",
                f'is {joint_type} but has no <limit>; add <limit lower="…" upper="…" velocity="…" '
                f'effort="…"/>' + (", or make it continuous" if joint_type == "revolute" else ""),
            )
        return Limit(-math.inf, math.inf)
    lower, upper = _read_range(element, joint_type, about)
    velocity, effort = _read_drive(element, about)
    return Limit(lower, upper, velocity, effort)


def _read_range(element: Element, joint_type: str, about: About) -> tuple[float, float]:
    lower = read_number_of(element, "lower", 0.0, about)
    upper = read_number_of(element, "upper", 0.0, about)
    if lower is None or upper is None:
        return -math.inf, math.inf
    if joint_type == "continuous":
        _check_continuous(lower, upper, about, element.line)
        return -math.inf, math.inf
    if lower > upper:
        missing = [name for name in ("lower", "upper") if name not in element.attributes]
        cure = f'add {missing[0]}="…", which is 0 without' if missing else "swap them"
        about.error(
            "reversed-limits",
            f"has a lower limit of {lower:g} above its upper limit of {upper:g}; {cure}",
            element.line,
        )
    elif lower >= UNBOUNDED or upper <= -UNBOUNDED:
        about.error(
            "too-large",
            f"has limits that no joint reaches, {shown_range(lower, upper)}; write rad or m",
            element.line,
        )
    else:
        _check_range(element, joint_type, lower, upper, about)
    return lower if lower > -UNBOUNDED else -math.inf, upper if upper < UNBOUNDED else math.inf


def _check_continuous(lower: float, upper: float, about: About, line: int) -> None:
    # Exporters fill in 0 and 0, or a whole turn.
    if (lower, upper) != (0.0, 0.0) and not upper - lower >= 2.0 * math.pi - 1e-3:
        about.warning(
            "continuous-limits",
            f"is continuous, so its limits {shown_range(lower, upper)} do not count; make it "
            f"revolute if they should",
            line,
        )


def _check_range(
    element: Element, joint_type: str, lower: float, upper: float, about: About
) -> None:
    line = element.line
    missing = [name for name in ("lower", "upper") if name not in element.attributes]
    if lower == upper:
        why = f"has the limits {shown_range(lower, upper)}"
        if len(missing) == 2:
            why = "has neither lower nor upper in its <limit>, which means 0"
        about.warning(
            "held-joint", f"{why}, so it is held there; give it a range if it moves", line
        )
    elif missing:
        about.warning(
            "half-limit",
            f'has no {missing[0]} in its <limit>, which means 0; write {missing[0]}="0" if so',
            line,
        )
    _check_size(joint_type, lower, upper, about, line)


def _check_size(joint_type: str, lower: float, upper: float, about: About, line: int) -> None:
    largest = max(abs(lower), abs(upper))
    if largest >= UNBOUNDED:
        about.note(
            "unbounded", f"has limits so wide that they are none, {shown_range(lower, upper)}", line
        )
    elif joint_type == "revolute" and largest > _MOST_TURNS_RAD:
        about.warning(
            "degrees",
            f"has the limits {shown_range(lower, upper)}, many turns in radians; if degrees were "
            f"meant, write {shown_range(math.radians(lower), math.radians(upper))}",
            line,
        )
    elif joint_type == "prismatic" and largest > FAR_M:
        about.warning(
            "millimetres",
            f"has the limits {shown_range(lower, upper)}, which are far for metres; if millimetres "
            f"were meant, write {shown_range(lower / 1000.0, upper / 1000.0)}",
            line,
        )


def _read_drive(element: Element, about: About) -> tuple[float | None, float | None]:
    """Speed limit and effort limit; None where there is none that makes sense."""
    missing = [name for name in ("velocity", "effort") if name not in element.attributes]
    if missing:
        about.warning(
            "incomplete-limit",
            f"has no {' and no '.join(missing)} in its <limit>, which ROS tools refuse; add "
            + " ".join(f'{name}="…"' for name in missing),
            element.line,
        )
    velocity = read_number_of(element, "velocity", math.inf, about)
    effort = read_number_of(element, "effort", math.inf, about)
    if velocity is not None and velocity <= 0.0:
        about.warning(
            "velocity",
            f"has velocity='{velocity:g}' in its <limit>, as if it never moved; it is taken as "
            f"unknown, so write its speed",
            element.line,
        )
        velocity = None
    if effort is not None and effort < 0.0:
        about.warning(
            "effort",
            f"has effort='{effort:g}' in its <limit>; it is taken as unknown, so write 0 or more",
            element.line,
        )
        effort = None
    return _known(velocity), _known(effort)


def _known(number: float | None) -> float | None:
    return number if number is not None and number < math.inf else None


def shown_range(lower: float, upper: float) -> str:
    """Two limits for a sentence."""
    return f"[{lower:.6g}, {upper:.6g}]"
