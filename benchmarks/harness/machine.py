# SPDX-License-Identifier: Apache-2.0
"""What the numbers were measured on."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from peers.base import Peer


def pin_to_one_core() -> int:
    """Keep this process and its threads on one core; return which.

    Some solvers race threads; on one core all solvers have the same to work with.
    """
    core = max(os.sched_getaffinity(0))
    os.sched_setaffinity(0, {core})
    return core


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
