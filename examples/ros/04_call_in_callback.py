#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A call from inside a callback that does not hang: ask, return, and go on when the answer comes.

A callback that waits for the answer waits forever: the thread that would take the answer in is the
one that waits. (``client.call`` in a callback hangs for this reason.) So ``call_async`` leaves the
answer to a callback of its own, and this one returns.

Start the node first, see 01_one_call.py; then ``python3 examples/ros/04_call_in_callback.py``.
"""

from functools import partial

import rclpy
from rclpy.node import Node
from rclpy.task import Future

from ik_solver_ros.srv import SolveIK

DEADLINE_S = 10.0
HEIGHTS_M = (0.3, 0.4, 0.5)


class Picker(Node):
    """Asks for one height after the other, each time its timer calls."""

    def __init__(self) -> None:
        super().__init__("picker")
        self._client = self.create_client(SolveIK, "/ik_solver/solve_ik")
        if not self._client.wait_for_service(DEADLINE_S):
            raise SystemExit("there is no /ik_solver/solve_ik; start the node first")
        self._open = list(HEIGHTS_M)
        self.answers = 0
        self._timer = self.create_timer(0.1, self._ask)

    def _ask(self) -> None:
        """The callback: asks, and does not wait."""
        if not self._open:
            self._timer.cancel()
            return
        height_m = self._open.pop(0)
        request = SolveIK.Request(dry_run=True)
        request.target.pose.position.x, request.target.pose.position.z = 0.5, height_m
        request.target.pose.orientation.x, request.target.pose.orientation.w = 1.0, 0.0
        future = self._client.call_async(request)
        future.add_done_callback(partial(self._answered, height_m))

    def _answered(self, height_m: float, future: Future) -> None:
        """Runs when the answer has come."""
        response = future.result()
        shown = " ".join(f"{position:+.6f}" for position in response.solution.position)
        print(f"{height_m:.1f} m: {response.message}\n  joints [rad] {shown}")
        self.answers += 1


rclpy.init()
picker = Picker()
while picker.answers < len(HEIGHTS_M):
    rclpy.spin_once(picker, timeout_sec=0.1)
rclpy.shutdown()
