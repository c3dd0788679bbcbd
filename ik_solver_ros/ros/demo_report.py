# SPDX-License-Identifier: Apache-2.0
"""A request and its answer as text for people."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from geometry_msgs.msg import Pose

from ik_solver_ros.srv import SolveIK

from ..core.robot_model import Joint
from ..core.status import Status
from ..joint_table import joint_lines


def report(
    request: SolveIK.Request,
    response: SolveIK.Response,
    round_trip_s: float,
    joints: Mapping[str, Joint],
) -> str:
    """Target, status, positions with their place between the limits, and errors."""
    return "\n".join([*_target(request.target.pose), "", *_answer(response, joints, round_trip_s)])


def call_it_yourself(request: SolveIK.Request, service: str, has_ros2: bool) -> str:
    """What to type in another shell for the same call: with the ``ros2`` command, or by Python."""
    at, turned = request.target.pose.position, request.target.pose.orientation
    if has_ros2:
        pose = (
            f"{{position: {{x: {at.x}, y: {at.y}, z: {at.z}}}, "
            f"orientation: {{x: {turned.x}, y: {turned.y}, z: {turned.z}, w: {turned.w}}}}}"
        )
        return (
            "source env.sh\n"
            f"ros2 service call {service} ik_solver_ros/srv/SolveIK \\\n"
            f'  "{{target: {{pose: {pose}}}}}"'
        )
    return f"""source env.sh
cd /  # away from the sources, which Python would find before what was built
python3 -c '
import rclpy
from ik_solver_ros.srv import SolveIK
rclpy.init()
node = rclpy.create_node("caller")
client = node.create_client(SolveIK, "{service}")
client.wait_for_service()
request = SolveIK.Request()
at, turned = request.target.pose.position, request.target.pose.orientation
at.x, at.y, at.z = {at.x}, {at.y}, {at.z}
turned.x, turned.y, turned.z, turned.w = {turned.x}, {turned.y}, {turned.z}, {turned.w}
future = client.call_async(request)
rclpy.spin_until_future_complete(node, future)
print(future.result().message, list(future.result().solution.position))'"""


def _target(pose: Pose) -> Iterator[str]:
    at, turned = pose.position, pose.orientation
    yield f"target    position   x {at.x:9.6f}   y {at.y:9.6f}   z {at.z:9.6f}  m"
    yield (
        f"          quaternion x {turned.x:9.6f}   y {turned.y:9.6f}   z {turned.z:9.6f}   "
        f"w {turned.w:9.6f}"
    )


def _answer(
    response: SolveIK.Response, joints: Mapping[str, Joint], round_trip_s: float
) -> Iterator[str]:
    yield (
        f"answer    {Status(response.status).name} in {response.solve_time * 1e3:.2f} ms "
        f"({round_trip_s * 1e3:.1f} ms there and back)"
    )
    if not response.success:
        yield f"          {response.message}"
        return
    positions = dict(zip(response.solution.name, response.solution.position))
    for line in joint_lines(positions, joints):
        yield f"          {line}"
    yield (
        f"errors    {response.position_error:.1e} m   {response.orientation_error:.1e} rad   "
        "measured by forward kinematics on exactly these values"
    )
