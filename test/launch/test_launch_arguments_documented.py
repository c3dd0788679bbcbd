# SPDX-License-Identifier: Apache-2.0
"""README and launch file name the same arguments."""

from __future__ import annotations

import re

import pytest

from support.launch_runs import LAUNCH_FILE, declared_arguments
from support.robots import REPOSITORY

README = (REPOSITORY / "README.md").read_text(encoding="utf-8")
TABLE = README.split("<!-- launch arguments -->")[1].split("<!-- /launch arguments -->")[0]
ARGUMENTS = declared_arguments()


@pytest.mark.parametrize("argument", ARGUMENTS, ids=lambda argument: argument["name"])
def test_each_argument_has_its_row_with_every_choice(argument):
    rows = [line for line in TABLE.splitlines() if line.startswith(f"| `{argument['name']}` |")]

    assert len(rows) == 1
    for choice in argument["choices"] or []:
        assert f"`{choice}`" in rows[0]


def test_no_command_uses_an_argument_that_does_not_exist():
    commands = [
        line for line in README.replace("\\\n", " ").splitlines() if LAUNCH_FILE.name in line
    ]
    used = {name for command in commands for name in re.findall(r"(\w+):=", command)}

    assert commands
    assert used <= {argument["name"] for argument in ARGUMENTS}
