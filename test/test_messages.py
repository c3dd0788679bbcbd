# SPDX-License-Identifier: Apache-2.0
"""docs/messages.md lists every sentence that says what is wrong, as they are today."""

from __future__ import annotations

import ast
import functools
import re
import sys
from pathlib import Path

import pytest

import ik_solver_ros
from support.messages import sections
from support.robots import REPOSITORY

sys.path.insert(0, str(REPOSITORY / "tools"))
from print_messages import page

PACKAGE = Path(ik_solver_ros.__file__).parent
#: Files whose errors must all be in the list: their sentences reach people as they are.
LISTED = sorted(
    path
    for folder in ("core", "cli")
    for path in (PACKAGE / folder).rglob("*.py")
    if path.parent.name != "urdf"  # descriptions.py shows every kind of fault
    and path.name not in ("reach.py", "view.py")  # of parts that tell little, and test it
)
#: Errors that are not told to people, or not to be had here, by the words of their statement.
NOT_FOR_PEOPLE = {
    "and the solution contradict each other": "a bug of ours",
    "a VerifiedSolution is made by verification.Verifier": "a bug of ours",
    "goals for": "a bug of ours",
    "ruckig.RuckigError(str(result))": "caught two lines further",
    "Ruckig found no way to brake": "test_stream_limiter.py provokes it",
    "the installed package 'pinocchio' is another one": "test_exports.py provokes it",
    "_INSTALL": "test_exports.py provokes it",
    "'Pinocchio'": "test_exports.py provokes it",
    "begun with": "raised by its caller",
    "raise self._journal.differs": "test_batch.py provokes it",
    "faults.as_exception": "descriptions.py shows them",
    "UsageError(_unknown": "shown: the parser is called in this module",
}


class Provoked:
    """Runs all provocations once, and notes which lines of the package were reached."""

    def __init__(self):
        self.lines: set[tuple[str, int]] = set()
        sys.settrace(self._enter)
        try:
            self.sections = [(title, list(told)) for title, _, told in sections()]
        finally:
            sys.settrace(None)

    def _enter(self, frame, event, _argument):
        name = frame.f_code.co_filename
        return self._line if name.startswith(str(PACKAGE)) else None

    def _line(self, frame, event, _argument):
        if event == "line":
            self.lines.add((frame.f_code.co_filename, frame.f_lineno))
        return self._line


@functools.cache
def provoked():
    return Provoked()


def raising(path):
    """(first line, last line, text) of every statement that raises something new."""
    text = path.read_text(encoding="utf-8")
    lines = text.splitlines()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
            if ast.unparse(node.exc.func) == "SystemExit":
                continue
            yield node.lineno, node.end_lineno, "\n".join(lines[node.lineno - 1 : node.end_lineno])


@pytest.mark.parametrize("path", LISTED, ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_every_error_that_people_may_see_is_in_the_list(path):
    reached = {line for name, line in provoked().lines if name == str(path)}
    missing = [
        f"{path.name}:{first}: {text.strip()}"
        for first, last, text in raising(path)
        if not reached & set(range(first, last + 1))
        and not any(words in text for words in NOT_FOR_PEOPLE)
    ]
    assert missing == []


def test_every_way_to_end_a_request_is_in_the_list():
    ends = {kind for kind, _ in dict(provoked().sections)["No solution"]}
    assert ends == {
        "SOLVED", "SOLVED_RELAXED", "UNREACHABLE", "JOINT_LIMITS", "NOT_CONVERGED", "TIMEOUT",
        "JOINT_JUMP",
    }  # fmt: skip


def test_sentences_are_one_line_without_a_full_stop_and_without_python():
    for _, told in provoked().sections:
        for _, sentence in told:
            assert sentence.isprintable(), sentence
            assert not sentence.endswith((".", " ")), sentence
            assert not re.search(r"\bobject at 0x|Traceback|<class|\[Errno", sentence), sentence


def test_the_page_is_what_the_tool_writes():
    """But for numbers: rounding differs from machine to machine."""
    written = (REPOSITORY / "docs" / "messages.md").read_text(encoding="utf-8")
    told = "python3 tools/print_messages.py > docs/messages.md writes it anew"
    assert without_numbers(written) == without_numbers(page()), told


def without_numbers(text):
    return re.sub(r"-?\d+(\.\d+)?(e[+-]?\d+)?", "#", text)
