# SPDX-License-Identifier: Apache-2.0
"""Stand-in for launch.substitutions: texts that are known only at launch time."""

from __future__ import annotations

import os

from launch import LaunchContext


class Substitution:
    """Something that becomes a text in a context."""

    def perform(self, context: LaunchContext) -> str:
        raise NotImplementedError


class LaunchConfiguration(Substitution):
    """The value of a launch argument."""

    def __init__(self, variable_name: str) -> None:
        self._variable_name = variable_name

    def perform(self, context: LaunchContext) -> str:
        return context.launch_configurations[self._variable_name]


class PathJoinSubstitution(Substitution):
    """The parts, joined to a path."""

    def __init__(self, substitutions: list[str | Substitution]) -> None:
        self._parts = substitutions

    def perform(self, context: LaunchContext) -> str:
        return os.path.join(*(_text(part, context) for part in self._parts))


def _text(part: str | Substitution, context: LaunchContext) -> str:
    return part if isinstance(part, str) else part.perform(context)
