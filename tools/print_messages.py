# SPDX-License-Identifier: Apache-2.0
"""Provokes and prints every sentence that says what is wrong, as the page docs/messages.md.

Needs the built package, as the tests do: `source env.sh`, then

    python3 tools/print_messages.py > docs/messages.md
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
_HEAD = """\
# Messages

Every sentence that says what is wrong, with an example of each: search here for the one you have
got, with other names and numbers. [Troubleshooting](troubleshooting.md) says what to do about the
statuses.

Written by `tools/print_messages.py`, which provokes each of them; do not edit.
"""


def page() -> str:
    """The page as it should be."""
    sys.path.insert(0, str(ROOT / "test"))
    messages: Any = __import__("support.messages", fromlist=["sections"])
    parts = [_HEAD]
    for title, introduction, sentences in messages.sections():
        parts.append(f"## {title}\n\n{introduction}\n")
        parts.append("\n".join(_entries(sentences)) + "\n")
    return "\n".join(parts)


def _entries(sentences: Any) -> list[str]:
    """Each sentence once, below the kind that it is of."""
    by_kind: dict[str, dict[str, None]] = {}
    for kind, sentence in sentences:
        by_kind.setdefault(kind, {})[sentence] = None
    lines = []
    for kind, of_kind in by_kind.items():
        lines += [f"**{kind}**", "", "```text", *of_kind, "```", ""]
    return lines[:-1]


if __name__ == "__main__":
    print(page(), end="")
