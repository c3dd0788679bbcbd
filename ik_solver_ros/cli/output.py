# SPDX-License-Identifier: Apache-2.0
"""How subcommands print: text for people, or one JSON object for programs.

JSON is always in metres, radians and seconds, whatever ``--degrees`` says, with ``null`` for what
is not finite.
"""

from __future__ import annotations

import json
import math
import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TextIO

_COLOURS = {"bold": "1", "dim": "2", "red": "31", "green": "32", "yellow": "33"}


def coloured(text: str, colour: str, stream: TextIO | None = None) -> str:
    """``text`` in a colour, if the stream (default: stdout) is a terminal and NO_COLOR is not set.

    Args:
        text: what to colour.
        colour: "bold", "dim", "red", "green" or "yellow".
        stream: where it will be printed.
    """
    stream = stream or sys.stdout
    is_wanted = stream.isatty() and not os.environ.get("NO_COLOR")
    if not is_wanted or os.environ.get("TERM") == "dumb":
        return text
    return f"\033[{_COLOURS[colour]}m{text}\033[0m"


def table(rows: Iterable[Sequence[object]], header: Sequence[str] = ()) -> list[str]:
    """Lines of a table: columns as wide as they need to be, numbers to the right."""
    texts = [[str(cell) for cell in row] for row in rows]
    lines = [list(header), *texts] if header else texts
    widths = [max(map(len, column)) for column in zip(*lines)]
    numeric = [bool(texts) and all(map(_is_number, column)) for column in zip(*texts)]
    numeric = numeric or [False] * len(widths)
    return [
        "  ".join(
            cell.rjust(width) if right else cell.ljust(width)
            for cell, width, right in zip(line, widths, numeric)
        ).rstrip()
        for line in lines
    ]


def print_json(value: Any) -> None:
    """Print one JSON object (or another value) over several lines; see :func:`plain`."""
    print(json.dumps(plain(value), indent=2, ensure_ascii=False, allow_nan=False))


def plain(value: Any) -> Any:
    """The same in types that JSON has: arrays as lists, NaN and infinities as None."""
    if hasattr(value, "tolist"):  # arrays and numbers of NumPy
        value = value.tolist()
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    return value


def tell(text: str) -> None:
    """A remark beside the answer, on stderr, so that it never mixes with what programs read."""
    print(text, file=sys.stderr)


def _is_number(text: str) -> bool:
    try:
        float(text.removesuffix("°"))
    except ValueError:
        return text in ("", "none")
    return True
