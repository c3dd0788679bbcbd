# SPDX-License-Identifier: Apache-2.0
"""Plain floats are judged by a shorter way than other numbers; the verdict has to be the same."""

from __future__ import annotations

import contextlib
import dataclasses
import itertools
import math
from collections import UserDict, UserList

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ik_solver_ros import IKRequest, InvalidRequestError
from ik_solver_ros.core import request as request_module
from ik_solver_ros.core import rows, transforms
from ik_solver_ros.core.pinocchio_import import pin
from support import strategies
from support.judging import refused

INF, NAN = math.inf, math.nan
XYZ_M, QUAT_XYZW, SEED = (0.4, -0.0, 0.6), (0.0, 0.6, 0.0, 0.8), (0.1, -2.0, 0.0, 5e-324, 1e6)

HARMLESS = [0.0, -0.0, 1.0, -0.25, 5e-324, 1e-9]
ODD_FLOATS = [NAN, INF, -INF, 1e308, -1e308, 1.8e154, 1e-200, math.nextafter(1e6, INF), 1e6]
INTEGERS = [0, -1, 2**53, 2**53 + 1, -(2**63), 2**64, 10**400]
NUMPYS_NUMBERS = [np.float32(0.5), np.float64(0.5), np.float64(NAN), np.int64(3)]
NO_NUMBERS = [True, None, "1", 1j, (1.0,), np.ones(1), np.bool_(True)]
NUMBERS = st.one_of(
    st.sampled_from(HARMLESS),
    st.floats(-2.0, 2.0),
    st.floats(),
    st.sampled_from([*ODD_FLOATS, *INTEGERS, *NUMPYS_NUMBERS, *NO_NUMBERS]),
)


def every_other(values):
    return np.repeat(np.array(values, dtype=float), 2)[::2]


def column(values):
    return np.array([values, values], dtype=float).T[:, 1]


CONTAINERS = {
    "list": list,
    "tuple": tuple,
    "array": np.array,
    "float array": lambda values: np.array(values, dtype=float),
    "single precision": lambda values: np.array(values, dtype=np.float32),
    "half precision": lambda values: np.array(values, dtype=np.float16),
    "long doubles": lambda values: np.array(values, dtype=np.longdouble),
    "objects": lambda values: np.array(values, dtype=object),
    "reversed view": lambda values: np.array(values[::-1], dtype=float)[::-1],
    "every other": every_other,
    "column": column,
    "other byte order": lambda values: np.array(values, dtype=">f8"),
    "masked": lambda values: np.ma.array(np.array(values, dtype=float)),
    "list of a class": UserList,
    "one row of many": lambda values: np.array([values], dtype=float),
    "integers": lambda values: np.array(values, dtype=np.int64),
    "bytes": lambda values: np.array(values, dtype=np.uint8),
    "nested": lambda values: [values],
    "NumPy's numbers": lambda values: list(np.array(values, dtype=float)),
}


@contextlib.contextmanager
def the_long_way():
    with pytest.MonkeyPatch.context() as patch:
        for module in (rows, request_module):
            patch.setattr(module, "plain_floats", lambda _: None)
        patch.setattr(request_module, "_are_positions", lambda _: False)
        yield


def verdict(call):
    """What a call returns, to the last bit and with the types, or what it says against it."""
    try:
        return repr(call())
    except InvalidRequestError as error:
        return f"refused: {error}"


def same_both_ways(call):
    with the_long_way():
        expected = verdict(call)
    assert verdict(call) == expected
    return expected


def contained(kind, values):
    try:
        with np.errstate(over="ignore"):
            return CONTAINERS[kind](values)
    except (TypeError, ValueError, OverflowError):
        return values  # such numbers do not go into such a container


@given(st.sampled_from(list(CONTAINERS)), st.lists(NUMBERS, max_size=6), st.integers(0, 5))
def test_rows_are_read_the_same(kind, values, count):
    row = contained(kind, values)
    same_both_ways(lambda: rows.numbers(row, count, "field", "a row"))
    same_both_ways(lambda: rows.finite_numbers(row, count, "field", "a row"))


@given(st.sampled_from(list(CONTAINERS)), st.lists(NUMBERS, min_size=3, max_size=3))
def test_positions_are_judged_the_same(kind, values):
    xyz_m = contained(kind, values)
    same_both_ways(
        lambda: IKRequest.from_xyz_quat(xyz_m, QUAT_XYZW).T_base_target.homogeneous.tolist()
    )


@given(st.sampled_from(list(CONTAINERS)), st.lists(NUMBERS, min_size=4, max_size=4))
def test_quaternions_are_judged_the_same(kind, values):
    quat_xyzw = contained(kind, values)
    same_both_ways(lambda: transforms.unit_quat_xyzw(quat_xyzw))


@given(st.sampled_from(list(CONTAINERS)), st.lists(NUMBERS, max_size=7))
def test_seeds_in_a_row_are_judged_the_same(kind, values):
    seed = contained(kind, values)
    same_both_ways(lambda: IKRequest.from_xyz_quat(XYZ_M, QUAT_XYZW, seed=seed).seed)


@given(st.sampled_from([dict, UserDict]), st.dictionaries(st.sampled_from(["a", "b", 3]), NUMBERS))
def test_seeds_by_name_are_judged_the_same(kind, by_name):
    seed = kind(by_name)
    same_both_ways(lambda: IKRequest.from_xyz_quat(XYZ_M, QUAT_XYZW, seed=seed).seed)


