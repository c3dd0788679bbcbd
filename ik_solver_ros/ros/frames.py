# SPDX-License-Identifier: Apache-2.0
"""Where a target frame is, seen from the base: links from the robot model, other frames from TF.

Links never come from TF: the model needs no tree of transforms that somebody publishes, and cannot
be late. This is the only module that knows tf2, and it never waits for it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from rclpy.node import Node
from rclpy.time import Time

from ..core.errors import FrameUnavailableError, UnknownFrameError, listed, near_matches
from ..core.robot_model import MOVING_TYPES, RobotModel
from ..core.transforms import se3_from_xyz_quat
from ..core.urdf_check import UrdfJoint

try:
    import tf2_ros
except ImportError:  # not on PyPI; without it, targets are given in links of the robot
    tf2_ros = None

Positions = Callable[[Iterable[str]], dict[str, float]]


class TargetFrames:
    """Finds T_base_frame, now.

    Args:
        node: hears TF, where tf2_ros is installed.
    """

    def __init__(self, node: Node) -> None:
        self._tf = _Transforms(node) if tf2_ros else None

    def pose(
        self,
        robot: RobotModel,
        base_frame: str,
        frame: str,
        positions: Positions,
        max_age_s: float,
        *,
        frame_prefix: str = "",
        role: str = "target frame",
    ) -> Any:
        """Pose of a frame in the base frame, as ``pin.SE3``.

        Args:
            robot: its links are known without TF.
            base_frame: link of the robot.
            frame: link of the robot, with or without the prefix, or TF frame.
            positions: gives current positions of independent joints, or raises JointStateError.
            max_age_s: largest age of a transform; 0 = any age.
            frame_prefix: what robot_state_publisher puts before the links of this robot in TF.
            role: what the frame is to the caller, for messages.

        Raises:
            UnknownFrameError, FrameUnavailableError: nobody knows the frame (now).
            JointStateError: the frame moves against the base, and a joint between is not known.
        """
        if frame.startswith("/"):
            hint = f" (frame names have no leading '/' in ROS 2: write '{frame.lstrip('/')}')"
            raise UnknownFrameError(frame, role, robot.link_names, hint)
        link = link_called(robot, frame, frame_prefix)
        loose = loose_joint(robot, link, base_frame) if link else None
        if link and loose is None:
            moving = moving_joints(robot, link, base_frame)
            return robot.pose(positions(moving) if moving else {}, link, base_frame)
        if self._tf is not None:
            in_tf = frame_prefix + link if link else frame
            return self._tf.pose(robot, frame_prefix + base_frame, in_tf, max_age_s, role)
        if loose is None:
            hint = " (and frames of TF cannot be used: tf2_ros is not installed)"
            raise UnknownFrameError(frame, role, robot.link_names, hint)
        raise FrameUnavailableError(
            frame,
            f"joint '{loose.name}' between it and '{base_frame}' is {loose.type}, so "
            "only TF can tell where it is, and tf2_ros is not installed",
            role,
        )


class _Transforms:
    """The latest transforms of TF."""

    def __init__(self, node: Node) -> None:
        self._clock = node.get_clock()
        self._buffer = tf2_ros.Buffer()
        self._listener = tf2_ros.TransformListener(self._buffer, node)

    def pose(
        self, robot: RobotModel, base_frame: str, frame: str, max_age_s: float, role: str
    ) -> Any:
        try:
            found = self._buffer.lookup_transform_core(base_frame, frame, Time())
        except tf2_ros.TransformException as error:
            near = near_matches(frame, robot.link_names)
            hint = f"; did you mean the link {listed(near, last=' or ')}?" if near else ""
            raise FrameUnavailableError(frame, f"{str(error).rstrip('. ')}{hint}", role) from error
        stamp = found.header.stamp
        stamp_s = stamp.sec + stamp.nanosec * 1e-9  # 0: all of it is static
        age_s = self._clock.now().nanoseconds * 1e-9 - stamp_s
        if stamp_s != 0.0 and max_age_s > 0.0 and not age_s <= max_age_s:
            raise FrameUnavailableError(
                frame,
                f"its latest transform is {age_s:.3g} s old, more than the allowed {max_age_s:g} s "
                "(parameter max_joint_state_age); is its publisher running, by the same clock?",
                role,
            )
        at, turned = found.transform.translation, found.transform.rotation
        return se3_from_xyz_quat(
            (at.x, at.y, at.z), (turned.x, turned.y, turned.z, turned.w), f"TF frame '{frame}'"
        )


def link_called(robot: RobotModel, frame: str, frame_prefix: str) -> str:
    """The link that a frame name means, with the prefix or without; empty if none."""
    link = frame.removeprefix(frame_prefix)
    return link if robot.has_link(link) else ""


def moving_joints(robot: RobotModel, link: str, other: str) -> tuple[str, ...]:
    """The independent joints that move one link against the other; followers by their masters."""
    between = _joints_between(robot, link, other)
    return tuple(dict.fromkeys(j.mimic_joint or j.name for j in between if j.type in MOVING_TYPES))


def loose_joint(robot: RobotModel, link: str, other: str) -> UrdfJoint | None:
    """A planar or floating joint between two links: no joint state tells where it is."""
    between = _joints_between(robot, link, other)
    return next((j for j in between if j.type in ("floating", "planar")), None)


def _joints_between(robot: RobotModel, link: str, other: str) -> list[UrdfJoint]:
    """The joints whose motion moves one link against the other."""
    above, above_other = _joints_above(robot, link), _joints_above(robot, other)
    return [j for j in above if j not in above_other] + [j for j in above_other if j not in above]


def _joints_above(robot: RobotModel, link: str) -> list[UrdfJoint]:
    joints = []
    while (joint := robot.tree.joint_above(link)) is not None:
        joints.append(joint)
        link = joint.parent
    return joints
