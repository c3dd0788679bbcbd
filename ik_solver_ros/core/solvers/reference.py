# SPDX-License-Identifier: Apache-2.0
"""The readable solver: damped least squares over Pinocchio, with restarts.

It is the oracle in tests and the fallback where the kernel could not be built. Levenberg-Marquardt
with a damping that follows the error (Sugihara, "Solvability-unconcerned inverse kinematics by the
Levenberg-Marquardt method", 2011; Chan and Lawrence 1988), joints frozen while they push against
their limit.
"""

from __future__ import annotations

import math
import threading
import time
from dataclasses import dataclass
from operator import lt

import numpy as np

from ..chain import Chain
from ..limits import Floats
from ..pinocchio_import import eigenpy, pin
from ..pose_error import PoseError, pose_error
from ..tolerance import Axes, AxisTolerance, Tolerance
from ..transforms import se3_from_rows
from .base import DISTINCT, METRES_PER_RAD, SHARP_M, SHARP_RAD, OneByOne, Outcome, Problem
from .starts import Starts

_MOST_ITERATIONS = 60  # of one start
_CHECK_EVERY = 3  # iterations between two looks at the progress
_LEAST_PROGRESS = 0.7  # a start is given up when the squared error is still above this share
_DAMPING, _LEAST_DAMPING = 0.05, 1e-9
_LARGEST_STEP = 1.0  # rad or m
_PULLS = 3  # null-space steps toward the seed
_ROOM = 4.0  # slack is tried where the cost is at most this many times what the tolerance allows
_SLACK = 0.9  # share of the tolerance that slack uses; the rest is for rounding


class ReferenceSolver(OneByOne):
    """Solves any chain for any tolerance."""

    name = "reference"

    def __init__(self) -> None:
        self._per_thread = threading.local()

    def search(self, problem: Problem) -> Outcome:
        """Descend from the seed, then from the other starts until enough candidates are found."""
        starts, limits = Starts(problem.limits, problem.seed), problem.limits
        descent = _Descent(self._arm(problem.chain), problem, starts)
        found: list[Floats] = []
        seed_converged, attempts, enough, timed_out = False, 0, problem.max_attempts, False
        while attempts < enough and not timed_out:
            q = descent.run(starts.start(attempts))
            attempts += 1
            if q is not None:
                q = limits.nearest_inside(q, problem.seed)
                seed_converged |= attempts == 1
                if not found and problem.seed_suffices:
                    enough = min(enough, 1 if seed_converged else 2 * attempts)
                if all(limits.apart(q, other) > DISTINCT for other in found):
                    found.append(q)
                if len(found) == problem.wanted:
                    break
            timed_out = attempts < enough and time.perf_counter() >= problem.deadline_s
        closest = limits.nearest_inside(descent.closest, problem.seed)
        return Outcome(
            tuple(found),
            seed_converged,
            closest,
            descent.iterations,
            attempts,
            timed_out,
            self.name,
        )

    def _arm(self, chain: Chain) -> _Arm:
        arms: dict[int, _Arm] = self._per_thread.__dict__.setdefault("arms", {})
        arm = arms.get(id(chain))
        if arm is None or arm.chain is not chain:
            if len(arms) > 32:
                arms.clear()
            arm = arms[id(chain)] = _Arm(chain)
        return arm


class _Arm:
    """A Pinocchio model of nothing but the chain, one plain angle or length per column."""

    def __init__(self, chain: Chain) -> None:
        self.chain = chain
        self.model = pin.Model()
        parent = 0
        for i, rows in enumerate(chain.placements):
            joint = pin.JointModelPZ() if chain.prismatic[i] else pin.JointModelRZ()
            parent = self.model.addJoint(parent, joint, se3_from_rows(rows), f"column_{i}")
        tcp = pin.Frame("tcp", parent, se3_from_rows(chain.T_last_tcp), pin.FrameType.OP_FRAME)
        self.tcp = self.model.addFrame(tcp)
        self.data = self.model.createData()
        self._T_base_first = se3_from_rows(chain.placements[0])
        columns, variables = len(chain.variable), len(chain.variable_names)
        self._spread = np.zeros((columns, variables))
        self._spread[np.arange(columns), chain.variable] = chain.multiplier
        self._is_direct = not chain.has_followers

    def look_from(self, T_base_target: pin.SE3) -> None:
        """Let the world be the target frame: poses and Jacobians then are what the error needs."""
        self.model.jointPlacements[1] = T_base_target.inverse() * self._T_base_first

    def pose(self, q: Floats) -> pin.SE3:
        """T_target_tcp at the variables q; :meth:`jacobian` then is for the same q."""
        columns = q if self._is_direct else self._spread @ q + self.chain.offset
        pin.computeJointJacobians(self.model, self.data, columns)
        return pin.updateFramePlacement(self.model, self.data, self.tcp)

    def jacobian(self) -> Floats:
        """(6, m): linear and angular velocity of the tcp, in the target frame, per variable."""
        jacobian: Floats = pin.getFrameJacobian(
            self.model, self.data, self.tcp, pin.LOCAL_WORLD_ALIGNED
        ).reshape(6, -1)  # one column comes back flat
        return jacobian if self._is_direct else jacobian @ self._spread


