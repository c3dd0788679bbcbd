# SPDX-License-Identifier: Apache-2.0
"""Sentences of the library in the words of the command line.

The library names its own arguments and the fields of a request, since it does not know who asks;
whoever asked with options is told about options.
"""

from __future__ import annotations

import re

_ADVICE = ((re.compile(r"orientation_tolerance\.([xyz]) = inf"), r"--free-axes r\1"),)
#: A sentence begins with the culprit; its advice stands behind.
_ERRORS = (
    (re.compile(r"^(tip|base)_frame\b"), r"--\1"),
    (re.compile(r"\b(give|use) a (tip|base)_frame\b"), r"\1 a --\2"),
    (re.compile(r"^(position|orientation)_tolerance\b"), r"--\1-tolerance"),
    (re.compile(r"^max_solutions:"), "--solutions:"),
    (re.compile(r"^max_joint_jump:"), "--max-jump:"),
    (re.compile(r"^timeout(_s)?:"), "--timeout-s:"),
    (re.compile(r"^cell_m:"), "--cell:"),
    (re.compile(r"^seed:"), "--seed:"),
)


def answer_in_options(message: str) -> str:
    """The message of an answer, its advice as options."""
    return _replaced(message, _ADVICE)


def error_in_options(message: str) -> str:
    """The sentence of an error, its culprit and its advice as options."""
    return _replaced(message, _ERRORS)


def _replaced(message: str, words: tuple[tuple[re.Pattern[str], str], ...]) -> str:
    for pattern, option in words:
        message = pattern.sub(option, message)
    return message
