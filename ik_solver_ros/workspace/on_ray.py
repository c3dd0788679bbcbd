# SPDX-License-Identifier: Apache-2.0
"""The backend `ray`: the one module that knows Ray."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator, Sequence
from typing import Any

from ..core.errors import BackendError, MissingDependencyError
from ..core.limits import Floats
from .cells import CellValues, MapJob, evaluate

_PATIENCE_S = 5.0


class Ray:
    """A cluster that the user runs; this package has to be installed on its nodes, too.

    Args:
        address: of the cluster, such as ``127.0.0.1:6379`` or ``auto``.

    Raises:
        MissingDependencyError: Ray is not installed.
    """

    def __init__(self, address: str) -> None:
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # nothing is sent anywhere
        try:
            import ray
        except ImportError as error:
            raise MissingDependencyError(
                "Ray", "--backend ray", "pip install 'ik_solver_ros[ray]'"
            ) from error
        self._ray: Any = ray
        self._address = address

    def values(self, job: MapJob, blocks: Sequence[Floats]) -> Iterator[tuple[int, CellValues]]:
        """See ``Backend.values``.

        Raises:
            BackendError: there is no cluster at that address, or a worker has failed.
        """
        ray = self._ray
        is_ours = not ray.is_initialized()
        if is_ours:
            try:
                _require_listener(self._address)
                ray.init(address=self._address, log_to_driver=False, logging_level="ERROR")
            except (OSError, ValueError, RuntimeError) as error:
                raise BackendError(f"no Ray cluster at {self._address}: {error}") from error
        try:
            work, sent = ray.remote(evaluate), ray.put(job)
            number = {work.remote(sent, block): i for i, block in enumerate(blocks)}
            waiting = list(number)
            while waiting:
                done, waiting = ray.wait(waiting)
                for reference in done:
                    yield number[reference], CellValues(*ray.get(reference))
        except ray.exceptions.RayError as error:
            reason = getattr(error, "cause", None) or error
            raise BackendError(f"a worker of Ray has failed: {reason}") from error
        finally:
            if is_ours:
                ray.shutdown()


def _require_listener(address: str) -> None:
    """Refuse an address where nobody listens; Ray itself would try for minutes and then exit."""
    host, _, port = address.rpartition(":")
    if host and port.isdigit():
        socket.create_connection((host, int(port)), _PATIENCE_S).close()
