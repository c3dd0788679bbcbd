# SPDX-License-Identifier: Apache-2.0
"""Stand-in for launch.actions."""

from __future__ import annotations

from collections.abc import Callable

from launch import LaunchContext
from launch.substitutions import Substitution


class DeclareLaunchArgument:
    """An argument takes its default where nothing was given, and refuses what is no choice."""

    def __init__(
        self,
        name: str,
        *,
        default_value: str | Substitution | None = None,
        description: str | None = None,
        choices: list[str] | None = None,
    ) -> None:
        if choices and isinstance(default_value, str) and default_value not in choices:
            raise RuntimeError(
                f'Provided default_value "{default_value}" is not in provided choices "{choices}".'
            )
        self.name, self.default_value = name, default_value
        self.description, self.choices = description, choices

    def execute(self, context: LaunchContext) -> list:
        given = context.launch_configurations
        if self.name not in given:
            given[self.name] = self._default(context)
        if self.choices and given[self.name] not in self.choices:
            raise RuntimeError(
                f'Argument "{self.name}" provided value "{given[self.name]}" is not valid. '
                f"Valid options are: {self.choices}"
            )
        return []

    def _default(self, context: LaunchContext) -> str:
        if self.default_value is None:
            raise RuntimeError(f'Required launch argument "{self.name}" was not provided.')
        if isinstance(self.default_value, Substitution):
            return self.default_value.perform(context)
        return self.default_value


class OpaqueFunction:
    """A function of the context; the entities it returns are executed next."""

    def __init__(self, *, function: Callable[[LaunchContext], list | None]) -> None:
        self._function = function

    def execute(self, context: LaunchContext) -> list:
        return self._function(context) or []
