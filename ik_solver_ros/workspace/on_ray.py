# SPDX-License-Identifier: Apache-2.0
"""The backend `ray`: the one module that knows Ray."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import Any

from ..core.errors import MissingDependencyError
from ..core.limits import Floats
from .cells import CellValues, MapJob, evaluate


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
            OSError: there is no cluster at that address.
        """
        ray = self._ray
        is_ours = not ray.is_initialized()
        if is_ours:
            try:
                ray.init(address=self._address, log_to_driver=False, logging_level="ERROR")
            except (ConnectionError, ValueError, RuntimeError) as error:
                raise OSError(f"no Ray cluster at {self._address}: {error}") from error
        try:
            work, sent = ray.remote(evaluate), ray.put(job)
            number = {work.remote(sent, block): i for i, block in enumerate(blocks)}
            waiting = list(number)
            while waiting:
                done, waiting = ray.wait(waiting)
                for reference in done:
                    yield number[reference], CellValues(*ray.get(reference))
        finally:
            if is_ours:
                ray.shutdown()
