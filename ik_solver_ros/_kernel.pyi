# SPDX-License-Identifier: Apache-2.0
"""The numeric inverse kinematics kernel (C++, sources in src/kernel).

It believes what it computes; whoever calls it verifies. Numbers are metres and radians. Arrays may
be anything that NumPy converts; contiguous float64 arrays are read where they are. Wrong arguments
raise `ValueError` with one sentence that names the argument. A `Chain` or a search never changes
and may be used by many threads. Long work releases the GIL; the seed's own start, which takes a few
microseconds and ends most searches, keeps it.

The same arguments give the same bits on one machine, whatever the vector width, the thread or the
neighbouring rows, unless the time limit cut a search.
"""

from typing import Protocol, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

_Floats: TypeAlias = NDArray[np.float64]

def simd_widths() -> tuple[int, ...]:
    """Numbers of lanes that this processor can run side by side; the first is 1, scalar code."""

class Chain:
    """An arm as flat arrays: n columns (moving joints from base to tip), m variables; at most 64.

    Column i moves by ``multiplier[i] * q[variable[i]] + offset[i]``, about or along its z axis.

    Args:
        placements: (n, 3, 4) pose of each column in the one before, of the first in the base.
        prismatic: (n,) whether a column slides along z (m) or turns about z (rad).
        variable: (n,) index of the variable that moves the column.
        multiplier, offset: (n,) of the column's motion.
        T_last_tip: (3, 4) tip in the last column's frame.
        periodic: (m,) whether 2 pi more is the same pose.
    """

    def __init__(
        self,
        placements: ArrayLike,
        prismatic: ArrayLike,
        variable: ArrayLike,
        multiplier: ArrayLike,
        offset: ArrayLike,
        T_last_tip: ArrayLike,
        periodic: ArrayLike,
    ) -> None: ...
    def forward(self, q: ArrayLike) -> _Floats:
        """T_base_tip (3, 4) of variables (m,)."""

    def jacobian(self, q: ArrayLike) -> _Floats:
        """Geometric Jacobian (6, m) of the tip in the base frame: linear rows, then angular."""

    def start(self, number: int, seed: ArrayLike, lower: ArrayLike, upper: ArrayLike) -> _Floats:
        """Where a search makes its start of that number (m,); 0 is the seed, inside the limits."""

    def prepare_search(
        self,
        lower: ArrayLike,
        upper: ArrayLike,
        position_tolerance: ArrayLike,
        rotation_tolerance: ArrayLike,
        position_norm: float,
        rotation_norm: float,
        use_slack: bool,
        wanted: int,
        seed_suffices: bool,
        max_attempts: int,
        lanes: int = 0,
    ) -> KernelSearch:
        """Fix all of a search but its target, seed and time limit.

        Args:
            lower: (m,) limits; -inf where there is none.
            upper: (m,) limits; inf where there is none, equal to `lower` for held joints.
            position_tolerance: (3,) metres per axis of the target frame: 0 = bounded by the norm,
                inf = free, any other number bounds that axis by itself.
            rotation_tolerance: (3,) the same for the rotation about each axis, in rad.
            position_norm: metres; bounds the norm of the error over the axes that are 0.
            rotation_norm: the same in rad.
            use_slack: when a start gets stuck short of the exact pose, go on with errors that are
                shrunk by the tolerance.
            wanted: how many distinct candidates to gather.
            seed_suffices: stop if the seed's own start converges, and look for further candidates
                after the first one only as long again as that took.
            max_attempts: how many starts may be made.
            lanes: vector width, one of `simd_widths()`; 0 = the fastest.
        """

    def solve_batch(
        self,
        T_base_targets: ArrayLike,
        seeds: ArrayLike,
        lower: ArrayLike,
        upper: ArrayLike,
        position_tolerance: ArrayLike,
        rotation_tolerance: ArrayLike,
        position_norm: float,
        rotation_norm: float,
        use_slack: bool,
        max_attempts: int,
        chain_seeds: bool,
        threads: int,
        lanes: int = 0,
    ) -> tuple[_Floats, NDArray[np.bool_], _Floats, _Floats, NDArray[np.int64], NDArray[np.int32]]:
        """Find one configuration for each of many targets; row i is what a search finds for it.

        Rows do not depend on each other, so a long batch may be given in slices.

        Args:
            T_base_targets: (n, 3, 4).
            seeds: (m,) for all rows, or (n, m).
            lower: as in `prepare_search`.
            upper: as in `prepare_search`.
            position_tolerance: as in `prepare_search`.
            rotation_tolerance: as in `prepare_search`.
            position_norm: as in `prepare_search`.
            rotation_norm: as in `prepare_search`.
            use_slack: as in `prepare_search`.
            max_attempts: of each row.
            chain_seeds: each row starts where the last solved one ended (a path), the first one at
                the seed, in one thread.
            threads: how many may work on it.
            lanes: as in `prepare_search`.

        Returns:
            q: (n, m) answers; where there is none, the closest.
            solved: (n,).
            position_error_m, rotation_error_rad: (n,) of q, over the bounded axes.
            iterations, attempts: (n,) effort.
        """

class KernelSearch(Protocol):
    """What `Chain.prepare_search` returns, a built-in function."""

    def __call__(
        self, T_base_target: ArrayLike, seed: ArrayLike, time_limit_s: float, /
    ) -> tuple[tuple[_Floats, ...], bool, _Floats, float, float, int, int, bool]:
        """Look for configurations that bring the tip to one target.

        Args:
            T_base_target: (3, 4) wanted pose of the tip.
            seed: (m,) where to start and what to stay near; may be outside the limits.
            time_limit_s: by the steady clock, looked at every few microseconds.

        Returns:
            candidates: (m,) each, inside the limits, in the order of their starts. The first start
                is the seed, the others follow a fixed sequence.
            seed_converged: whether the first candidate comes from the seed's own start.
            closest: (m,) the first candidate, or the best end of all starts.
            closest_position_error_m, closest_rotation_error_rad: its errors over the bounded axes.
            iterations, attempts: effort up to the start that decided.
            timed_out: whether the time limit cut the search.
        """
