# SPDX-License-Identifier: Apache-2.0
"""The solver's settings: each number once, with unit, bounds and description as field metadata.

ROS parameters, ``config/ik_solver.yaml`` and the README table are derived from this metadata or
tested against it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import Field, dataclass, field, fields
from numbers import Integral, Real
from typing import Any

from .errors import SettingsError, shown


def number(
    default: float | int,
    unit: str,
    lower: float,
    upper: float,
    description: str,
    parameter: str | None = None,
    read_only: bool = False,
) -> Any:
    """A dataclass field for a bounded number; an int default makes it an integer."""
    return field(
        default=default,
        metadata={
            "unit": unit,
            "lower": lower,
            "upper": upper,
            "description": description,
            "parameter": parameter,
            "read_only": read_only,
        },
    )


def numbers(
    default: tuple[float, ...],
    unit: str,
    lower: float,
    upper: float,
    description: str,
    read_only: bool = False,
) -> Any:
    """A dataclass field for a row of bounded numbers, as many as ``default`` has."""
    return field(
        default=default,
        metadata={
            "unit": unit,
            "lower": lower,
            "upper": upper,
            "count": len(default),
            "description": description,
            "parameter": None,
            "read_only": read_only,
        },
    )


def text(
    default: str, description: str, choices: tuple[str, ...] = (), read_only: bool = False
) -> Any:
    """A dataclass field for a string, out of ``choices`` if there are any."""
    return field(
        default=default,
        metadata={
            "unit": "",
            "choices": choices,
            "description": description,
            "parameter": None,
            "read_only": read_only,
        },
    )


def texts(default: tuple[str, ...], description: str, read_only: bool = False) -> Any:
    """A dataclass field for a row of strings of any length."""
    return field(
        default=default,
        metadata={
            "unit": "",
            "texts": True,
            "description": description,
            "parameter": None,
            "read_only": read_only,
        },
    )


def flag(default: bool, description: str, read_only: bool = False) -> Any:
    """A dataclass field for True or False."""
    return field(
        default=default,
        metadata={
            "unit": "",
            "flag": True,
            "description": description,
            "parameter": None,
            "read_only": read_only,
        },
    )


def parameter_name(item: Field[Any]) -> str:
    """Name of the ROS parameter that carries this field."""
    return item.metadata.get("parameter") or item.name


def check_fields(settings: Any) -> None:
    """Check every field of a settings dataclass against its metadata.

    Raises:
        SettingsError: naming the field, its value and what is allowed.
    """
    for item in fields(settings):
        check_field(item, getattr(settings, item.name))


def check_field(item: Field[Any], value: Any) -> None:
    """Check one value against the metadata of its field; raises SettingsError."""
    if "count" in item.metadata:
        _check_numbers(item, value)
    elif "lower" in item.metadata:
        _check_number(item, value)
    elif "choices" in item.metadata:
        _check_text(item, value)
    elif "texts" in item.metadata:
        _check_texts(item, value)
    elif "flag" in item.metadata and not isinstance(value, bool):
        raise SettingsError(parameter_name(item), f"{shown(value)} is not true or false")


def _check_number(item: Field[Any], value: Any) -> None:
    name, meta = parameter_name(item), item.metadata
    wants_int = isinstance(item.default, int)
    if isinstance(value, bool) or not isinstance(value, Integral if wants_int else Real):
        kind = "a whole number" if wants_int else "a number"
        raise SettingsError(name, f"{shown(value)} is not {kind}")
    if not (meta["lower"] <= value <= meta["upper"]) or not math.isfinite(value):
        unit = f" {meta['unit']}" if meta["unit"] else ""
        bounds = f"{meta['lower']:g} and {meta['upper']:g}{unit}"
        raise SettingsError(name, f"{shown(value)}{unit} is not between {bounds}")


def _check_numbers(item: Field[Any], values: Any) -> None:
    name, count = parameter_name(item), item.metadata["count"]
    if not isinstance(values, tuple) or len(values) != count:
        raise SettingsError(name, f"{shown(values)} is not a row of {count} numbers")
    for value in values:
        _check_number(item, value)


def _check_text(item: Field[Any], value: Any) -> None:
    name, choices = parameter_name(item), item.metadata["choices"]
    if not isinstance(value, str):
        raise SettingsError(name, f"{shown(value)} is not a text")
    if choices and value not in choices:
        raise SettingsError(name, f"{shown(value)} is not one of {', '.join(choices)}")


def _check_texts(item: Field[Any], values: Any) -> None:
    if not isinstance(values, tuple) or not all(isinstance(v, str) and v for v in values):
        raise SettingsError(parameter_name(item), f"{shown(values)} is not a row of names")


@dataclass(frozen=True, kw_only=True)
class SolverSettings:
    """What the solver does when the request does not say otherwise.

    Raises:
        SettingsError: for a value of the wrong type or out of its bounds.
    """

    position_tolerance: float = number(1e-4, "m", 1e-9, 1.0, "largest position error of an answer")
    orientation_tolerance: float = number(
        1e-3, "rad", 1e-9, math.pi, "largest orientation error of an answer"
    )
    relaxed_position_tolerance: float = number(
        1e-3, "m", 1e-9, 1.0, "position tolerance when the request allows a relaxed answer"
    )
    relaxed_orientation_tolerance: float = number(
        1e-2, "rad", 1e-9, math.pi, "orientation tolerance when the request allows a relaxed answer"
    )
    timeout_s: float = number(
        0.05, "s", 1e-4, 60.0, "time limit of one request, diagnosis included", parameter="timeout"
    )
    max_attempts: int = number(
        100, "", 1, 100_000, "how many starts one request may take, the seed's own included"
    )
    candidates: int = number(
        2,
        "",
        1,
        64,
        "distinct solutions to gather, to choose the nearest, when the seed's own start fails",
    )
    solver: str = text(
        "auto", "which solver to use", choices=("auto", "numeric", "analytic", "reference")
    )
    max_joint_jump: float = number(
        0.0, "rad or m", 0.0, 1e6, "largest change of one joint from the seed; 0 is no bound"
    )

    def __post_init__(self) -> None:
        check_fields(self)


def settings_fields(settings_type: type) -> Iterator[tuple[str, Field[Any]]]:
    """Pairs of ROS parameter name and dataclass field, in order of declaration."""
    for item in fields(settings_type):
        yield parameter_name(item), item
