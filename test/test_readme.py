# SPDX-License-Identifier: Apache-2.0
"""What the README says is so."""

from __future__ import annotations

import re
import subprocess
import sys
from typing import Any

import pytest

from ik_solver_ros import Status
from ik_solver_ros.ros.parameters import declared_fields
from support.robots import REPOSITORY

README = (REPOSITORY / "README.md").read_text(encoding="utf-8")
LINKS = re.findall(r"\]\(([^)#]+)\)", README)


def parameter_rows() -> dict[str, list[str]]:
    """Default, unit and meaning by name, of the table between two comments."""
    text = README.split("<!-- parameters -->")[1].split("<!-- /parameters -->")[0]
    rows = [[cell.strip() for cell in row.split("|")[1:-1]] for row in text.strip().splitlines()]
    return {row[0].strip("`"): row[1:] for row in rows[2:]}


def shown(default: Any) -> str:
    """A default as YAML writes it."""
    if isinstance(default, tuple):
        return "[" + ", ".join(f"{number:g}" for number in default) + "]"
    if isinstance(default, bool):
        return str(default).lower()
    return str(default) or '""'


@pytest.mark.parametrize("link", LINKS)
def test_links_resolve(link):
    assert link.startswith("https://") or (REPOSITORY / link).exists()


def test_there_are_links():
    assert len(LINKS) > 5


def test_the_table_has_the_parameters_of_the_node_in_their_order():
    assert list(parameter_rows()) == [name for name, _ in declared_fields()]


@pytest.mark.parametrize(("name", "item"), declared_fields())
def test_each_parameter_has_its_default_unit_meaning_and_choices(name, item):
    default, unit, meaning = parameter_rows()[name]
    assert default.strip("`") == shown(item.default)
    assert unit == item.metadata["unit"]
    assert meaning.startswith(item.metadata["description"])
    assert all(f"`{choice}`" in meaning for choice in item.metadata.get("choices") or ())


@pytest.mark.parametrize(
    "status", [s for s in Status if s not in (Status.UNKNOWN, Status.COLLISION)]
)
def test_each_status_is_explained(status):
    assert f"`{status.name}` {status.value}" in README


def test_the_python_session_runs_as_it_stands(tmp_path):
    session = re.search(r"```python\n(.*?)```", README, re.DOTALL).group(1)
    script = tmp_path / "session.py"
    script.write_text(session, encoding="utf-8")
    run = subprocess.run(
        [sys.executable, script], cwd=REPOSITORY, capture_output=True, text=True, timeout=120
    )
    assert run.returncode == 0, run.stderr
    assert run.stdout.startswith("SOLVED")


def test_each_make_target_that_is_named_exists():
    makefile = (REPOSITORY / "Makefile").read_text(encoding="utf-8")
    for target in set(re.findall(r"`make (\w+)", README)) | set(
        re.findall(r"^make (\w+)", README, re.M)
    ):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target
