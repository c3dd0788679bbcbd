#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""When there is no answer, the result says why, and how close the arm comes.

"No solution" is a status and never an exception; exceptions are for requests that make no sense.
Needs the Python package, no ROS: ``python3 examples/05_why_not.py``.
"""

from collections.abc import Callable
from pathlib import Path

from ik_solver_ros import IKRequest, IKSolver, IKSolverError, RobotModel

URDF = Path(__file__).resolve().parents[1] / "urdf" / "demo_arm.urdf"
DOWN = [1.0, 0.0, 0.0, 0.0]  # a quaternion x, y, z, w

robot = RobotModel.from_urdf_file(URDF)
solver = IKSolver(robot, tip_frame="tool0")


def ask(what: str, make_request: Callable[[], IKRequest]) -> None:
    """Solve, and print what came out."""
    print(f"\n{what}")
    try:
        result = solver.solve(make_request())
    except IKSolverError as error:
        print(f"  {type(error).__name__}: {error}")
        return
    print(f"  {result.status.name}: {result.message}")
    if result.blocking_joints:
        print(f"  in the way: the limits of {', '.join(result.blocking_joints)}")
    if result.closest is not None:
        print(f"  the closest configuration misses it by {result.closest.position_error_m:.6f} m")


near, far = [0.5, 0.2, 0.4], [2.0, 0.0, 0.5]
# The pose of a configuration whose third joint is beyond its limit.
beyond = dict(zip(solver.joint_names, (0.2, -0.3, 1.055, 0.4, -1.0, 0.5)))
pose = robot.forward_kinematics(beyond, "tool0")
pose_request, matrix_request = IKRequest.from_xyz_quat, IKRequest.from_matrix

ask("Farther than the arm is long", lambda: pose_request(far, DOWN))
ask("Beyond the limit of a joint", lambda: matrix_request(pose))
ask("Not more than 0.1 rad away", lambda: pose_request(near, DOWN, max_joint_jump=0.1))
ask("A quaternion of zeros", lambda: pose_request(near, [0.0, 0.0, 0.0, 0.0]))
ask("A tip that does not exist", lambda: pose_request(near, DOWN, tip_frame="tool1"))
