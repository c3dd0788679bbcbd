# SPDX-License-Identifier: Apache-2.0
"""The page: a template, filled in."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from . import comparison, own

_TEMPLATE = Path(__file__).with_name("template.md")


def page(results: dict[str, Any], figure: str) -> str:
    """Return the Markdown text; ``figure`` is the picture's address, seen from the page."""
    return _TEMPLATE.read_text(encoding="utf-8").format(
        command=results["command"],
        figure=figure,
        block=results["block"],
        protocol_n=f"{results['sizes']['protocol']:,}".replace(",", "\N{NARROW NO-BREAK SPACE}"),
        oracle_starts=results["sizes"]["oracle_starts"],
        overview=comparison.overview(results),
        goals=own.goals(results),
        protocol=comparison.protocol(results),
        sets=comparison.sets(results),
        unreachable=comparison.unreachable(results),
        solve_rates=own.solve_rates(results),
        batches=own.batches(results),
        startup=own.startup(results),
        settings=comparison.settings(results),
        **results["machine"],
    )
