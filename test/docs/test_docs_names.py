# SPDX-License-Identifier: Apache-2.0
"""The pages name nothing that does not exist: parameters, launch arguments, public names, files."""

from __future__ import annotations

import re
from typing import Any

import pytest
import yaml

import ik_solver_ros
from ik_solver_ros import Status
from ik_solver_ros.cli.main import COMMANDS
from ik_solver_ros.ros.parameters import declared_fields
from support.doc_pages import FOLDER, PAGES, blocks, name_of
from support.launch_runs import LAUNCH_FILE, declared_arguments
from support.robots import REPOSITORY

PARAMETERS = {name for name, _ in declared_fields()} | {"use_sim_time"}
OURS = {"/**", "ik_solver", "/ik_solver"}


def sections(content: Any) -> dict[str, dict[str, Any]]:
    """Parameters by node in a parameter file."""
    if not isinstance(content, dict):
        return {}
    return {
        node: body["ros__parameters"]
        for node, body in content.items()
        if isinstance(body, dict) and "ros__parameters" in body
    }


@pytest.mark.parametrize("block", blocks("yaml"), ids=str)
def test_yaml_is_yaml_and_our_parameters_exist(block):
    for node, parameters in sections(yaml.safe_load(block.text)).items():
        if node in OURS:
            assert set(parameters) <= PARAMETERS


def test_there_is_yaml_of_ours():
    ours = [b for b in blocks("yaml") if OURS & set(sections(yaml.safe_load(b.text)))]
    assert ours


@pytest.mark.parametrize("block", blocks("bash", "console"), ids=str)
def test_launch_arguments_exist(block):
    names = {argument["name"] for argument in declared_arguments()}
    for line in block.text.replace("\\\n", " ").splitlines():
        if LAUNCH_FILE.name in line:
            assert set(re.findall(r" (\w+):=", line)) <= names


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_make_targets_exist(page):
    makefile = (REPOSITORY / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z]+):", makefile, re.MULTILINE))
    text = page.read_text(encoding="utf-8")
    assert set(re.findall(r"(?:`|^)make ([a-z]+)", text, re.MULTILINE)) <= targets


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_links_lead_somewhere_in_the_repository(page):
    text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    for link in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", text):
        assert link.startswith("https://") or (page.parent / link).exists(), link


@pytest.mark.parametrize("status", [s for s in Status if not s.is_success])
def test_troubleshooting_says_what_to_do_about_each_status(status):
    text = (FOLDER / "troubleshooting.md").read_text(encoding="utf-8")
    # The first is never sent; nothing sends the second yet.
    expected = status not in (Status.UNKNOWN, Status.COLLISION)
    assert (f"| `{status.name}` |" in text) == expected


def test_the_reference_has_every_subcommand():
    text = (FOLDER / "reference" / "command.md").read_text(encoding="utf-8")
    assert tuple(re.findall(r"^<!-- ik (\w+) --help -->$", text, re.MULTILINE)) == COMMANDS


def test_the_python_reference_has_every_public_name():
    text = (FOLDER / "reference" / "python.md").read_text(encoding="utf-8")
    listed = re.findall(r"^::: ik_solver_ros\.(\w+)$", text, re.MULTILINE)
    public = [name for name in ik_solver_ros.__all__ if not name.startswith("_")]
    assert sorted(listed) == sorted(public)
