# SPDX-License-Identifier: Apache-2.0
"""What the pages show runs as it stands, and prints what they say it prints.

Each page is worked through from top to bottom, in a folder of its own where the robots lie under
the names that the pages use:

- ```python blocks run in one namespace. A ```text block right behind one is what it prints.
- In ```console blocks each line `$ ik …` runs, and what follows is what it prints; the exit code
  is 0 unless the page says otherwise in a line `[exit code N]`.
- In ```bash blocks each line that begins with `ik ` runs and ends with exit code 0.
- A block with a title, as in ```xml title="my_robot.urdf", is a file of that name.

`…` stands for any text, be it of several lines.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from support.doc_pages import PAGES, Block, blocks_of, name_of
from support.robots import REPOSITORY, robot_urdf_path

ROBOTS = {"panda.urdf": "panda", "so101.urdf": "so101", "ur5.urdf": "ur5"}
WITH_CODE = [
    page
    for page in PAGES
    if any(b.language in ("python", "console", "bash") for b in blocks_of(page))
]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """The folder of a reader: the robots, and this package's own."""
    for name in ("urdf", "config"):
        (tmp_path / name).symlink_to(REPOSITORY / name)
    for name, robot in ROBOTS.items():
        (tmp_path / name).symlink_to(robot_urdf_path(robot))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def assert_prints(printed: str, shown: str, block: Block) -> None:
    """Compare an output with what a page shows of it."""
    pattern = ".*".join(re.escape(part) for part in shown.strip().split("…"))
    matches = re.fullmatch(pattern, _bare(printed), re.DOTALL)
    assert matches, f"{block} shows\n{shown}\nbut this is printed\n{_bare(printed)}"


def _bare(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.strip().splitlines())


@pytest.mark.parametrize("page", WITH_CODE, ids=name_of)
def test_a_page_holds_from_top_to_bottom(page, folder):
    namespace: dict[str, object] = {"__name__": "__main__"}
    printed = ""
    for block in blocks_of(page):
        if block.title:
            (folder / block.title).write_text(block.text, encoding="utf-8")
        elif block.language == "python":
            printed = run_python(block, namespace)
        elif block.language == "text" and block.follows_directly:
            assert_prints(printed, block.text, block)
        elif block.language == "console":
            check_session(block, folder)
        elif block.language == "bash":
            check_commands(block, folder)


def run_python(block: Block, namespace: dict[str, object]) -> str:
    """Run a block; returns what it prints."""
    with contextlib.redirect_stdout(io.StringIO()) as output:
        exec(compile(block.text, str(block), "exec"), namespace)
    return output.getvalue()


def check_session(block: Block, folder: Path) -> None:
    """Run the `ik` commands of a console block, compare what they print and how they end."""
    for command, shown in sessions(block.text):
        run = run_ik(command, folder)
        code = re.search(r"^\[exit code (\d+)\]\n?", shown, re.MULTILINE)
        assert run.returncode == (int(code[1]) if code else 0), f"{block}\n{run.stdout}"
        assert_prints(run.stdout, shown.replace(code[0], "") if code else shown, block)


def check_commands(block: Block, folder: Path) -> None:
    """Run the `ik` commands of a bash block."""
    for line in block.text.replace("\\\n", " ").splitlines():
        if line.startswith("ik "):
            run = run_ik(line, folder)
            assert run.returncode == 0, f"{block}: {line}\n{run.stdout}"


def sessions(text: str) -> list[tuple[str, str]]:
    """Commands of a console block that call `ik`, each with what is shown of its output."""
    found = []
    for part in re.split(r"^\$ ", text.replace("\\\n", " "), flags=re.MULTILINE)[1:]:
        command, _, shown = part.partition("\n")
        if command.startswith("ik "):
            found.append((command, shown))
    return found


def run_ik(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a command of a page; its comments are left out."""
    words = shlex.split(command, comments=True)
    script = REPOSITORY / "scripts" / "ik"
    return subprocess.run(
        [sys.executable, str(script), *words[1:]],
        cwd=folder,
        env=os.environ | {"COLUMNS": "100", "NO_COLOR": "1"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        timeout=120,
    )


def test_a_difference_is_seen(folder):
    block = Block("page.md", 1, "text", "", "", True)
    assert_prints("a\nb 1.5 c\n", "a\nb … c", block)
    for wrong in ("a", "a\nb", "a\nb … d", "… x"):
        with pytest.raises(AssertionError, match=r"page\.md:1 shows"):
            assert_prints("a\nb 1.5 c\n", wrong, block)
