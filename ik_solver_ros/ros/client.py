# SPDX-License-Identifier: Apache-2.0
"""Calls the services of a running node from outside: for programs that do so once or twice.

It spins while it waits, so it must not be used inside a callback; see ``examples`` for that.
"""

from __future__ import annotations

import os
import time
from types import TracebackType
from typing import Any

import rclpy
from rcl_interfaces.srv import GetParameters
from rclpy.exceptions import InvalidServiceNameException
from rclpy.executors import SingleThreadedExecutor
from rclpy.node import NodeNameNonExistentError
from rclpy.qos import DurabilityPolicy, QoSProfile
from rclpy.signals import SignalHandlerOptions
from std_msgs.msg import String

from ..core.errors import InvalidRequestError, ServiceUnavailableError, listed

_POLL_S = 0.05  # how soon Ctrl-C is noticed
_DESCRIPTION_S = 2.0  # a latched topic has arrived by then, if there is one


class NodeClient:
    """A node of ROS beside the one that is called; use it as a context.

    Args:
        node_name: full name of the node to call, such as ``/robot1/ik_solver``.
        wait_s: how long to look for its services, and how long to wait for an answer.
    """

    def __init__(self, node_name: str, wait_s: float) -> None:
        self._name, self._wait_s = "/" + node_name.strip("/"), wait_s

    def __enter__(self) -> NodeClient:
        self._context = rclpy.Context()
        # Ctrl-C stays a KeyboardInterrupt.
        rclpy.init(args=[], context=self._context, signal_handler_options=SignalHandlerOptions.NO)
        self._node = rclpy.create_node(f"ik_call_{os.getpid()}", context=self._context)
        self._executor = SingleThreadedExecutor(context=self._context)
        self._executor.add_node(self._node)
        return self

    def __exit__(
        self,
        _type: type[BaseException] | None,
        _error: BaseException | None,
        _traceback: TracebackType | None,
    ) -> None:
        self._executor.shutdown()
        self._node.destroy_node()
        self._context.try_shutdown()

    def find(self, service: str, type_: Any) -> Any:
        """A client of a service of the node, once somebody serves it.

        Args:
            service: its name below the node's, such as "solve_ik".
            type_: its type.

        Raises:
            ServiceUnavailableError: nobody serves it; lists the nodes that do.
            InvalidRequestError: for a node name that cannot be one.
        """
        try:
            client = self._node.create_client(type_, f"{self._name}/{service}")
        except InvalidServiceNameException:
            reason = f"'{self._name}' cannot be a node's name, such as /robot1/ik_solver"
            raise InvalidRequestError("node", reason) from None
        if not self._spin_until(client.service_is_ready, self._wait_s):
            raise ServiceUnavailableError(client.srv_name, self._why_nobody(service, type_))
        return client

    def ask(self, client: Any, request: Any) -> tuple[Any, float]:
        """Call a service that was found.

        Returns:
            The response, and the seconds it took there and back.

        Raises:
            ServiceUnavailableError: there is no answer in time.
        """
        started_s = time.perf_counter()
        future = client.call_async(request)
        if not self._spin_until(future.done, self._wait_s):
            reason = f"there is no answer within {self._wait_s:g} s"
            raise ServiceUnavailableError(client.srv_name, reason)
        return future.result(), time.perf_counter() - started_s

    def description(self) -> str:
        """The robot description that the node has, or its topic; empty if neither is to be had."""
        request = GetParameters.Request(names=["robot_description"])
        parameters = self.find("get_parameters", GetParameters)
        (value,) = self.ask(parameters, request)[0].values
        if value.string_value:
            return str(value.string_value)
        heard: list[str] = []
        latched = QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL)
        topic = f"{self._name.rpartition('/')[0]}/robot_description"
        subscription = self._node.create_subscription(
            String, topic, lambda message: heard.append(message.data), latched
        )
        self._spin_until(lambda: bool(heard), _DESCRIPTION_S)
        self._node.destroy_subscription(subscription)
        return heard[-1] if heard else ""

    def _spin_until(self, is_so: Any, most_s: float) -> bool:
        deadline_s = time.monotonic() + most_s
        while not is_so():
            if time.monotonic() > deadline_s:
                return False
            self._executor.spin_once(timeout_sec=_POLL_S)
        return True

    def _why_nobody(self, service: str, type_: Any) -> str:
        """A sentence with the nodes that serve the same."""
        wanted = f"{type_.__module__.split('.')[0]}/srv/{type_.__name__}"
        nodes = sorted(
            name.removesuffix(f"/{service}")
            for node, namespace in set(self._node.get_node_names_and_namespaces())
            for name, types in self._services_of(node, namespace)
            if wanted in types
        )
        reason = f"nobody serves it (waited {self._wait_s:g} s)"
        if nodes:
            return f"{reason}; nodes that do: {listed(nodes)}"
        domain = os.environ.get("ROS_DOMAIN_ID", "0")
        return (
            f"{reason}, nor does any other node here (ROS_DOMAIN_ID is {domain}); start one with "
            "`ros2 launch ik_solver_ros ik.launch.py` or `make run`"
        )

    def _services_of(self, node: str, namespace: str) -> list[tuple[str, list[str]]]:
        try:
            return self._node.get_service_names_and_types_by_node(node, namespace)
        except NodeNameNonExistentError:  # it has just ended
            return []
