# SPDX-License-Identifier: Apache-2.0
"""A stream: from ever new target poses to one commanded configuration per cycle.

What is commanded between two answers is no answer itself: it is on its way from one to the next,
joint by joint. So it is judged for what it is: inside the limits, finite, and no step faster than
the joints may move. The targets' answers passed the same verification as all others.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Mapping

import numpy as np

from .arm import Arm
from .errors import StreamError, listed
from .limiter import limiter
from .limits import TWO_PI, Floats
from .pinocchio_import import pin
from .solver import IKSolver
from .stream_route import RouteFinder
from .stream_settings import StreamSettings

FOLLOWING_S = 0.5  # the lag of a robot that follows
_PASSED = 0.5  # of NEAR: from here on the next waypoint is the goal
_ROUNDING = 1e-9  # of a step


class Stream:
    """One stream, from a start at rest to its end.

    Args:
        solver: its default arm moves.
        settings: rate and bounds.
        measured: current positions by joint name, of all joints of the arm.

    Raises:
        StreamError: no stream can start there, or with these joints.
        MissingDependencyError: a bound on the acceleration is wanted, and Ruckig is not installed.
        InvalidRequestError: for a joint that the robot does not have.
    """

    def __init__(
        self, solver: IKSolver, settings: StreamSettings, measured: Mapping[str, float]
    ) -> None:
        self._arm, self._settings = solver.arm(), settings
        velocity = _velocity_limits(self._arm) * settings.max_velocity_scale
        self._largest_step = velocity * settings.period_s
        self._finder = RouteFinder(solver)
        self._commanded = self._start(measured)
        wanted = settings.max_acceleration
        acceleration = self._arm.chain.largest_moves(wanted) if wanted else None
        self._limiter = limiter(self._commanded, velocity, acceleration, settings.period_s)
        self._waypoints: deque[Floats] = deque()
        self._T_base_target: pin.SE3 | None = None
        cycles = math.ceil(FOLLOWING_S * settings.rate_hz) + 1
        self._history = deque([self._commanded], maxlen=cycles)

    @property
    def joint_names(self) -> tuple[str, ...]:
        """What ``step`` gives positions of."""
        return self._arm.chain.joint_names

    @property
    def is_at_rest(self) -> bool:
        """Whether it stands where it was to come to rest."""
        goes_on = self._waypoints and not np.array_equal(self._commanded, self._waypoints[-1])
        return self._limiter.is_at_rest and not goes_on

    def follow(self, T_base_target: pin.SE3, budget_s: float) -> str:
        """From now on, move toward a pose of the tool centre point; forget the one before.

        Args:
            T_base_target: the pose.
            budget_s: time that the search for the way may take.

        Returns:
            Why it is not followed; then the stream holds. Empty if it is.
        """
        if self._T_base_target is not None and T_base_target == self._T_base_target:
            return ""
        route = self._finder.route(self._commanded, T_base_target, budget_s)
        self._waypoints = deque(route.waypoints)
        self._T_base_target = None if route.refusal else T_base_target
        return route.refusal

    def hold(self) -> None:
        """From now on, come to rest and stay there."""
        self._waypoints.clear()
        self._T_base_target = None

    def watch(self, measured: Mapping[str, float]) -> None:
        """Compare the robot with what it was told.

        Args:
            measured: current positions by joint name, of all joints of the arm.

        Raises:
            StreamError: it does not follow, or something else moves it.
        """
        at = self._nearest_turn(self._arm.seed(dict(measured)))
        recent = np.array(self._history)
        beyond = np.maximum(recent.min(axis=0) - at, at - recent.max(axis=0))
        allowed = self._settings.max_deviation
        if not (beyond <= allowed).all():
            i = int(np.argmax(np.where(np.isnan(beyond), np.inf, beyond)))
            joint = self._arm.robot.joints[self._arm.chain.variable_names[i]]
            raise StreamError(
                f"joint '{joint.name}' is at {at[i]:.4g} {joint.unit}, {beyond[i]:.3g} away from "
                f"everything commanded in the last {FOLLOWING_S:g} s, more than the allowed "
                f"{allowed:g} (parameter stream_max_deviation): the robot does not follow, or "
                "something else moves it"
            )

    def step(self) -> Floats:
        """Positions (k,) of ``joint_names`` to command in the next cycle, in rad or m, read-only.

        Raises:
            StreamError: there is no next step inside all bounds.
        """
        self._pass_waypoints()
        lower, upper = self._arm.chain.limits.lower, self._arm.chain.limits.upper
        goal = self._waypoints[0] if self._waypoints else None
        at = self._limiter.step(goal).clip(lower, upper)  # of a bit of rounding
        self._judge(at)
        self._commanded = at
        self._history.append(at)
        values = self._arm.chain.report(at).copy()
        values.setflags(write=False)
        return values

    def _pass_waypoints(self) -> None:
        waypoints, passed = self._waypoints, _PASSED * self._finder.near
        while len(waypoints) > 1 and (np.abs(self._commanded - waypoints[0]) <= passed).all():
            waypoints.popleft()

    def _judge(self, at: Floats) -> None:
        """Refuse what must never be commanded; the limiter keeps to it, but is not asked."""
        step = np.abs(at - self._commanded)
        if not (step <= self._largest_step * (1.0 + _ROUNDING)).all():  # NaN fails, too
            i = int(np.argmax(step / self._largest_step))
            name = self._arm.chain.variable_names[i]
            raise StreamError(
                f"the next step of joint '{name}' would be {step[i]:.6g}, more than the allowed "
                f"{self._largest_step[i]:.6g}; this is a bug, please report it"
            )
        chain = self._arm.chain
        for name, value in zip(chain.joint_names, chain.report(at).tolist()):
            joint = self._arm.robot.joints[name]
            if not joint.lower <= value <= joint.upper:
                raise StreamError(
                    f"the next position of joint '{name}' would be {value!r}, outside "
                    f"[{joint.lower!r}, {joint.upper!r}]; this is a bug, please report it"
                )

    def _start(self, measured: Mapping[str, float]) -> Floats:
        """Where to begin: a joint that is a hair outside its limits begins on its limit."""
        chain = self._arm.chain
        at = self._arm.seed(dict(measured))
        excess = chain.limits.excess(at)
        outside = [i for i in range(len(at)) if not excess[i] <= self._largest_step[i]]
        if outside:
            notes = " and ".join(chain.beyond(i, float(at[i])) for i in outside)
            raise StreamError(f"a stream cannot start outside the joint limits, with {notes}")
        return at.clip(chain.limits.lower, chain.limits.upper)

    def _nearest_turn(self, at: Floats) -> Floats:
        """Joints without limits on the turn last commanded: their drivers may report any other."""
        limits = self._arm.chain.limits
        endless = limits.periodic & np.isinf(limits.lower) & np.isinf(limits.upper)
        with np.errstate(invalid="ignore"):  # of infinities; what is not finite is refused later
            turns = np.round((self._commanded - at) / TWO_PI)
            return np.where(endless, at + TWO_PI * turns, at)


def _velocity_limits(arm: Arm) -> Floats:
    """Largest velocity of each variable (m,) that keeps all reported joints to theirs."""
    chain = arm.chain
    limits = np.full(len(chain.variable_names), np.inf)
    for i, name in enumerate(chain.joint_names):
        factor = abs(float(chain.report_multiplier[i]))
        if factor > 0.0:
            variable = chain.report_variable[i]
            limits[variable] = min(limits[variable], arm.robot.joints[name].velocity / factor)
    held = chain.limits.lower == chain.limits.upper
    unknown = [
        name
        for name, fast, is_held in zip(chain.variable_names, limits, held)
        if not (math.isfinite(fast) or is_held)
    ]
    if unknown:
        raise StreamError(
            f"the robot description gives no velocity limit for {listed(unknown)}; a stream needs "
            "one for each joint"
        )
    return np.where(np.isfinite(limits), limits, 1.0)
