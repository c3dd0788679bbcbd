# SPDX-License-Identifier: Apache-2.0
"""The solvers that are compared, one small adapter each."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from typing import NamedTuple

from .base import Peer

# Module, and the distribution that it needs.
_MODULES = {
    "ours": "ik_solver_ros",
    "trac_ik": "pytracik",
    "rtb": "roboticstoolbox-python",
    "kdl": "PyKDL",
    "pink_peer": "pin-pink",
    "eaik_peer": "eaik",
    "ssik_peer": "ssik",
    "optik_peer": "optik-py",
    "ikpy_peer": "ikpy",
}


class Found(NamedTuple):
    """What there is to compare.

    Attributes:
        peers: solvers that can be imported.
        absent: distributions that are missing, with the reason.
    """

    peers: tuple[type[Peer], ...]
    absent: dict[str, str]


def find_peers() -> Found:
    """Import every adapter whose solver is installed."""
    peers: list[type[Peer]] = []
    absent: dict[str, str] = {}
    not_installed = _not_installed()
    for module, distribution in _MODULES.items():
        found = _peers_of(module)
        if isinstance(found, str):
            absent[distribution] = not_installed.get(distribution, found)
        else:
            peers += found
    return Found(tuple(peers), absent)


def _peers_of(module: str) -> tuple[type[Peer], ...] | str:
    """Return a module's peers, or why it cannot be imported."""
    try:
        peers: tuple[type[Peer], ...] = importlib.import_module(f".{module}", __name__).PEERS
    except ImportError as error:
        return str(error)
    return peers


def _not_installed() -> dict[str, str]:
    """Return what `make bench` could not install into this venv, and pip's last word on it."""
    path = Path(sys.prefix) / "not-installed.tsv"
    if not path.exists():
        return {}
    lines = path.read_text(encoding="utf-8").splitlines()
    return dict(line.split("\t", 1) for line in lines)
