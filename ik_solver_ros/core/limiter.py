# SPDX-License-Identifier: Apache-2.0
"""From one commanded configuration to the next, no faster than the joints may move.

Bounds on the velocity alone take one line. Bounds on the acceleration, too, are Ruckig's work; this
is the only module that knows it. Ruckig does not enforce position limits, but it need not: a joint
that can stop at a goal inside its limits can still do so, one cycle later, whatever comes next.
"""

from __future__ import annotations

import atexit
import weakref
from typing import Any, Protocol

import numpy as np

from .errors import MissingDependencyError, StreamError
from .limits import Floats

try:
    import ruckig
except ImportError:  # the ROS package of that name brings the C++ library only
    ruckig = None

_ROUNDING = 1e-12  # rad or m
_REST = 1e-9  # rad/s or m/s


class Limiter(Protocol):
    """Moves joints toward a goal, each as fast as it may, one cycle at a time."""

    @property
    def is_at_rest(self) -> bool:
        """Whether the last step was none."""

    def step(self, goal: Floats | None) -> Floats:
        """Positions (m,) at the end of the next cycle, in rad or m.

        Args:
            goal: positions (m,) to move to and to stop at; None = stop as soon as possible.

        Raises:
            StreamError: there is no way to go on inside the bounds.
        """


def limiter(
    start: Floats, velocity: Floats, acceleration: Floats | None, period_s: float
) -> Limiter:
    """The limiter for joints that rest at ``start``.

    Args:
        start: positions (m,) in rad or m.
        velocity: largest velocity of each joint (m,), positive and finite.
        acceleration: largest acceleration of each joint (m,); None = no bound.
        period_s: length of a cycle.

    Raises:
        MissingDependencyError: for a bound on the acceleration where Ruckig is not installed.
    """
    if acceleration is None:
        return VelocityLimiter(start, velocity, period_s)
    return AccelerationLimiter(start, velocity, acceleration, period_s)


class VelocityLimiter:
    """Each joint takes the largest step that it may, or the rest of its way; see ``limiter``."""

    def __init__(self, start: Floats, velocity: Floats, period_s: float) -> None:
        self._at = np.array(start, dtype=float)
        self._largest_step = velocity * period_s
        self.is_at_rest = True

    def step(self, goal: Floats | None) -> Floats:
        """See ``Limiter.step``."""
        before = self._at
        if goal is not None:
            way = goal - before
            largest = self._largest_step - 2.0 * np.spacing(np.abs(before))
            is_near = np.abs(way) <= largest
            self._at = np.where(is_near, goal, before + np.clip(way, -largest, largest))
        self.is_at_rest = bool((self._at == before).all())
        return self._at


class AccelerationLimiter:
    """Time-optimal for each joint by itself, with bounded acceleration; see ``limiter``."""

    def __init__(
        self, start: Floats, velocity: Floats, acceleration: Floats, period_s: float
    ) -> None:
        if ruckig is None:
            raise MissingDependencyError(
                "ruckig",
                "stream_max_acceleration",
                "`pip install ruckig`, or set stream_max_acceleration to 0 for streams without "
                "a bound on the acceleration",
            )
        count = len(start)
        self._standstill = [0.0] * count
        self.is_at_rest = True
        state = ruckig.InputParameter(count)
        # Joints that wait for each other would change their speed with every new target.
        state.synchronization = ruckig.Synchronization.No
        state.current_position = start.tolist()
        state.max_velocity = velocity.tolist()
        state.max_acceleration = acceleration.tolist()
        state.target_velocity = self._standstill
        self._native: Any = (
            ruckig.Ruckig(count, period_s), state, ruckig.OutputParameter(count)
        )  # fmt: skip
        _alive.add(self)

    def step(self, goal: Floats | None) -> Floats:
        """See ``Limiter.step``."""
        at = None if goal is None else self._toward(goal)
        return self._braked() if at is None else at

    def _toward(self, goal: Floats) -> Floats | None:
        """One cycle nearer the goal; None where Ruckig finds no way.

        It finds none for some joints that have just the distance to brake in, so then they brake.
        """
        if len(goal) != len(self._standstill):  # Ruckig would not say so
            raise ValueError(f"{len(goal)} goals for {len(self._standstill)} joints")
        _, state, _ = self._native
        state.control_interface = ruckig.ControlInterface.Position
        state.target_position = goal.tolist()
        try:
            at = self._next()
        except ruckig.RuckigError:
            return None
        return np.where(np.abs(at - goal) <= _ROUNDING, goal, at)

    def _braked(self) -> Floats:
        _, state, _ = self._native
        state.control_interface = ruckig.ControlInterface.Velocity
        try:
            return self._next()
        except ruckig.RuckigError as error:
            reason = " ".join(str(error).split())[:120]
            raise StreamError(f"Ruckig found no way to brake: {reason}") from error

    def _next(self) -> Floats:
        generator, state, following = self._native
        result = generator.update(state, following)
        if result not in (ruckig.Result.Working, ruckig.Result.Finished):
            raise ruckig.RuckigError(str(result))
        following.pass_to_input(state)
        self.is_at_rest = all(abs(v) <= _REST for v in following.new_velocity)
        return np.array(following.new_position)


# Ruckig's binding complains on stderr about each object of its own that outlives the program.
_alive: weakref.WeakSet[AccelerationLimiter] = weakref.WeakSet()


@atexit.register
def _release() -> None:
    for each in list(_alive):
        each._native = None
