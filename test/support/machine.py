# SPDX-License-Identifier: Apache-2.0
"""What numbers were measured on, for the pages that show them; nothing that names the machine."""

from __future__ import annotations

import datetime
import importlib.metadata
import os
import platform
from pathlib import Path
from typing import Any


def description(cores: int | None = None) -> dict[str, Any]:
    """Return date, processor, system and versions; `cores` for who has given some of them away."""
    return {
        "date": datetime.datetime.now(tz=datetime.timezone.utc).date().isoformat(),
        "cpu": _first_value(Path("/proc/cpuinfo"), "model name", ":"),
        "cores": cores or os.cpu_count() or 1,
        "architecture": platform.machine(),
        "os": _first_value(Path("/etc/os-release"), "PRETTY_NAME", "="),
        "python": platform.python_version(),
        "numpy": importlib.metadata.version("numpy"),
        "pinocchio": importlib.metadata.version("pin"),
    }


def _first_value(path: Path, key: str, separator: str) -> str:
    if path.exists():
        for line in path.read_text(encoding="utf-8").splitlines():
            name, found, value = line.partition(separator)
            if found and name.strip() == key:
                return value.strip().strip('"')
    return "unknown"
