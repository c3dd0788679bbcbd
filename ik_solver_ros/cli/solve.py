# SPDX-License-Identifier: Apache-2.0
"""`ik solve`: one target, one answer."""

from __future__ import annotations

import argparse

HELP = "find the joint values that bring the tip to a pose"
EXAMPLES = ("ik solve urdf/demo_arm.urdf --xyz 0.4 0.2 0.6 --quat-xyzw 1 0 0 0",)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The robot, the target."""
    parser.add_argument("urdf", metavar="URDF", help="URDF file of the robot")
    parser.add_argument("--tip", default="", help="link that is brought to the target")
    parser.add_argument("--xyz", nargs=3, type=float, required=True, metavar=("X", "Y", "Z"))
    parser.add_argument(
        "--quat-xyzw", nargs=4, type=float, default=(0, 0, 0, 1), metavar=("X", "Y", "Z", "W")
    )


def run(given: argparse.Namespace) -> int:
    """Solve and print; 0 solved, 1 not."""
    from ik_solver_ros import IKRequest, IKSolver, RobotModel

    solver = IKSolver(RobotModel.from_urdf_file(given.urdf), tip_frame=given.tip)
    result = solver.solve(IKRequest.from_xyz_quat(given.xyz, given.quat_xyzw))
    print(result.status.name, result.message)
    for name, value in zip(result.joint_names, result.q):
        print(f"{name} {value:.9f}")
    return 0 if result.success else 1