@dataclass
class _Descent:
    """Descends from one start after the other and remembers the closest end."""

    arm: _Arm
    problem: Problem
    starts: Starts
    iterations: int = 0
    closest_cost: float = math.inf

    def __post_init__(self) -> None:
        self.arm.look_from(self.problem.T_base_target)
        self.closest = self.starts.first
        limits = self.problem.limits
        self._lower, self._upper = limits.open_lower, limits.open_upper
        self._lowest, self._highest = self._lower.tolist(), self._upper.tolist()
        tolerance = self.problem.tolerance
        self._rows = _Rows(tolerance)
        self._sharp_m = min(SHARP_M, 0.5 * _tightest(tolerance.position))
        self._sharp_rad = min(SHARP_RAD, 0.5 * _tightest(tolerance.orientation))
        self._room = _ROOM * _largest_cost(tolerance)
        self._redundant = len(self.problem.seed) > tolerance.constraints

    def run(self, start: Floats) -> Floats | None:
        """The configuration where this start ends if it reaches the target, else None."""
        q, reached = self._descend(start, slack=False)
        if not reached and self.problem.use_slack:
            for begin in (q, start):  # the way to the exact pose may have led astray
                if not reached and self._has_room(begin):
                    q, reached = self._descend(begin, slack=True)
        if reached and self._redundant:
            q = self._pulled_to_seed(q)
        return q if reached else None

    def _has_room(self, q: Floats) -> bool:
        """Whether the tolerance may be met near q, where the error is about the least there is."""
        return _cost(pose_error(self.arm.pose(q), self.problem.tolerance)) <= self._room

    def _descend(self, q: Floats, slack: bool) -> tuple[Floats, bool]:
        """Levenberg-Marquardt until the error is sharp, or no longer falls."""
        last_cost, deadline = math.inf, self.problem.deadline_s
        for iteration in range(_MOST_ITERATIONS + 1):
            true_error = pose_error(self.arm.pose(q), self.problem.tolerance)
            error, rate = true_error, None
            if slack:
                error, rate = _less_slack(true_error, self.problem.tolerance)
            if self._is_there(error) and (not slack or self._accepts(true_error)):
                return q, True
            cost = _cost(error)
            if iteration % _CHECK_EVERY == 0:
                late = time.perf_counter() >= deadline
                if cost > _LEAST_PROGRESS * last_cost or iteration == _MOST_ITERATIONS or late:
                    break
                last_cost = cost
            self.iterations += 1
            q = self._stepped(q, error, cost, rate=rate)
        self._remember(q, true_error)
        return q, self._accepts(true_error)

    def _is_there(self, error: PoseError) -> bool:
        return error.position_m <= self._sharp_m and error.orientation_rad <= self._sharp_rad

    def _accepts(self, error: PoseError) -> bool:
        return self.problem.tolerance.accepts(error.position, error.orientation)

    def _stepped(
        self,
        q: Floats,
        error: PoseError,
        cost: float,
        pull: Floats | None = None,
        rate: Floats | None = None,
    ) -> Floats:
        """One step dq = J^T (J J^T + damping I)^-1 e, without the joints that push outward.

        With ``pull``, the part of it that does not move the tool is added. ``rate`` is how the
        error changes with the true one, where it is not the same.
        """
        J, e = self._rows.jacobian(self.arm, rate), self._rows.missing(error)
        if self._touches_a_limit(q):
            downhill = e @ J
            pushing = ((q <= self._lower) & (downhill < 0)) | ((q >= self._upper) & (downhill > 0))
            J = np.where(pushing, 0.0, J)
            pull = None if pull is None else np.where(pushing, 0.0, pull)
        A = J @ J.T + (_DAMPING * cost + _LEAST_DAMPING) * self._rows.identity
        dq = _solution(A, e) @ J if pull is None else pull + _solution(A, e - J @ pull) @ J
        largest = max(map(abs, dq.tolist()))
        if largest > _LARGEST_STEP:
            dq *= _LARGEST_STEP / largest
        return (q + dq).clip(self._lower, self._upper)

    def _touches_a_limit(self, q: Floats) -> bool:
        values = q.tolist()  # so short that plain floats are faster than arrays
        return not (all(map(lt, self._lowest, values)) and all(map(lt, values, self._highest)))

    def _pulled_to_seed(self, q: Floats) -> Floats:
        """Slide along the self-motion of a redundant arm toward the seed."""
        seed = self.starts.first
        pulled = q
        for _ in range(_PULLS):
            error = pose_error(self.arm.pose(pulled), self.problem.tolerance)
            pulled = self._stepped(pulled, error, _cost(error), pull=seed - pulled)
            self.iterations += 1
        pulled, reached = self._descend(pulled, slack=False)
        nearer = np.abs(pulled - seed).max() < np.abs(q - seed).max()
        return pulled if reached and nearer else q

    def _remember(self, q: Floats, error: PoseError) -> None:
        cost = _cost(error)
        if cost < self.closest_cost:
            self.closest_cost, self.closest = cost, q


