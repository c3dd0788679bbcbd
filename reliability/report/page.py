# SPDX-License-Identifier: Apache-2.0
"""docs/reliability.md: one section for each run, and a run replaces no section but its own.

What a run found is kept in docs/reliability/<section>.json, and the page is rendered from those
files whenever one of them changes. A new section is a module here with a ``TITLE`` and a ``render``
that makes Markdown out of its numbers, and its name in ``SECTIONS``.
"""

from __future__ import annotations

import importlib
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from support.machine import description
from support.robots import REPOSITORY

SECTIONS = ("abuse", "concurrency", "soak", "latency")  # in this order, as far as they were run
DOCS = REPOSITORY / "docs"

_HEAD = """# Reliability

What the node was put through, and what came of it. Every section is written by the run that its
first line names; nothing here is typed by hand. Answers are judged by a forward kinematics that
reads the URDF itself and shares no code with the package. Times come from a shared machine and are
for orientation; nothing fails for being slow.
"""
_SECTION = """
## {title}

Written by `{command}` on {date}, on {cores} cores of {cpu} ({architecture}), {os}, ROS 2 {ros},
Python {python}, NumPy {numpy}, Pinocchio {pinocchio}; load average {load:.1f} at the end.

{body}
"""


def write_section(name: str, command: str, data: Mapping[str, Any], docs: Path = DOCS) -> Path:
    """Keep what a run found, and write the page anew.

    Args:
        name: one of ``SECTIONS``.
        command: that repeats the run, as typed.
        data: what the section's ``render`` wants, in types that JSON knows.
        docs: folder of the page.

    Returns:
        The page's path.
    """
    if name not in SECTIONS:
        raise ValueError(f"no section '{name}'; there are {', '.join(SECTIONS)}")
    machine = description() | {
        "ros": os.environ.get("ROS_DISTRO", "unknown"),
        "load": os.getloadavg()[0],
    }
    kept = {"command": command, "machine": machine, "data": data}
    folder = docs / "reliability"
    folder.mkdir(parents=True, exist_ok=True)
    text = json.dumps(kept, indent=1, allow_nan=False, ensure_ascii=False)
    (folder / f"{name}.json").write_text(text + "\n", encoding="utf-8")
    path = docs / "reliability.md"
    path.write_text(page(docs), encoding="utf-8")
    return path


def page(docs: Path = DOCS) -> str:
    """Return the Markdown text of all sections that were ever run."""
    files = [docs / "reliability" / f"{name}.json" for name in SECTIONS]
    return _HEAD + "".join(_section(file) for file in files if file.exists())


def _section(file: Path) -> str:
    section = importlib.import_module(f"{__package__}.{file.stem}")
    kept = json.loads(file.read_text(encoding="utf-8"))
    body = section.render(kept["data"]).strip()
    title, command = section.TITLE, kept["command"]
    return _SECTION.format(title=title, command=command, body=body, **kept["machine"])
