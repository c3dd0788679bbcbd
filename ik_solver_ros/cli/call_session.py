# SPDX-License-Identifier: Apache-2.0
"""What `ik call` does once ROS is there."""

from __future__ import annotations

import argparse
import dataclasses
from typing import Any

from ik_solver_ros.srv import ComputeFK, SolveIK

from ..core.errors import InvalidRequestError, RobotModelError
from ..core.robot_model import RobotModel
from ..core.status import Status
from ..core.transforms import se3_from_xyz_quat
from ..ros.client import NodeClient
from ..ros.client_messages import fk_message, solve_message
from .answer import answer_of_response
from .answer_text import answer_lines
from .inputs import positions_from, request_to_node, tcp_offset_from
from .output import coloured, print_json, tell
from .pose_text import pose_lines, pose_object


def ask_ik(given: argparse.Namespace) -> Status:
    """Call solve_ik and print; how it ended."""
    request = request_to_node(given)
    with NodeClient(given.node, given.wait_s) as client:
        service = client.find("solve_ik", SolveIK)
        robot = None if given.json and not given.seed else _robot(client, given)
        seed = _positions(given, robot)
        request = dataclasses.replace(request, seed=seed or None)
        message = solve_message(request, given.frame, given.dry_run)
        response, round_trip_s = client.ask(service, message)
    answer = answer_of_response(response, given.frame, given.tip, round_trip_s)
    if given.json:
        print_json(answer)
        return Status[answer["status"]]
    print(f"node      {given.node}{', dry run: nothing is published' if given.dry_run else ''}")
    if given.frame:
        print(f"frame     {given.frame}: the target is seen from there")
    for line in pose_lines("target", request.T_base_target, given.degrees):
        print(line)
    for line in answer_lines(answer, robot.joints if robot else {}, given.degrees):
        print(line)
    return Status[answer["status"]]


def ask_fk(given: argparse.Namespace) -> Status:
    """Call compute_fk and print; how it ended."""
    if given.target or given.xyz:
        raise InvalidRequestError("--fk", "a target is for the other question; leave out --fk")
    with NodeClient(given.node, given.wait_s) as client:
        service = client.find("compute_fk", ComputeFK)
        positions = _positions(given, _robot(client, given) if given.seed else None)
        frames = given.frames or ([given.tip] if given.tip else [])
        message = fk_message(frames, given.frame, tcp_offset_from(given), positions)
        response, round_trip_s = client.ask(service, message)
    poses = [_pose(stamped.pose) for stamped in response.poses]
    names = frames or ["tool"]
    status = Status(response.status)
    if given.json:
        objects = {name: pose_object(pose) for name, pose in zip(names, poses)}
        told = {"status": status.name, "success": response.success, "message": response.message}
        source = {"state_source": response.state_source, "round_trip_s": round_trip_s}
        print_json(told | {"base_frame": given.frame, "poses": objects} | source)
        return status
    if not response.success:
        print(f"answer    {coloured(status.name, 'red')}")
        print(f"why       {response.message}\nwho acts  {status.who_acts}")
        return status
    for name, pose, stamped in zip(names, poses, response.poses):
        print(f"frame     {name}, in {stamped.header.frame_id}")
        for line in pose_lines("pose", pose, given.degrees):
            print(line)
    print(f"joints    from {response.state_source or 'nowhere: none of them matters'}")
    return status


def _robot(client: NodeClient, given: argparse.Namespace) -> RobotModel | None:
    """The node's robot, for the units and limits of its joints; None if it has none (yet)."""
    text = client.description()
    try:
        return RobotModel.from_urdf(text) if text else None
    except RobotModelError as error:
        tell(f"note: the description of {given.node} cannot be read here: {error}")
        return None


def _positions(given: argparse.Namespace, robot: RobotModel | None) -> dict[str, float]:
    """``--seed`` in rad and m; names are judged by the node where its robot is not known here."""
    if robot is not None:
        return positions_from(given, given.seed, robot)
    if given.seed and given.degrees:
        raise InvalidRequestError(
            "--degrees",
            f"{given.node} has no robot description yet, so nobody knows which joints turn; give "
            "--seed in rad",
        )
    return dict(given.seed)


def _pose(pose: Any) -> Any:
    at, turned = pose.position, pose.orientation
    return se3_from_xyz_quat((at.x, at.y, at.z), (turned.x, turned.y, turned.z, turned.w), "pose")