@given(st.sampled_from(["position_tolerance", "orientation_tolerance"]), st.data())
def test_tolerances_are_judged_the_same(field, data):
    values = data.draw(st.lists(NUMBERS, min_size=3, max_size=3))
    kind = data.draw(st.sampled_from(list(CONTAINERS)))
    axes = contained(kind, values)
    same_both_ways(
        lambda: getattr(IKRequest.from_xyz_quat(XYZ_M, QUAT_XYZW, **{field: axes}), field)
    )


# --- nothing hides ---


PLAIN_CONTAINERS = ["list", "tuple", "float array", "reversed view", "every other", "column"]


@pytest.mark.parametrize("kind", PLAIN_CONTAINERS)
@pytest.mark.parametrize("odd", [NAN, INF, -INF], ids=repr)
def test_one_odd_number_is_enough_in_any_place(kind, odd):
    fields = {"target.position": XYZ_M, "target.orientation": QUAT_XYZW, "seed": SEED}
    for field, values in fields.items():
        for i in range(len(values)):
            broken = {**fields, field: (*values[:i], odd, *values[i + 1 :])}
            xyz_m, quat_xyzw, seed = (CONTAINERS[kind](row) for row in broken.values())
            with refused(field):
                IKRequest.from_xyz_quat(xyz_m, quat_xyzw, seed=seed)


@pytest.mark.parametrize("pair", itertools.permutations([INF, -INF, NAN], 2))
def test_odd_numbers_do_not_cancel_out(pair):
    for i, j in itertools.permutations(range(3), 2):
        xyz_m, quat_xyzw = [0.0] * 3, [0.0] * 4
        xyz_m[i], xyz_m[j] = quat_xyzw[i], quat_xyzw[j] = pair
        with refused("target.position", "is not a finite number"):
            IKRequest.from_xyz_quat(xyz_m, QUAT_XYZW)
        with refused("target.orientation", "is not a finite number"):
            IKRequest.from_xyz_quat(XYZ_M, quat_xyzw)
        with refused("seed"):
            IKRequest.from_xyz_quat(XYZ_M, QUAT_XYZW, seed=xyz_m)


@given(strategies.unit_quats_xyzw(), st.floats(-8.0, 8.0))
def test_a_quaternion_has_one_direction_whatever_its_norm(quat_xyzw, power):
    scaled = (10.0**power * quat_xyzw).tolist()
    if np.linalg.norm(scaled) >= 2e-6:
        unit = np.array(transforms.unit_quat_xyzw(scaled))
        assert unit == pytest.approx(quat_xyzw, abs=4e-16)
        assert abs(np.linalg.norm(unit) - 1.0) <= 4e-16


@pytest.mark.parametrize("bound", [1e-3, 1e3, 1e153, 1.3e154])
def test_norms_around_the_bounds_of_the_short_way_are_the_same(bound):
    for norm in (math.nextafter(bound, 0.0), bound, math.nextafter(bound, INF)):
        unit = transforms.unit_quat_xyzw([0.0, norm * 0.6, 0.0, norm * 0.8])
        assert unit == pytest.approx((0.0, 0.6, 0.0, 0.8), abs=2e-16)


@given(strategies.unit_quats_xyzw(), strategies.vectors(3, 10.0))
def test_a_pose_has_the_bits_of_pinocchios_own_constructor(quat_xyzw, xyz_m):
    x, y, z, w = transforms.unit_quat_xyzw(quat_xyzw)
    expected = pin.SE3(pin.Quaternion(w, x, y, z), np.array(xyz_m))
    assert transforms.se3_from_xyz_quat(xyz_m, quat_xyzw) == expected


def test_signed_zeros_are_kept():
    request = IKRequest.from_xyz_quat([-0.0, 0.0, -0.0], QUAT_XYZW, seed=[-0.0, 0.0])
    assert np.signbit(request.T_base_target.translation).tolist() == [True, False, True]
    assert [math.copysign(1.0, value) for value in request.seed] == [-1.0, 1.0]


# --- nothing is shared with the caller, and nothing changes ---


@pytest.mark.parametrize("kind", PLAIN_CONTAINERS)
def test_a_row_that_was_read_is_a_copy(kind):
    given_row = CONTAINERS[kind]([1.0, 2.0, 3.0])
    read = rows.numbers(given_row, 3, "field", "a row")
    read[0] = 9.0
    assert list(given_row) == [1.0, 2.0, 3.0]


def test_a_seed_by_name_is_a_copy():
    by_name = {"a": 0.1}
    request = IKRequest.from_xyz_quat(XYZ_M, QUAT_XYZW, seed=by_name)
    by_name["a"] = NAN
    assert request.seed == {"a": 0.1}


@pytest.mark.parametrize("field", [f.name for f in dataclasses.fields(IKRequest)])
def test_no_field_can_be_set_added_or_deleted(field):
    request = IKRequest.from_xyz_quat(XYZ_M, QUAT_XYZW)
    for change in (
        lambda: setattr(request, field, None),
        lambda: delattr(request, field),
        lambda: setattr(request, f"{field}_2", None),
    ):
        with pytest.raises(dataclasses.FrozenInstanceError):
            change()


def test_a_pair_of_position_and_quaternion_is_a_target_like_a_matrix():
    pair = IKRequest((XYZ_M, QUAT_XYZW))
    assert pair.T_base_target == IKRequest.from_xyz_quat(XYZ_M, QUAT_XYZW).T_base_target
    with refused("target.orientation", "has no direction"):
        IKRequest((XYZ_M, (0.0, 0.0, 0.0, 0.0)))
