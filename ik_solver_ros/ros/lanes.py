# SPDX-License-Identifier: Apache-2.0
"""One thread for each callback group, so that a long solve holds nobody up.

rclpy's MultiThreadedExecutor would do the same, but wakes its collecting thread twice for each
callback; that thread then competes with the callback for the interpreter. Measured on two cores
with joint states at 100 Hz, its 99th percentile of a service call is 3 to 6 times that of a single
thread. A thread of its own for each group costs nothing measurable. rclpy's experimental
EventsExecutor hands each message from one thread to another: a call takes a tenth longer.

A subscription and its events stay in one lane: the middleware wakes who waits for the events at
each message, too, again and again until somebody takes it.
"""

from __future__ import annotations

import os
import sys
import threading
import time
import traceback
from collections.abc import Sequence
from types import TracebackType
from typing import Any

from rclpy.callback_groups import CallbackGroup
from rclpy.executors import ExternalShutdownException, SingleThreadedExecutor
from rclpy.node import Node

_KINDS = ("subscriptions", "timers", "clients", "services", "guards", "waitables")
_PATIENCE_S = 0.5  # for callbacks that run when the end comes


class Lanes:
    """Spins a node until left as a context: each group in its own thread, the rest in one more.

    Leaving it ends ROS. If a callback is still running then, it is not waited for: the process ends
    with exit code 0.

    Args:
        node: the node.
        groups: the callback groups that get their own thread; with all that will be in them.
    """

    def __init__(self, node: Node, groups: Sequence[CallbackGroup]) -> None:
        self._node = node
        rest = _Lane(node, _Rest(node, groups))
        rest.add_node(node)  # this is the executor that new entities of the node wake up
        self._lanes = [rest, *(_Lane(node, _Part(node, group)) for group in groups)]
        self._threads = [
            threading.Thread(target=self._spin, args=(lane,), daemon=True) for lane in self._lanes
        ]

    def __enter__(self) -> Lanes:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(
        self,
        _type: type[BaseException] | None,
        _error: BaseException | None,
        _traceback: TracebackType | None,
    ) -> None:
        self._node.context.try_shutdown()
        deadline_s = time.monotonic() + _PATIENCE_S
        for thread in self._threads:
            thread.join(max(0.0, deadline_s - time.monotonic()))
        for lane in self._lanes:
            lane.shutdown()
        self._node.destroy_node()
        if any(thread.is_alive() for thread in self._threads):
            self._node.context.destroy()  # leaves nothing of DDS behind in shared memory
            # Python cannot end a thread inside native code, and crashes when it tries to at exit.
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(0)

    def _spin(self, lane: _Lane) -> None:
        while self._node.context.ok():
            self._spin_once(lane)

    def _spin_once(self, lane: _Lane) -> None:
        try:
            lane.spin_once()
        except ExternalShutdownException:
            pass  # the loop ends
        except Exception:  # noqa: BLE001
            if self._node.context.ok():
                log = self._node.get_logger()
                log.error(f"internal error, please report it:\n{traceback.format_exc()}")


class _Lane(SingleThreadedExecutor):
    """An executor for a part of a node; rclpy's own ones take whole nodes."""

    def __init__(self, node: Node, part: _Part | _Rest) -> None:
        super().__init__(context=node.context)
        self._part = part

    def get_nodes(self) -> list[Any]:
        return [self._part]


class _Part:
    """What an executor asks a node for, of one callback group.

    It asks before each wait, so the answer is looked up once: a lane with one service then waits
    for one service, while a whole node makes it wait for that of each parameter service, too.
    """

    def __init__(self, node: Node, group: CallbackGroup) -> None:
        for kind in _KINDS:
            entities = [entity for entity in getattr(node, kind) if entity.callback_group is group]
            setattr(self, kind, entities)


class _Rest:
    """What an executor asks a node for, of all groups but some; entities may come and go."""

    def __init__(self, node: Node, others: Sequence[CallbackGroup]) -> None:
        self._node, self._others = node, others

    def __getattr__(self, kind: str) -> list[Any]:
        entities = getattr(self._node, kind)
        return [entity for entity in entities if entity.callback_group not in self._others]
