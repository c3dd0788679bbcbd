#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""One call of the service: where the tool shall be, and the joint angles that put it there.

Start the node first, with ``make run`` or

    ros2 launch ik_solver_ros ik.launch.py joint_states:=fake

and then this, in a shell with ROS 2 and this package (``source env.sh``):

    python3 examples/ros/01_one_call.py
"""

import time

import rclpy

from ik_solver_ros.srv import SolveIK

DEADLINE_S = 10.0

rclpy.init()
node = rclpy.create_node("one_call")
client = node.create_client(SolveIK, "/ik_solver/solve_ik")
if not client.wait_for_service(DEADLINE_S):
    raise SystemExit("there is no /ik_solver/solve_ik; start the node first")

request = SolveIK.Request()  # its frame stays empty: the target is given in the robot's base
request.target.pose.position.x = 0.5
request.target.pose.position.y = 0.2
request.target.pose.position.z = 0.4
request.target.pose.orientation.x = 1.0  # half a turn about x: the tool looks down
request.target.pose.orientation.w = 0.0

future = client.call_async(request)
end_s = time.monotonic() + DEADLINE_S
while not future.done() and time.monotonic() < end_s:
    rclpy.spin_once(node, timeout_sec=0.1)
if not future.done():
    raise SystemExit("no answer")
response = future.result()

print("success" if response.success else f"status {response.status}", "-", response.message)
for name, position in zip(response.solution.name, response.solution.position):
    print(f"  {name}  {position:+.6f} rad")
rclpy.shutdown()
