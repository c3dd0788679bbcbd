# SPDX-License-Identifier: Apache-2.0
"""The parts of the readable solver: its derivatives by finite differences."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ik_solver_ros import RobotModel
from ik_solver_ros.core.chain import build_chain
from ik_solver_ros.core.pinocchio_import import pin
from ik_solver_ros.core.pose_error import pose_error
from ik_solver_ros.core.solvers import error_rows
from ik_solver_ros.core.solvers.base import METRES_PER_RAD
from ik_solver_ros.core.solvers.chain_model import ChainModel
from ik_solver_ros.core.tolerance import AxisTolerance, Tolerance
from support import strategies
from support.random_chains import random_chain

INF = math.inf
STEP = 1e-6  # of a central difference: its error is 1e-12, rounding adds 1e-10
MASKS = list(itertools.product([0.0, INF], repeat=3))


def made_chain(made):
    return build_chain(RobotModel.from_urdf(made.urdf), made.base, made.tip)


def central_difference(function, q):
    """Derivative (…, m) of a function of q."""
    columns = []
    for i in range(len(q)):
        step = np.zeros(len(q))
        step[i] = STEP
        columns.append((np.array(function(q + step)) - np.array(function(q - step))) / (2 * STEP))
    return np.stack(columns, axis=-1)


def aimed(chain, rng, near):
    """An arm that looks from a target that it misses by about `near` rad, and where it stands."""
    arm = ChainModel(chain)
    q = rng.uniform(-1.5, 1.5, len(chain.variable_names))
    arm.look_from(pin.SE3.Identity())
    miss = pin.exp6(pin.Motion(rng.uniform(-near, near, 6)))
    arm.look_from(arm.pose(q) * miss)
    return arm, q


def tolerance_of(position, orientation, norm=1e-6):
    return Tolerance(AxisTolerance.of(position, norm), AxisTolerance.of(orientation, norm))


# --- derivatives ---


@settings(max_examples=60)
@given(strategies.chains(), strategies.SEEDS)
def test_the_jacobian_is_the_derivative_of_the_pose(made, seed):
    arm, q = aimed(made_chain(made), np.random.default_rng(seed), near=1.0)

    def position(q):
        return arm.pose(q).translation.copy()

    def rotation(q):
        return arm.pose(q).rotation.copy()

    turning = central_difference(rotation, q)
    moving = central_difference(position, q)
    R = rotation(q)
    jacobian = arm.jacobian()
    assert jacobian.shape == (6, len(q))
    assert pytest.approx(moving, abs=1e-7) == jacobian[:3]
    for i in range(len(q)):
        skew = turning[:, :, i] @ R.T
        assert pytest.approx([skew[2, 1], skew[0, 2], skew[1, 0]], abs=1e-7) == jacobian[3:, i]


@pytest.mark.parametrize("orientation", MASKS)
@pytest.mark.parametrize("near", [1e-3, 1.0, 1.7])
def test_the_descent_goes_down_the_cost_whatever_axes_are_free(orientation, near):
    """e^T J is half the gradient of the squared error: the row of every mask is the right one."""
    rng = np.random.default_rng(7)
    for number, position in enumerate(MASKS):
        arm, q = aimed(made_chain(random_chain(number, 6, mimic_count=1)), rng, near)
        tolerance = tolerance_of(position, orientation)
        rows = error_rows.Rows(tolerance)

        def cost(q, arm=arm, tolerance=tolerance):
            return error_rows.cost_of(pose_error(arm.pose(q), tolerance))

        gradient = central_difference(cost, q)
        e = rows.missing(pose_error(arm.pose(q), tolerance))
        J = rows.jacobian(arm)
        assert J.shape == (tolerance.constraints, len(q))
        assert pytest.approx(gradient, abs=2e-8) == -2.0 * (e @ J)


@settings(max_examples=60)
@given(
    st.tuples(*[st.sampled_from([0.0, INF, 0.05, 0.4])] * 3),
    strategies.vectors(3, 1.0),
    st.sampled_from([1e-4, 0.1, 0.5]),
)
def test_what_is_left_of_an_error_and_its_rate_fit_together(axes, error, norm):
    tolerance = AxisTolerance.of(axes, norm)
    error = np.where(np.isinf(axes), 0.0, error)

    def left(error):
        return error_rows.shrunk(tuple(error), tolerance)[0]

    kinks = np.array([error_rows.SLACK * bound for bound in (*axes, norm) if bound])
    together = np.linalg.norm(np.where(np.array(axes) == 0.0, error, 0.0))
    sizes = np.append(np.abs(error), together)
    if np.abs(np.subtract.outer(sizes, kinks)).min() < 1e-4:
        return  # no derivative there
    rate = error_rows.shrunk(tuple(error), tolerance)[1]
    difference = central_difference(left, error)
    for axis in range(3):
        if math.isfinite(axes[axis]):
            assert rate[axis] == pytest.approx(difference[axis], abs=1e-6)


@given(
    st.tuples(*[st.sampled_from([0.0, INF, 0.05, 0.4])] * 3),
    strategies.vectors(3, 1.0),
    st.sampled_from([1e-4, 0.1, 0.5]),
)
def test_nothing_is_left_exactly_of_errors_that_are_inside(axes, error, norm):
    tolerance = AxisTolerance.of(axes, norm)
    error = tuple(0.0 if math.isinf(axis) else float(e) for axis, e in zip(axes, error))
    left, _ = error_rows.shrunk(error, tolerance)
    if not any(left):
        assert tolerance.accepts(error)
    assert all(abs(after) <= abs(before) for after, before in zip(left, error))
    assert all(after * before >= 0.0 for after, before in zip(left, error))


def test_the_weight_of_a_radian_is_the_documented_lever():
    cost = error_rows.cost_of(pose_error(pin.SE3(pin.rpy.rpyToMatrix(0, 0, 0.1), np.zeros(3)),
                                      tolerance_of((0, 0, 0), (0, 0, 0))))  # fmt: skip
    assert cost == pytest.approx((METRES_PER_RAD * 0.1) ** 2)
