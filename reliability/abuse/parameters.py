# SPDX-License-Identifier: Apache-2.0
"""Requests to the node's parameter services: any name, any type, any value."""

from __future__ import annotations

import math
from random import Random
from typing import Any

from rcl_interfaces.msg import Parameter, ParameterValue
from rcl_interfaces.srv import (
    DescribeParameters,
    GetParameters,
    GetParameterTypes,
    ListParameters,
    SetParameters,
    SetParametersAtomically,
)
from rclpy.parameter import Parameter as RclpyParameter

from ik_solver_ros.ros.node_settings import declared_fields

from . import values
from .descriptions import description

SERVICES: dict[str, type] = {
    "set_parameters": SetParameters,
    "set_parameters_atomically": SetParametersAtomically,
    "get_parameters": GetParameters,
    "get_parameter_types": GetParameterTypes,
    "describe_parameters": DescribeParameters,
    "list_parameters": ListParameters,
}
FIELDS = dict(declared_fields())
_STRANGE = (
    "use_sim_time", "start_type_description_service", "tip_frame.x", "", "\0", "x" * 10_000,
    "qos_overrides./joint_states.subscription.depth", "é", "robot_description ", "Timeout",
)  # fmt: skip
_NAMES = (*FIELDS, *_STRANGE)


def request(rng: Random, known: tuple[str, ...], real: tuple[str, ...]) -> tuple[str, Any]:
    """Name of the service, and what it is asked."""
    service = rng.choices(tuple(SERVICES), (8, 4, 1, 1, 1, 1))[0]
    message = SERVICES[service].Request()
    if service.startswith("set"):
        count = rng.choice((1, 1, 1, 2, 3))
        message.parameters = [_parameter(rng, known, real) for _ in range(count)]
    elif service == "list_parameters":
        message.prefixes = [rng.choice(_NAMES) for _ in range(rng.randint(0, 2))]
        message.depth = values.whole(rng, 0, 2**64 - 1)
    else:
        message.names = [rng.choice(_NAMES) for _ in range(rng.choice((0, 1, 3, 50)))]
    return service, message


def _parameter(rng: Random, known: tuple[str, ...], real: tuple[str, ...]) -> Parameter:
    name = rng.choice(_NAMES)
    if name in FIELDS and rng.random() < 0.5:
        value = RclpyParameter(name, value=_fitting(rng, name, known, real)).get_parameter_value()
        return Parameter(name=name, value=value)
    return Parameter(name=name, value=_any_value(rng, known))


def _fitting(rng: Random, name: str, known: tuple[str, ...], real: tuple[str, ...]) -> Any:
    """A value of the right type, at times even a sensible one."""
    meta, default = FIELDS[name].metadata, FIELDS[name].default
    if name == "robot_description":
        return description(rng, real)[0].replace("\0", " ")
    if "flag" in meta:
        return rng.random() < 0.5
    if "texts" in meta:
        return [values.text(rng, known) for _ in range(rng.randint(1, 7))]
    if "count" in meta:
        count = rng.choice((meta["count"], meta["count"], 1, 1000))
        return [rng.choice((0.0, 0.1, values.number(rng))) for _ in range(count)]
    if "lower" in meta:
        ends = meta["lower"], meta["upper"]
        inside = default, *ends, default * rng.uniform(0.5, 2.0)
        wanted = rng.choice((*inside, ends[1] * 2, ends[0] - 1, -default, math.nan, math.inf))
        return int(wanted) if isinstance(default, int) and math.isfinite(wanted) else float(wanted)
    return rng.choice((default, *meta.get("choices", ()), values.text(rng, known)))


def _any_value(rng: Random, known: tuple[str, ...]) -> ParameterValue:
    """A value of any type, and at times one whose type is none, or not that of its content."""
    value = ParameterValue()
    values.corrupt(rng, value, known, rng.randint(1, 3))
    if rng.random() < 0.9:
        value.type = rng.randrange(10)
    return value
