# SPDX-License-Identifier: Apache-2.0
"""The page: a template, filled in."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from . import sections

_TEMPLATE = Path(__file__).with_name("template.md")


def page(results: dict[str, Any], figure: str) -> str:
    """Return the Markdown text; ``figure`` is the picture's address, seen from the page."""
    return _TEMPLATE.read_text(encoding="utf-8").format(
        command=results["command"],
        figure=figure,
        block=results["block"],
        protocol_n=f"{results['sizes']['protocol']:,}".replace(",", "\N{NARROW NO-BREAK SPACE}"),
        oracle_starts=results["sizes"]["oracle_starts"],
        overview=sections.overview(results),
        goals=sections.goals(results),
        protocol=sections.protocol(results),
        sets=sections.sets(results),
        unreachable=sections.unreachable(results),
        solve_rates=sections.solve_rates(results),
        batches=sections.batches(results),
        startup=sections.startup(results),
        settings=sections.settings(results),
        **results["machine"],
    )
