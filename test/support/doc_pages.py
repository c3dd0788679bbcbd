# SPDX-License-Identifier: Apache-2.0
"""The pages of docs/ and the fenced blocks in them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from .robots import REPOSITORY

FOLDER = REPOSITORY / "docs"
PAGES = sorted(FOLDER.rglob("*.md"))
_FENCE = re.compile(
    r"""^( *)```(\w*)(?: title="([^"\n]+)")?\n(.*?)^\1```$""", re.MULTILINE | re.DOTALL
)


@dataclass(frozen=True)
class Block:
    """One fenced block.

    Attributes:
        page: the page, seen from docs/.
        line: of the fence, counted from 1.
        language: the word behind the fence.
        title: the name of the file that it is, if it is one.
        text: what stands in between, without the fence's own indentation.
        follows_directly: whether only blank lines separate it from the block before.
    """

    page: str
    line: int
    language: str
    title: str
    text: str
    follows_directly: bool

    def __str__(self) -> str:
        """Return where it stands, for the ids of tests."""
        return f"{self.page}:{self.line}"


def name_of(page: Path) -> str:
    """A page's path, seen from docs/."""
    return page.relative_to(FOLDER).as_posix()


def blocks_of(page: Path) -> list[Block]:
    """The fenced blocks of a page in their order."""
    text, found, last_end = page.read_text(encoding="utf-8"), [], 0
    for match in _FENCE.finditer(text):
        indent = len(match[1])
        lines = [line[indent:] if line.strip() else "" for line in match[4].splitlines()]
        between = text[last_end : match.start()]
        found.append(
            Block(
                page=name_of(page),
                line=text.count("\n", 0, match.start()) + 1,
                language=match[2],
                title=match[3] or "",
                text="\n".join(lines) + "\n",
                follows_directly=bool(found) and not between.strip(),
            )
        )
        last_end = match.end()
    return found


def blocks(*languages: str) -> list[Block]:
    """All blocks of some languages, on all pages."""
    return [block for page in PAGES for block in blocks_of(page) if block.language in languages]
