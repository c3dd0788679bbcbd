# SPDX-License-Identifier: Apache-2.0
"""The ``<origin>`` of a joint: where it stands in its parent link."""

from __future__ import annotations

import math
from collections.abc import Sequence

from ..errors import InvalidRequestError
from ..pinocchio_import import pin
from ..transforms import se3_from_xyz_quat
from .elements import Element
from .faults import About
from .tree import FAR_M, Vector
from .values import read_numbers_of

_LARGEST = 1e6  # m or rad: beyond it float64 no longer resolves a nanometre at the tip
_ONE_TURN_RAD = 2.0 * math.pi + 1e-3
_QUATERNION_VERSIONS = ("1.1", "1.2")
_ZERO: Vector = (0.0, 0.0, 0.0)


def read_origin(element: Element | None, urdf_version: str, about: About) -> tuple[Vector, Vector]:
    """Position in m, and roll, pitch, yaw in rad; zeros without one, or where it has an error."""
    if element is None:
        return _ZERO, _ZERO
    xyz = _read_vector(element, "xyz", about)
    rpy = _read_vector(element, "rpy", about)
    _check_units(xyz, rpy, about, element.line)
    if "quat_xyzw" in element.attributes:
        rpy = _read_quaternion(element, urdf_version, about)
    return xyz, rpy


def _read_vector(element: Element, attribute: str, about: About) -> Vector:
    numbers = read_numbers_of(element, attribute, 3, about)
    if numbers is None:
        return _ZERO
    if not max(map(abs, numbers)) <= _LARGEST:
        about.error(
            "too-large",
            f"has {attribute}='{_shown(numbers)}' in its <origin>, beyond ±{_LARGEST:g}; write "
            f"metres and radians",
            element.line,
        )
        return _ZERO
    x, y, z = numbers
    return x, y, z


def _check_units(xyz: Vector, rpy: Vector, about: About, line: int) -> None:
    if max(map(abs, xyz)) > FAR_M:
        about.warning(
            "millimetres",
            f"has xyz='{_shown(xyz)}' in its <origin>, which is far for metres; if millimetres "
            f"were meant, write '{_shown([number / 1000.0 for number in xyz])}'",
            line,
        )
    if max(map(abs, rpy)) > _ONE_TURN_RAD:
        about.warning(
            "degrees",
            f"has rpy='{_shown(rpy)}' in its <origin>, more than a turn in radians; if degrees "
            f"were meant, write '{_shown([math.radians(number) for number in rpy])}'",
            line,
        )


def _read_quaternion(element: Element, urdf_version: str, about: About) -> Vector:
    """Roll, pitch, yaw of ``quat_xyzw``, which URDF 1.1 has instead of ``rpy``."""
    if "rpy" in element.attributes:
        about.error(
            "quaternion", "has both rpy and quat_xyzw in its <origin>; keep one", element.line
        )
        return _ZERO
    if urdf_version not in _QUATERNION_VERSIONS:
        about.error(
            "quaternion",
            'has quat_xyzw in its <origin>, which needs <robot version="1.1">; add that version '
            "or write rpy",
            element.line,
        )
        return _ZERO
    numbers = read_numbers_of(element, "quat_xyzw", 4, about)
    if numbers is None:
        return _ZERO
    try:
        rotation = se3_from_xyz_quat(_ZERO, numbers).rotation
    except InvalidRequestError:
        about.error(
            "quaternion",
            "has a quat_xyzw of length 0 in its <origin>; write one of length 1",
            element.line,
        )
        return _ZERO
    roll, pitch, yaw = pin.rpy.matrixToRpy(rotation).tolist()
    return roll, pitch, yaw


def _shown(numbers: Sequence[float]) -> str:
    return " ".join(f"{number:g}" for number in numbers)
