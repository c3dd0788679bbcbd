# SPDX-License-Identifier: Apache-2.0
"""Results as a file that is small and reads well in a diff."""

from __future__ import annotations

import json
from typing import Any

_DIGITS = 5  # more is noise


def rounded_json(results: dict[str, Any]) -> str:
    """Return the results as JSON with five digits a number."""
    return json.dumps(_rounded(results), indent=1, ensure_ascii=False) + "\n"


def _rounded(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _rounded(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_rounded(item) for item in value]
    if isinstance(value, float):
        return float(f"{value:.{_DIGITS}g}")
    return value
