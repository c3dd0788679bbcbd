# SPDX-License-Identifier: Apache-2.0
"""Runs examples as their readers do, and finds numbers in what they print."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Mapping

from support.robots import REPOSITORY

EXAMPLES = REPOSITORY / "examples"
_DEADLINE_S = 120.0
_NUMBER = re.compile(r"[-+]\d+\.\d+")


def printed_by(example: str, environment: Mapping[str, str] | None = None) -> str:
    """What an example prints; it must end well and complain about nothing."""
    run = subprocess.run(
        [sys.executable, str(EXAMPLES / example)],
        capture_output=True,
        text=True,
        env=environment,
        timeout=_DEADLINE_S,
        check=False,
    )
    assert (run.returncode, run.stderr) == (0, ""), run.stdout + run.stderr
    return run.stdout


def numbers_in(text: str) -> list[float]:
    """All numbers with a sign in front and a fraction."""
    return [float(number) for number in _NUMBER.findall(text)]


def line_with(words: str, text: str) -> str:
    """The only line that contains some words."""
    (line,) = (line for line in text.splitlines() if words in line)
    return line
