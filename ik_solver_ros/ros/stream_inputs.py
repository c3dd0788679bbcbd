# SPDX-License-Identifier: Apache-2.0
"""What a stream is told: its targets, and where the robot is. Old news is refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from geometry_msgs.msg import PoseStamped

from ..core.errors import InvalidRequestError, JointStateError, StreamError
from .description import Setup
from .frames import TargetFrames
from .inputs import pose_in
from .joint_state_cache import JointStateCache
from .placing import frame_pose
from .seed import current_positions


class StreamInputs:
    """Reads messages for a stream.

    Args:
        joint_states: where the joints are.
        frames: where target frames are.
        stamp: ROS time, now, as a message.
    """

    def __init__(
        self, joint_states: JointStateCache, frames: TargetFrames, stamp: Callable[[], Any]
    ) -> None:
        self._joint_states, self._frames, self._stamp = joint_states, frames, stamp

    def target(self, message: PoseStamped, setup: Setup) -> Any:
        """T_base_target as ``pin.SE3``.

        Raises:
            InvalidRequestError: for a pose that is none, or an old one.
            UnknownFrameError, FrameUnavailableError, JointStateError: see ``frame_pose``.
        """
        self._require_new(message.header.stamp, setup.settings.stream.timeout_s)
        T_frame_target = pose_in(message.pose, "target_pose")
        frame = message.header.frame_id
        if frame in ("", setup.solver.base_frame):
            return T_frame_target
        return frame_pose(self._frames, setup, frame, self._joint_states) * T_frame_target

    def measured(self, setup: Setup) -> dict[str, float]:
        """Current positions, in rad or m, of all joints that the arm can choose.

        Raises:
            StreamError: naming the joints that are not known, or not fresh.
        """
        solver, settings = setup.solver, setup.settings
        age_s = settings.stream.timeout_s
        if settings.max_joint_state_age_s:
            age_s = min(age_s, settings.max_joint_state_age_s)
        names = solver.arm().chain.variable_names
        try:
            return current_positions(solver.robot, names, self._joint_states, age_s)
        except JointStateError as error:
            raise StreamError(
                f"{error}; a stream needs one of the last {age_s:g} s (parameter stream_timeout)"
            ) from error

    def _require_new(self, stamp: Any, allowed_s: float) -> None:
        """Refuse an old stamp; without one, a target is as new as its arrival."""
        now = self._stamp()
        age_s = now.sec - stamp.sec + (now.nanosec - stamp.nanosec) * 1e-9
        if (stamp.sec or stamp.nanosec) and not age_s <= allowed_s:
            raise InvalidRequestError(
                "target_pose",
                f"its stamp is {age_s:.3g} s old, more than the allowed {allowed_s:g} s (parameter "
                "stream_timeout); do its publisher and this node use the same clock?",
            )