class _Rows:
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

    def jacobian(self, arm: _Arm, rate: Floats | None = None) -> Floats:
        """How the kept rows change with the variables."""
        J = arm.jacobian()
        if self._twist is not None:
            J[3 + self._twist] = _twist_rate(arm, self._twist) @ J[3:]
        if rate is not None:
            J = rate @ J
        J[3:] *= METRES_PER_RAD
        return J if self._all else J[self._kept]


def _solution(A: Floats, b: Floats) -> Floats:
    """Solve A x = b for a symmetric positive definite A."""
    return eigenpy.LDLT(A).solve(b).reshape(-1)  # of a single row it makes a matrix


def _cost(error: PoseError) -> float:
    """Squared error in m^2, orientation weighted."""
    position, orientation = error.position_m, METRES_PER_RAD * error.orientation_rad
    return position * position + orientation * orientation


def _twist_rate(arm: _Arm, axis: int) -> Floats:
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


def _less_slack(error: PoseError, tolerance: Tolerance) -> tuple[PoseError, Floats]:
    """What is left of an error when most of the tolerance is used up, and its derivative (6, 6).

    By the derivative an axis with slack left asks for nothing: it must not hold the arm still.
    """
    rate = np.zeros((6, 6))
    position, rate[:3, :3] = _shrunk(error.position, tolerance.position)
    orientation, rate[3:, 3:] = _shrunk(error.orientation, tolerance.orientation)
    return PoseError(position, orientation), rate


def _shrunk(error: Axes, tolerance: AxisTolerance) -> tuple[Axes, Floats]:
    """Errors shrunk to 0, those under one norm together, the others each; and the (3, 3) rate."""
    e, bounds = np.array(error), np.array(tolerance.axes)
    by_norm = bounds == 0.0
    together = np.where(by_norm, e, 0.0)
    norm = math.sqrt(float(together @ together))
    keep = max(0.0, 1.0 - _SLACK * tolerance.norm / norm) if norm > 0.0 else 0.0
    left = np.where(by_norm, keep * e, np.sign(e) * np.maximum(0.0, np.abs(e) - _SLACK * bounds))
    rate = np.diag(np.where(by_norm, keep, left != 0.0))
    if keep > 0.0:
        rate += (1.0 - keep) / (norm * norm) * np.outer(together, together)
    x, y, z = left.tolist()
    return (x, y, z), rate


def _largest_cost(tolerance: Tolerance) -> float:
    """No pose inside the tolerance costs more."""
    widest = _widest(tolerance.position), METRES_PER_RAD * _widest(tolerance.orientation)
    return widest[0] ** 2 + widest[1] ** 2


def _widest(tolerance: AxisTolerance) -> float:
    return math.hypot(tolerance.norm, *(a for a in tolerance.axes if math.isfinite(a)))


def _tightest(tolerance: AxisTolerance) -> float:
    return min([tolerance.norm] + [bound for bound in tolerance.axes if bound > 0.0])
