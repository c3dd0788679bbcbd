# SPDX-License-Identifier: Apache-2.0
"""The node, the echo and a robot as processes of their own, and a caller that measures them."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from support.robots import DEMO_ARM, robot_urdf
from support.ros_harness import DEADLINE_S, Cell, Program, isolated, own_domain, wait_until
from support.urdf_fk import UrdfKinematics

URDF = robot_urdf(DEMO_ARM.name)
BASE, TIP = DEMO_ARM.base, DEMO_ARM.tip
KINEMATICS = UrdfKinematics(URDF)
JOINTS = KINEMATICS.chain_joints(BASE, TIP)
POSTURE = dict(zip(JOINTS, (0.5, -0.1, -1.0, 0.2, -1.2, 0.9)))
# Tests check every field that is set; what is measured here is what users have.
UNCHECKED = {"ROS_PYTHON_CHECK_FIELDS": ""}


@contextmanager
def cell_with(*, joint_state_rate_hz: float, **parameters: Any) -> Iterator[Cell]:
    """The cell of a node with these parameters, a robot that follows it, and the echo.

    Args:
        joint_state_rate_hz: joint states a second.
        parameters: of the node.
    """
    described = {"robot_description": URDF}
    robot = described | {"rate": joint_state_rate_hz, "follow": "ik_solver/joint_targets"}
    with (
        tempfile.TemporaryDirectory() as folder,
        own_domain() as domain,
        program(folder, "ik_node", domain, described | parameters) as node,
        program(folder, "fake_joint_states", domain, robot),
        _echo(domain),
    ):
        node.wait_for("serving")
        with Cell(domain) as cell:
            cell.find_service()
            yield cell


def program(folder: str, name: str, domain: int, parameters: dict[str, Any]) -> Program:
    """An executable of this package."""
    return Program(Path(folder), name, domain, parameters, environment=UNCHECKED)


@contextmanager
def _echo(domain: int) -> Iterator[None]:
    command = [sys.executable, str(Path(__file__).with_name("echo.py"))]
    with subprocess.Popen(
        command, stdin=subprocess.DEVNULL, env=isolated(domain) | UNCHECKED
    ) as process:
        try:
            yield
        finally:
            process.terminate()


def client_of(cell: Cell, node: str, service: str, service_type: type, request: Any) -> Any:
    """A client whose service has answered the request with a success."""
    client = cell.node.create_client(service_type, f"/{node}/{service}")
    if not client.wait_for_service(DEADLINE_S):
        raise TimeoutError(f"no service /{node}/{service}")
    wait_until(lambda: ask(client, request)[0].success, f"a success of /{node}/{service}")
    return client


def ask(client: Any, request: Any) -> tuple[Any, float]:
    """Call a service; returns the answer and how long it took, in seconds."""
    done = threading.Event()
    started_s = time.perf_counter()
    future = client.call_async(request)
    future.add_done_callback(lambda _: done.set())
    if not done.wait(DEADLINE_S):
        raise TimeoutError("no answer")
    return future.result(), time.perf_counter() - started_s


def percentiles(seconds: Sequence[float]) -> dict[str, float]:
    """Median, 90th and 99th percentile in seconds."""
    values = np.percentile(np.array(seconds), (50, 90, 99)).tolist()
    return dict(zip(("median", "p90", "p99"), values))
