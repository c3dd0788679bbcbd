# SPDX-License-Identifier: Apache-2.0
"""Arguments that subcommands share, declared once, so that they look and mean the same everywhere.

``inputs`` turns what they hold into robots, solvers and requests. The metavar tells a shell what to
complete (``completion``): URDF and FILE are files, LINK and JOINT=VALUE are names in the robot.
Nothing slow is imported here: ``--help`` and completion answer at once.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from ..core.settings import SolverSettings, settings_fields
from .values import assignment, number, positive, tolerance

#: What ``--free-axes`` takes: axes of the target frame, "r" for rotations about them.
FREE_AXES = {
    "x": (0,), "y": (1,), "z": (2,), "position": (0, 1, 2),
    "rx": (3,), "ry": (4,), "rz": (5,), "orientation": (3, 4, 5),
}  # fmt: skip


def add_robot(parser: argparse.ArgumentParser) -> None:
    """``URDF`` and ``--xacro-args``; read by ``inputs.robot_from``."""
    parser.add_argument(
        "urdf", metavar="URDF", help="URDF file of the robot; *.xacro is expanded; - reads stdin"
    )
    parser.add_argument(
        "--xacro-args",
        nargs="+",
        default=(),
        metavar="NAME:=VALUE",
        help="arguments for a xacro file",
    )


def add_package_dirs(parser: argparse.ArgumentParser) -> None:
    """``--package-dir``; read by ``viewer.mesh_files.MeshFiles``."""
    parser.add_argument(
        "--package-dir",
        nargs="+",
        type=Path,
        default=(),
        metavar="DIR",
        help="folders with the packages that hold the meshes; ROS_PACKAGE_PATH, AMENT_PREFIX_PATH "
        "and the folders above the URDF are looked through, too",
    )


def add_arm(parser: argparse.ArgumentParser) -> None:
    """The robot, ``--base``, ``--tip`` and ``--tcp-offset``; read by ``inputs.solver_from``."""
    add_robot(parser)
    add_ends(parser)


def add_ends(parser: argparse.ArgumentParser) -> None:
    """``--base``, ``--tip`` and ``--tcp-offset``."""
    parser.add_argument(
        "--base", default="", metavar="LINK", help="link that poses are given in; default: the root"
    )
    add_tool(parser)


def add_tool(
    parser: argparse.ArgumentParser, default: str = "the robot's end, if it has only one"
) -> None:
    """``--tip`` and ``--tcp-offset``."""
    parser.add_argument(
        "--tip",
        default="",
        metavar="LINK",
        help=f"link that carries the tool; default: {default}",
    )
    parser.add_argument(
        "--tcp-offset",
        nargs="+",
        type=number,
        default=(),
        metavar="N",
        help="tool centre point in the tip: x y z [m], then nothing, roll pitch yaw [rad] or "
        "qx qy qz qw",
    )


def add_target(parser: argparse.ArgumentParser) -> None:
    """``--xyz``, ``--quat-xyzw``, ``--rpy`` and ``--target``; read by ``inputs.target_from``."""
    group = parser.add_argument_group("target", "the wanted pose of the tool in the base")
    group.add_argument(
        "--xyz", nargs=3, type=number, metavar=("X", "Y", "Z"), help="position in metres"
    )
    group.add_argument(
        "--quat-xyzw", nargs=4, type=number, metavar=("X", "Y", "Z", "W"), help="quaternion"
    )
    group.add_argument(
        "--rpy",
        nargs=3,
        type=number,
        metavar=("R", "P", "Y"),
        help="roll, pitch, yaw in radians about fixed axes, as in URDF, instead of the quaternion",
    )
    group.add_argument(
        "--target",
        metavar="FILE",
        help='JSON file with {"xyz": […], "quat_xyzw": […]}, "rpy" or {"matrix": […]}, or what '
        "`ik fk --json` prints; - reads stdin",
    )


def add_seed(parser: argparse.ArgumentParser, default: str = "mid-range") -> None:
    """``--seed``; read by ``inputs.positions_from``."""
    parser.add_argument(
        "--seed",
        nargs="+",
        type=assignment,
        default=(),
        metavar="JOINT=VALUE",
        help=f"joint positions to start from and to stay near [rad, m]; default: {default}",
    )


def add_goal(parser: argparse.ArgumentParser) -> None:
    """How exact, how near, how long; read by ``inputs.goal_from`` and ``settings_from``."""
    group = parser.add_argument_group("what an answer may look like")
    for name, unit in (("position", "m"), ("orientation", "rad")):
        group.add_argument(
            f"--{name}-tolerance",
            nargs="+",
            type=tolerance,
            default=(),
            metavar="T",
            help=f"one bound on the {name} error [{unit}], or three for the axes of the target "
            "frame (0 = default, inf = free)",
        )
    group.add_argument(
        "--free-axes",
        nargs="+",
        choices=tuple(FREE_AXES),
        default=(),
        metavar="AXIS",
        help=f"axes of the target frame that do not matter: {', '.join(FREE_AXES)}",
    )
    group.add_argument(
        "--max-jump",
        type=positive,
        default=0.0,
        metavar="J",
        help="largest change of one joint from the seed [rad; the same number in m for sliders]",
    )
    group.add_argument(
        "--allow-relaxed",
        action="store_true",
        help="accept ten times the default tolerances where the strict ones cannot be met",
    )
    group.add_argument(
        "--timeout-s", type=positive, default=0.0, metavar="S", help="time limit of one target"
    )


def add_solver(parser: argparse.ArgumentParser) -> None:
    """``--solver``; read by ``inputs.settings_from``."""
    item = dict(settings_fields(SolverSettings))["solver"]
    parser.add_argument(
        "--solver", choices=item.metadata["choices"], default=item.default, help="default: auto"
    )


def add_output(parser: argparse.ArgumentParser) -> None:
    """``--degrees`` and ``--json``."""
    parser.add_argument(
        "--degrees", action="store_true", help="angles are read and printed in degrees"
    )
    parser.add_argument(
        "--json",
        action="store_true",
        help="print one JSON object (always in m and rad), errors included",
    )
