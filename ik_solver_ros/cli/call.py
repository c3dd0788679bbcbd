# SPDX-License-Identifier: Apache-2.0
"""`ik call`: the same questions to a running node, for machines without the `ros2` command."""

from __future__ import annotations

import argparse

from .arguments import add_goal, add_output, add_seed, add_target, add_tool
from .exit_codes import exit_code
from .values import count, positive

HELP = "ask a running node: solve_ik, or compute_fk with --fk"
EXAMPLES = (
    "ik call --xyz 0.4 0.2 0.6 --quat-xyzw 1 0 0 0 --dry-run",
    "ik call --node /ik_solver --frame tool0 --xyz 0 0 0.02 --rpy 10 0 0 --degrees",
    "ik call --fk --frames tool0 flange --json",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The node, and what a request takes but for the robot, which the node knows."""
    parser.add_argument(
        "--node", default="/ik_solver", metavar="NAME", help="the node; default: /ik_solver"
    )
    parser.add_argument(
        "--wait-s",
        type=positive,
        default=5.0,
        metavar="S",
        help="how long to look for the node and to wait for its answer; default: 5",
    )
    parser.add_argument(
        "--frame",
        default="",
        metavar="NAME",
        help="link or TF frame that the poses are seen from; default: the node's base",
    )
    add_tool(parser, default="the node's")
    add_target(parser)
    add_seed(parser, default="the joint states that the node hears")
    add_goal(parser)
    parser.add_argument(
        "--solutions", type=count, default=1, metavar="N", help="up to N distinct answers"
    )
    parser.add_argument(
        "--dry-run", action="store_true", help="answer only: the node publishes no target"
    )
    question = parser.add_argument_group("forward kinematics")
    question.add_argument(
        "--fk", action="store_true", help="ask where links are, at --seed or the joint states"
    )
    question.add_argument(
        "--frames", nargs="+", default=(), metavar="NAME", help="the links; default: the tip"
    )
    add_output(parser)


def run(given: argparse.Namespace) -> int:
    """Call and print; 0 solved, 1 not, 2 if the node finds the request at fault."""
    from ..core.errors import MissingDependencyError

    try:
        from .call_session import ask_fk, ask_ik
    except ModuleNotFoundError as error:
        raise MissingDependencyError(
            f"'{error.name}'",
            "ik call",
            "source the set-up file of ROS 2 and of the workspace, or this package's env.sh",
        ) from error
    return exit_code((ask_fk if given.fk else ask_ik)(given))
