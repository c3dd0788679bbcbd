# SPDX-License-Identifier: Apache-2.0
"""`ik view`: the robot in the browser; drag its tool and the arm follows."""

from __future__ import annotations

import argparse
import signal
import threading
from pathlib import Path
from typing import TYPE_CHECKING

from .arguments import add_arm, add_package_dirs
from .exit_codes import SOLVED

if TYPE_CHECKING:
    from ..core.robot_model import RobotModel
    from ..viewer.web import WebViewer

HELP = "show the robot in the browser and drag its tool"
EXAMPLES = (
    "ik view urdf/demo_arm.urdf",
    "ik view urdf/demo_arm.urdf --tip wrist_link --package-dir .. --port 8090",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The robot, where its meshes are, where to listen."""
    add_arm(parser)
    parser.set_defaults(degrees=False)
    add_package_dirs(parser)
    parser.add_argument(
        "--port",
        type=_port,
        default=8080,
        metavar="N",
        help="where to listen, on 127.0.0.1 only; default: 8080, or the next free port",
    )
    parser.add_argument(
        "--map", metavar="FILE", help="show the workspace, too: a map of `ik reach --out FILE.npz`"
    )
    parser.add_argument(
        "--layer",
        default="share",
        choices=("share", "manipulability", "limit_margin"),
        help="what the map is coloured by; default: share",
    )


def _show_map(viewer: WebViewer, robot: RobotModel, path: str, layer: str) -> None:
    """Show a map of `ik reach` around the robot.

    Raises:
        InvalidRequestError: it is no map, or one of another robot or base.
    """
    from ..core.errors import InvalidRequestError
    from ..viewer.cloud import Cloud
    from ..workspace.map import LAYERS, ReachabilityMap

    reachable = ReachabilityMap.load(path)
    base = viewer.session.kinematics.base_frame
    if (reachable.robot_name, reachable.base_frame) != (robot.name, base):
        whose = f"'{reachable.robot_name}' from '{reachable.base_frame}' on"
        raise InvalidRequestError(
            "--map", f"{path} is of {whose}, not '{robot.name}' from '{base}'"
        )
    points_m, rgb = reachable.points_and_colours(layer)
    Cloud(viewer.server, points_m, rgb, reachable.cell_m, LAYERS[layer])


def _port(text: str) -> int:
    if not (text.isascii() and text.isdigit() and 1 <= int(text) <= 65535):
        raise argparse.ArgumentTypeError(f"'{text}' is not a port: a number from 1 to 65535")
    return int(text)


def run(given: argparse.Namespace) -> int:
    """Serve until Ctrl-C."""
    for number in (signal.SIGINT, signal.SIGTERM):  # a shell's `&` leaves SIGINT ignored
        signal.signal(number, signal.default_int_handler)
    try:
        _serve(given)
    except KeyboardInterrupt:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # a second one would spoil the end
    return SOLVED


def _serve(given: argparse.Namespace) -> None:
    from ..core.robot_model import RobotModel
    from ..core.solver import IKSolver
    from ..viewer.backend import LocalBackend
    from ..viewer.kinematics import ArmKinematics
    from ..viewer.mesh_files import MeshFiles
    from ..viewer.session import Session
    from ..viewer.shapes import look_of
    from ..viewer.web import WebViewer, require_viser
    from .inputs import tcp_offset_from, urdf_text_from

    require_viser()
    urdf_text = urdf_text_from(given)
    robot = RobotModel.from_urdf(urdf_text)
    solver = IKSolver(robot, given.tip, given.base, tcp_offset=tcp_offset_from(given))
    kinematics = ArmKinematics(solver)
    urdf_file = None if given.urdf == "-" else Path(given.urdf)
    files = MeshFiles(urdf_file, [folder.expanduser() for folder in given.package_dir])
    look = look_of(robot, urdf_text, files, kinematics.size_m())
    viewer = WebViewer(
        Session(kinematics, LocalBackend(solver)),
        look,
        port=given.port,
        title=robot.name,
        urdf_name="robot.urdf" if given.urdf == "-" else given.urdf,
    )
    if given.map:
        try:
            _show_map(viewer, robot, given.map, given.layer)
        except BaseException:
            viewer.close()
            raise
    for note in viewer.notes:
        print(note)
    if look.missing:
        print(f"looked for {look.missing[0]}; --package-dir says where its package is")
    if viewer.port != given.port:
        print(f"port {given.port} is in use; this is the next free one:")
    print(f"{viewer.address}  shows {robot.name}; Ctrl-C ends it", flush=True)
    try:
        threading.Event().wait()
    finally:
        viewer.close()
