# SPDX-License-Identifier: Apache-2.0
"""Many numbers at once: each row is judged as if it were the only one, whatever is beside it."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ik_solver_ros import InvalidRequestError
from ik_solver_ros.core import batch_targets
from ik_solver_ros.core.batch_frames import Frames
from ik_solver_ros.core.batch_targets import poses_from_rows
from ik_solver_ros.core.batch_verification import BatchVerifier
from ik_solver_ros.core.chain import build_chain
from ik_solver_ros.core.pinocchio_import import pin
from ik_solver_ros.core.tolerance import DEFAULT_AXES, Tolerance
from ik_solver_ros.core.transforms import se3_from_matrix, se3_from_xyz_quat
from support import poses, strategies
from support.judging import made_arm, robot_arm
from support.urdf_writer import JointSpec, serial_robot

INF, NAN = math.inf, math.nan
BEYOND = math.nextafter(2 * math.pi, INF)  # the limits of ur5
ROUNDING = 1e-15
TOLERANCE = Tolerance.of(DEFAULT_AXES, 1e-4, DEFAULT_AXES, 1e-3)

NUMBERS = st.one_of(
    st.floats(-2.0, 2.0),
    st.sampled_from([0.0, -0.0, NAN, INF, -INF, 1e308, -1e308, 1e154, 1e-4, 5e-324, 1e6, 1.1e6]),
)


def one_by_one(rows, read):
    """(n, 3, 4) and the faults, by the way that one pose takes."""
    expected, faults = np.tile(np.eye(3, 4), (len(rows), 1, 1)), {}
    for i, row in enumerate(rows):
        try:
            expected[i] = read(row).homogeneous[:3]
        except InvalidRequestError as error:  # noqa: PERF203
            faults[i] = str(error)
    return expected, faults


def assert_the_same(rows, read, **options):
    expected, expected_faults = one_by_one(rows, read)
    found, faults = poses_from_rows(rows, **options)
    assert faults == expected_faults
    assert found == pytest.approx(expected, abs=ROUNDING, rel=ROUNDING)


@pytest.fixture(params=[1, 2, 3, 4000])
def slice_of(request, monkeypatch):
    monkeypatch.setattr(batch_targets, "_ROWS_PER_SLICE", request.param)


def quat_rows(n, seed=0):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, 7))


def matrices(n, seed=0):
    return np.array([poses.transform_from_xyz_quat(row[:3], row[3:]) for row in quat_rows(n, seed)])


# --- reading targets ---


@given(st.lists(st.lists(NUMBERS, min_size=7, max_size=7), min_size=1, max_size=6), st.booleans())
def test_rows_are_judged_like_one(rows, orientation_free):
    def read(row):
        return se3_from_xyz_quat(row[:3], row[3:], orientation_free=orientation_free)

    assert_the_same(np.array(rows), read, orientation_free=orientation_free)


@given(
    st.lists(strategies.poses(), min_size=1, max_size=5),
    st.sampled_from([0.0, 1e-13, 1e-9, 1e-5, 4e-4, 2e-3, NAN, INF, 1e200]),
    st.integers(0, 15),
)
def test_matrices_are_judged_like_one(made, tear, element):
    rows = np.array(made)
    rows[-1].flat[element] += tear
    assert_the_same(rows, se3_from_matrix)


@pytest.mark.parametrize(
    "R", [np.diag([1, -1, -1]), np.diag([-1, 1, -1]), np.diag([-1, -1, 1]), np.eye(3)]
)
@pytest.mark.parametrize("tear", [0.0, 1e-10, 1e-4])
def test_torn_half_turns_are_cleaned_like_one(R, tear):
    rng = np.random.default_rng(3)
    rows = np.tile(np.eye(4), (20, 1, 1))
    rows[:, :3, :3] = R + tear * rng.uniform(-1, 1, (20, 3, 3))
    assert_the_same(rows, se3_from_matrix)


@pytest.mark.parametrize("diagonal", [(1, 1, -1, 1), (-1, -1, -1, 1), (2, 2, 2, 1), (1, 1, 1, 2)])
def test_mirrored_and_scaled_matrices_are_refused_like_one(diagonal):
    rows = matrices(3)
    rows[1] = rows[1] @ np.diag(diagonal)
    assert_the_same(rows, se3_from_matrix)
    assert set(poses_from_rows(rows)[1]) == {1}


def test_odd_rows_do_not_disturb_their_neighbours(slice_of):
    rows = quat_rows(9)
    plain, _ = poses_from_rows(rows)
    odd = rows.copy()
    odd[0, 3:] = 0.0
    odd[4, 1] = NAN
    odd[8, 6] = INF
    found, faults = poses_from_rows(odd)
    assert set(faults) == {0, 4, 8}
    assert np.array_equal(found[[1, 2, 3, 5, 6, 7]], plain[[1, 2, 3, 5, 6, 7]])
    for i in faults:
        assert np.array_equal(found[i], np.eye(3, 4))


def test_odd_matrices_do_not_disturb_their_neighbours(slice_of):
    rows = matrices(9)
    plain, _ = poses_from_rows(rows)
    odd = rows.copy()
    odd[0, :3, :3] *= 2.0
    odd[3, :3, :3] = np.round(odd[3, :3, :3], 5)
    odd[4, 0, 3] = NAN
    odd[8, 3, 3] = 0.0
    found, faults = poses_from_rows(odd)
    assert set(faults) == {0, 4, 8}
    assert np.array_equal(found[[1, 2, 5, 6, 7]], plain[[1, 2, 5, 6, 7]])
    cleaned = se3_from_matrix(odd[3]).homogeneous[:3]
    assert found[3] == pytest.approx(cleaned, abs=ROUNDING)


@pytest.mark.parametrize("n", [0, 1, 2, 4001])
@pytest.mark.parametrize("make", [quat_rows, matrices])
def test_what_is_read_is_a_copy_of_any_number_of_rows(n, make):
    rows = make(n) if n else make(1)[:0]
    before = rows.copy()
    found, faults = poses_from_rows(rows, orientation_free=True)
    assert found.shape == (n, 3, 4)
    assert not faults
    assert not np.shares_memory(found, rows)
    found[...] = 9.0
    assert np.array_equal(rows, before)


@pytest.mark.parametrize("n", [1, 3])
def test_zero_quaternions_of_the_caller_stay_as_they_are(n):
    rows = np.zeros((n, 7))
    found, faults = poses_from_rows(rows, orientation_free=True)
    assert not faults
    assert np.array_equal(found, np.tile(np.eye(3, 4), (n, 1, 1)))
    assert not rows.any()


LAYOUTS = {
    "Fortran": np.asfortranarray,
    "strided": lambda rows: np.repeat(rows, 2, axis=0)[::2],
    "reversed": lambda rows: rows[::-1].copy()[::-1],
    "lists": lambda rows: rows.tolist(),
    "other byte order": lambda rows: rows.astype(">f8"),
}


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("make", [quat_rows, matrices])
def test_it_does_not_matter_how_rows_lie_in_memory(layout, make):
    rows = make(5)
    found, _ = poses_from_rows(LAYOUTS[layout](rows))
    assert np.array_equal(found, poses_from_rows(rows)[0])


@pytest.mark.parametrize("make", [quat_rows, matrices])
def test_single_precision_is_taken_for_what_it_is(make):
    single = make(5).astype(np.float32)
    found, faults = poses_from_rows(single)
    assert not faults
    assert np.array_equal(found, poses_from_rows(single.astype(float))[0])


# --- frames ---


@given(st.lists(strategies.unit_quats_xyzw(), min_size=1, max_size=6))
def test_quaternions_of_frames_come_back_or_their_negatives(quats_xyzw):
    quats = np.array(quats_xyzw).T
    frames = Frames.of_quats(quats, np.zeros_like(quats[:3]))
    back = frames.quats_xyzw()
    signs = np.sign((back * quats).sum(axis=0))
    assert signs * back == pytest.approx(quats, abs=1e-14)


@given(strategies.poses(), strategies.poses(), st.floats(-4.0, 4.0))
def test_frames_move_like_poses(T_a, T_b, q):
    turn = poses.transform(poses.rotation_about([0.0, 0.0, 1.0], q), np.zeros(3))
    slide = poses.transform(np.eye(3), [0.0, 0.0, q])
    start = Frames.identity().times(T_a)
    moved = np.array([q, 0.0])
    for frames, motion in ((start.turned(moved), turn), (start.slid(moved), slide)):
        rows = frames.times(T_b[:3]).as_rows()
        assert rows[0] == pytest.approx((T_a @ motion @ T_b)[:3], abs=1e-13)
        assert rows[1] == pytest.approx((T_a @ T_b)[:3], abs=1e-13)
        again = Frames.of_rows(rows)
        assert np.array_equal(again.as_rows(), rows)


def test_moving_a_frame_leaves_the_one_before_alone():
    start = Frames.of_rows(matrices(4))
    before = start.as_rows()
    for factor in (np.eye(4), np.diag([0.0, 0.0, 0.0, 1.0]), matrices(1)[0]):
        start.times(factor).turned(np.ones(4)).slid(np.ones(4)).times(factor)
        start.turned(np.ones(4))
        start.slid(np.ones(4))
    assert np.array_equal(start.as_rows(), before)


# --- the gate for many rows ---


def gate(name="ur5", n=6, T_tip_tcp=None):
    arm = robot_arm(name)
    chain = build_chain(arm.model, arm.base, arm.tip)
    rng = np.random.default_rng(2)
    rows, targets = [], []
    for _ in range(n):
        positions = arm.kinematics.random_configuration(rng, chain.joint_names)
        rows.append([positions[joint] for joint in chain.joint_names])
        targets.append(arm.pose(positions)[:3])
    verifier = BatchVerifier(arm.model, arm.base, arm.tip, chain.joint_names, T_tip_tcp)
    return verifier, np.array(rows), np.array(targets)


def test_the_tool_centre_point_is_what_is_judged():
    T_tip_tcp = poses.transform(poses.rotation_about([0.6, 0.0, 0.8], 0.3), [0.1, 0.2, 0.3])
    tool = pin.SE3(T_tip_tcp[:3, :3], T_tip_tcp[:3, 3])
    verifier, rows, targets = gate(T_tip_tcp=tool)
    passed, off_m, off_rad = verifier.accepted(rows, targets @ T_tip_tcp, TOLERANCE)
    assert passed.all()
    assert max(off_m.max(), off_rad.max()) < 1e-12
    passed, off_m, off_rad = verifier.accepted(rows, targets, TOLERANCE)
    assert not passed.any()
    assert off_m == pytest.approx(np.linalg.norm(T_tip_tcp[:3, 3]))
    assert off_rad == pytest.approx(0.3)


@pytest.mark.parametrize("odd", [NAN, INF, -INF, 1e308, -1e308, 50.0, -50.0, BEYOND, -BEYOND])
def test_one_odd_number_in_any_place_is_refused_and_disturbs_nobody(odd):
    verifier, rows, targets = gate()
    passed, off_m, off_rad = verifier.accepted(rows, targets, TOLERANCE)
    assert passed.all()
    for i in range(rows.shape[1]):
        broken = rows.copy()
        broken[2, i] = odd
        with np.errstate(invalid="ignore"):
            still, m, rad = verifier.accepted(broken, targets, TOLERANCE)
        assert still.tolist() == [True, True, False, True, True, True]
        others = [0, 1, 3, 4, 5]
        assert np.array_equal(m[others], off_m[others])
        assert rad[others] == pytest.approx(off_rad[others], abs=1e-15)


@pytest.mark.parametrize("odd", [NAN, INF, -INF])
def test_joints_without_limits_have_finite_positions_all_the_same(odd):
    verifier, rows, targets = gate("kinova")
    for i in range(rows.shape[1]):
        broken = rows.copy()
        broken[2, i] = odd
        with np.errstate(invalid="ignore"):
            passed, _, _ = verifier.accepted(broken, targets, TOLERANCE)
        assert passed.tolist() == [True, True, False, True, True, True]


@pytest.mark.parametrize("odd", [NAN, INF, -INF])
def test_a_position_is_finite_even_where_the_target_does_not_ask_for_it(odd):
    endless = JointSpec("rail", "prismatic", "base", "cart", lower=-1e16, upper=1e16)
    arm = made_arm(serial_robot("rail", [endless, JointSpec("turn", "revolute", "cart", "tip")]))
    verifier = BatchVerifier(arm.model, "base", "tip", ("rail", "turn"), None)
    anywhere = Tolerance.of((INF, INF, INF), 1e-4, (0.0, 0.0, 0.0), 1e-3)
    rows = np.array([[7.0, 0.3], [odd, 0.3]])
    targets = np.array([arm.pose({"rail": 0.0, "turn": 0.3})[:3]] * 2)
    with np.errstate(invalid="ignore"):
        assert verifier.accepted(rows, targets, anywhere)[0].tolist() == [True, False]


@settings(max_examples=30)
@given(strategies.chains(), strategies.SEEDS)
def test_an_error_does_not_depend_on_the_other_rows(made, seed):
    arm, rng = made_arm(made), np.random.default_rng(seed)
    names = build_chain(arm.model, arm.base, arm.tip).joint_names
    drawn = [arm.kinematics.random_configuration(rng, names) for _ in range(4)]
    rows = np.array([[positions[name] for name in names] for positions in drawn])
    targets = np.array([arm.pose(positions)[:3] for positions in reversed(drawn)])
    targets[0] = arm.pose(drawn[0])[:3]
    verifier = BatchVerifier(arm.model, arm.base, arm.tip, names, None)
    together = verifier.accepted(rows, targets, TOLERANCE)
    for i in range(4):
        alone = verifier.accepted(rows[i : i + 1], targets[i : i + 1], TOLERANCE)
        assert together[0][i] == alone[0][0]
        for errors, error in zip(together[1:], alone[1:]):
            assert errors[i] == pytest.approx(error[0], abs=1e-14)


def test_the_gate_does_not_write_to_what_it_judges():
    verifier, rows, targets = gate()
    before = rows.copy(), targets.copy()
    for array in (rows, targets):
        array.setflags(write=False)
    verifier.accepted(rows, targets, TOLERANCE)
    verifier.accepted(
        rows[:1], targets[:1], Tolerance.of((INF, 0.1, 0.0), 1e-4, (0.1, INF, 0.0), 1e-3)
    )
    assert np.array_equal(rows, before[0])
    assert np.array_equal(targets, before[1])


def test_a_pose_given_to_pinocchio_measures_the_same():
    verifier, rows, targets = gate("panda")
    nudged = targets.copy()
    nudged[:, :, 3] += [3e-5, -2e-5, 1e-5]
    _, off_m, _ = verifier.accepted(rows, nudged, TOLERANCE)
    arm = robot_arm("panda")
    names = build_chain(arm.model, arm.base, arm.tip).joint_names
    for i, row in enumerate(rows):
        reached = arm.model.pose(dict(zip(names, row.tolist())), arm.tip, arm.base)
        target = pin.SE3(nudged[i, :, :3].copy(), nudged[i, :, 3].copy())
        expected = np.linalg.norm(target.actInv(reached).translation)
        assert off_m[i] == pytest.approx(expected, abs=1e-14)
