#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a call of the service costs, beside a service that does nothing but has the same types.

Run it in the built environment, after `make build`::

    tools/within.sh python3 benchmarks/ros_round_trip.py

Node, echo service, joint states and caller are processes of their own. Calls go to both services in
turns of 100, so that whatever else the machine does hits both alike. The caller spins in a
background thread and measures from the call to its answer.
"""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import numpy as np
import rclpy
from ament_index_python.packages import get_package_prefix, get_package_share_directory
from builtin_interfaces.msg import Duration
from rclpy.executors import ExternalShutdownException, SingleThreadedExecutor
from rclpy.qos import DurabilityPolicy, QoSProfile
from std_msgs.msg import String

from ik_solver_ros import RobotModel
from ik_solver_ros.core.transforms import xyz_quat_from_se3
from ik_solver_ros.srv import SolveIK

TURN = 100  # calls of one service before it is the other's turn
DEADLINE_S = 60.0
URDF = Path(get_package_share_directory("ik_solver_ros"), "urdf", "demo_arm.urdf").read_text()
TIP = "tool0"
REACHABLE = (0.5, -0.1, -1.0, 0.2, -1.2, 0.9)
BEYOND = (0.2, -0.3, 1.055, 0.4, -1.0, 0.5)  # the limit of joint 3 is 8 mrad below this


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--calls", type=int, default=2000, help="calls of each service")
    parser.add_argument("--rate", type=float, default=100.0, help="joint states a second")
    parser.add_argument("--echo", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.echo:
        serve_echo()
        return
    os.environ["ROS_AUTOMATIC_DISCOVERY_RANGE"] = "LOCALHOST"
    os.environ["ROS_DOMAIN_ID"] = str(random.randint(1, 101))
    with caller() as node:
        compare_with_echo(node, options.calls, options.rate)
        measure_idle_load(node)
        measure_freshness(node)


def compare_with_echo(node: Any, calls: int, rate: float) -> None:
    """Round trips of our service and of one that does nothing."""
    request = request_for(REACHABLE)
    times: dict[str, list[float]] = {"ik_solver": [], "echo": []}
    solve_times = []
    with ik_node(), joint_states(rate), process(sys.executable, __file__, "--echo"):
        clients = {name: ready_client(node, name, request) for name in times}
        for _ in range(calls // TURN):
            for name, client in clients.items():
                for _ in range(TURN):
                    started_s = time.perf_counter()
                    answer = ask(client, request)
                    times[name].append(time.perf_counter() - started_s)
                    if name == "ik_solver":
                        solve_times.append(answer.solve_time)
    print(f"{calls} calls of each service, joint states at {rate:g} Hz, milliseconds:")
    for name, seconds in times.items():
        print(f"  {name:<10}{shown(milliseconds(seconds), '7.3f')}")
    ratios = milliseconds(times["ik_solver"]) / milliseconds(times["echo"])
    print(f"  {'ratio':<10}{shown(ratios, '7.2f')}")
    print(f"  {'solving':<10}{shown(milliseconds(solve_times), '7.3f')}")


def measure_idle_load(node: Any) -> None:
    """Processor share of a node that only hears joint states."""
    with ik_node() as running, joint_states(500.0):
        ready_client(node, "ik_solver", request_for(REACHABLE))
        started_s, before_s = time.perf_counter(), processor_time_s(running.pid)
        time.sleep(5.0)
        share = (processor_time_s(running.pid) - before_s) / (time.perf_counter() - started_s)
    print(f"idle node, joint states at 500 Hz: {100 * share:.1f} % of one processor")


def measure_freshness(node: Any) -> None:
    """Whether joint states are fresh at the end of a solve that takes two seconds."""
    parameters = ("solver:=reference", "max_attempts:=100000", "max_joint_state_age:=0.1")
    long, short = request_for(BEYOND), request_for(REACHABLE)
    long.timeout = Duration(sec=2)
    with ik_node(*parameters), joint_states(100.0):
        client = ready_client(node, "ik_solver", short)
        outcomes = []
        for _ in range(5):
            client.call_async(long)
            outcomes.append(ask(client, short).success)  # waits its turn behind the long one
    print(f"joint state younger than 0.1 s after a 2 s solve: {sum(outcomes)} of {len(outcomes)}")


def serve_echo() -> None:
    """The least that a service of this type can do, spun as rclpy does by default."""
    rclpy.init()
    node = rclpy.create_node("echo")
    names = [f"joint_{i}" for i in range(1, 7)]

    def answer(_request: SolveIK.Request, response: SolveIK.Response) -> SolveIK.Response:
        response.status, response.success = SolveIK.Response.SOLVED, True
        response.message = "solved: off by 1.5e-08 m and 7.7e-08 rad"
        response.seed_source = "joint_states"
        response.solution.name, response.solution.position = names, list(REACHABLE)
        return response

    node.create_service(SolveIK, "~/solve_ik", answer)
    spin(lambda: rclpy.spin(node))


def request_for(positions: Sequence[float]) -> SolveIK.Request:
    """A request for where the tip is at these joint positions."""
    robot = RobotModel.from_urdf(URDF)
    at, turned = xyz_quat_from_se3(robot.pose(dict(zip(robot.joint_names, positions)), TIP))
    request = SolveIK.Request(dry_run=True)
    pose = request.target.pose
    pose.position.x, pose.position.y, pose.position.z = at
    turn = pose.orientation
    turn.x, turn.y, turn.z, turn.w = turned
    return request


def ready_client(node: Any, name: str, request: SolveIK.Request) -> Any:
    """A client whose service has answered."""
    client = node.create_client(SolveIK, f"/{name}/solve_ik")
    if not client.wait_for_service(DEADLINE_S):
        raise TimeoutError(f"no service /{name}/solve_ik")
    end_s = time.monotonic() + DEADLINE_S
    while not (answer := ask(client, request)).success:
        if time.monotonic() > end_s:
            raise TimeoutError(answer.message)
    return client


def ask(client: Any, request: SolveIK.Request) -> SolveIK.Response:
    """Call the service and wait for the answer."""
    done = threading.Event()
    future = client.call_async(request)
    future.add_done_callback(lambda _: done.set())
    if not done.wait(DEADLINE_S):
        raise TimeoutError("no answer")
    return future.result()


@contextmanager
def caller() -> Iterator[Any]:
    """A node that spins in the background and publishes the robot description."""
    rclpy.init(args=[])
    node = rclpy.create_node("caller")
    latched = QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL)
    node.create_publisher(String, "/robot_description", latched).publish(String(data=URDF))
    executor = SingleThreadedExecutor()
    executor.add_node(node)
    thread = threading.Thread(target=spin, args=(executor.spin,), daemon=True)
    thread.start()
    try:
        yield node
    finally:
        rclpy.try_shutdown()
        thread.join()


def spin(spinning: Callable[[], None]) -> None:
    """Spin until the end, which may come between two waits: then rclpy has no better error."""
    with suppress(KeyboardInterrupt, ExternalShutdownException, RuntimeError):
        spinning()


@contextmanager
def process(*command: str) -> Iterator[subprocess.Popen[bytes]]:
    """A program that runs while the block does."""
    with subprocess.Popen(command, stdin=subprocess.DEVNULL) as started:
        try:
            yield started
        finally:
            started.terminate()


def ik_node(*parameters: str) -> Any:
    """The node under test."""
    return executable("ik_node", *parameters)


def joint_states(rate: float) -> Any:
    """A robot at rest."""
    return executable("fake_joint_states", f"rate:={rate}")


def executable(name: str, *parameters: str) -> Any:
    """An executable of this package with parameters."""
    file = Path(get_package_prefix("ik_solver_ros"), "lib", "ik_solver_ros", name)
    options = [word for parameter in parameters for word in ("-p", parameter)]
    return process(str(file), "--ros-args", "--log-level", "warn", *options)


def processor_time_s(pid: int) -> float:
    """User and system time of a process so far."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def milliseconds(seconds: Sequence[float]) -> Any:
    """Median, 90th and 99th percentile in milliseconds."""
    return np.percentile(np.array(seconds) * 1e3, (50, 90, 99))


def shown(numbers: Sequence[float], style: str) -> str:
    """Median, 90th and 99th percentile as text."""
    median, p90, p99 = (format(number, style) for number in numbers)
    return f"median {median}   p90 {p90}   p99 {p99}"


if __name__ == "__main__":
    main()
