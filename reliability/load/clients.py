# SPDX-License-Identifier: Apache-2.0
"""Processes with clients in them, which begin together and tell what they found."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from typing import Any

from support.robots import REPOSITORY
from support.ros_harness import isolated

_AT_THE_LATEST_S = 1800.0  # a run that takes longer hangs


def asked_by_clients(
    domain: int,
    now: Mapping[str, float],
    processes: int,
    clients: int,
    calls: int,
    begin: Callable[[], None] = lambda: None,
) -> list[dict[str, Any]]:
    """What each client found; see ``client.py``.

    Args:
        domain: of ROS.
        now: where the robot stands.
        processes: how many.
        clients: how many each of them has.
        calls: how many each client makes, one after the other.
        begin: called when all are ready.
    """
    started = []
    try:
        for index in range(processes):
            seeds = [index * clients + i for i in range(clients)]
            started.append(_start(domain, {"now": now, "seeds": seeds, "calls": calls}))
        for process in started:
            if process.stdout.readline().strip() != "ready":
                raise RuntimeError("a client process did not get ready")
        begin()
        for process in started:
            process.stdin.write("go\n")
            process.stdin.flush()
        told = [process.communicate(timeout=_AT_THE_LATEST_S)[0] for process in started]
        return [client for text in told for client in json.loads(text)]
    finally:
        for process in started:
            process.kill()
            process.wait()


def _start(domain: int, task: Mapping[str, Any]) -> Any:
    folders = [REPOSITORY / "test", os.environ.get("PYTHONPATH", "")]
    return subprocess.Popen(
        [sys.executable, "-m", "load.client", json.dumps(task)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=REPOSITORY / "reliability",
        env=isolated(domain) | {"PYTHONPATH": os.pathsep.join(map(str, folders))},
        start_new_session=True,
    )
