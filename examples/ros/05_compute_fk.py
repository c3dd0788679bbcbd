#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Where links are: now, and for any joint positions.

Start the node first, see 01_one_call.py; then ``python3 examples/ros/05_compute_fk.py``.
"""

import time

import rclpy

from ik_solver_ros.srv import ComputeFK

DEADLINE_S = 10.0

rclpy.init()
node = rclpy.create_node("where")
client = node.create_client(ComputeFK, "/ik_solver/compute_fk")
if not client.wait_for_service(DEADLINE_S):
    raise SystemExit("there is no /ik_solver/compute_fk; start the node first")


def show(what: str, request: ComputeFK.Request) -> None:
    """Call the service and print the poses."""
    future = client.call_async(request)
    end_s = time.monotonic() + DEADLINE_S
    while not future.done() and time.monotonic() < end_s:
        rclpy.spin_once(node, timeout_sec=0.1)
    if not future.done():
        raise SystemExit("no answer")
    response = future.result()
    print(f"{what}: {response.message}")
    for frame, posed in zip(request.frames or ["(tool)"], response.poses):
        at, turned = posed.pose.position, posed.pose.orientation
        print(
            f"  {frame:<12} in {posed.header.frame_id}:  {at.x:+.6f} {at.y:+.6f} {at.z:+.6f} m  "
            f"{turned.x:+.6f} {turned.y:+.6f} {turned.z:+.6f} {turned.w:+.6f}"
        )


show("now", ComputeFK.Request())

# Joints that are not named stay where they are; frames that are not named are the tool.
bent = ComputeFK.Request(frames=["forearm_link", "tool0"])
bent.joint_state.name, bent.joint_state.position = ["joint_2", "joint_3"], [0.5, -0.7]
show("with two joints bent", bent)

# The same seen from another link, for a point 10 cm in front of the tool.
bent.reference_frame, bent.frames = "shoulder_link", ["tool0"]
bent.tcp_offset.position.z, bent.tcp_offset.orientation.w = 0.1, 1.0
show("a point in front of the tool", bent)
rclpy.shutdown()
