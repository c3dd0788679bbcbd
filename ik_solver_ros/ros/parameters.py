# SPDX-License-Identifier: Apache-2.0
"""The node's parameters: declared from the settings' metadata, handed on as an immutable snapshot.

A value is checked before it is accepted (on-set) and takes effect after all of them were
(post-set), so that a request never sees half of a change.
"""

from __future__ import annotations

import json
from array import array
from collections.abc import Callable, Sequence
from dataclasses import Field
from typing import Any

from rcl_interfaces.msg import (
    FloatingPointRange,
    IntegerRange,
    ParameterDescriptor,
    SetParametersResult,
)
from rclpy.node import Node
from rclpy.parameter import Parameter

from ..core.errors import IKSolverError
from .node_settings import NodeSettings, declared_fields, settings_from


def descriptor(item: Field[Any]) -> ParameterDescriptor:
    """What a parameter may be, told to tools such as ``ros2 param describe``."""
    meta = item.metadata
    unit = f" [{meta['unit']}]" if meta["unit"] else ""
    told = ParameterDescriptor(description=meta["description"] + unit, read_only=meta["read_only"])
    if "count" in meta:
        told.additional_constraints = (
            f"{meta['count']} numbers from {meta['lower']:g} to {meta['upper']:g}"
        )
    elif isinstance(item.default, float):
        lower, upper = float(meta["lower"]), float(meta["upper"])
        told.floating_point_range = [FloatingPointRange(from_value=lower, to_value=upper)]
    elif "lower" in meta:
        lower, upper = meta["lower"], meta["upper"]
        told.integer_range = [IntegerRange(from_value=lower, to_value=upper, step=1)]
    elif meta.get("choices"):
        told.additional_constraints = f"one of: {', '.join(meta['choices'])}"
    return told


class NodeParameters:
    """Declares the parameters and keeps the settings that they add up to.

    Args:
        node: carries the parameters.

    Attributes:
        settings: the snapshot now in effect.

    Raises:
        SettingsError: for a start-up value that cannot be used.
    """

    def __init__(self, node: Node) -> None:
        self._fields = dict(declared_fields())
        self._values = {name: _declare(node, name, item) for name, item in self._fields.items()}
        self.settings = settings_from(self._values)
        for name, item in self._fields.items():
            _fix_type(node, name, item, self._values[name])

    def follow(
        self,
        node: Node,
        check: Callable[[NodeSettings], None],
        apply: Callable[[NodeSettings], None],
    ) -> None:
        """From now on, let changes through that pass ``check`` (it raises), then ``apply`` them."""
        self._check, self._apply = check, apply
        node.add_pre_set_parameters_callback(self._with_declared_types)
        node.add_on_set_parameters_callback(self._validate)
        node.add_post_set_parameters_callback(self._take_over)

    def _with_declared_types(self, changes: Sequence[Parameter]) -> list[Parameter]:
        return [self._with_declared_type(change) for change in changes]

    def _with_declared_type(self, change: Parameter) -> Parameter:
        if change.name not in self._fields or change.type_ == Parameter.Type.NOT_SET:
            return change
        value = self._as_declared(change)
        if value is change.value:  # what is of a wrong type still is; rclpy says so
            return change
        return _parameter(change.name, self._fields[change.name], value)

    def _validate(self, changes: Sequence[Parameter]) -> SetParametersResult:
        try:
            changed = self._changed(changes)
            if changed:
                self._check(settings_from(self._values | changed))
        except IKSolverError as error:
            return SetParametersResult(successful=False, reason=str(error))
        return SetParametersResult(successful=True)

    def _take_over(self, changes: Sequence[Parameter]) -> None:
        if changed := self._changed(changes):
            self._values |= changed
            self.settings = settings_from(self._values)
            self._apply(self.settings)

    def _changed(self, changes: Sequence[Parameter]) -> dict[str, Any]:
        """New values of the parameters declared here; use_sim_time and others are not ours."""
        return {
            change.name: self._as_declared(change)
            for change in changes
            if change.name in self._fields
        }

    def _as_declared(self, change: Parameter) -> Any:
        return _as_declared(self._fields[change.name], change.value)


def _declare(node: Node, name: str, item: Field[Any]) -> Any:
    # Of any type at first, so that `timeout: 1` in a YAML file is a number, and `timeout: fast` is
    # refused by a sentence of ours.
    loose = ParameterDescriptor(dynamic_typing=True)
    return _as_declared(
        item, node.declare_parameter(name, _parameter(name, item, item.default).value, loose).value
    )


def _fix_type(node: Node, name: str, item: Field[Any], value: Any) -> None:
    strict = descriptor(item)
    parameter = _parameter(name, item, value)
    strict.type = parameter.type_.value
    node.set_descriptor(name, strict, parameter.get_parameter_value())


def _as_declared(item: Field[Any], value: Any) -> Any:
    """Whole numbers where numbers are wanted, since YAML writes 1.0 as 1; rows as tuples.

    An empty row in YAML arrives as no value at all.
    """
    if "texts" in item.metadata and value is None:
        return ()
    if isinstance(item.default, float) and type(value) is int:
        return float(value)
    if isinstance(item.default, tuple) and isinstance(value, str):
        value = _row_written_as_text(value)
    if isinstance(item.default, tuple) and isinstance(value, (list, tuple, array)):
        return tuple(float(v) if type(v) is int else v for v in value)
    return value


def _row_written_as_text(text: str) -> Any:
    """The row in a text such as "[0, 0, 0.1]", as which ``ros2 param set`` sends mixed numbers."""
    try:
        row = json.loads(text)
    except (ValueError, RecursionError):
        return text
    is_row = isinstance(row, list) and all(type(number) in (int, float) for number in row)
    return row if is_row else text


def _parameter(name: str, item: Field[Any], value: Any) -> Parameter:
    """A value as a parameter; an empty row does not tell its type by itself."""
    if isinstance(value, tuple):
        type_ = Parameter.Type.STRING_ARRAY if "texts" in item.metadata and not value else None
        return Parameter(name, type_, list(value))
    return Parameter(name, value=value)
