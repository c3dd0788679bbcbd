# SPDX-License-Identifier: Apache-2.0
"""Stand-in for launch_ros.parameter_descriptions."""

from __future__ import annotations

from typing import Any

import yaml
from launch import LaunchContext
from launch.substitutions import Substitution

PARAMETER_TYPES = (bool, int, float, str)


class ParameterValue:
    """A parameter's value. A substitution's text is read as YAML, unless declared as str."""

    def __init__(self, value: Any, *, value_type: type | None = None) -> None:
        if not isinstance(value, Substitution) and value_type and not isinstance(value, value_type):
            raise TypeError(f"value='{value}' is not an instance of {value_type}")
        self._value, self._value_type = value, value_type

    def evaluate(self, context: LaunchContext) -> Any:
        if not isinstance(self._value, Substitution):
            return self._value
        text = self._value.perform(context)
        if self._value_type is str:
            return text
        value = read_as_yaml(text)
        return value if self._value_type is None else self._value_type(value)


def read_as_yaml(text: str) -> Any:
    """What launch makes of a substitution's text."""
    if not text:
        return text
    value = yaml.safe_load(text)
    if not isinstance(value, PARAMETER_TYPES):
        raise TypeError(
            f"Allowed value types are bool, int, float and str. Got {type(value)}. If the "
            "parameter is meant to be a string, try wrapping it in "
            "launch_ros.parameter_descriptions.ParameterValue(value, value_type=str)"
        )
    return value
