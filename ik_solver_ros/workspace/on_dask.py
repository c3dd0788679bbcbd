# SPDX-License-Identifier: Apache-2.0
"""The backend `dask`: the one module that knows Dask's distributed scheduler."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ..core.errors import BackendError, MissingDependencyError
from ..core.limits import Floats
from .cells import CellValues, MapJob, evaluate

_PATIENCE_S = 5.0


class Dask:
    """A cluster that the user runs; this package has to be installed on its workers, too.

    Args:
        address: of its scheduler, such as ``tcp://127.0.0.1:8786``.

    Raises:
        MissingDependencyError: Dask is not installed.
    """

    def __init__(self, address: str) -> None:
        try:
            import distributed
        except ImportError as error:
            raise MissingDependencyError(
                "Dask", "--backend dask", "pip install 'ik_solver_ros[dask]'"
            ) from error
        self._distributed: Any = distributed
        self._address = address

    def values(self, job: MapJob, blocks: Sequence[Floats]) -> Iterator[tuple[int, CellValues]]:
        """See ``Backend.values``.

        Raises:
            BackendError: there is no scheduler at that address, or a worker has failed.
        """
        distributed = self._distributed
        try:
            client = distributed.Client(self._address, set_as_default=False, timeout=_PATIENCE_S)
        except (OSError, ValueError) as error:
            raise BackendError(f"no Dask scheduler at {self._address}: {error}") from error
        with client:
            futures = client.map(evaluate, [job] * len(blocks), list(blocks), pure=False)
            number = {future.key: i for i, future in enumerate(futures)}
            for future in distributed.as_completed(futures, loop=client.loop):
                if future.status != "finished":
                    raise BackendError(f"a worker of Dask has failed: {future.exception()}")
                yield number[future.key], CellValues(*future.result())
