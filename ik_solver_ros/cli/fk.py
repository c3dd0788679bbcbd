# SPDX-License-Identifier: Apache-2.0
"""`ik fk`: where are these links at these joint positions?"""

from __future__ import annotations

import argparse

from .arguments import add_arm, add_output
from .exit_codes import SOLVED
from .values import assignment

HELP = "tell where links are at given joint positions"
EXAMPLES = (
    "ik fk urdf/demo_arm.urdf --joints joint_1=0.3 joint_2=-0.4",
    "ik fk urdf/demo_arm.urdf --joints joint_1=90 --degrees --frames forearm_link tool0 --json",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The robot, its joint positions, the links."""
    add_arm(parser)
    parser.add_argument(
        "--joints",
        nargs="+",
        type=assignment,
        default=(),
        metavar="JOINT=VALUE",
        help="joint positions [rad, m]; joints that are not named are at 0, followers follow",
    )
    parser.add_argument(
        "--frames",
        nargs="+",
        default=(),
        metavar="LINK",
        help="links whose poses are wanted; default: the tip; the tool offset goes with each",
    )
    add_output(parser)


def run(given: argparse.Namespace) -> int:
    """Compute and print."""
    from ..core.chain import only_end
    from .inputs import positions_from, robot_from, tcp_offset_from
    from .output import print_json
    from .pose_text import pose_lines, pose_object
    from .positions import all_positions, beyond_limits

    robot = robot_from(given)
    positions = positions_from(given, given.joints, robot)
    base = given.base or robot.root_link
    offset = tcp_offset_from(given)
    poses = {}
    for frame in given.frames or [given.tip or only_end(robot, base)]:
        pose = robot.pose(positions, frame, base)
        poses[frame] = pose if offset is None else pose * offset
    joints, notes = all_positions(robot, positions), beyond_limits(robot, positions)
    if given.json:
        objects = {frame: pose_object(pose) for frame, pose in poses.items()}
        print_json({"base_frame": base, "joints": joints, "poses": objects, "notes": notes})
        return SOLVED
    for frame, pose in poses.items():
        tool = "" if offset is None else ", with the tool offset"
        print(f"frame     {frame}, in {base}{tool}")
        for line in pose_lines("pose", pose, given.degrees):
            print(line)
    for note in notes:
        print(f"note      {note}")
    return SOLVED
