# SPDX-License-Identifier: Apache-2.0
"""A process with some clients: each asks one question after the other, and judges at the end.

Started by ``clients.py``; prints "ready", waits for a line, and prints one line of JSON.
"""

from __future__ import annotations

import json
import sys
import threading
import time
from collections import Counter
from contextlib import suppress
from typing import Any

import numpy as np
import rclpy
from rclpy.executors import ExternalShutdownException, SingleThreadedExecutor
from rclpy.qos import QoSProfile

from support.ros_harness import DEADLINE_S

from .questions import SERVICES, Question, question, robots_of

# Each client hears the answers to all of them, and keeps those that are its own: with rclpy's
# default of 10, answers to others push out what it has not looked at yet.
ROOM = QoSProfile(depth=1000)


class Client:
    """A node of its own that spins in a background thread.

    Args:
        name: of the node.
        seed: of its questions.
        now: where the robot stands.
    """

    def __init__(self, name: str, seed: int, now: dict[str, float]) -> None:
        self._rng, self._now, self.name = np.random.default_rng(seed), now, name
        self._node = rclpy.create_node(name)
        self._clients = {
            service: self._node.create_client(kind, f"/ik_solver/{service}", qos_profile=ROOM)
            for service, kind in SERVICES.items()
        }
        self._executor = SingleThreadedExecutor()
        self._executor.add_node(self._node)
        self._spinning = threading.Thread(target=self._spin, daemon=True)
        self._spinning.start()
        self._answered: list[tuple[Question, Any]] = []
        self.waits_s: dict[str, list[float]] = {service: [] for service in SERVICES}
        self.lost: list[str] = []

    def _spin(self) -> None:
        with suppress(ExternalShutdownException):
            self._executor.spin()

    def close(self) -> None:
        """Wait until the background thread has noticed the end of ROS."""
        self._spinning.join(DEADLINE_S)

    def find_services(self) -> None:
        """Wait for the node."""
        for service, client in self._clients.items():
            if not client.wait_for_service(DEADLINE_S):
                raise TimeoutError(f"no service {service}")

    def ask(self, calls: int) -> None:
        """Ask so many questions, one after the other."""
        for number in range(calls):
            asked = question(self._rng, self._now)
            done = threading.Event()
            started_s = time.perf_counter()
            future = self._clients[asked.service].call_async(asked.request)
            future.add_done_callback(lambda _, done=done: done.set())
            if not done.wait(DEADLINE_S):
                self.lost.append(f"call {number}, of {asked.service}")
                continue
            self.waits_s[asked.service].append(time.perf_counter() - started_s)
            self._answered.append((asked, future.result()))

    def judged(self) -> dict[str, Any]:
        """What the answers are worth: counts by robot, and each that is of none or of both."""
        by_robot, faults = Counter[int](), []
        for asked, answer in self._answered:
            robots = robots_of(asked, answer)
            if len(robots) == 1:
                by_robot[robots[0]] += 1
            else:
                fits = "both robots" if robots else "no robot"
                faults.append(f"{self.name}: {asked.service} fits {fits}: {answer.message}")
        return {
            "name": self.name,
            "answers": len(self._answered),
            "lost": self.lost,
            "by_robot": [by_robot[0], by_robot[1]],
            "waits_s": self.waits_s,
            "faults": faults,
        }


def main() -> None:
    """Ask, judge, print."""
    task = json.loads(sys.argv[1])
    rclpy.init(args=[])
    clients = [Client(f"client_{seed}", seed, task["now"]) for seed in task["seeds"]]
    for client in clients:
        client.find_services()
    print("ready", flush=True)
    sys.stdin.readline()  # all clients begin at once
    threads = [threading.Thread(target=c.ask, args=(task["calls"],)) for c in clients]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    print(json.dumps([client.judged() for client in clients]), flush=True)
    rclpy.try_shutdown()
    for client in clients:
        client.close()


if __name__ == "__main__":
    main()
