# SPDX-License-Identifier: Apache-2.0
"""The pose error and its Jacobian as rows to be solved for, and what slack leaves of them."""

from __future__ import annotations

import math

import numpy as np

from ..limits import Floats
from ..pinocchio_import import pin
from ..pose_error import PoseError
from ..tolerance import Axes, AxisTolerance, Tolerance
from .base import METRES_PER_RAD
from .chain_model import ChainModel

SLACK = 0.9  # share of the tolerance that slack uses; the rest is for rounding


class Rows:
    """The rows of error and Jacobian that are not free, orientation weighted in metres."""

    def __init__(self, tolerance: Tolerance) -> None:
        position = [not free for free in tolerance.position.free]
        orientation = [not free for free in tolerance.orientation.free]
        self._kept = np.array(position + orientation)
        self._all = bool(self._kept.all())
        self.identity = np.eye(tolerance.constraints)
        #: A single bounded axis has a twist as its error, whose rate is not the angular velocity.
        self._twist = orientation.index(True) if sum(orientation) == 1 else None

    def missing(self, error: PoseError) -> Floats:
        """What the kept rows still have to change by."""
        (x, y, z), (a, b, c) = error.position, error.orientation
        w = METRES_PER_RAD
        e = np.array((-x, -y, -z, -w * a, -w * b, -w * c))
        return e if self._all else e[self._kept]

    def jacobian(self, arm: ChainModel, rate: Floats | None = None) -> Floats:
        """How the kept rows change with the variables."""
        J = arm.jacobian()
        if self._twist is not None:
            J[3 + self._twist] = _twist_rate(arm, self._twist) @ J[3:]
        if rate is not None:
            J = rate @ J
        J[3:] *= METRES_PER_RAD
        return J if self._all else J[self._kept]


def cost_of(error: PoseError) -> float:
    """Squared error in m^2, orientation weighted."""
    position, orientation = error.position_m, METRES_PER_RAD * error.orientation_rad
    return position * position + orientation * orientation


def _twist_rate(arm: ChainModel, axis: int) -> Floats:
    """Row r with d(twist about ``axis``)/dt = r @ angular velocity, all in the target frame.

    From twist = 2 atan2(v_axis, w) and the rate of the quaternion (v, w):
    w' = -v.omega / 2, v' = (w omega + omega x v) / 2.
    """
    quat_xyzw = pin.SE3ToXYZQUAT(arm.data.oMf[arm.tcp])[3:]
    v, w = quat_xyzw[:3], quat_xyzw[3]
    norm = v[axis] ** 2 + w**2
    row = np.zeros(3)
    row[axis] = 1.0
    if norm > 1e-12:
        b, c = (axis + 1) % 3, (axis + 2) % 3
        row[b] = (w * v[c] + v[b] * v[axis]) / norm
        row[c] = (v[c] * v[axis] - w * v[b]) / norm
    return row


def less_slack(error: PoseError, tolerance: Tolerance) -> tuple[PoseError, Floats]:
    """What is left of an error when most of the tolerance is used up, and its derivative (6, 6).

    By the derivative an axis with slack left asks for nothing: it must not hold the arm still.
    """
    rate = np.zeros((6, 6))
    position, rate[:3, :3] = shrunk(error.position, tolerance.position)
    orientation, rate[3:, 3:] = shrunk(error.orientation, tolerance.orientation)
    return PoseError(position, orientation), rate


def shrunk(error: Axes, tolerance: AxisTolerance) -> tuple[Axes, Floats]:
    """Errors shrunk to 0, those under one norm together, the others each; and the (3, 3) rate."""
    e, bounds = np.array(error), np.array(tolerance.axes)
    by_norm = bounds == 0.0
    together = np.where(by_norm, e, 0.0)
    norm = math.sqrt(float(together @ together))
    keep = max(0.0, 1.0 - SLACK * tolerance.norm / norm) if norm > 0.0 else 0.0
    left = np.where(by_norm, keep * e, np.sign(e) * np.maximum(0.0, np.abs(e) - SLACK * bounds))
    rate = np.diag(np.where(by_norm, keep, left != 0.0))
    if keep > 0.0:
        rate += (1.0 - keep) / (norm * norm) * np.outer(together, together)
    x, y, z = left.tolist()
    return (x, y, z), rate


def largest_cost(tolerance: Tolerance) -> float:
    """No pose inside the tolerance costs more."""
    position = _widest(tolerance.position)
    orientation = METRES_PER_RAD * _widest(tolerance.orientation)
    return position * position + orientation * orientation  # may be inf, where ** would raise


def _widest(tolerance: AxisTolerance) -> float:
    return math.hypot(tolerance.norm, *(a for a in tolerance.axes if math.isfinite(a)))


def tightest(tolerance: AxisTolerance) -> float:
    """The smallest of the bounds."""
    return min([tolerance.norm] + [bound for bound in tolerance.axes if bound > 0.0])
