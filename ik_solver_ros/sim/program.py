# SPDX-License-Identifier: Apache-2.0
"""The executable ``ik_sim``: the real node leads a robot of physics along a figure-of-eight.

Starts ``ik_node`` as a process of its own, is robot, controller and operator to it over the real
topics, and says how well that went.
"""

from __future__ import annotations

import argparse
import io
import json
import sys
from pathlib import Path

from ..ros.program import Ending, run

NAME = "ik_sim"
_NOT_GOOD = "the robot was commanded to jump"


def main() -> int:
    """Draw, report, and end; 0 if nothing went wrong."""
    options = _options()
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # the bars need Unicode, their reader does not
    return run(NAME, lambda ending: _work(ending, options))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog=NAME,
        description="Lead a simulated robot along a figure-of-eight, through the real node and "
        "topics, and measure how well it follows.",
    )
    which = parser.add_mutually_exclusive_group()
    which.add_argument(
        "--robot", default="demo", help="demo (default), panda or ur5; the last two need "
        "pip install example-robot-data"
    )  # fmt: skip
    which.add_argument("--urdf", metavar="FILE", help="URDF of another robot")
    parser.add_argument("--tip", metavar="LINK", default="", help="link that carries the tool")
    parser.add_argument("--rounds", type=int, default=2, metavar="N", help="of the figure")
    parser.add_argument(
        "--acceleration", type=float, metavar="A",
        help="the node's stream_max_acceleration, in rad/s² or m/s²; 0 is no bound",
    )  # fmt: skip
    parser.add_argument("--json", action="store_true", help="print the result as JSON")
    parser.add_argument("--picture", metavar="FILE", help="draw the run: .png, .svg or .pdf")
    parser.add_argument("--record", metavar="FILE", help="keep every tick: .npz")
    options = parser.parse_args()
    if not 1 <= options.rounds <= 1000:
        parser.error(f"--rounds: {options.rounds} is not a number from 1 to 1000")
    return options


def _work(ending: Ending, options: argparse.Namespace) -> None:
    # Imported late: see ``node.py``.
    from .run import run_figure
    from .which_robot import robot_named

    urdf_text, tip_frame = robot_named(options.robot, options.urdf)
    say = (lambda _: None) if options.json else (lambda text: print(text, flush=True))
    done = run_figure(
        urdf_text, options.tip or tip_frame, options.rounds, options.acceleration, ending, say
    )
    if done is None:
        return
    if options.record:
        done.record.save(options.record)
    if options.picture:
        from .picture import draw_run

        draw_run(done, Path(options.picture))
    print(json.dumps(done.as_json(), indent=2) if options.json else done.report)
    if done.summary.branch_jumps:
        raise RuntimeError(_NOT_GOOD)
