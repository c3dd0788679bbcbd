# SPDX-License-Identifier: Apache-2.0
"""How far an arm can reach at all: a bound that certifies a target as unreachable."""

from __future__ import annotations

import math

import numpy as np

from .chain import Chain
from .limits import Limits
from .pinocchio_import import pin
from .tolerance import Tolerance


class Reach:
    """Lengths of one chain.

    With a full orientation the target fixes the origin of the last column, if that one turns,
    wherever it stands; otherwise it fixes the tool centre point only. From the first column's
    origin either is at most the sum of the lengths in between away, sliders drawn out as
    ``Limits.lifted`` allows.
    """

    def __init__(self, chain: Chain) -> None:
        self._names = chain.joint_names[0], chain.tip_frame
        self._first = chain.placements[0, :, 3].tolist()
        T_last_tcp = chain.T_last_tcp
        self._tcp_length = float(np.linalg.norm(T_last_tcp[:, 3]))
        self._length = _links_m(chain) + _strokes_m(chain, chain.limits.lifted())
        self._last_turns = not chain.prismatic[-1]
        self._last_in_tcp = -T_last_tcp[:, :3].T @ T_last_tcp[:, 3]

    def certainly_exceeded(self, T_base_target: pin.SE3, tolerance: Tolerance) -> str:
        """A sentence if no configuration can reach the target, limits or not; else empty."""
        orientation = tolerance.orientation
        slack = tolerance.position.reach
        if self._last_turns and orientation.is_default:
            point = T_base_target.act(self._last_in_tcp).tolist()
            reach = self._length
            slack += self._tcp_length * orientation.norm
        else:
            point = T_base_target.translation.tolist()
            reach = self._length + self._tcp_length
        away = math.dist(point, self._first)
        if not away > reach + slack:
            return ""
        first, tip = self._names
        return (
            f"the target is out of reach for '{tip}': it takes an arm of {away:.5g} m from joint "
            f"'{first}' on, and this one is {reach:.5g} m long"
        )


def longest_reach_m(chain: Chain) -> float:
    """How far the tool centre point can be from the first joint, at most; inf for endless sliders.

    That is the arm drawn out straight, whatever its joints allow.
    """
    tool_m = float(np.linalg.norm(chain.T_last_tcp[:, 3]))
    return _links_m(chain) + _strokes_m(chain, chain.limits) + tool_m


def _links_m(chain: Chain) -> float:
    return float(np.linalg.norm(chain.placements[1:, :, 3], axis=1).sum())


def _strokes_m(chain: Chain, limits: Limits) -> float:
    """How far the sliders of a chain can move the tool together, at most."""
    total = 0.0
    for column in np.flatnonzero(chain.prismatic):
        variable, factor = chain.variable[column], chain.multiplier[column]
        ends = (factor * limits.lower[variable], factor * limits.upper[variable])
        total += max(abs(end + chain.offset[column]) for end in ends)
    return total if not math.isnan(total) else math.inf
