# SPDX-License-Identifier: Apache-2.0
"""A request exists only if it is valid, and does not change once it exists."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import pytest

from ik_solver_ros import IKRequest, InvalidRequestError
from ik_solver_ros.core.pinocchio_import import pin
from support import poses
from support.judging import FREE, refused

INF, NAN = math.inf, math.nan
XYZ_M, QUAT_XYZW = [0.4, 0.2, 0.6], [0.0, 1.0, 0.0, 0.0]
NO_NUMBERS = ["1", b"1", None, [1.0], (1.0,), {}, 1j, True, object(), np.ones(1)]


def ask(**options):
    return IKRequest.from_xyz_quat(XYZ_M, QUAT_XYZW, **options)


def test_the_defaults_ask_for_the_nearest_exact_answer():
    request = ask()
    assert request.tip_frame == ""
    assert request.T_tip_tcp is None
    assert request.position_tolerance == request.orientation_tolerance == (0.0, 0.0, 0.0)
    assert request.seed is None
    assert request.max_solutions == 1
    assert not request.allow_relaxed
    assert request.max_joint_jump == request.timeout_s == 0.0


def test_all_ways_to_give_a_target_are_the_same():
    T = poses.transform_from_xyz_quat(XYZ_M, QUAT_XYZW)
    as_pose = pin.SE3(T[:3, :3], T[:3, 3])
    requests = [ask(), IKRequest.from_matrix(T), IKRequest(T), IKRequest(as_pose)]
    requests += [IKRequest.from_matrix(T.tolist()), IKRequest.from_matrix(as_pose)]
    for request in requests:
        assert pytest.approx(T, abs=1e-15) == request.T_base_target.homogeneous


def test_all_ways_to_give_a_tool_offset_are_the_same():
    xyz_m, quat_xyzw = (0.0, 0.0, 0.1), (0.0, 1.0, 0.0, 1.0)
    T = poses.transform_from_xyz_quat(xyz_m, quat_xyzw)
    for offset in ((xyz_m, quat_xyzw), [xyz_m, quat_xyzw], T, pin.SE3(T[:3, :3], T[:3, 3])):
        assert pytest.approx(T, abs=1e-15) == ask(tcp_offset=offset).T_tip_tcp.homogeneous
        in_full = IKRequest(poses.transform(np.eye(3), [0, 0, 0]), T_tip_tcp=offset)
        assert pytest.approx(T, abs=1e-15) == in_full.T_tip_tcp.homogeneous


# --- it is valid ---


@pytest.mark.parametrize("target", [None, "pose", np.eye(3), np.diag([2.0, 2.0, 2.0, 1.0]), NAN])
def test_what_is_no_pose_is_no_target_whatever_the_way_in(target):
    for make in (IKRequest, IKRequest.from_matrix):
        with refused("target"):
            make(target)


@pytest.mark.parametrize("rotation", [2.0 * np.eye(3), np.zeros((3, 3)), np.diag([1.0, 1.0, -1.0])])
def test_a_pose_of_pinocchio_that_is_no_rotation_is_no_target(rotation):
    with refused("target", "not a rotation"):
        IKRequest(pin.SE3(rotation, np.zeros(3)))
    with refused("tcp_offset", "not a rotation"):
        ask(tcp_offset=pin.SE3(rotation, np.zeros(3)))


@pytest.mark.parametrize("value", [NAN, INF, 1e7])
def test_a_pose_of_pinocchio_with_such_a_position_is_no_target(value):
    with pytest.raises(InvalidRequestError, match=r"^target"):
        IKRequest(pin.SE3(np.eye(3), np.array([0.0, value, 0.0])))


@pytest.mark.parametrize("field", ["max_joint_jump", "timeout_s"])
@pytest.mark.parametrize("value", [NAN, INF, -INF, -1e-300, -1.0, 1.1e9, 10**400], ids=repr)
def test_numbers_out_of_bounds_are_refused(field, value):
    with refused(field, "is not between 0 and"):
        ask(**{field: value})


@pytest.mark.parametrize("field", ["max_joint_jump", "timeout_s"])
@pytest.mark.parametrize("value", NO_NUMBERS, ids=repr)
def test_what_is_no_number_is_refused(field, value):
    with refused(field, "is not a number"):
        ask(**{field: value})


@pytest.mark.parametrize("field", ["max_joint_jump", "timeout_s"])
@pytest.mark.parametrize("value", [0, 0.0, 5e-324, 1, np.float32(0.5), np.int64(2), 1e9])
def test_every_kind_of_number_in_bounds_is_taken(field, value):
    assert getattr(ask(**{field: value}), field) == value


@pytest.mark.parametrize("value", [-1, 1001, 10**400, -(10**400)], ids=repr)
def test_counts_out_of_bounds_are_refused(value):
    with refused("max_solutions", "is not between 0 and 1000"):
        ask(max_solutions=value)


@pytest.mark.parametrize("value", [*NO_NUMBERS, 1.0, 2.5, NAN], ids=repr)
def test_counts_are_whole_numbers(value):
    with refused("max_solutions", "is not a whole number"):
        ask(max_solutions=value)


@pytest.mark.parametrize("value", [0, 1, 1000, np.int64(8), np.uint32(8)])
def test_every_kind_of_whole_number_is_a_count(value):
    assert ask(max_solutions=value).max_solutions == value


@pytest.mark.parametrize("value", [None, 5, b"tool0", ["tool0"], NAN], ids=repr)
def test_a_tip_is_a_name(value):
    with refused("tip_frame", "a link's name expected"):
        ask(tip_frame=value)


@pytest.mark.parametrize("value", ["yes", "False", 1, 0, None, 1.0], ids=repr)
def test_permission_is_yes_or_no(value):
    with refused("allow_relaxed", "True or False expected"):
        ask(allow_relaxed=value)


@pytest.mark.parametrize("field", ["position_tolerance", "orientation_tolerance"])
@pytest.mark.parametrize("axis", range(3))
@pytest.mark.parametrize("value", [NAN, -1.0, -INF])
def test_tolerances_are_checked_by_axis(field, axis, value):
    axes = [0.0, 0.0, 0.0]
    axes[axis] = value
    with refused(f"{field}.{'xyz'[axis]}"):
        ask(**{field: axes})


def test_an_unknown_option_is_a_type_error_that_names_it():
    with pytest.raises(TypeError, match="max_solution"):
        ask(max_solution=3)


def test_a_zero_quaternion_is_accepted_exactly_where_all_rotations_are_free():
    request = IKRequest.from_xyz_quat(XYZ_M, [0, 0, 0, 0], orientation_tolerance=FREE)
    assert np.array_equal(request.T_base_target.rotation, np.eye(3))
    for axes in ((0, 0, 0), (INF, INF, 0), (math.pi, math.pi, math.pi)):
        with refused("target.orientation", "has no direction"):
            IKRequest.from_xyz_quat(XYZ_M, [0, 0, 0, 0], orientation_tolerance=axes)


# --- seeds ---


@pytest.mark.parametrize("value", [NAN, INF, -INF, 1.1e9, 10**400])
def test_seeds_that_are_no_joint_positions_are_refused_by_joint(value):
    with refused("seed", "elbow", "is not a joint position"):
        ask(seed={"shoulder": 0.1, "elbow": value})
    with refused("seed", "[1]", "is not a joint position"):
        ask(seed=[0.1, value])


@pytest.mark.parametrize("value", NO_NUMBERS, ids=repr)
def test_seeds_that_are_no_numbers_are_refused_by_joint(value):
    with refused("seed", "elbow", "is not a number"):
        ask(seed={"shoulder": 0.1, "elbow": value})
    with refused("seed", "[1]", "is not a number"):
        ask(seed=[0.1, value])


@pytest.mark.parametrize("seed", ["0.1", b"0.1", 0.1, True, {0.1}, object()], ids=repr)
def test_what_is_no_row_and_no_mapping_is_no_seed(seed):
    with refused("seed", "a mapping by joint name or a row of numbers expected"):
        ask(seed=seed)


@pytest.mark.parametrize("seed", [np.zeros((2, 3)), np.array(0.1), np.array(["a", "b"])], ids=repr)
def test_arrays_that_are_no_row_of_numbers_are_no_seed(seed):
    with refused("seed"):
        ask(seed=seed)


@pytest.mark.parametrize("seed", [[0, 1.5], (0, 1.5), np.array([0, 1.5]), np.array([0, 1.5], "f4")])
def test_every_row_of_numbers_is_a_seed(seed):
    assert ask(seed=seed).seed == (0.0, 1.5)


# --- it does not change ---


def test_fields_cannot_be_set():
    with pytest.raises(dataclasses.FrozenInstanceError):
        ask().timeout_s = 5.0


def test_what_the_caller_changes_afterwards_does_not_reach_the_request():
    target, offset = pin.SE3.Identity(), pin.SE3.Identity()
    by_name, row = {"elbow": 0.1}, np.array([0.1, 0.2])
    first = IKRequest(target, T_tip_tcp=offset, seed=by_name)
    second = IKRequest(target, seed=row)
    target.translation = offset.translation = np.ones(3)
    by_name["elbow"] = row[0] = 9.0
    assert np.array_equal(first.T_base_target.homogeneous, np.eye(4))
    assert np.array_equal(first.T_tip_tcp.homogeneous, np.eye(4))
    assert first.seed == {"elbow": 0.1}
    assert second.seed == (0.1, 0.2)


def test_a_request_can_be_varied():
    request = ask(seed=[0.1], tip_frame="tool0")
    varied = dataclasses.replace(request, max_solutions=4)
    assert (varied.max_solutions, varied.seed, varied.tip_frame) == (4, (0.1,), "tool0")
    with refused("timeout_s"):
        dataclasses.replace(request, timeout_s=NAN)
