# SPDX-License-Identifier: Apache-2.0
"""Messages of a caller: what the node reads in ``inputs``, written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from builtin_interfaces.msg import Duration
from geometry_msgs.msg import Point, Pose, Quaternion, Vector3
from sensor_msgs.msg import JointState

from ik_solver_ros.srv import ComputeFK, SolveIK

from ..core.request import IKRequest
from ..core.transforms import xyz_quat_from_se3


def solve_message(request: IKRequest, frame: str, dry_run: bool) -> SolveIK.Request:
    """A request as a message; its target is seen from ``frame`` (empty: the node's base)."""
    message = SolveIK.Request(
        tip_frame=request.tip_frame,
        position_tolerance=_vector(request.position_tolerance),
        orientation_tolerance=_vector(request.orientation_tolerance),
        max_joint_jump=float(request.max_joint_jump),
        max_solutions=int(request.max_solutions),
        allow_relaxed=bool(request.allow_relaxed),
        timeout=_duration(request.timeout_s),
        dry_run=dry_run,
    )
    message.target.header.frame_id = frame
    message.target.pose = pose_message(request.T_base_target)
    if request.T_tip_tcp is not None:
        message.tcp_offset = pose_message(request.T_tip_tcp)
    if isinstance(request.seed, Mapping):
        message.seed = _joint_state(request.seed)
    return message


def fk_message(
    frames: Sequence[str], reference: str, T_frame_point: Any, positions: Mapping[str, float]
) -> ComputeFK.Request:
    """The question where ``frames`` are; see ComputeFK.srv for what empty values mean."""
    message = ComputeFK.Request(frames=list(frames), reference_frame=reference)
    if T_frame_point is not None:
        message.tcp_offset = pose_message(T_frame_point)
    if positions:
        message.joint_state = _joint_state(positions)
    return message


def pose_message(pose: Any) -> Pose:
    """A ``pin.SE3`` as a message."""
    (x, y, z), (qx, qy, qz, qw) = xyz_quat_from_se3(pose)
    return Pose(position=Point(x=x, y=y, z=z), orientation=Quaternion(x=qx, y=qy, z=qz, w=qw))


def _vector(axes: Sequence[float]) -> Vector3:
    x, y, z = axes
    return Vector3(x=float(x), y=float(y), z=float(z))


def _duration(seconds: float) -> Duration:
    whole, nanoseconds = divmod(round(seconds * 1e9), 1_000_000_000)
    return Duration(sec=whole, nanosec=nanoseconds)


def _joint_state(positions: Mapping[str, float]) -> JointState:
    return JointState(name=list(positions), position=[float(v) for v in positions.values()])
