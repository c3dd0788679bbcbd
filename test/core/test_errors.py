# SPDX-License-Identifier: Apache-2.0
"""What errors quote comes from strangers: it is cut, and cannot write over the terminal."""

from __future__ import annotations

import pytest

from ik_solver_ros.core.errors import (
    FrameUnavailableError,
    NoChainError,
    UnknownFrameError,
    listed,
    plain,
    quoted,
    shown,
)

HOSTILE = ["x" * 1_000_000, "\x1b[31mred\n", "手\u202e\u2028", "\0", "\ud800", "'"]


@pytest.mark.parametrize("name", HOSTILE, ids=range(len(HOSTILE)))
def test_no_sentence_is_longer_or_stranger_for_what_it_quotes(name):
    sentences = [
        str(UnknownFrameError(name, "tip_frame", [name, "tool0"])),
        str(FrameUnavailableError(name, "TF has no such frame")),
        str(NoChainError(name, name, "there is no joint between them")),
        listed([name] * 3),
        quoted(name),
        shown(name),
    ]
    assert all(sentence.isprintable() for sentence in sentences)
    assert max(map(len, sentences)) < 500


def test_ordinary_names_are_quoted_as_they_are():
    assert quoted("tool0") == "'tool0'"
    assert quoted("手首 link") == "'手首 link'"
    assert listed(["a", "b"], last=" or ") == "'a' or 'b'"


def test_a_text_is_cut_to_its_length():
    assert plain("abcdef", 6) == "abcdef"
    assert plain("abcdefg", 6) == "abcde…"
