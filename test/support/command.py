# SPDX-License-Identifier: Apache-2.0
"""Runs the command `ik` inside the test's process: as fast as a call, with what it prints."""

from __future__ import annotations

import contextlib
import io
import json
import sys
from dataclasses import dataclass
from typing import Any
from unittest import mock

from ik_solver_ros.cli.main import main


@dataclass(frozen=True)
class Run:
    """How one run of the command ended.

    Attributes:
        code: the exit code.
        out: what it printed on stdout.
        err: what it printed on stderr.
    """

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """The one JSON object on stdout; what is no JSON by the standard is refused."""
        return json.loads(self.out, parse_constant=_refuse)

    @property
    def sentence(self) -> str:
        """The only line on stderr."""
        (line,) = self.err.splitlines()
        return line


def ik(*words: object, stdin: str = "") -> Run:
    """Run `ik` with these arguments."""
    out, err = io.StringIO(), io.StringIO()
    given = io.TextIOWrapper(io.BytesIO(stdin.encode()), encoding="utf-8")
    with (
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
        mock.patch.object(sys, "stdin", given),
    ):
        try:
            code = main([str(word) for word in words])
        except SystemExit as end:  # --help and --version
            code = end.code
    return Run(code, out.getvalue(), err.getvalue())


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is not JSON")
