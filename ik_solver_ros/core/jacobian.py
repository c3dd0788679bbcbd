# SPDX-License-Identifier: Apache-2.0
"""Geometric Jacobians of many configurations at once, and how well an arm can move in each.

Column i of a turning joint is [z x (p - o); z], of a slider [z; 0], with z its axis, o a point on
it and p the tool centre point (Siciliano et al., "Robotics: Modelling, Planning and Control",
2009, section 3.1.3).
"""

from __future__ import annotations

import numpy as np

from .batch_frames import Frames
from .chain import Chain
from .limits import Floats


def jacobians(chain: Chain, q: Floats) -> Floats:
    """Jacobians of the tool centre point in the base frame, for rows of variables.

    Args:
        chain: the arm.
        q: (n, m) variables in rad or m.

    Returns:
        (n, 6, m): three rows in m per unit of the variable, then three in rad.
    """
    n, columns = len(q), len(chain.variable)
    x, y, z = (np.repeat(np.eye(3)[:, k : k + 1], n, axis=1) for k in range(3))
    frames = Frames(x, y, z, np.zeros((3, n)))
    axes, origins = np.empty((columns, 3, n)), np.empty((columns, 3, n))
    for i, placement in enumerate(chain.placements):
        frames = frames.times(placement)
        axes[i], origins[i] = frames.z, frames.origin
        position = chain.multiplier[i] * q[:, chain.variable[i]] + chain.offset[i]
        frames = frames.slid(position) if chain.prismatic[i] else frames.turned(position)
    tool = frames.times(chain.T_last_tcp).origin

    J = np.zeros((n, 6, q.shape[1]))
    for i, variable in enumerate(chain.variable):
        linear, angular = axes[i], np.zeros((3, n))
        if not chain.prismatic[i]:
            linear, angular = np.cross(axes[i], tool - origins[i], axis=0), axes[i]
        J[:, :, variable] += chain.multiplier[i] * np.concatenate((linear, angular)).T
    return J


def manipulability(J: Floats) -> Floats:
    """How far an arm is from a singularity: the volume its velocity ellipsoid is measured by.

    The square root of det(J J^T), 0 in a singularity (T. Yoshikawa, "Manipulability of Robotic
    Mechanisms", Int. J. of Robotics Research 4(2), 1985); of det(J^T J) for fewer than 6 joints,
    which could not span six axes anywhere.

    Args:
        J: (n, 6, m) as from ``jacobians``.

    Returns:
        (n,); it mixes metres and radians, so compare it for one arm only.
    """
    # The volume that the rows span, edge by edge, each without what lies along those before it. A
    # singular value decomposition says the same, but its last bits depend on the BLAS in use.
    edges = J.copy() if J.shape[2] >= J.shape[1] else J.transpose(0, 2, 1).copy()
    volume = np.ones(len(J))
    for i in range(edges.shape[1]):
        length = np.sqrt((edges[:, i] ** 2).sum(axis=1))
        volume *= length
        along = edges[:, i] / np.where(length > 0.0, length, 1.0)[:, None]
        rest = edges[:, i + 1 :]
        rest -= (rest * along[:, None]).sum(axis=2, keepdims=True) * along[:, None]
    return volume
