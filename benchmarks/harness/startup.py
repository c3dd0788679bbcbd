# SPDX-License-Identifier: Apache-2.0
"""How long a new process needs until it can solve."""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
from typing import Any

from .arm import Arm

_CODE = """
import json, sys, time
import numpy
started_s = time.perf_counter()
import pinocchio
after_pinocchio_s = time.perf_counter()
import ik_solver_ros
imported_s = time.perf_counter()
urdf, base, tip = json.load(sys.stdin)
read_s = time.perf_counter()
robot = ik_solver_ros.RobotModel.from_urdf(urdf)
ik_solver_ros.IKSolver(robot, tip, base)
ready_s = time.perf_counter()
print(json.dumps([after_pinocchio_s - started_s, imported_s - after_pinocchio_s, ready_s - read_s]))
"""
_STEPS = ("import pinocchio", "import ik_solver_ros, after that", "RobotModel and IKSolver")


def startup(arm: Arm, repetitions: int) -> dict[str, Any]:
    """Return the median seconds of each step in a fresh process."""
    question = json.dumps([arm.urdf, arm.base, arm.tip])
    runs = []
    for _ in range(repetitions + 1):
        done = subprocess.run(
            [sys.executable, "-c", _CODE],
            input=question,
            capture_output=True,
            text=True,
            check=True,
        )
        runs.append(json.loads(done.stdout))
    # The first process finds the files on the disk and not in memory.
    return dict(zip(_STEPS, map(statistics.median, zip(*runs[1:]))))
