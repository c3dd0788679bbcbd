# SPDX-License-Identifier: Apache-2.0
"""Messages in: a SolveIK request becomes an ``IKRequest``, or is refused by a sentence.

Quaternions go on as they came, x, y, z, w and of any length; ``core/transforms.py`` judges,
normalises and reorders them.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from typing import Any

from builtin_interfaces.msg import Duration
from geometry_msgs.msg import Pose, Vector3
from sensor_msgs.msg import JointState

from ik_solver_ros.srv import SolveIK, SolveIKBatch

from ..core.errors import InvalidRequestError, listed
from ..core.request import LARGEST_BOUND, IKRequest
from ..core.tolerance import DEFAULT_AXES, Axes
from ..core.transforms import se3_from_xyz_quat


def read_request(
    message: SolveIK.Request, T_base_target: Any, T_tip_tcp: Any, seed: Mapping[str, float]
) -> IKRequest:
    """The request, of parts that were read and placed before, and of those that need no reading.

    Args:
        message: as received.
        T_base_target: ``pin.SE3`` of ``target_pose``, seen from the base.
        T_tip_tcp: of ``tcp_offset``.
        seed: positions by joint name.

    Raises:
        InvalidRequestError: naming the field and its value.
    """
    return IKRequest(
        T_base_target,
        tip_frame=message.tip_frame,
        T_tip_tcp=T_tip_tcp,
        position_tolerance=axes(message.position_tolerance),
        orientation_tolerance=axes(message.orientation_tolerance),
        seed=seed,
        max_joint_jump=message.max_joint_jump,
        max_solutions=message.max_solutions,
        allow_relaxed=message.allow_relaxed,
        timeout_s=seconds(message.timeout, "timeout"),
    )


def target_pose(message: SolveIK.Request) -> Any:
    """The target in its own frame as ``pin.SE3``; raises InvalidRequestError naming the field."""
    turn = message.orientation_tolerance
    orientation_free = turn.x == turn.y == turn.z == math.inf
    return pose_in(message.target.pose, "target.pose", orientation_free)


def read_positions(message: JointState, field: str) -> dict[str, float]:
    """Positions by joint name out of a request's field; velocities and efforts do not count.

    Raises:
        InvalidRequestError: for names and positions that do not pair up.
    """
    names, positions = message.name, message.position
    if not names and not positions:
        return {}
    if len(names) != len(positions):
        raise InvalidRequestError(
            field, f"{len(names)} names but {len(positions)} positions; each name needs one"
        )
    by_name = dict(zip(names, positions))
    if len(by_name) != len(names):
        twice = [name for name, count in Counter(names).items() if count > 1]
        raise InvalidRequestError(field, f"{listed(twice)} given more than once")
    return by_name


def tcp_offset(message: SolveIK.Request | SolveIKBatch.Request, default_tip: str) -> Any:
    """The request's tool; None = the parameter's, which belongs to the parameter's tip."""
    T_tip_tcp = tool_pose(message.tcp_offset)
    if T_tip_tcp is None and message.tip_frame not in ("", default_tip):
        return pose_in(Pose(), "tcp_offset")
    return T_tip_tcp


def tool_pose(offset: Pose) -> Any:
    """A tool centre point as ``pin.SE3``; None where the field was not given.

    All seven numbers zero is what clients send that fill no defaults in: the field was not given.
    A zero quaternion beside a position is refused like any other.
    """
    at, turned = offset.position, offset.orientation
    is_plain = not any((at.x, at.y, at.z, turned.x, turned.y, turned.z)) and math.isfinite(turned.w)
    return None if is_plain else pose_in(offset, "tcp_offset")


def pose_in(pose: Pose, field: str, orientation_free: bool = False) -> Any:
    """A pose as ``pin.SE3``; raises InvalidRequestError naming the field."""
    at, turned = pose.position, pose.orientation
    return se3_from_xyz_quat(
        (at.x, at.y, at.z), (turned.x, turned.y, turned.z, turned.w), field, orientation_free
    )


def axes(vector: Vector3) -> Axes:
    """x, y, z; the defaults themselves where all are 0, since those need no check."""
    x, y, z = vector.x, vector.y, vector.z
    return (x, y, z) if x or y or z else DEFAULT_AXES


def seconds(duration: Duration, field: str) -> float:
    """A duration in seconds; raises InvalidRequestError for a negative or an endless one."""
    duration_s = duration.sec + duration.nanosec * 1e-9
    if duration_s < 0.0:
        raise InvalidRequestError(field, f"{duration_s:g} s is negative (0 = default)")
    if duration_s > LARGEST_BOUND:
        raise InvalidRequestError(
            field, f"{duration_s:g} s is more than {LARGEST_BOUND:g} s (0 = default)"
        )
    return float(duration_s)
