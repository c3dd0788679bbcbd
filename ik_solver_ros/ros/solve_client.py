# SPDX-License-Identifier: Apache-2.0
"""A client of ``solve_ik`` that takes requests of the library."""

from __future__ import annotations

import threading
from typing import Any

from rcl_interfaces.srv import GetParameters
from rclpy.node import Node
from rclpy.parameter import parameter_value_to_python

from ik_solver_ros.srv import SolveIK

from ..core.errors import IKSolverError
from ..core.request import IKRequest
from .client_messages import solve_message

_PATIENCE_S = 3.0


class NoAnswerError(IKSolverError):
    """The node is not there, or does not answer."""


class SolveClient:
    """Calls one node's services; blocks the calling thread, which must not be the spinning one.

    Args:
        node: spun by somebody else.
        server: name of the node that is called, relative names in the namespace of ``node``.
    """

    def __init__(self, node: Node, server: str) -> None:
        self._solve = node.create_client(SolveIK, f"{server}/solve_ik")
        self._parameters = node.create_client(GetParameters, f"{server}/get_parameters")
        self.service = node.resolve_service_name(f"{server}/solve_ik")
        self.server = self.service.rpartition("/")[0]

    def solve(self, request: IKRequest, base_frame: str, tip_frame: str, dry_run: bool) -> Any:
        """The ``SolveIK.Response``.

        Args:
            request: its target is seen from ``base_frame``.
            base_frame: link of the node's robot.
            tip_frame: link that carries the tool, whatever the request says.
            dry_run: nothing is published.

        Raises:
            NoAnswerError: says which node is silent.
        """
        message = solve_message(request, base_frame, dry_run)
        message.tip_frame = tip_frame
        return self._call(self._solve, message)

    def parameters(self, *names: str) -> dict[str, Any]:
        """Parameters of the node; raises NoAnswerError."""
        response = self._call(self._parameters, GetParameters.Request(names=list(names)))
        return dict(zip(names, map(parameter_value_to_python, response.values)))

    def is_ready(self) -> bool:
        """Whether somebody serves both."""
        return self._solve.service_is_ready() and self._parameters.service_is_ready()

    def _call(self, client: Any, message: Any) -> Any:
        if not client.service_is_ready():
            raise NoAnswerError(f"there is no node {self.server} now: is the IK node running?")
        done = threading.Event()
        future = client.call_async(message)
        future.add_done_callback(lambda _: done.set())
        if not done.wait(_PATIENCE_S):
            client.remove_pending_request(future)
            raise NoAnswerError(f"{self.server} did not answer within {_PATIENCE_S:g} s")
        return future.result()
