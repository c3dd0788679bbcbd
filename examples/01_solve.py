#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Which joint angles put the tool here? One target, one answer, checked.

Needs the Python package (``pip install .``), no ROS. Run it with ``python3 examples/01_solve.py``.
"""

from pathlib import Path

from ik_solver_ros import IKRequest, IKSolver, RobotModel

URDF = Path(__file__).resolve().parents[1] / "urdf" / "demo_arm.urdf"

robot = RobotModel.from_urdf_file(URDF)
solver = IKSolver(robot, tip_frame="tool0")

# Half a metre ahead, the tool's z axis straight down: quaternions are x, y, z, w.
request = IKRequest.from_xyz_quat([0.5, 0.2, 0.4], [1.0, 0.0, 0.0, 0.0], seed={"joint_3": -0.5})
result = solver.solve(request)

print(result.status.name, "-", result.message)
for name, position in zip(result.joint_names, result.q):
    print(f"  {name}  {position:+.6f} rad")

# The answer was verified already; this is how to see for yourself.
T_base_tool = robot.forward_kinematics(dict(zip(result.joint_names, result.q)), "tool0")
print("the tool is at", T_base_tool[:3, 3].round(6))
