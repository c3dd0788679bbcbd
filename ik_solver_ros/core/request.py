# SPDX-License-Identifier: Apache-2.0
"""A request: one pose, and everything that may be asked about it. It exists only if it is valid."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from .errors import InvalidRequestError, shown
from .pinocchio_import import pin
from .rows import plain_floats
from .tolerance import DEFAULT_AXES, FREE_AXES, Axes, tolerance_axes
from .transforms import checked_se3, tcp_pose

Seed = Mapping[str, float] | tuple[float, ...] | None

_MOST_SOLUTIONS = 1000
LARGEST_POSITION = 1e6  # rad or m; far beyond any joint, and the kernel's own bound
LARGEST_BOUND = 1e9  # on a jump in rad or m, or a time in seconds


@dataclass(frozen=True, init=False)
class IKRequest:
    """Where the tool shall be, how exactly, and what an answer may look like.

    Make one with :meth:`from_xyz_quat` or :meth:`from_matrix`. The class itself takes poses in all
    their forms: (xyz, quat_xyzw), a 4x4 matrix or ``pin.SE3``.

    Attributes:
        T_base_target: wanted pose of the tool centre point in the solver's base frame.
        tip_frame: link that carries the tool; empty = the solver's default.
        T_tip_tcp: tool centre point in the tip frame; None = the solver's default.
        position_tolerance: metres per axis of the target frame; 0 = default, inf = free.
        orientation_tolerance: radians per axis of the target frame; 0 = default, inf = rotation
            about that axis is free.
        seed: start configuration, by joint name (partial: the rest is mid-range), as numbers in
            ``joint_names`` order, or None (all mid-range).
        max_joint_jump: largest allowed change of one joint from the seed, rad or m; 0 = default.
        max_solutions: 0 or 1 = the one nearest to the seed; n = up to n distinct ones.
        allow_relaxed: accept the relaxed tolerances when the strict ones cannot be met.
        timeout_s: time limit in seconds; 0 = default.
    """

    T_base_target: pin.SE3
    tip_frame: str = ""
    T_tip_tcp: pin.SE3 | None = None
    position_tolerance: Axes = DEFAULT_AXES
    orientation_tolerance: Axes = DEFAULT_AXES
    seed: Seed = None
    max_joint_jump: float = 0.0
    max_solutions: int = 1
    allow_relaxed: bool = False
    timeout_s: float = 0.0

    def __init__(
        self,
        T_base_target: Any,
        tip_frame: str = "",
        T_tip_tcp: Any = None,
        position_tolerance: ArrayLike = DEFAULT_AXES,
        orientation_tolerance: ArrayLike = DEFAULT_AXES,
        seed: Any = None,
        max_joint_jump: float = 0.0,
        max_solutions: int = 1,
        allow_relaxed: bool = False,
        timeout_s: float = 0.0,
    ) -> None:
        position_axes = tolerance_axes(position_tolerance, "position_tolerance")
        orientation_axes = tolerance_axes(orientation_tolerance, "orientation_tolerance")
        orientation_free = orientation_axes == FREE_AXES
        target = checked_se3(T_base_target, "target", orientation_free)
        _check_type("tip_frame", tip_frame, str, "a link's name")
        _check_type("allow_relaxed", allow_relaxed, (bool, np.bool_), "True or False")
        if orientation_free and position_axes == FREE_AXES:
            reason = "every axis of position and orientation is free: there is nothing to reach"
            raise InvalidRequestError("position_tolerance", reason)
        _check_bound("max_joint_jump", max_joint_jump)
        _check_bound("timeout_s", timeout_s)
        check_count("max_solutions", max_solutions, 0, _MOST_SOLUTIONS)
        fields = self.__dict__  # setting an attribute is refused
        fields["T_base_target"] = target
        fields["tip_frame"] = tip_frame
        fields["T_tip_tcp"] = tcp_pose(T_tip_tcp)
        fields["position_tolerance"] = position_axes
        fields["orientation_tolerance"] = orientation_axes
        fields["seed"] = _checked_seed(seed)
        fields["max_joint_jump"] = max_joint_jump
        fields["max_solutions"] = max_solutions
        fields["allow_relaxed"] = allow_relaxed
        fields["timeout_s"] = timeout_s

    @classmethod
    def from_xyz_quat(
        cls,
        xyz_m: ArrayLike,
        quat_xyzw: ArrayLike,
        *,
        tcp_offset: Any = None,
        **options: Any,
    ) -> IKRequest:
        """Ask for a position and an x, y, z, w quaternion in the base frame.

        Args:
            xyz_m: position, 3 numbers in metres.
            quat_xyzw: quaternion x, y, z, w of any norm from 1e-6 on; may be zero where all three
                orientation axes are free.
            tcp_offset: tool centre point in the tip frame: (xyz, quat_xyzw), a 4x4 matrix or SE3.
            options: the other attributes of :class:`IKRequest` by name.

        Raises:
            InvalidRequestError: naming the field and its value.
        """
        return cls((xyz_m, quat_xyzw), T_tip_tcp=tcp_offset, **options)

    @classmethod
    def from_matrix(
        cls, T_base_target: ArrayLike, *, tcp_offset: Any = None, **options: Any
    ) -> IKRequest:
        """Ask for a (4, 4) homogeneous matrix in the base frame; see :meth:`from_xyz_quat`."""
        return cls(T_base_target, T_tip_tcp=tcp_offset, **options)


def _checked_seed(seed: Any) -> Seed:
    if seed is None:
        return None
    row = plain_floats(seed)
    if row is not None and _are_positions(row):
        return tuple(row)
    if type(seed) is dict:
        seed = seed.copy()  # first: what is judged cannot be changed any more
        if _are_positions(seed.values()) and _are_names(seed):
            return seed
    if isinstance(seed, Mapping):
        return {str(name): _seed_value(str(name), value) for name, value in seed.items()}
    is_row = isinstance(seed, Sequence) and not isinstance(seed, (str, bytes))
    if is_row or (isinstance(seed, np.ndarray) and seed.ndim == 1):
        return tuple(_seed_value(f"[{i}]", value) for i, value in enumerate(seed))
    raise InvalidRequestError(
        "seed", f"a mapping by joint name or a row of numbers expected, not {shown(seed)}"
    )


def _are_positions(values: Iterable[Any]) -> bool:
    """Whether all are plain floats where a joint can be; others are looked at one by one."""
    for value in values:  # noqa: SIM110 - a generator takes longer
        if not (type(value) is float and abs(value) <= LARGEST_POSITION):
            return False
    return True


def _are_names(values: Iterable[Any]) -> bool:
    return all(type(value) is str for value in values)


def _seed_value(joint: str, value: Any) -> float:
    if not _is_number(value):
        raise InvalidRequestError("seed", f"{joint} = {shown(value)} is not a number")
    if not abs(value) <= LARGEST_POSITION:
        raise InvalidRequestError("seed", f"{joint} = {shown(value)} is not a joint position")
    return float(value)


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float, np.floating, np.integer)) and not isinstance(value, bool)


def _check_type(field: str, value: Any, kind: Any, meaning: str) -> None:
    if not isinstance(value, kind):
        raise InvalidRequestError(field, f"{meaning} expected, not {shown(value)}")


def _check_bound(field: str, value: Any) -> None:
    if type(value) is float and 0.0 <= value <= LARGEST_BOUND:
        return
    if not _is_number(value):
        raise InvalidRequestError(field, f"{shown(value)} is not a number")
    if not 0.0 <= value <= LARGEST_BOUND:
        raise InvalidRequestError(
            field, f"{shown(value)} is not between 0 and {LARGEST_BOUND:g} (0 = default)"
        )


def check_count(field: str, value: Any, least: int, most: int) -> None:
    """Refuse what is no whole number from ``least`` to ``most``.

    Raises:
        InvalidRequestError: naming ``field``.
    """
    if type(value) is int and least <= value <= most:
        return
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)):
        raise InvalidRequestError(field, f"{shown(value)} is not a whole number")
    if not least <= value <= most:
        raise InvalidRequestError(field, f"{shown(value)} is not between {least} and {most}")
