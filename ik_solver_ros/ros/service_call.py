# SPDX-License-Identifier: Apache-2.0
"""What all services have in common: every call is answered, whatever happens while it is served."""

from __future__ import annotations

import time
import traceback
from collections.abc import Callable
from typing import Any

from rclpy.logging import LoggingSeverity

from ..core.errors import IKSolverError
from ..core.status import Status
from .call_statistics import CallStatistics


class ServiceCall:
    """Serves calls of one service; no exception leaves it, since that would end the node.

    Args:
        service: name, for the log.
        log: the node's logger.
        statistics: counts the calls.
        status: name of the response's field that says how the call ended.
    """

    def __init__(
        self, service: str, log: Any, statistics: CallStatistics, status: str = "status"
    ) -> None:
        self._service, self._log = service, log
        self._statistics, self._status = statistics, status

    def serve(self, work: Callable[[], Any], refuse: Callable[[Status, str], Any]) -> Any:
        """Return what ``work`` returns, or the refusal that ends it.

        Args:
            work: makes the response.
            refuse: makes the response to a call that failed with a status, for a reason.
        """
        started_s = time.perf_counter()
        try:
            response = work()
        except IKSolverError as error:
            response = refuse(error.status, str(error))
        except Exception as error:  # noqa: BLE001
            self._log.error(f"internal error, please report it:\n{traceback.format_exc()}")
            told = f"internal error, logged by the node: {type(error).__name__}: {error}"
            response = refuse(Status.INTERNAL_ERROR, told)
        status = Status(getattr(response, self._status))
        self._statistics.note(self._service, status, time.perf_counter() - started_s)
        if self._log.is_enabled_for(LoggingSeverity.DEBUG):
            self._log.debug(f"{self._service}: {status.name}: {response.message}")
        return response
