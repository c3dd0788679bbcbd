# SPDX-License-Identifier: Apache-2.0
"""Stand-in for the package launch: a description, and the context it is executed in."""

from __future__ import annotations


class LaunchContext:
    """What is known while a launch file is executed: the values of its arguments."""

    def __init__(self, launch_configurations: dict[str, str]) -> None:
        self.launch_configurations = launch_configurations


class LaunchDescription:
    """Entities, executed in order."""

    def __init__(self, entities: list) -> None:
        self.entities = entities
