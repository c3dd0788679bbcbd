# SPDX-License-Identifier: Apache-2.0
"""`ik solve`: one target, one answer, or every branch."""

from __future__ import annotations

import argparse

from .arguments import add_arm, add_goal, add_output, add_seed, add_solver, add_target
from .exit_codes import NOT_SOLVED, SOLVED
from .values import count

HELP = "find the joint positions that bring the tool to a pose"
EXAMPLES = (
    "ik solve urdf/demo_arm.urdf --xyz 0.4 0.2 0.6 --quat-xyzw 1 0 0 0",
    "ik solve urdf/demo_arm.urdf --xyz 0.4 0.2 0.6 --rpy 180 0 0 --degrees --solutions 16",
    "ik solve urdf/demo_arm.urdf --xyz 0.4 0.2 0.6 --free-axes orientation --seed joint_1=0.5",
    "ik fk urdf/demo_arm.urdf --joints joint_2=0.5 --json | ik solve urdf/demo_arm.urdf --target -",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Everything that a request takes."""
    add_arm(parser)
    add_target(parser)
    add_seed(parser)
    add_goal(parser)
    parser.add_argument(
        "--solutions",
        type=count,
        default=1,
        metavar="N",
        help="up to N distinct answers, nearest to the seed first; default: the nearest one",
    )
    add_solver(parser)
    add_output(parser)


def run(given: argparse.Namespace) -> int:
    """Solve and print; 0 solved, 1 not."""
    from .answer import answer_of
    from .answer_text import answer_lines
    from .inputs import request_from, solver_from
    from .output import print_json
    from .pose_text import pose_lines, robot_line

    solver = solver_from(given)
    request = request_from(given, solver.robot, given.solutions)
    answer = answer_of(solver.solve(request), solver)
    if given.json:
        print_json(answer)
    else:
        print(robot_line(solver))
        for line in pose_lines("target", request.T_base_target, given.degrees):
            print(line)
        for line in answer_lines(answer, solver.robot.joints, given.degrees):
            print(line)
    return SOLVED if answer["success"] else NOT_SOLVED
