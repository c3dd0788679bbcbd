# SPDX-License-Identifier: Apache-2.0
"""A figure-of-eight that this robot can draw: where, how wide and how fast is read from the arm.

The curve is the lemniscate of Gerono, (a sin p, b sin p cos p), in the tool's own plane, with the
tool held still about it. It is solved as a path before anything moves.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from ..core.chain import Chain
from ..core.jacobian import jacobians, manipulability
from ..core.limits import Floats
from ..core.reach import longest_reach_m
from ..core.solver import IKSolver
from ..core.stream_settings import StreamSettings

_CANDIDATES = 500  # centres to choose from
_SAMPLES = 400  # poses that are solved on the way round
_FIRST_SHARE = 0.4  # of the arm's length, as the first width
_NARROWEST_M = 0.01
_SHARE_OF_LIMITS = 0.7  # of the velocity and the acceleration that a stream may have
_SHORTEST_PERIOD_S, _LONGEST_PERIOD_S = 4.0, 12.0
_MARGIN = 0.02  # of a joint's range, kept free at either end
_NEAR = 0.3  # rad or m; between samples no joint moves so far but by a jump to another branch


@dataclass(frozen=True, eq=False)
class FigureOfEight:
    """One figure for one arm.

    Attributes:
        T_base_centre: (4, 4) tool at the crossing point, where the figure begins.
        width_m: from end to end; it is half as high.
        period_s: time for one round.
        start: positions of the arm's joints at the crossing point, by name, in rad or m.
        refused: why wider figures were not taken, width by width.
    """

    T_base_centre: Floats
    width_m: float
    period_s: float
    start: Mapping[str, float]
    refused: tuple[str, ...]

    def pose(self, rounds: float) -> Floats:
        """T_base_tool (4, 4) after so many rounds."""
        phase = 2.0 * math.pi * rounds
        T_centre_tool = np.eye(4)
        T_centre_tool[0, 3] = 0.5 * self.width_m * math.sin(phase)
        T_centre_tool[1, 3] = 0.5 * self.width_m * math.sin(phase) * math.cos(phase)
        return np.asarray(self.T_base_centre @ T_centre_tool)

    def poses(self, count: int) -> Floats:
        """(count + 1, 4, 4) evenly over one round, the first again at the end."""
        return np.stack([self.pose(i / count) for i in range(count + 1)])


def fitted_figure(solver: IKSolver, settings: StreamSettings) -> FigureOfEight:
    """The widest figure, by halves, that an arm can follow as a stream.

    Args:
        solver: its default arm draws.
        settings: how fast a stream may be.

    Raises:
        RuntimeError: not even a small one can be drawn; with the reasons.
    """
    chain = solver.arm().chain
    centre = _roomy_configuration(chain)
    start = dict(zip(chain.joint_names, chain.report(centre).tolist()))
    T_base_centre = np.array(solver.arm().pose(centre).homogeneous)
    width_m, refused = _FIRST_SHARE * longest_reach_m(chain), list[str]()
    while width_m >= _NARROWEST_M:
        figure = FigureOfEight(T_base_centre, width_m, 1.0, start, tuple(refused))
        period_s, reason = _period(solver, figure, settings)
        if not reason:
            return FigureOfEight(T_base_centre, width_m, period_s, start, tuple(refused))
        refused.append(f"{width_m:.3g} m wide: {reason}")
        width_m *= 0.5
    reasons = "; ".join(refused) or f"it is only {longest_reach_m(chain):.2g} m long"
    raise RuntimeError(f"this arm cannot draw a figure-of-eight: {reasons}")


def _roomy_configuration(chain: Chain) -> Floats:
    """Variables (m,) far from limits and singularities: the best of many at random, always same."""
    limits = chain.limits
    low, high = np.maximum(limits.lower, -0.5 * math.pi), np.minimum(limits.upper, 0.5 * math.pi)
    low, high = np.where(low < high, low, limits.lower), np.where(low < high, high, limits.upper)
    q = low + np.random.default_rng(8).random((_CANDIDATES, len(low))) * (high - low)
    with np.errstate(invalid="ignore"):
        room = np.minimum(q - limits.lower, limits.upper - q) / (limits.upper - limits.lower)
    held = limits.lower == limits.upper
    room = np.where(np.isfinite(room), room, 0.5)[:, ~held].min(axis=1, initial=0.5)
    best: Floats = q[np.argmax(manipulability(jacobians(chain, q)) * room)]
    return best


def _period(solver: IKSolver, figure: FigureOfEight, settings: StreamSettings) -> tuple[float, str]:
    """Time that one round takes at least, or why the figure cannot be drawn."""
    names = list(figure.start)
    batch = solver.solve_batch(
        figure.poses(_SAMPLES),
        seed=list(figure.start.values()),
        chain_seeds=True,
        diagnose=False,
    )
    if not batch.success.all():
        failed = int((~batch.success).sum())
        return 0.0, f"{failed} of {_SAMPLES + 1} poses on the way are out of reach"
    q = batch.positions
    joints = [solver.robot.joints[name] for name in names]
    lower, upper = (np.array([getattr(j, end) for j in joints]) for end in ("lower", "upper"))
    span = np.where(np.isfinite(upper - lower), upper - lower, 0.0)
    near_limit = ((q < lower + _MARGIN * span) | (q > upper - _MARGIN * span)).any(axis=0)
    if near_limit.any():
        return 0.0, f"joint '{names[int(np.argmax(near_limit))]}' comes near its limit"
    moves = np.diff(q, axis=0)
    if not (np.abs(moves) <= _NEAR).all():
        joint = names[int(np.argmax(np.abs(moves).max(axis=0)))]
        return 0.0, f"joint '{joint}' would have to jump to another branch"
    velocity = np.array([j.velocity for j in joints]) * settings.max_velocity_scale
    period_s = float((np.abs(moves).max(axis=0) * _SAMPLES / (_SHARE_OF_LIMITS * velocity)).max())
    if settings.max_acceleration:
        bend = np.abs(np.diff(moves, axis=0)).max() * _SAMPLES**2
        allowed = _SHARE_OF_LIMITS * settings.max_acceleration
        period_s = max(period_s, math.sqrt(bend / allowed))
    if not period_s <= _LONGEST_PERIOD_S:
        return 0.0, f"one round would take {period_s:.3g} s within the joints' limits"
    return max(period_s, _SHORTEST_PERIOD_S), ""


@dataclass(frozen=True)
class Timetable:
    """How far along the figure to be when: it sets off and comes to rest gently.

    Attributes:
        rounds: whole rounds in all.
        period_s: time of one round at full speed.
    """

    rounds: int
    period_s: float

    @property
    def _ramp_s(self) -> float:
        return 0.25 * self.period_s

    @property
    def duration_s(self) -> float:
        """From rest to rest."""
        return self.rounds * self.period_s + self._ramp_s

    def rounds_at(self, time_s: float) -> float:
        """Rounds done after a time; the speed's ramps are 3 u² - 2 u³."""
        left_s = self.duration_s - time_s
        if time_s > 0.5 * self.duration_s:
            return self.rounds - self._ramped_s(left_s) / self.period_s
        return self._ramped_s(time_s) / self.period_s

    def _ramped_s(self, time_s: float) -> float:
        u = min(max(time_s, 0.0) / self._ramp_s, 1.0)
        return self._ramp_s * (u**3 - 0.5 * u**4) + max(0.0, time_s - self._ramp_s)
