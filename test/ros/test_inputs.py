# SPDX-License-Identifier: Apache-2.0
"""Requests as messages: every field is read, and what cannot be used is refused by its name."""

from __future__ import annotations

import math

import numpy as np
import pytest
from builtin_interfaces.msg import Duration
from geometry_msgs.msg import Vector3

from ik_solver_ros import InvalidRequestError
from ik_solver_ros.ros.inputs import read_positions, read_request, target_pose, tcp_offset
from ik_solver_ros.srv import SolveIK
from support.poses import rotation_from_rpy, transform, transform_from_xyz_quat
from support.ros_harness import joint_state, request_for, set_pose

ASYMMETRIC = transform(rotation_from_rpy((0.1, 0.5, -1.2)), (0.4, -0.2, 0.6))
TIP = "tool0"


def matrix(pose):
    return np.array(pose.homogeneous)


def read(message):
    """As the service reads a message whose target is given in the base."""
    return read_request(message, target_pose(message), tcp_offset(message, TIP), {})


def test_the_default_message_asks_for_the_defaults():
    request = read(SolveIK.Request())
    np.testing.assert_array_equal(matrix(request.T_base_target), np.eye(4))
    assert (request.tip_frame, request.T_tip_tcp) == ("", None)
    assert request.position_tolerance == request.orientation_tolerance == (0.0, 0.0, 0.0)
    assert (request.max_joint_jump, request.max_solutions, request.timeout_s) == (0.0, 0, 0.0)
    assert request.allow_relaxed is False


def test_every_field_is_read():
    message = request_for(
        ASYMMETRIC,
        tip_frame="flange",
        position_tolerance=Vector3(x=0.1, y=0.2, z=math.inf),
        orientation_tolerance=Vector3(x=0.3, y=math.inf, z=0.0),
        max_joint_jump=0.7,
        max_solutions=5,
        allow_relaxed=True,
        timeout=Duration(sec=1, nanosec=250_000_000),
    )
    request = read(message)
    np.testing.assert_allclose(matrix(request.T_base_target), ASYMMETRIC, atol=1e-12)
    assert request.tip_frame == "flange"
    assert request.position_tolerance == (0.1, 0.2, math.inf)
    assert request.orientation_tolerance == (0.3, math.inf, 0.0)
    assert (request.max_joint_jump, request.max_solutions) == (0.7, 5)
    assert request.allow_relaxed is True
    assert request.timeout_s == 1.25


def test_a_fraction_of_a_second_is_not_cut_off():
    request = read(request_for(np.eye(4), timeout=Duration(nanosec=50_000_000)))
    assert request.timeout_s == pytest.approx(0.05)


@pytest.mark.parametrize("factor", [1e-5, 0.5, 2.0, 1e150])
def test_the_length_of_a_quaternion_does_not_matter(factor):
    message = request_for(ASYMMETRIC)
    turned = message.target.pose.orientation
    for axis in "xyzw":
        setattr(turned, axis, getattr(turned, axis) * factor)
    np.testing.assert_allclose(matrix(read(message).T_base_target), ASYMMETRIC, atol=1e-12)


def test_a_rounded_quaternion_makes_a_rotation():
    message = request_for(ASYMMETRIC)
    turned = message.target.pose.orientation
    for axis in "xyzw":
        setattr(turned, axis, round(getattr(turned, axis), 3))
    rotation = read(message).T_base_target.rotation
    assert np.linalg.det(rotation) == pytest.approx(1.0, abs=1e-12)
    np.testing.assert_allclose(rotation, ASYMMETRIC[:3, :3], atol=2e-3)


def test_a_zero_quaternion_is_fine_where_the_orientation_is_free():
    message = request_for(ASYMMETRIC)
    set_pose(message.target.pose, (0.4, -0.2, 0.6, 0, 0, 0, 0))
    message.orientation_tolerance = Vector3(x=math.inf, y=math.inf, z=math.inf)
    request = read(message)
    np.testing.assert_allclose(request.T_base_target.translation, ASYMMETRIC[:3, 3])


