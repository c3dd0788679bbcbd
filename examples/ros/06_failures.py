#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What to do when there is no answer: statuses are grouped by who can act.

Start the node first, see 01_one_call.py; then ``python3 examples/ros/06_failures.py``.
"""

import time

import rclpy

from ik_solver_ros.srv import SolveIK

DEADLINE_S = 10.0
S = SolveIK.Response
CALLER = (S.INVALID_REQUEST, S.UNKNOWN_FRAME, S.FRAME_UNAVAILABLE)
SYSTEM = (S.NO_ROBOT_MODEL, S.NO_JOINT_STATE)
TASK = (S.UNREACHABLE, S.JOINT_LIMITS)
RETRY = (S.NOT_CONVERGED, S.TIMEOUT, S.JOINT_JUMP)


def advice(response: SolveIK.Response) -> str:
    """Who must act, and how."""
    if response.success:
        return "go on: the solution was verified"
    if response.status in CALLER:
        return "mend the request; sending it again changes nothing"
    if response.status in SYSTEM:
        return "look at the robot's drivers: the description or the joint states are missing"
    if response.status in TASK:
        return "choose another target, or another place for the robot"
    if response.status in RETRY:
        return "try again with another seed, more time or a larger max_joint_jump"
    return "report it: this is a bug of the node, and its log has the details"


def request_for(x_m: float, z_m: float) -> SolveIK.Request:
    """A target in front of the robot, with the tool looking down; dry runs move nothing."""
    request = SolveIK.Request(dry_run=True)
    request.target.pose.position.x, request.target.pose.position.z = x_m, z_m
    request.target.pose.orientation.x, request.target.pose.orientation.w = 1.0, 0.0
    return request


rclpy.init()
node = rclpy.create_node("failures")
client = node.create_client(SolveIK, "/ik_solver/solve_ik")
if not client.wait_for_service(DEADLINE_S):
    raise SystemExit("there is no /ik_solver/solve_ik; start the node first")

good, no_turn, no_tip = request_for(0.5, 0.4), request_for(0.5, 0.4), request_for(0.5, 0.4)
no_turn.target.pose.orientation.x = 0.0
no_tip.tip_frame = "tool1"
far, near_only = request_for(2.0, 0.4), request_for(0.5, 0.4)
near_only.max_joint_jump = 0.001

for what, request in {
    "a good request": good,
    "a quaternion of zeros": no_turn,
    "a tip that does not exist": no_tip,
    "too far away": far,
    "hardly any motion allowed": near_only,
}.items():
    future = client.call_async(request)
    end_s = time.monotonic() + DEADLINE_S
    while not future.done() and time.monotonic() < end_s:
        rclpy.spin_once(node, timeout_sec=0.1)
    if not future.done():
        raise SystemExit("no answer")
    response = future.result()
    print(f"{what}: status {response.status}\n  {response.message}\n  -> {advice(response)}")
rclpy.shutdown()
