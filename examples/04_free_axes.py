#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A drill may spin: leave free what the task does not care about.

Tolerances are per axis of the target frame: 0 is the default, infinity leaves an axis free. A drill
that points along the tool's z axis leaves the rotation about z free, and the arm may use it: to
stay nearer to where it is, or to reach what it could not reach otherwise. Needs the Python package,
no ROS: ``python3 examples/04_free_axes.py``.
"""

from math import degrees, inf
from pathlib import Path

import numpy as np

from ik_solver_ros import IKRequest, IKSolver, RobotModel

URDF = Path(__file__).resolve().parents[1] / "urdf" / "demo_arm.urdf"

robot = RobotModel.from_urdf_file(URDF)
solver = IKSolver(robot, tip_frame="tool0")
seed = dict.fromkeys(solver.joint_names, 0.0)
hole = [0.40, 0.30, 0.30], [0.0, 1.0, 0.0, 0.0]  # straight down, turned by half a turn

for name, tolerance in {"exact": (0.0, 0.0, 0.0), "drill": (0.0, 0.0, inf)}.items():
    result = solver.solve(
        IKRequest.from_xyz_quat(*hole, seed=seed, orientation_tolerance=tolerance)
    )
    print(f"{name}: {result.status.name} - {result.message}")
    if not result.success:
        continue
    T_base_tool = robot.forward_kinematics(dict(zip(result.joint_names, result.q)), "tool0")
    off_axis_rad = np.arccos(min(1.0, -T_base_tool[2, 2]))
    print("  joints [rad]             ", " ".join(f"{q:+.6f}" for q in result.q))
    print("  largest change of a joint", f"{result.max_joint_jump:.3f} rad")
    print("  drill off the vertical by", f"{degrees(off_axis_rad):.4f} degrees")
