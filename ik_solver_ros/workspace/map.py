# SPDX-License-Identifier: Apache-2.0
"""A reachability map as plain arrays, and the files it is kept in."""

from __future__ import annotations

import dataclasses
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, fields
from pathlib import Path
from typing import IO

import numpy as np
from numpy.typing import NDArray

from ..core.errors import InvalidRequestError
from ..core.limits import Floats
from .colours import viridis

_FORMAT = "ik_solver_ros reachability map 1"
#: What a map can be coloured by, and what that is.
LAYERS = {
    "share": "share of the orientations that are reached",
    "manipulability": "manipulability (mean over what is reached)",
    "limit_margin": "distance to the nearest joint limit, 1 = mid-range (mean)",
}

_CSV_COLUMNS = (
    "x_m", "y_m", "z_m", "orientations", "reached", "share", "out_of_reach", "manipulability",
    "limit_margin",
)  # fmt: skip


@dataclass(frozen=True, eq=False)
class ReachabilityMap:
    """Cubes of space and what an arm can do in them; nx * ny * nz cells, k joints.

    Attributes:
        robot_name, base_frame, tip_frame: whose map it is, and the frame it is given in.
        cell_m: edge of a cube.
        orientations: how many were tried in each cube.
        orientations_meaning: which ones, for people.
        joint_names: joints of the arm that can be chosen.
        x_m, y_m, z_m: (nx,), (ny,), (nz,) centres of the cubes along the axes of the base frame.
        base_m: (3,) where the first joint is.
        reached: (nx, ny, nz) orientations with a verified answer.
        out_of_reach: (nx, ny, nz) those that were not reached without joint limits, either.
        blocked: (nx, ny, nz, k) those that the limits of a joint keep out of reach, counted for
            each joint that is beyond its limits in the first configuration found without them.
        manipulability: (nx, ny, nz) mean over the answers, as in ``core.jacobian``; else NaN.
        limit_margin: (nx, ny, nz) mean over the answers of the distance to the nearest limit, as a
            share of half the joint's range; else NaN.
    """

    robot_name: str
    base_frame: str
    tip_frame: str
    cell_m: float
    orientations: int
    orientations_meaning: str
    joint_names: tuple[str, ...]
    x_m: Floats
    y_m: Floats
    z_m: Floats
    base_m: Floats
    reached: NDArray[np.int32]
    out_of_reach: NDArray[np.int32]
    blocked: NDArray[np.int32]
    manipulability: Floats
    limit_margin: Floats

    @property
    def share(self) -> Floats:
        """(nx, ny, nz) share of the orientations that are reached, 0 to 1."""
        return self.reached / self.orientations

    @property
    def cells(self) -> int:
        """How many cells are reached in some orientation."""
        return int((self.reached > 0).sum())

    @property
    def volume_m3(self) -> float:
        """Volume of those cells."""
        return self.cells * self.cell_m**3

    @property
    def how_often(self) -> str:
        """For people: in which part of the orientations these cells are reached."""
        if self.orientations == 1:
            return f"in {self.orientations_meaning}"
        share = self.reached.sum() / max(1, self.cells * self.orientations)
        return f"{100.0 * share:.1f} % of {self.orientations_meaning} there"

    def layer(self, name: str) -> Floats:
        """(nx, ny, nz) one of ``LAYERS``; NaN where nothing is reached.

        Raises:
            InvalidRequestError: there is no such layer.
        """
        if name not in LAYERS:
            raise InvalidRequestError("layer", f"'{name}' is none of {', '.join(LAYERS)}")
        return np.asarray(np.where(self.reached > 0, getattr(self, name), np.nan))

    def points_and_colours(self, layer: str = "share") -> tuple[Floats, NDArray[np.uint8]]:
        """The reached cells as a cloud of points, for a viewer.

        Args:
            layer: what they are coloured by, one of ``LAYERS``.

        Returns:
            Centres (n, 3) in m in the base frame, and colours (n, 3) red, green, blue from 0 to
            255: viridis, dark for 0 and bright for the largest value.
        """
        values = self.layer(layer)
        known = ~np.isnan(values)
        grid = np.stack(np.meshgrid(self.x_m, self.y_m, self.z_m, indexing="ij"), axis=-1)
        largest = float(values[known].max(initial=0.0))
        return grid[known], viridis(values[known] / largest if largest else values[known])

    def save(self, path: str | Path) -> None:
        """Write the map: everything as .npz, or the reached and blocked cells as .csv.

        Raises:
            InvalidRequestError: for another ending.
        """
        ending = Path(path).suffix
        if ending == ".npz":
            with Path(path).open("wb") as file:
                np.savez_compressed(file, format=_FORMAT, **dataclasses.asdict(self))
        elif ending == ".csv":
            with Path(path).open("w", encoding="utf-8", newline="\n") as file:
                self._write_csv(file)
        else:
            raise InvalidRequestError("path", f"'{path}' ends neither in .npz nor in .csv")

    @classmethod
    def load(cls, path: str | Path) -> ReachabilityMap:
        """Read a map that was saved as .npz.

        Raises:
            InvalidRequestError: it is no such file.
            OSError: it cannot be read.
        """
        try:
            with np.load(path, allow_pickle=False) as file:
                if str(file["format"]) != _FORMAT:
                    raise KeyError("format")
                arrays = {field.name: file[field.name] for field in fields(cls)}
        except (ValueError, KeyError, EOFError, zipfile.BadZipFile) as error:
            raise InvalidRequestError(
                "map", f"{path} is not a reachability map of `ik reach --out {Path(path).stem}.npz`"
            ) from error
        for name in ("robot_name", "base_frame", "tip_frame", "orientations_meaning"):
            arrays[name] = str(arrays[name])
        arrays["cell_m"] = float(arrays["cell_m"])
        arrays["orientations"] = int(arrays["orientations"])
        arrays["joint_names"] = tuple(arrays["joint_names"].tolist())
        return cls(**arrays)

    def _write_csv(self, file: IO[str]) -> None:
        blocked = [f"blocked_by_{name}" for name in self.joint_names]
        file.write(",".join([*_CSV_COLUMNS, *blocked]) + "\n")
        for row in self._csv_rows():
            file.write(",".join(row) + "\n")

    def _csv_rows(self) -> Iterator[list[str]]:
        share = self.share
        is_known = (self.reached > 0) | self.blocked.any(axis=-1)
        for i, j, k in np.argwhere(is_known).tolist():
            at = [f"{axis[n]:.6g}" for axis, n in ((self.x_m, i), (self.y_m, j), (self.z_m, k))]
            counts = [str(self.orientations), str(self.reached[i, j, k]), f"{share[i, j, k]:.6g}"]
            means = [
                "" if np.isnan(layer[i, j, k]) else f"{layer[i, j, k]:.9g}"
                for layer in (self.manipulability, self.limit_margin)
            ]
            blocked = map(str, self.blocked[i, j, k].tolist())
            yield [*at, *counts, str(self.out_of_reach[i, j, k]), *means, *blocked]
