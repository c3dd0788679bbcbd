# SPDX-License-Identifier: Apache-2.0
"""Hypothesis strategies shared by the tests; importing them makes Hypothesis deterministic.

The profile takes effect for tests defined after the import, so import this before using `given`.
"""

from __future__ import annotations

import math
import string

import numpy as np
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from support.poses import Matrix, Vector, rotation_from_vector, transform
from support.random_chains import random_chain
from support.urdf_writer import MadeRobot

# The same examples on every machine and day; a busy machine is no reason to fail.
settings.register_profile(
    "deterministic",
    derandomize=True,
    deadline=None,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("deterministic")

SEEDS = st.integers(min_value=0, max_value=2**31 - 1)
NON_FINITE_FLOATS = st.sampled_from([math.nan, math.inf, -math.inf])


def finite_floats(bound: float) -> st.SearchStrategy[float]:
    """Return floats from -bound to bound, without subnormal numbers."""
    return st.floats(-bound, bound, allow_subnormal=False)


def vectors(size: int, bound: float) -> st.SearchStrategy[Vector]:
    """Return arrays (size,) with elements from -bound to bound."""
    return st.lists(finite_floats(bound), min_size=size, max_size=size).map(np.array)


def directions() -> st.SearchStrategy[Vector]:
    """Return unit vectors (3,), those along the axes often."""
    along_axes = st.sampled_from([*np.eye(3), *-np.eye(3)])
    anywhere = vectors(3, 1.0).filter(lambda v: np.linalg.norm(v) > 1e-3)
    return st.one_of(along_axes, anywhere.map(lambda v: v / np.linalg.norm(v)))


def rotation_angles_rad() -> st.SearchStrategy[float]:
    """Return angles in [0, π]: anything, exactly 0 and π, and a power of ten away from them."""
    small = st.integers(1, 16).map(lambda exponent: 10.0**-exponent)
    return st.one_of(
        st.floats(0.0, math.pi, allow_subnormal=False),
        st.sampled_from([0.0, math.pi / 2, math.pi]),
        small,
        small.map(lambda angle_rad: math.pi - angle_rad),
    )


def rotation_vectors() -> st.SearchStrategy[Vector]:
    """Return axis times angle (3,), angles as in `rotation_angles_rad`."""
    return st.builds(lambda axis, angle_rad: axis * angle_rad, directions(), rotation_angles_rad())


def rotations() -> st.SearchStrategy[Matrix]:
    """Return rotation matrices (3, 3)."""
    return rotation_vectors().map(rotation_from_vector)


def unit_quats_xyzw() -> st.SearchStrategy[Vector]:
    """Return unit quaternions (4,) of either sign, half turns and tiny turns often."""

    def quat_xyzw(axis: Vector, angle_rad: float, sign: float) -> Vector:
        return sign * np.append(axis * math.sin(angle_rad / 2), math.cos(angle_rad / 2))

    return st.builds(quat_xyzw, directions(), rotation_angles_rad(), st.sampled_from([1.0, -1.0]))


def poses(reach_m: float = 1.0) -> st.SearchStrategy[Matrix]:
    """Return transforms (4, 4) with each coordinate within `reach_m`."""
    return st.builds(transform, rotations(), vectors(3, reach_m))


def joint_names() -> st.SearchStrategy[str]:
    """Return names as URDF files carry them."""
    return st.text(string.ascii_letters + string.digits + "_-./ ", min_size=1, max_size=20).filter(
        lambda name: name == name.strip()
    )


def joint_name_lists(min_size: int = 1, max_size: int = 10) -> st.SearchStrategy[list[str]]:
    """Return lists of distinct joint names."""
    return st.lists(joint_names(), min_size=min_size, max_size=max_size, unique=True)


@st.composite
def chains(draw: st.DrawFn, max_joints: int = 10) -> MadeRobot:
    """Return random chains of every sort that `random_chain` makes."""
    joint_count = draw(st.integers(1, max_joints))
    return random_chain(
        draw(SEEDS),
        joint_count,
        mimic_count=draw(st.integers(0, min(2, joint_count - 1))),
        tight_limits=draw(st.booleans()),
        shuffled=draw(st.booleans()),
    )
