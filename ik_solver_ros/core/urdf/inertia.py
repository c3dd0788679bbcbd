# SPDX-License-Identifier: Apache-2.0
"""Kinematics needs no inertias; a broken one is worth a note, since simulators stumble over it."""

from __future__ import annotations

from ..errors import quoted
from .elements import Element
from .faults import About
from .values import BadNumberError, read_number

_MOMENTS = ("ixx", "iyy", "izz")
_PRODUCTS = ("ixy", "ixz", "iyz")
_ROUNDING = 1e-3  # relative: exporters round to a few digits


def check_inertia(link: Element, about: About) -> None:
    """Note an ``<inertial>`` that is unreadable, or that no body can have."""
    inertial = link.first("inertial")
    if inertial is None:
        return
    try:
        mass_kg = _number(inertial, "mass", "value")
        moments = [_number(inertial, "inertia", name) for name in _MOMENTS]
        for name in _PRODUCTS:
            _number(inertial, "inertia", name)
    except BadNumberError as error:
        reason = error.reason
    else:
        if mass_kg >= 0.0 and _are_moments_of_a_body(moments):
            return
        reason = f"has a mass of {mass_kg:g} and moments {moments}, which no body has"
    about.note("inertia", f"has an <inertial> that {reason} (not needed here)", inertial.line)


def _are_moments_of_a_body(moments: list[float]) -> bool:
    # Each axis is at least as far from the mass as it must be for the two others.
    return min(moments) >= 0.0 and max(moments) * (2.0 - _ROUNDING) <= sum(moments)


def _number(inertial: Element, tag: str, attribute: str) -> float:
    part = inertial.first(tag)
    if part is None:
        raise BadNumberError("inertia", f"has no <{tag}>")
    text = part.attributes.get(attribute)
    if text is None:
        raise BadNumberError("inertia", f"has no {attribute} in its <{tag}>")
    try:
        return read_number(text)
    except BadNumberError as error:
        found = f"has {attribute}={quoted(text)} in its <{tag}>, {error}"
        raise BadNumberError("inertia", found) from None
