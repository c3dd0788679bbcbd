# SPDX-License-Identifier: Apache-2.0
"""`ik reach`: where the arm can work."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from .arguments import add_arm, add_output
from .exit_codes import NOT_SOLVED, SOLVED
from .values import count, number, positive

if TYPE_CHECKING:
    from ..workspace.backends import Backend
    from ..workspace.orientations import OrientationSet

HELP = "map the workspace: which places the tool can be brought to, in how many orientations"
EXAMPLES = (
    "ik reach urdf/demo_arm.urdf --cell 0.2 --orientations 8",
    "ik reach urdf/demo_arm.urdf --cell 0.2 --any-orientation --out map.npz",
    "ik reach urdf/demo_arm.urdf --cell 0.2 --quat-xyzw 1 0 0 0 --out map.csv",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The robot, the grid, the orientations, where results go and who computes them."""
    add_arm(parser)
    parser.add_argument(
        "--cell", type=positive, default=0.05, metavar="M", help="edge of a cell [m]; default: 0.05"
    )
    which = parser.add_mutually_exclusive_group()
    which.add_argument(
        "--orientations", type=count, metavar="N",
        help="try N orientations in each cell, spread evenly; default: 32",
    )  # fmt: skip
    which.add_argument(
        "--directions", type=count, metavar="N",
        help="try N directions of the tool's z axis, spread evenly, with any roll about it",
    )  # fmt: skip
    which.add_argument(
        "--any-orientation", action="store_true", help="ask only whether the position is reached"
    )
    which.add_argument(
        "--quat-xyzw", nargs=4, type=number, action="append", metavar=("X", "Y", "Z", "W"),
        help="try this orientation; may be given several times",
    )  # fmt: skip
    parser.add_argument(
        "--attempts", type=count, default=30, metavar="N",
        help="starts of each search; with few, places that are hard to reach are missed; "
        "default: 30",
    )  # fmt: skip
    parser.add_argument("--out", metavar="FILE", help="the map as *.npz (complete) or *.csv")
    parser.add_argument("--picture", metavar="FILE", help="the map as *.png, *.svg or *.pdf")
    parser.add_argument(
        "--layer", default="share", choices=("share", "manipulability", "limit_margin"),
        help="what the picture shows; default: share",
    )  # fmt: skip
    parser.add_argument(
        "--threads", type=count, metavar="N", help="default: as many as there are cores"
    )
    parser.add_argument(
        "--backend", default="local", choices=("local", "dask", "ray"),
        help="who computes: this process, or a cluster that runs at --address; default: local",
    )  # fmt: skip
    parser.add_argument(
        "--address",
        metavar="ADDRESS",
        help="of the cluster: tcp://HOST:8786 (dask), HOST:6379 (ray)",
    )
    add_output(parser)


def run(given: argparse.Namespace) -> int:
    """Map the workspace; 0 if any place is reached."""
    from tqdm import tqdm

    from ..core.transforms import xyz_quat_from_se3
    from ..workspace.mapping import map_workspace
    from .inputs import tcp_offset_from, urdf_text_from
    from .output import print_json
    from .reach_summary import lines, summary

    _check(given)
    T_tip_tcp = tcp_offset_from(given)
    with tqdm(unit=" cells", leave=False, disable=None, file=sys.stderr) as bar:

        def progress(done: int, total: int) -> None:
            bar.total = total
            bar.update(done - bar.n)

        reachable = map_workspace(
            urdf_text_from(given),
            given.tip,
            given.base,
            tcp_offset=None if T_tip_tcp is None else xyz_quat_from_se3(T_tip_tcp),
            cell_m=given.cell,
            orientations=_orientations(given),
            max_attempts=given.attempts,
            backend=_backend(given),
            progress=progress,
        )
    if given.out:
        reachable.save(given.out)
    if given.picture:
        from ..workspace.picture import draw_map

        draw_map(reachable, given.picture, given.layer)
    if given.json:
        print_json(summary(reachable))
    else:
        print("\n".join(lines(reachable)))
    return SOLVED if reachable.cells else NOT_SOLVED


def _check(given: argparse.Namespace) -> None:
    """Refuse before the work what would be refused after it."""
    from ..core.errors import InvalidRequestError

    for option, endings in (("out", (".npz", ".csv")), ("picture", (".png", ".svg", ".pdf"))):
        path = getattr(given, option)
        if path and Path(path).suffix not in endings:
            raise InvalidRequestError(
                f"--{option}", f"'{path}' does not end in {' or '.join(endings)}"
            )
        if path and not Path(path).absolute().parent.is_dir():
            raise InvalidRequestError(f"--{option}", f"there is no folder for '{path}'")
    if given.backend == "dask" and not given.address:
        raise InvalidRequestError("--address", "where does the scheduler listen? tcp://HOST:8786")
    if given.backend == "local" and given.address:
        raise InvalidRequestError("--address", "it is for --backend dask or ray")
    if given.backend != "local" and given.threads:
        raise InvalidRequestError("--threads", "a cluster has its own; leave it out")
    if given.picture:
        from ..plotting import new_figure

        new_figure(1.0, 1.0)


def _orientations(given: argparse.Namespace) -> OrientationSet:
    from ..workspace.orientations import OrientationSet

    if given.any_orientation:
        return OrientationSet.any()
    if given.quat_xyzw:
        return OrientationSet.given(given.quat_xyzw)
    if given.directions:
        return OrientationSet.even_directions(given.directions)
    return OrientationSet.even(given.orientations or 32)


def _backend(given: argparse.Namespace) -> Backend:
    if given.backend == "dask":
        from ..workspace.on_dask import Dask

        return Dask(given.address)
    if given.backend == "ray":
        from ..workspace.on_ray import Ray

        return Ray(given.address or "auto")
    from ..workspace.backends import Threads

    return Threads(given.threads)
