# SPDX-License-Identifier: Apache-2.0
"""The node with a robot at 500 Hz beside it, and what goes on around them."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from process_watch import Sample, look_at
from sensor_msgs.msg import JointState

from support.ros_harness import Cell, Program, best_effort, own_domain, positions_of, wait_until

from .robots import JOINTS, URDFS

RATE_HZ = 500.0


class Surroundings:
    """A running node and everything around it.

    Attributes:
        node: the process.
        robot: the process that tells the joint states.
        cell: the world around the node.
        domain: of ROS.
        now: where the robot stands, by joint name.
    """

    def __init__(self, node: Program, robot: Program, cell: Cell, domain: int) -> None:
        self.node, self.robot, self.cell, self.domain = node, robot, cell, domain
        self._heard = 0
        self._latest: JointState | None = None
        quality = best_effort(1000)
        cell.node.create_subscription(JointState, "joint_states", self._hear, quality)
        wait_until(lambda: self._latest is not None, "joint states")
        positions = positions_of(self._latest)
        self.now = {name: positions[name] for name in JOINTS}

    def _hear(self, message: JointState) -> None:
        self._latest = message
        self._heard += 1

    @contextmanager
    def rate(self) -> Iterator[Callable[[], float]]:
        """Counts joint states; gives their number a second so far."""
        started_s, before = time.perf_counter(), self._heard
        yield lambda: (self._heard - before) / (time.perf_counter() - started_s)

    @contextmanager
    def swapping(self, period_s: float) -> Iterator[list[int]]:
        """Publish the two robots in turns while the block runs; gives the swaps so far."""
        swaps: list[int] = []

        def swap() -> None:
            swaps.append((len(swaps) + 1) % 2)
            self.cell.describe(URDFS[swaps[-1]])

        with every(period_s, swap):
            yield swaps

    @contextmanager
    def watched(self, period_s: float) -> Iterator[list[Sample]]:
        """Look at the node at a period while the block runs."""
        samples: list[Sample] = []
        with every(period_s, lambda: samples.append(look_at(self.node.pid))):
            yield samples


@contextmanager
def every(period_s: float, action: Callable[[], Any]) -> Iterator[None]:
    """Do something in the background while the block runs; a fault of it ends the block badly."""
    end, faults = threading.Event(), []

    def repeat() -> None:
        due_s = time.monotonic()
        try:
            while not end.wait(max(0.0, due_s - time.monotonic())):
                action()
                due_s += period_s
        except Exception as fault:  # noqa: BLE001
            faults.append(fault)

    thread = threading.Thread(target=repeat, daemon=True)
    thread.start()
    try:
        yield
    finally:
        end.set()
        thread.join()
    if faults:
        raise faults[0]


@contextmanager
def surroundings(folder: Path, **parameters: Any) -> Iterator[Surroundings]:
    """A node that serves the first robot, which stands still and says so 500 times a second."""
    resting = {"robot_description": URDFS[0], "rate": RATE_HZ, "follow": ""}
    # A busy machine holds up whoever says where the joints are; the node would rightly refuse.
    parameters = {"max_joint_state_age": 10.0, **parameters}
    with (
        own_domain() as domain,
        Program(folder, "ik_node", domain, parameters) as node,
        Program(folder, "fake_joint_states", domain, resting) as robot,
    ):
        node.wait_for("serving")
        with Cell(domain) as cell:
            cell.find_service()
            cell.describe(URDFS[0])
            node.wait_for("joints from")
            yield Surroundings(node, robot, cell, domain)
            if not node.is_running():
                raise RuntimeError(f"the node has ended:\n{node.log}")


def log_faults(log: str) -> Sequence[str]:
    """Tracebacks in a log, as sentences."""
    at = log.find("Traceback")
    return [] if at < 0 else [f"a traceback: {log[at : at + 3000]}"]
