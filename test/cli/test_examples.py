# SPDX-License-Identifier: Apache-2.0
"""The examples of `ik COMMAND --help` run as they stand, beside the folder `urdf`."""

from __future__ import annotations

import importlib
import subprocess

import pytest

from ik_solver_ros.cli.main import COMMANDS
from support.robots import REPOSITORY

NEEDS_A_NODE = ("call",)
SERVES = ("view",)  # until Ctrl-C: test_view.py
EXAMPLES = [
    line
    for command in COMMANDS
    if command not in (*NEEDS_A_NODE, *SERVES)
    for line in importlib.import_module(f"ik_solver_ros.cli.{command}").EXAMPLES
]


@pytest.mark.parametrize("line", EXAMPLES)
def test_an_example_runs_as_it_stands(line, tmp_path):
    (tmp_path / "urdf").symlink_to(REPOSITORY / "urdf")
    run = subprocess.run(
        ["bash", "-o", "pipefail", "-c", line],
        cwd=tmp_path, capture_output=True, text=True, timeout=120,
    )  # fmt: skip
    assert run.returncode == 0, run.stderr
    assert "ik" not in run.stderr  # no error, and no remark of ours but summaries
    assert run.stdout


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_examples(command):
    module = importlib.import_module(f"ik_solver_ros.cli.{command}")
    assert module.EXAMPLES
    assert all(f"ik {command} " in line for line in module.EXAMPLES)
