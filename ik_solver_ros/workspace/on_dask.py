# SPDX-License-Identifier: Apache-2.0
"""The backend `dask`: the one module that knows Dask's distributed scheduler."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ..core.errors import MissingDependencyError
from ..core.limits import Floats
from .cells import CellValues, MapJob, evaluate


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
            OSError: there is no scheduler at that address.
        """
        try:
            client = self._distributed.Client(self._address, set_as_default=False)
        except (OSError, ValueError) as error:
            raise OSError(f"no Dask scheduler at {self._address}: {error}") from error
        with client:
            futures = client.map(evaluate, [job] * len(blocks), list(blocks), pure=False)
            number = {future.key: i for i, future in enumerate(futures)}
            for future, values in self._distributed.as_completed(futures, with_results=True):
                yield number[future.key], CellValues(*values)
