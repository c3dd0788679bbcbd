# SPDX-License-Identifier: Apache-2.0
"""`ik check`: what is in a robot description, what is wrong with it, which tip to use."""

from __future__ import annotations

import argparse

from .arguments import add_package_dirs, add_robot
from .exit_codes import NOT_SOLVED, SOLVED

HELP = "read a robot description like a doctor: what is in it, what is wrong, which tip to use"
EXAMPLES = (
    "ik check urdf/demo_arm.urdf",
    "ik check urdf/demo_arm.urdf --yaml",
    "ik check urdf/demo_arm.urdf --json",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The robot, and the form of the report."""
    add_robot(parser)
    add_package_dirs(parser)
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--yaml", action="store_true", help="print parameters for the node only")
    form.add_argument("--json", action="store_true", help="print one JSON object")


def run(given: argparse.Namespace) -> int:
    """Report; 0 can be used, 1 cannot."""
    from .checkup import examine
    from .checkup_text import checkup_lines, parameter_lines
    from .output import print_json, tell

    found = examine(given)
    if given.json:
        print_json(found)
    elif given.yaml and found["parameters"]:
        print("\n".join(parameter_lines(found)))
    else:
        for line in checkup_lines(found):
            (tell if given.yaml else print)(line)
    return SOLVED if found["usable"] else NOT_SOLVED
