# SPDX-License-Identifier: Apache-2.0
"""Target frames: links from the model, others from TF where it is installed, never a wait."""

from __future__ import annotations

import numpy as np
import pytest
import rclpy
from rclpy.duration import Duration

from ik_solver_ros import FrameUnavailableError, RobotModel, UnknownFrameError
from ik_solver_ros.ros import frames
from ik_solver_ros.ros.frames import TargetFrames
from support import tf_stand_in
from support.poses import rotation_from_rpy, transform
from support.ros_harness import stamped_transform
from support.urdf_fk import Mimic, UrdfKinematics
from support.urdf_writer import JointSpec, urdf_text

URDF = urdf_text(
    "made",
    [
        JointSpec("mount", "fixed", "world", "base", xyz_m=(1, 2, 3), rpy_rad=(0.1, 0.5, -1.2)),
        JointSpec("turn", "continuous", "base", "arm", xyz_m=(0, 0, 0.5)),
        JointSpec("bend", "revolute", "arm", "hand", xyz_m=(0.4, 0, 0), axis=(0, 1, 0)),
        JointSpec(
            "same", "revolute", "hand", "tip", xyz_m=(0.3, 0, 0), mimic=Mimic("bend", 0.5, 0.1)
        ),
        JointSpec("bracket", "fixed", "arm", "sensor", xyz_m=(0.1, 0, 0.1)),
        JointSpec("afloat", "floating", "world", "boat"),
        JointSpec("slide", "prismatic", "boat", "mast", upper=2.0),
    ],
)
POSITIONS = {"turn": 0.7, "bend": -0.4}


@pytest.fixture
def robot():
    return RobotModel.from_urdf(URDF)


@pytest.fixture
def without_tf(monkeypatch):
    monkeypatch.setattr(frames, "tf2_ros", None)
    return TargetFrames(node=None)


class Asked:
    """Gives positions and remembers for which joints."""

    def __init__(self):
        self.joints = []

    def __call__(self, joints):
        self.joints += joints
        return {joint: POSITIONS.get(joint, 0.5) for joint in joints}


def pose(target_frames, robot, base, frame, positions=None, max_age_s=1.0):
    found = target_frames.pose(robot, base, frame, positions or Asked(), max_age_s)
    return np.array(found.homogeneous)


@pytest.mark.parametrize(
    ("base", "frame", "moving"),
    [
        ("base", "base", []),
        ("base", "world", []),
        ("world", "base", []),
        ("base", "arm", ["turn"]),
        ("base", "tip", ["turn", "bend"]),
        ("arm", "sensor", []),
        ("sensor", "hand", ["bend"]),
        ("hand", "world", ["turn", "bend"]),
        ("boat", "mast", ["slide"]),
    ],
)
def test_a_link_needs_only_the_joints_that_move_it_against_the_base(
    without_tf, robot, base, frame, moving
):
    asked = Asked()
    found = pose(without_tf, robot, base, frame, asked)

    assert sorted(asked.joints) == sorted(moving)
    expected = UrdfKinematics(URDF).relative(POSITIONS | {"slide": 0.5}, base, frame)
    np.testing.assert_allclose(found, expected, atol=1e-12)


def test_a_follower_is_asked_for_by_its_master(without_tf, robot):
    asked = Asked()
    pose(without_tf, robot, "hand", "tip", asked)
    assert asked.joints == ["bend"]


def test_an_unknown_frame_is_refused_with_near_matches_and_what_is_missing(without_tf, robot):
    with pytest.raises(UnknownFrameError, match=r"'sensr'.*tf2_ros is not installed.*'sensor'"):
        pose(without_tf, robot, "base", "sensr")


def test_a_leading_slash_is_refused_with_the_name_to_write(without_tf, robot):
    with pytest.raises(UnknownFrameError, match=r"no leading '/'.*write 'arm'"):
        pose(without_tf, robot, "base", "/arm")


def test_behind_a_floating_joint_the_model_does_not_guess(without_tf, robot):
    with pytest.raises(FrameUnavailableError, match=r"joint 'afloat'.*floating.*TF"):
        pose(without_tf, robot, "base", "mast")


