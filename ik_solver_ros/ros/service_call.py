# SPDX-License-Identifier: Apache-2.0
"""What all services have in common: every call is answered, whatever happens while it is served."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from typing import Any

from rclpy.logging import LoggingSeverity

from ..core.errors import IKSolverError
from ..core.status import Status


class ServiceCall:
    """Serves calls of one service; no exception leaves it, since that would end the node.

    Args:
        service: name, for the log.
        log: the node's logger.
    """

    def __init__(self, service: str, log: Any) -> None:
        self._service, self._log = service, log

    def serve(self, work: Callable[[], Any], refuse: Callable[[Status, str], Any]) -> Any:
        """Return what ``work`` returns, or the refusal that ends it.

        Args:
            work: makes the response.
            refuse: makes the response to a call that failed with a status, for a reason.
        """
        try:
            response = work()
        except IKSolverError as error:
            response = refuse(error.status, str(error))
        except Exception as error:  # noqa: BLE001
            self._log.error(f"internal error, please report it:\n{traceback.format_exc()}")
            told = f"internal error, logged by the node: {type(error).__name__}: {error}"
            response = refuse(Status.INTERNAL_ERROR, told)
        if self._log.is_enabled_for(LoggingSeverity.DEBUG):
            self._log.debug(f"{self._service}: {response.message}")
        return response
