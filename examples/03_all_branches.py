#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""All the ways in which an arm can reach one pose, nearest to the seed first.

Shoulder left or right, elbow up or down, wrist flipped or not: a six-joint arm has up to eight
configurations for one pose, some of them beyond its joint limits. Needs the Python package, no ROS:
``python3 examples/03_all_branches.py``. With ``pip install '.[analytic]'`` the list is complete for
arms that decompose; without, it is what the search finds in its time.
"""

from pathlib import Path

import numpy as np

from ik_solver_ros import IKRequest, IKSolver, RobotModel

URDF = Path(__file__).resolve().parents[1] / "urdf" / "demo_arm.urdf"

robot = RobotModel.from_urdf_file(URDF)
solver = IKSolver(robot, tip_frame="tool0")
seed = dict.fromkeys(solver.joint_names, 0.0)

# The pose of a configuration with room on all sides.
roomy = dict(zip(solver.joint_names, (0.4, 0.3, -1.9, 1.2, -1.2, 0.5)))
pose = robot.forward_kinematics(roomy, "tool0")
result = solver.solve(IKRequest.from_matrix(pose, seed=seed, max_solutions=16, timeout_s=1.0))

branches = [solution.q for solution in (result.solution, *result.alternatives)]
print(f"{len(branches)} ways to reach this pose; rad, nearest to the seed first")
print("  " + "  ".join(f"{name:>9}" for name in result.joint_names) + "   largest change")
for q in branches:
    jump_rad = np.abs(q - list(seed.values())).max()
    print("  " + "  ".join(f"{position:+9.5f}" for position in q) + f"   {jump_rad:.3f}")
