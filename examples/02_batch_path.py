#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A path of many targets in one call: each row starts from the answer before it.

The tool draws a circle. ``chain_seeds`` keeps the arm on one branch, so that neighbouring rows have
neighbouring answers. Needs the Python package, no ROS: ``python3 examples/02_batch_path.py``.
"""

from pathlib import Path

import numpy as np

from ik_solver_ros import IKSolver, RobotModel

URDF = Path(__file__).resolve().parents[1] / "urdf" / "demo_arm.urdf"
N, RADIUS_M = 2000, 0.1

robot = RobotModel.from_urdf_file(URDF)
solver = IKSolver(robot, tip_frame="tool0")

angle_rad = np.linspace(0.0, 2.0 * np.pi, N)
targets = np.zeros((N, 7))  # x y z qx qy qz qw
targets[:, 0] = 0.45 + RADIUS_M * np.cos(angle_rad)
targets[:, 1] = RADIUS_M * np.sin(angle_rad)
targets[:, 2] = 0.4
targets[:, 3] = 1.0  # straight down

batch = solver.solve_batch(targets, seed=dict.fromkeys(solver.joint_names, 0.0), chain_seeds=True)

steps = np.abs(np.diff(batch.positions, axis=0))
print(f"{batch.success.sum()} of {N} targets solved")
print(f"largest position error      {np.nanmax(batch.position_error_m):.1e} m")
print(f"largest step of one joint   {steps.max():.4f} rad")
for name, column in zip(batch.joint_names, batch.positions.T):
    print(f"  {name}  from {column.min():+.3f} to {column.max():+.3f} rad")
