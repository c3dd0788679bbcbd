# SPDX-License-Identifier: Apache-2.0
"""Runs a launch file and reports what each node was started with.

The nodes are replaced by executables that write down their command line and parameter files and
end. The launch system is the real one, or its stand-in where `ros2 launch` is not installed.
"""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import stat
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from .robots import REPOSITORY

PACKAGE = "ik_solver_ros"
LAUNCH_FILE = REPOSITORY / "launch" / "ik.launch.py"
STAND_IN = Path(__file__).parent / "launch_stand_in" / "run.py"

_RECORDER = """#!{python}
import json, os, sys
files = [sys.argv[i + 1] for i, word in enumerate(sys.argv) if word == "--params-file"]
texts = [open(file, encoding="utf-8").read() for file in files]
name = os.path.basename(sys.argv[0])
with open(os.path.join(os.environ["LAUNCH_RECORDS"], name + ".json"), "w") as record:
    json.dump({{"words": sys.argv[1:], "parameter_files": texts}}, record)
"""


@dataclass(frozen=True)
class StartedNode:
    """What one node was started with."""

    name: str
    namespace: str
    parameters: dict[str, Any]
    arguments: list[str]
    remappings: dict[str, str]


@dataclass(frozen=True)
class Launched:
    """How a launch went: exit code, console output, and the nodes by executable."""

    exit_code: int
    output: str
    nodes: dict[str, StartedNode] = field(default_factory=dict)


def ros2_launch_is_installed() -> bool:
    """Whether the real launch system can be used."""
    return bool(shutil.which("ros2")) and all(
        importlib.util.find_spec(name) for name in ("launch_ros", "ros2launch")
    )


def launch_command(real: bool) -> list[str]:
    """The command that takes a launch file and its arguments: ROS's own, or the stand-in."""
    if real:
        # By way of this Python: the script's own may be another.
        return [sys.executable, str(shutil.which("ros2")), "launch"]
    return [sys.executable, str(STAND_IN)]


class LaunchRunner:
    """Runs launch files in an ament prefix of its own, made below `folder`.

    The prefix has this package, with the launch file, configuration and robot of the source tree,
    and nothing else but what a test installs.
    """

    def __init__(self, folder: Path, real: bool) -> None:
        self._real = real
        self._prefix, self._records = folder / "prefix", folder / "records"
        self._commands = folder / "bin"
        for path in (self._records, self._commands):
            path.mkdir()
        self.install(PACKAGE, "ik_node", "fake_joint_states", "ik_interactive_marker", "ik_viewer")
        for name in ("config", "launch", "urdf"):
            shutil.copytree(REPOSITORY / name, self.share / name)

    @property
    def share(self) -> Path:
        """The share folder of this package."""
        return self._prefix / "share" / PACKAGE

    def install(self, package: str, *executables: str) -> None:
        """Make a package with recording executables."""
        index = self._prefix / "share" / "ament_index" / "resource_index" / "packages"
        index.mkdir(parents=True, exist_ok=True)
        (index / package).touch()
        for name in executables:
            path = self._prefix / "lib" / package / name
            path.parent.mkdir(parents=True, exist_ok=True)
            _write_executable(path, _RECORDER.format(python=sys.executable))

    def install_command(self, name: str, script: str) -> None:
        """Put a Python script on the PATH."""
        _write_executable(self._commands / name, f"#!{sys.executable}\n{script}")

    def run(self, *arguments: str, launch_file: Path | None = None) -> Launched:
        """Launch, wait for the end, and read what the nodes wrote down."""
        for record in self._records.iterdir():
            record.unlink()
        launch_file = launch_file or self.share / "launch" / LAUNCH_FILE.name
        run = subprocess.run(
            [*launch_command(self._real), str(launch_file), *arguments],
            env=self._environment(),
            capture_output=True,
            encoding="utf-8",
            timeout=60,
        )
        nodes = {record.stem: _read_record(record) for record in self._records.iterdir()}
        return Launched(run.returncode, run.stdout + run.stderr, nodes)

    def _environment(self) -> dict[str, str]:
        # Without the other prefixes of AMENT_PREFIX_PATH: what is installed here must not matter.
        # The real `ros2 launch` finds its parts as Python packages.
        return os.environ | {
            "AMENT_PREFIX_PATH": str(self._prefix),
            "LAUNCH_RECORDS": str(self._records),
            "PATH": str(self._commands),
            "PYTHONDONTWRITEBYTECODE": "1",
            "ROS_DISTRO": "jazzy",
            "ROS_LOG_DIR": str(self._prefix / "log"),
            "TMPDIR": str(self._records.parent),
        }


def declared_arguments() -> list[dict[str, Any]]:
    """The launch file's arguments: name, description, choices. No package need be installed."""
    run = subprocess.run(
        [sys.executable, str(STAND_IN), str(LAUNCH_FILE), "--show-args"],
        env=os.environ | {"AMENT_PREFIX_PATH": "/nowhere", "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        encoding="utf-8",
        timeout=60,
    )
    if run.returncode != 0:
        raise RuntimeError(run.stderr)
    return json.loads(run.stdout)


def _write_executable(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)


def _read_record(path: Path) -> StartedNode:
    record = json.loads(path.read_text(encoding="utf-8"))
    words = record["words"]
    first = words.index("--ros-args")
    rules = [words[i + 1] for i, word in enumerate(words) if word == "-r"]
    remappings = dict(rule.split(":=", 1) for rule in rules)
    name, namespace = remappings.pop("__node"), remappings.pop("__ns")
    return StartedNode(
        name=name,
        namespace=namespace,
        parameters=_effective_parameters(f"{namespace.rstrip('/')}/{name}", record),
        arguments=words[:first],
        remappings=remappings,
    )


def _effective_parameters(full_name: str, record: dict[str, Any]) -> dict[str, Any]:
    """As rcl reads them: the full name's section beats '/**'; within one, the later file wins."""
    files = [yaml.safe_load(text) for text in record["parameter_files"]]
    parameters: dict[str, Any] = {}
    for sections in (("/**",), (full_name, full_name.lstrip("/"))):
        for file in files:
            for section in sections:
                parameters.update(file.get(section, {}).get("ros__parameters", {}))
    return parameters