@pytest.mark.parametrize("tip_frame", ["", TIP])
@pytest.mark.parametrize("w", [1.0, -3.0, 0.0])
def test_no_offset_leaves_the_offset_of_the_parameter_to_its_tip(tip_frame, w):
    message = request_for(ASYMMETRIC, tip_frame=tip_frame)
    set_pose(message.tcp_offset, (0, 0, 0, 0, 0, 0, w))
    assert read(message).T_tip_tcp is None


def test_the_parameters_offset_does_not_go_with_another_tip():
    request = read(request_for(ASYMMETRIC, tip_frame="flange"))
    np.testing.assert_array_equal(matrix(request.T_tip_tcp), np.eye(4))


def test_an_offset_is_a_pose_in_the_tip_frame():
    message = request_for(ASYMMETRIC)
    numbers = (0.0, 0.0, 0.1, 0.1, -0.2, 0.3, 0.9)
    set_pose(message.tcp_offset, numbers)
    expected = transform_from_xyz_quat(numbers[:3], numbers[3:])
    np.testing.assert_allclose(matrix(read(message).T_tip_tcp), expected, atol=1e-12)


def refused(field, change):
    message = request_for(ASYMMETRIC)
    change(message)
    with pytest.raises(InvalidRequestError) as refusal:
        read(message)
    assert str(refusal.value).startswith(field)


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf, 1e300])
@pytest.mark.parametrize("part", ["position", "orientation"])
@pytest.mark.parametrize("axis", ["x", "y", "z", "w"])
@pytest.mark.parametrize("pose", ["target.pose", "tcp_offset"])
def test_numbers_of_poses(pose, part, axis, bad):
    if (part, axis) == ("position", "w") or (part, bad) == ("orientation", 1e300):
        return

    def change(message):
        asked = message.tcp_offset if pose == "tcp_offset" else message.target.pose
        setattr(getattr(asked, part), axis, bad)

    refused(f"{pose}.{part}", change)


def test_a_zero_quaternion():
    refused("target.pose.orientation", lambda m: set_pose(m.target.pose, (0.4, 0, 0, 0, 0, 0, 0)))
    refused("tcp_offset.orientation", lambda m: set_pose(m.tcp_offset, (0, 0, 0.1, 0, 0, 0, 0)))


@pytest.mark.parametrize("bad", [math.nan, -0.1, -math.inf])
@pytest.mark.parametrize("axis", ["x", "y", "z"])
@pytest.mark.parametrize("field", ["position_tolerance", "orientation_tolerance"])
def test_tolerances(field, axis, bad):
    refused(f"{field}.{axis}", lambda m: setattr(getattr(m, field), axis, bad))


@pytest.mark.parametrize("bad", [math.nan, -0.1, math.inf])
def test_the_largest_jump(bad):
    refused("max_joint_jump", lambda m: setattr(m, "max_joint_jump", bad))


def test_more_solutions_than_anyone_can_want():
    refused("max_solutions", lambda m: setattr(m, "max_solutions", 4_000_000_000))


@pytest.mark.parametrize("sec", [-1, -(2**31)])
def test_a_negative_timeout(sec):
    refused("timeout", lambda m: setattr(m, "timeout", Duration(sec=sec, nanosec=999_999_999)))


def test_a_timeout_without_end_is_refused_by_the_name_of_its_field():
    refused("timeout", lambda m: setattr(m, "timeout", Duration(sec=2**31 - 1)))


def test_a_seed_is_positions_by_name():
    assert read_positions(joint_state({"b": 2.0, "a": 1.0}), "seed") == {"a": 1.0, "b": 2.0}
    assert read_positions(joint_state({}), "seed") == {}


@pytest.mark.parametrize(
    ("names", "positions", "fault"),
    [
        (["a", "b"], [1.0], "2 names but 1 positions"),
        ([], [1.0], "0 names but 1 positions"),
        (["a", "a"], [1.0, 1.0], "'a' given more than once"),
    ],
)
def test_a_seed_that_does_not_pair_up(names, positions, fault):
    message = joint_state({})
    message.name, message.position = names, positions
    with pytest.raises(InvalidRequestError, match=f"^seed: .*{fault}"):
        read_positions(message, "seed")
