# SPDX-License-Identifier: Apache-2.0
"""`ik batch`: a table of targets in, the same table with answers out."""

from __future__ import annotations

import argparse

from .arguments import add_arm, add_goal, add_output, add_seed, add_solver
from .exit_codes import NOT_SOLVED, SOLVED
from .values import count

HELP = "solve a table of targets: CSV or Parquet in, the same with answers out"
EXAMPLES = (
    "printf 'x,y,z,qx,qy,qz,qw\\n0.4,0.2,0.6,1,0,0,0\\n' | ik batch urdf/demo_arm.urdf -",
    "printf 'name,x,y,z,roll,pitch,yaw\\na,0.4,0,0.6,180,0,0\\nb,0.4,0.1,0.6,180,0,0\\n'"
    " | ik batch urdf/demo_arm.urdf - --degrees --chain-seeds",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The robot, the tables, and what is the same for all rows."""
    add_arm(parser)
    parser.add_argument(
        "targets",
        metavar="FILE",
        help="targets: CSV or *.parquet, with the columns x y z [m] and qx qy qz qw, or roll pitch "
        "yaw [rad]; others are kept; where ; or tabs separate the columns, decimals may have "
        "commas; - reads stdin",
    )
    parser.add_argument(
        "-o",
        "--output",
        default="-",
        metavar="FILE",
        help="CSV or *.parquet, with the joints, status, errors and message; default: stdout",
    )
    add_seed(parser)
    parser.add_argument(
        "--chain-seeds",
        action="store_true",
        help="each row starts from the last solved one's answer (a path), not from the seed",
    )
    parser.add_argument("--threads", type=count, default=1, metavar="N", help="default: 1")
    parser.add_argument(
        "--keep-going",
        action="store_true",
        help="mark malformed rows as INVALID_REQUEST instead of stopping at the first",
    )
    parser.add_argument(
        "--skip-diagnosis",
        action="store_true",
        help="do not look for the reasons of failures, which takes longer than the answers",
    )
    parser.add_argument(
        "--resume", action="store_true", help="go on with an interrupted run into the same --output"
    )
    add_goal(parser)
    add_solver(parser)
    add_output(parser)


def run(given: argparse.Namespace) -> int:
    """Answer every row; 0 if all of them are solved."""
    from .batch_session import Session
    from .output import print_json, tell

    session = Session(given)
    try:
        session.go()
    except KeyboardInterrupt:
        tell(session.farewell())
        raise
    if given.json:
        print_json(session.summary())
    else:
        tell("\n".join(session.summary_lines()))
    return SOLVED if session.all_solved else NOT_SOLVED
