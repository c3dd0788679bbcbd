# SPDX-License-Identifier: Apache-2.0
"""What the numbers were measured on."""

from __future__ import annotations

import datetime
import importlib.metadata
import os
import platform
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from peers.base import Peer


def pin_to_one_core() -> int:
    """Keep this process and its threads on one core; return which.

    Some solvers race threads; on one core all solvers have the same to work with.
    """
    core = max(os.sched_getaffinity(0))
    os.sched_setaffinity(0, {core})
    return core


def description(cores: int) -> dict[str, Any]:
    """Return what the page says about the machine; nothing that names it."""
    return {
        "date": datetime.datetime.now(tz=datetime.timezone.utc).date().isoformat(),
        "cpu": _first_value(Path("/proc/cpuinfo"), "model name", ":"),
        "cores": cores,
        "architecture": platform.machine(),
        "os": _first_value(Path("/etc/os-release"), "PRETTY_NAME", "="),
        "python": platform.python_version(),
        "numpy": importlib.metadata.version("numpy"),
        "pinocchio": importlib.metadata.version("pin"),
    }


def peers_description(peer_types: Sequence[type[Peer]]) -> list[dict[str, Any]]:
    """Return name, version and settings of each solver."""
    return [
        {
            "name": peer.name,
            "distribution": peer.distribution,
            "version": peer.version(),
            "settings": peer.settings,
            "ours": peer.ours,
        }
        for peer in peer_types
    ]


def _first_value(path: Path, key: str, separator: str) -> str:
    if path.exists():
        for line in path.read_text(encoding="utf-8").splitlines():
            name, found, value = line.partition(separator)
            if found and name.strip() == key:
                return value.strip().strip('"')
    return "unknown"
