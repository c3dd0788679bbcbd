# SPDX-License-Identifier: Apache-2.0
"""One call of ``~/compute_fk``: the poses of links for any joint state."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from builtin_interfaces.msg import Time
from geometry_msgs.msg import Point, Pose, PoseStamped, Quaternion

from ik_solver_ros.srv import ComputeFK

from ..core.errors import (
    FrameUnavailableError,
    InvalidRequestError,
    UnknownFrameError,
    listed,
    quoted,
)
from ..core.robot_model import RobotModel
from ..core.status import Status
from ..core.transforms import xyz_quat_from_se3
from .description import RobotInUse, Setup
from .frames import TargetFrames, link_called, loose_joint, moving_joints
from .inputs import read_positions, tool_pose
from .joint_state_cache import JointStateCache
from .placing import frame_pose
from .seed import positions_over
from .service_call import ServiceCall

_ROLE = "reference_frame"


class FKService:
    """Answers every request: with the pose of every frame, or with a status and the reason.

    Args:
        robot: whose links.
        joint_states: where its joints are, as far as a request does not say.
        frames: where reference frames outside the robot are.
        stamp: ROS time, now.
        call: what each call goes through.
    """

    def __init__(
        self,
        robot: RobotInUse,
        joint_states: JointStateCache,
        frames: TargetFrames,
        stamp: Callable[[], Time],
        call: ServiceCall,
    ) -> None:
        self._robot, self._joint_states, self._frames = robot, joint_states, frames
        self._stamp = stamp
        self._call = call

    def answer(
        self, request: ComputeFK.Request, _response: ComputeFK.Response
    ) -> ComputeFK.Response:
        """The service's callback."""
        return self._call.serve(lambda: self._compute(request), _refusal)

    def _compute(self, message: ComputeFK.Request) -> ComputeFK.Response:
        setup = self._robot.setup()
        robot = setup.solver.robot
        requested = _read_joint_state(message, robot)
        points = _points(message, setup)
        T_reference_root, root = self._reference(message.reference_frame, setup)

        needed = dict.fromkeys(
            joint for point in points for joint in moving_joints(robot, point.link, root)
        )
        positions, source = positions_over(
            robot, needed, requested, self._joint_states, setup.settings.max_joint_state_age_s
        )
        response = ComputeFK.Response(status=int(Status.SOLVED), success=True)
        response.state_source = source
        named = message.reference_frame or setup.settings.frame_prefix + setup.solver.base_frame
        stamp = self._stamp()
        for point in points:
            T_reference_point = T_reference_root * _pose(robot, positions, point, root)
            response.poses.append(_message(T_reference_point, named, stamp))
        links = listed([point.link for point in points])
        response.message = f"poses of {links} in {quoted(named)}"
        return response

    def _reference(self, frame: str, setup: Setup) -> tuple[Any, str]:
        """A link to compute from, and where it is in the reference frame (T_reference_link)."""
        robot, base = setup.solver.robot, setup.solver.base_frame
        link = link_called(robot, frame, setup.settings.frame_prefix) if frame else base
        if link:
            return robot.pose({}, link, link), link
        T_base_reference = frame_pose(self._frames, setup, frame, self._joint_states, _ROLE)
        return T_base_reference.inverse(), base


def _read_joint_state(message: ComputeFK.Request, robot: RobotModel) -> dict[str, float]:
    positions = read_positions(message.joint_state, "joint_state")
    for name, position in positions.items():
        if name not in robot.joints:
            raise InvalidRequestError("joint_state", robot.no_such_joint(name))
        if not math.isfinite(position):
            raise InvalidRequestError("joint_state", f"{name} = {position} is not a finite number")
    return positions


class _Point(NamedTuple):
    """A point fixed to a link; T_link_point None = the link's own origin."""

    link: str
    T_link_point: Any


def _points(message: ComputeFK.Request, setup: Setup) -> list[_Point]:
    """What the request wants to know the poses of.

    Raises:
        UnknownFrameError: a frame that is no link, with near matches.
    """
    asked = tool_pose(message.tcp_offset)
    points = []
    for frame in list(message.frames) or [""]:
        if not frame:
            own = setup.T_tip_tcp if asked is None else asked
            points.append(_Point(setup.solver.tip_frame, own))
            continue
        link = link_called(setup.solver.robot, frame, setup.settings.frame_prefix)
        if not link:
            raise UnknownFrameError(frame, "frame", setup.solver.robot.link_names)
        points.append(_Point(link, asked))
    return points


def _pose(robot: RobotModel, positions: Mapping[str, float], point: _Point, root: str) -> Any:
    """T_root_point as ``pin.SE3``."""
    loose = loose_joint(robot, point.link, root)
    if loose is not None:
        raise FrameUnavailableError(
            point.link,
            f"joint '{loose.name}' between it and '{root}' is {loose.type}, and a joint state "
            "cannot tell where that is",
            "frame",
        )
    T_root_link = robot.pose(positions, point.link, root)
    return T_root_link if point.T_link_point is None else T_root_link * point.T_link_point


def _message(pose: Any, frame: str, stamp: Time) -> PoseStamped:
    (x, y, z), (qx, qy, qz, qw) = xyz_quat_from_se3(pose)
    message: Any = PoseStamped()
    message.header.frame_id, message.header.stamp = frame, stamp
    message.pose = Pose(
        position=Point(x=x, y=y, z=z), orientation=Quaternion(x=qx, y=qy, z=qz, w=qw)
    )
    return message


def _refusal(status: Status, message: str) -> ComputeFK.Response:
    return ComputeFK.Response(status=int(status), success=False, message=message)
