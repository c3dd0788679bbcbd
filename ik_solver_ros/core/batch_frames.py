# SPDX-License-Identifier: Apache-2.0
"""Many frames at once, stored so that NumPy works along long rows: one row for each number."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


class Frames(NamedTuple):
    """n frames: the columns x, y, z of their rotations and their origins, (3, n) each.

    What all frames have in common may be (3, 1).
    """

    x: Floats
    y: Floats
    z: Floats
    origin: Floats

    @classmethod
    def identity(cls) -> Frames:
        """The identity, which becomes n frames with the first n angles or lengths."""
        x, y, z = np.eye(3)[:, :, None]
        return cls(x, y, z, np.zeros((3, 1)))

    @classmethod
    def of_rows(cls, T: Floats) -> Frames:
        """Out of (n, 3, 4) or (n, 4, 4)."""
        return cls(*np.ascontiguousarray(T[:, :3].transpose(2, 1, 0)))

    @classmethod
    def of_quats(cls, quats_xyzw: Floats, origin: Floats) -> Frames:
        """Out of unit quaternions (4, n) and origins (3, n).

        The rotation matrix is from Diebel, "Representing attitude", 2006, eq. 125.
        """
        x, y, z, w = quats_xyzw
        xx, yy, zz = x * x, y * y, z * z
        xy, xz, yz, xw, yw, zw = x * y, x * z, y * z, x * w, y * w, z * w
        return cls(
            np.stack((1 - 2 * (yy + zz), 2 * (xy + zw), 2 * (xz - yw))),
            np.stack((2 * (xy - zw), 1 - 2 * (xx + zz), 2 * (yz + xw))),
            np.stack((2 * (xz + yw), 2 * (yz - xw), 1 - 2 * (xx + yy))),
            origin,
        )

    def as_rows(self) -> Floats:
        """The same as (n, 3, 4)."""
        return np.stack([column.T for column in np.broadcast_arrays(*self)], axis=2)

    def quats_xyzw(self) -> Floats:
        """Unit quaternions (4, n), from a component of 1/2 or more (Shepperd 1978).

        Where the columns are not quite a rotation it depends on the component what comes out, so
        the choice is that of Eigen, which Pinocchio uses: w where it will do, else the largest.
        """
        (xx, yx, zx), (xy, yy, zy), (xz, yz, zz) = self.x, self.y, self.z
        trace = xx + yy + zz
        # Four times the products of x, y, z and w with one of them.
        products = np.stack((zy - yz, xz - zx, yx - xy, 1 + trace))
        is_small = ~(trace > 0.0)
        if is_small.any():
            xy, xz, yz = xy + yx, xz + zx, yz + zy
            by_largest = np.choose(
                np.argmax((xx, yy, zz), axis=0),
                (
                    np.stack((1 + xx - yy - zz, xy, xz, products[0])),
                    np.stack((xy, 1 - xx + yy - zz, yz, products[1])),
                    np.stack((xz, yz, 1 - xx - yy + zz, products[2])),
                ),
            )
            products = np.where(is_small, by_largest, products)
        quats: Floats = products / np.sqrt((products * products).sum(axis=0))
        return quats

    def times(self, T: Floats) -> Frames:
        """Each frame times one constant pose (3, 4) or (4, 4)."""
        axes = self.x, self.y, self.z
        x, y, z = (_combined(axes, T[:3, k]) for k in range(3))
        return Frames(x, y, z, _combined((self.origin, *axes), (1.0, *T[:3, 3])))

    def turned(self, angles_rad: Floats) -> Frames:
        """Each frame turned about its own z axis, by one angle each."""
        c, s = np.cos(angles_rad), np.sin(angles_rad)
        return self._replace(x=self.x * c + self.y * s, y=self.y * c - self.x * s)

    def slid(self, lengths_m: Floats) -> Frames:
        """Each frame moved along its own z axis, by one length each."""
        return self._replace(origin=self.origin + self.z * lengths_m)


def dots(a: Floats, b: Floats) -> Floats:
    """Scalar products of vectors (3, n), (n,)."""
    products: Floats = a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
    return products


def norms(vectors: Floats) -> Floats:
    """Euclidean norms of vectors (3, n), (n,)."""
    lengths: Floats = np.sqrt(dots(vectors, vectors))
    return lengths


def _combined(columns: Iterable[Floats], factors: Iterable[float]) -> Floats:
    """Sum of columns times factors. Many factors are 0: robots are built at right angles."""
    total: Floats | None = None
    for column, factor in zip(columns, factors):
        if factor != 0.0:
            term = column if factor == 1.0 else column * factor
            total = term if total is None else total + term
    return np.zeros((3, 1)) if total is None else total
