# SPDX-License-Identifier: Apache-2.0
"""What others notice: of a node that is idle, and of one that works on a very large batch."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np
from process_watch import look_at

from ik_solver_ros.srv import SolveIKBatch
from support.poses import xyz_quat_from_transform
from support.ros_harness import isolated, joint_state, request_for

from .robots import BASE, JOINTS, MODELS, TIP
from .surroundings import RATE_HZ, Surroundings, surroundings

_LISTENER = """
import rclpy
from rclpy.qos import QoSProfile, ReliabilityPolicy
from sensor_msgs.msg import JointState
rclpy.init()
node = rclpy.create_node("listener")
heard = 0

def hear(_):
    global heard
    heard += 1
    if heard == 500:
        print("warm", flush=True)

quality = QoSProfile(depth=10, reliability=ReliabilityPolicy.BEST_EFFORT)
node.create_subscription(JointState, "/joint_states", hear, quality)
rclpy.spin(node)
"""


def idle(folder: Path, seconds: float) -> dict[str, float]:
    """Processor time of an idle node, and of a process that hears the same and does nothing."""
    with surroundings(folder) as around:
        listener = subprocess.Popen(
            [sys.executable, "-c", _LISTENER],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=isolated(around.domain),
        )
        try:
            listener.stdout.readline()  # it has met the publisher, which can take seconds
            before = [look_at(pid).processor_s for pid in (around.node.pid, listener.pid)]
            with around.rate() as rate:
                started_s = time.perf_counter()
                threading.Event().wait(seconds)
                took_s, rate_hz = time.perf_counter() - started_s, rate()
            after = [look_at(pid).processor_s for pid in (around.node.pid, listener.pid)]
        finally:
            listener.kill()
            listener.wait()
    node, bare = (b - a for a, b in zip(before, after))
    return {
        "nominal_rate_hz": RATE_HZ,
        "joint_state_rate_hz": rate_hz,
        "node": node / took_s,
        "listener": bare / took_s,
        "ratio": node / bare,
    }


def beside_a_large_batch(folder: Path, rows: int) -> dict[str, Any]:
    """Waits for single answers, alone and while the node works on a batch of so many rows."""
    with surroundings(folder, timeout=5.0) as around:
        alone_s = [_ask(around, i) for i in range(300)]
        batch = _large_batch(rows)
        answers: list[Any] = []
        started_s = time.perf_counter()
        thread = threading.Thread(
            target=lambda: answers.append(
                around.cell.ask("solve_ik_batch", SolveIKBatch, batch, 1800.0)
            )
        )
        thread.start()
        beside_s = []
        while thread.is_alive():
            beside_s.append(_ask(around, len(beside_s)))
        thread.join()
        took_s = time.perf_counter() - started_s
    (answer,) = answers
    return {
        "rows": rows,
        "solved": int(np.count_nonzero(np.frombuffer(answer.status, dtype=np.uint8) == 1)),
        "batch_s": took_s,
        "alone": _told(alone_s),
        "beside": _told(beside_s),
        "calls_beside": len(beside_s),
    }


def _ask(around: Surroundings, index: int) -> float:
    rng = np.random.default_rng(index)
    wanted = MODELS[0].random_configuration(rng, JOINTS, margin=0.2)
    seed = {name: at + 0.1 for name, at in wanted.items()}
    request = request_for(MODELS[0].relative(wanted, BASE, TIP), seed=seed, dry_run=True)
    started_s = time.perf_counter()
    answer = around.cell.call(request)
    took_s = time.perf_counter() - started_s
    if not answer.success:
        raise RuntimeError(f"a plain target was not solved: {answer.message}")
    return took_s


def _large_batch(rows: int) -> SolveIKBatch.Request:
    rng = np.random.default_rng(7)
    wanted = {name: rng.uniform(*MODELS[0].limits(name), rows) for name in JOINTS}
    T_base_tip = MODELS[0].relative(wanted, BASE, TIP)
    request = SolveIKBatch.Request(seed=joint_state(dict.fromkeys(JOINTS, 0.0)))
    request.targets = np.concatenate([xyz_quat_from_transform(T) for T in T_base_tip]).tolist()
    return request


def _told(seconds: list[float]) -> dict[str, float]:
    median, p99 = np.percentile(seconds, (50, 99)).tolist()
    return {"median": median, "p99": p99, "largest": max(seconds)}
