#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A stream: the tool is led along a circle by a pose every 10 ms.

Targets go to ``~/target_pose``; the arm follows within its velocity and acceleration limits, and
what it is told comes on ``~/joint_targets``. The robot must follow those, as the one of ``make
run`` and of ``joint_states:=fake`` does. Where the tool is meanwhile is asked of ``~/compute_fk``.

Start the node first, see 01_one_call.py; then ``python3 examples/ros/03_stream.py``.
"""

import math
import threading
import time
from contextlib import suppress

import rclpy
from geometry_msgs.msg import Pose, PoseStamped
from rclpy.executors import ExternalShutdownException, SingleThreadedExecutor
from rclpy.qos import QoSProfile, ReliabilityPolicy

from ik_solver_ros.srv import ComputeFK

DEADLINE_S = 10.0
RADIUS_M, TURN_S, TURNS, PERIOD_S = 0.05, 4.0, 2, 0.01


def tool_pose() -> Pose:
    """Where the tool is now."""
    done = threading.Event()
    future = client.call_async(ComputeFK.Request())
    future.add_done_callback(lambda _: done.set())
    if not done.wait(DEADLINE_S):
        raise SystemExit("no answer")
    if not future.result().success:
        raise SystemExit(future.result().message)
    return future.result().poses[0].pose


rclpy.init()
node = rclpy.create_node("stream")
client = node.create_client(ComputeFK, "/ik_solver/compute_fk")
newest = QoSProfile(depth=1, reliability=ReliabilityPolicy.BEST_EFFORT)
targets = node.create_publisher(PoseStamped, "/ik_solver/target_pose", newest)
if not client.wait_for_service(DEADLINE_S):
    raise SystemExit("there is no /ik_solver/compute_fk; start the node first")

# Answers are taken in the background, so that the loop below keeps its pace.
executor = SingleThreadedExecutor()
executor.add_node(node)


def spin() -> None:
    """Until rclpy is shut down."""
    with suppress(ExternalShutdownException):
        executor.spin()


spinning = threading.Thread(target=spin, daemon=True)
spinning.start()

start = tool_pose()
errors_m = []
began_s = time.monotonic()
for step in range(round(TURNS * TURN_S / PERIOD_S)):
    angle_rad = 2.0 * math.pi * step * PERIOD_S / TURN_S
    target = PoseStamped()
    target.pose.orientation = start.orientation
    target.pose.position.x = start.position.x + RADIUS_M * (1.0 - math.cos(angle_rad))
    target.pose.position.y = start.position.y + RADIUS_M * math.sin(angle_rad)
    target.pose.position.z = start.position.z
    targets.publish(target)
    at = tool_pose().position
    wanted = target.pose.position
    errors_m.append(math.dist((at.x, at.y, at.z), (wanted.x, wanted.y, wanted.z)))
    due_s = began_s + (step + 1) * PERIOD_S
    time.sleep(max(0.0, due_s - time.monotonic()))

speed_m_s = 2.0 * math.pi * RADIUS_M / TURN_S
mean_m = sum(errors_m) / len(errors_m)
print(f"{len(errors_m)} targets along a circle of {1e3 * RADIUS_M:.0f} mm radius")
print(f"tracking error  mean {1e3 * mean_m:.2f} mm, largest {1e3 * max(errors_m):.2f} mm")
print(f"at {1e3 * speed_m_s:.0f} mm/s the robot is {mean_m / speed_m_s:.3f} s behind its targets")
rclpy.shutdown()
spinning.join()
