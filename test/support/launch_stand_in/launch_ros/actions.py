# SPDX-License-Identifier: Apache-2.0
"""Stand-in for launch_ros.actions: a node is a process that is given files of parameters."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import yaml
from ament_index_python.packages import get_package_prefix
from launch import LaunchContext
from launch.logging import get_logger
from launch.substitutions import Substitution

from .parameter_descriptions import ParameterValue, read_as_yaml


class Node:
    """A node of a package, with a full name and parameters written under it."""

    def __init__(
        self,
        *,
        package: str,
        executable: str,
        name: str,
        namespace: str,
        parameters: list[str | dict[str, Any]],
        output: str,
        arguments: list[str] | None = None,
        remappings: list[tuple[str, str]] | None = None,
    ) -> None:
        self.node_package = package
        self._executable, self._name, self._namespace = executable, name, namespace
        self._parameters = parameters
        self._arguments, self._remappings = arguments or [], remappings or []

    def command(self, context: LaunchContext) -> list[str]:
        """The command line, with its parameter files in order."""
        namespace = "/" + self._namespace.strip("/")
        command = [self._path_of_executable(), *self._arguments]
        command += ["--ros-args", "-r", f"__node:={self._name}", "-r", f"__ns:={namespace}"]
        for parameters in self._parameters:
            if isinstance(parameters, dict):
                values = {key: _evaluate(value, context) for key, value in parameters.items()}
                full_name = f"{namespace.rstrip('/')}/{self._name}"
                command += ["--params-file", _write_parameters(full_name, values)]
            elif Path(parameters).is_file():
                command += ["--params-file", parameters]
            else:
                get_logger("launch_ros.actions.node").warning(
                    f"Parameter file path is not a file: {parameters}"
                )
        for source, target in self._remappings:
            command += ["-r", f"{source}:={target}"]
        return command

    def _path_of_executable(self) -> str:
        prefix = Path(get_package_prefix(self.node_package))
        path = prefix / "lib" / self.node_package / self._executable
        if not path.is_file():
            raise RuntimeError(
                f"executable '{self._executable}' not found on the libexec directory "
                f"'{path.parent}'"
            )
        return str(path)


def _evaluate(value: Any, context: LaunchContext) -> Any:
    if isinstance(value, ParameterValue):
        return value.evaluate(context)
    return read_as_yaml(value.perform(context)) if isinstance(value, Substitution) else value


def _write_parameters(full_name: str, values: dict[str, Any]) -> str:
    with tempfile.NamedTemporaryFile("w", prefix="launch_params_", delete=False) as file:
        yaml.dump({full_name: {"ros__parameters": values}}, file, default_flow_style=False)
    return file.name
