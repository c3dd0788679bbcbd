# SPDX-License-Identifier: Apache-2.0
"""Runs what must be refused, and takes down how it was."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator
from typing import Any
from unittest import mock

from ik_solver_ros import IKSolverError

Sentence = tuple[str, str]


def refusal(call: Callable[[], Any]) -> Sentence:
    """Class and text of the error that a call ends with.

    Raises:
        AssertionError: if there is none.
    """
    try:
        call()
    except IKSolverError as error:
        return type(error).__name__, str(error)
    raise AssertionError("nothing was refused")


def refusals(*calls: Callable[[], Any]) -> Iterator[Sentence]:
    """The same of several calls."""
    return map(refusal, calls)


@contextlib.contextmanager
def not_installed(*modules: str) -> Iterator[None]:
    """A world without some modules, where they were imported already, too."""
    with mock.patch.dict(sys.modules, dict.fromkeys(modules)):
        yield