@pytest.fixture
def node(domain):
    context = rclpy.Context()
    rclpy.init(args=[], context=context, domain_id=domain)
    node = rclpy.create_node("frames", context=context)
    yield node
    node.destroy_node()
    context.try_shutdown()


@pytest.fixture(params=["stand_in", *(["tf2_ros"] if frames.tf2_ros else [])])
def with_tf(request, node, monkeypatch):
    if request.param == "stand_in":
        monkeypatch.setattr(frames, "tf2_ros", tf_stand_in)
    return TargetFrames(node)


def tell(target_frames, node, parent, child, T_parent_child, age_s=None):
    """Put a transform into the buffer, as the listener would; without an age it is a static one."""
    message = stamped_transform(parent, child, T_parent_child)
    buffer = target_frames._tf._buffer
    if age_s is None:
        buffer.set_transform_static(message, "test")
        return
    stamp = node.get_clock().now() - Duration(nanoseconds=int(age_s * 1e9))
    message.header.stamp = stamp.to_msg()
    buffer.set_transform(message, "test")


T_BASE_TABLE = transform(rotation_from_rpy((0.3, -0.2, 1.0)), (0.4, -0.5, 0.6))


@pytest.mark.parametrize("age_s", [None, 0.1])
def test_a_frame_outside_the_robot_comes_from_tf(with_tf, node, robot, age_s):
    tell(with_tf, node, "base", "table", T_BASE_TABLE, age_s)
    np.testing.assert_allclose(pose(with_tf, robot, "base", "table"), T_BASE_TABLE, atol=1e-9)


def test_links_come_from_the_model_even_where_tf_says_otherwise(with_tf, node, robot):
    tell(with_tf, node, "base", "sensor", T_BASE_TABLE)
    expected = UrdfKinematics(URDF).relative(POSITIONS, "base", "sensor")
    np.testing.assert_allclose(pose(with_tf, robot, "base", "sensor"), expected, atol=1e-12)


def test_behind_a_floating_joint_tf_is_asked(with_tf, node, robot):
    tell(with_tf, node, "base", "mast", T_BASE_TABLE)
    np.testing.assert_allclose(pose(with_tf, robot, "base", "mast"), T_BASE_TABLE, atol=1e-9)


def test_a_frame_that_tf_does_not_know_is_refused_at_once(with_tf, robot):
    with pytest.raises(FrameUnavailableError, match=r"'sensr'.*the link 'sensor'"):
        pose(with_tf, robot, "base", "sensr")


def test_an_old_transform_is_refused_and_its_age_told(with_tf, node, robot):
    tell(with_tf, node, "base", "table", T_BASE_TABLE, age_s=8.0)
    with pytest.raises(FrameUnavailableError, match=r"8 s old.*allowed 1 s"):
        pose(with_tf, robot, "base", "table")
    pose(with_tf, robot, "base", "table", max_age_s=0.0)


def test_in_tf_this_robots_links_have_the_prefix(with_tf, node, robot):
    tell(with_tf, node, "left/base", "table", T_BASE_TABLE)
    tell(with_tf, node, "left/base", "left/mast", T_BASE_TABLE)
    for frame in ("table", "mast", "left/mast"):  # the mast floats, so the model cannot tell
        found = with_tf.pose(robot, "base", frame, Asked(), 1.0, frame_prefix="left/")
        np.testing.assert_allclose(np.array(found.homogeneous), T_BASE_TABLE, atol=1e-9)
    with pytest.raises(FrameUnavailableError, match="right/hand"):
        with_tf.pose(robot, "base", "right/hand", Asked(), 1.0, frame_prefix="left/")


@pytest.mark.parametrize("frame", ["hand", "left/hand"])
def test_links_are_known_with_their_prefix_and_without(without_tf, robot, frame):
    found = without_tf.pose(robot, "base", frame, Asked(), 1.0, frame_prefix="left/")
    expected = UrdfKinematics(URDF).relative(POSITIONS, "base", "hand")
    np.testing.assert_allclose(np.array(found.homogeneous), expected, atol=1e-12)
