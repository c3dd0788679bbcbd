# SPDX-License-Identifier: Apache-2.0
"""Takes the place of `ros2 launch FILE name:=value …`, where that is not installed."""

from __future__ import annotations

import json
import runpy
import shlex
import signal
import subprocess
import sys

from launch import LaunchContext, LaunchDescription
from launch.actions import DeclareLaunchArgument
from launch_ros.actions import Node


def main(command_line: list[str]) -> int:
    """Execute a launch file and wait for its nodes; `--show-args` prints its arguments as JSON."""
    launch_file, *given = command_line
    if given == ["--show-args"]:
        print(json.dumps(_declared_arguments(launch_file)))
        return 0
    try:
        commands = _commands(launch_file, dict(_name_and_value(text) for text in given))
    except Exception as error:  # noqa: BLE001  whatever a launch file raises ends the launch
        print(
            f"[ERROR] [launch]: Caught exception in launch (see debug for traceback): {error}",
            file=sys.stderr,
        )
        return 1
    return _run(commands)


def _name_and_value(text: str) -> tuple[str, str]:
    name, separator, value = text.partition(":=")
    if not (name and separator and value):
        raise RuntimeError(f"malformed launch argument '{text}', expected format '<name>:=<value>'")
    return name, value


def _commands(launch_file: str, given: dict[str, str]) -> list[list[str]]:
    context = LaunchContext(given)
    entities, nodes = list(_description(launch_file).entities), []
    while entities:
        entity = entities.pop(0)
        if isinstance(entity, Node):
            nodes.append(entity)
        else:
            entities[:0] = entity.execute(context)
    return [node.command(context) for node in nodes]


def _run(commands: list[list[str]]) -> int:
    processes = [subprocess.Popen(command) for command in commands]
    # Ctrl-C reaches the processes too, and they end by themselves.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for process in processes:
        if process.wait() != 0:
            print(
                f"[ERROR] [launch]: process has died [exit code {process.returncode}, "
                f"cmd '{shlex.join(process.args)}'].",
                file=sys.stderr,
            )
    return 0


def _declared_arguments(launch_file: str) -> list[dict]:
    return [
        {"name": entity.name, "description": entity.description, "choices": entity.choices}
        for entity in _description(launch_file).entities
        if isinstance(entity, DeclareLaunchArgument)
    ]


def _description(launch_file: str) -> LaunchDescription:
    return runpy.run_path(launch_file)["generate_launch_description"]()


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
