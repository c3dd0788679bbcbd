# SPDX-License-Identifier: Apache-2.0
"""The solvers that are compared, one small adapter each."""

from __future__ import annotations

import importlib
from typing import NamedTuple

from .base import Peer

# Module, and what to call its solver where it does not install.
_MODULES = {
    "ours": "ik_solver_ros",
    "trac_ik": "TRAC-IK (pytracik)",
    "rtb": "Robotics Toolbox for Python",
    "kdl": "PyKDL",
    "pink_peer": "Pink",
    "eaik_peer": "EAIK",
    "ssik_peer": "ssik",
    "optik_peer": "optik",
    "ikpy_peer": "ikpy",
}


class Found(NamedTuple):
    """What there is to compare.

    Attributes:
        peers: solvers that can be imported.
        absent: the others, with the reason.
    """

    peers: tuple[type[Peer], ...]
    absent: dict[str, str]


def find_peers() -> Found:
    """Import every adapter whose solver is installed."""
    peers: list[type[Peer]] = []
    absent: dict[str, str] = {}
    for module, name in _MODULES.items():
        found = _peers_of(module)
        if isinstance(found, str):
            absent[name] = found
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
