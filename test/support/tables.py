# SPDX-License-Identifier: Apache-2.0
"""Numbers as people read them, and tables in Markdown."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a Markdown table; the first column is text, the others are numbers."""
    rule = [":---", *("---:" for _ in head[1:])]
    return "\n".join("| " + " | ".join(row) + " |" for row in (head, rule, *rows))


def folded(title: str, body: str) -> str:
    """Return text that GitHub and mkdocs show folded up."""
    return f"<details><summary>{title}</summary>\n\n{body}\n\n</details>"


def percent(part: float) -> str:
    """Return 0.99954 as "99.95 %"; never round to 100 or 0 what is not."""
    value = 100.0 * part
    if value in (0.0, 100.0):
        return f"{value:.0f} %"
    return f"{min(max(value, 0.01), 99.99):.2f} %"


def times(ratio: float) -> str:
    """Return a ratio with two digits that count."""
    return f"{_rounded(ratio)} ×"


def microseconds(seconds: float) -> str:
    """Return a time with three digits that count."""
    return _rounded(1e6 * seconds, 3)


def milliseconds(seconds: float) -> str:
    """Return a time with three digits that count."""
    return _rounded(1e3 * seconds, 3)


def per_second(rate: float) -> str:
    """Return a rate in thousands."""
    return f"{_rounded(1e-3 * rate, 3)} k"


def angle(jump: float | None) -> str:
    """Return a joint's change, or a dash where there is none."""
    return "–" if jump is None else f"{jump:.2f}"


def _rounded(value: float, digits: int = 2) -> str:
    if value == 0.0 or not math.isfinite(value):
        return f"{value:g}"
    decimals = max(0, digits - 1 - math.floor(math.log10(abs(value))))
    return f"{value:,.{decimals}f}".replace(",", "\N{NARROW NO-BREAK SPACE}")
