#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A thousand targets in one call: flat arrays in, flat arrays out.

Targets are seven numbers a row, x y z qx qy qz qw; answers are as many numbers a row as the arm has
joints. Fill such fields with ``array.array`` and read them with ``np.frombuffer``: a list or a
NumPy array would be copied number by number, which takes longer than solving.

Start the node first, see 01_one_call.py; then ``python3 examples/ros/02_batch.py``.
"""

import time
from array import array

import numpy as np
import rclpy

from ik_solver_ros.srv import SolveIKBatch

DEADLINE_S = 10.0
N = 1000

rclpy.init()
node = rclpy.create_node("batch")
client = node.create_client(SolveIKBatch, "/ik_solver/solve_ik_batch")
if not client.wait_for_service(DEADLINE_S):
    raise SystemExit("there is no /ik_solver/solve_ik_batch; start the node first")

targets = np.zeros((N, 7))
targets[:, 0] = np.linspace(0.35, 0.55, N)  # a straight line
targets[:, 1] = np.linspace(-0.25, 0.25, N)
targets[:, 2] = 0.4
targets[:, 3] = 1.0  # the tool looks down

request = SolveIKBatch.Request(chain_seeds=True)  # a path: each row starts at the answer before it
request.targets = array("d", targets.tobytes())

started_s = time.perf_counter()
future = client.call_async(request)
while not future.done() and time.perf_counter() < started_s + DEADLINE_S:
    rclpy.spin_once(node, timeout_sec=0.1)
if not future.done():
    raise SystemExit("no answer")
response, took_s = future.result(), time.perf_counter() - started_s

print(response.message)
print(f"{1e3 * response.solve_time:.1f} ms in the node, {1e3 * took_s:.1f} ms there and back")
positions = np.frombuffer(response.positions).reshape(N, len(response.joint_names))
for row in (0, N // 2, N - 1):
    print(f"  row {row:>3} [rad] ", " ".join(f"{position:+.6f}" for position in positions[row]))
for row, why in zip(response.failed_rows, response.failure_messages):
    print(f"  row {row:>3} failed: {why}")
rclpy.shutdown()
