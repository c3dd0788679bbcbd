# SPDX-License-Identifier: Apache-2.0
"""Viewers of test robots, and hands for them."""

from __future__ import annotations

import numpy as np

from ik_solver_ros import IKSolver, RobotModel, SolverSettings
from ik_solver_ros.core.pinocchio_import import pin
from ik_solver_ros.viewer.backend import LocalBackend
from ik_solver_ros.viewer.kinematics import ArmKinematics
from ik_solver_ros.viewer.mesh_files import MeshFiles
from ik_solver_ros.viewer.session import Session
from ik_solver_ros.viewer.shapes import look_of
from ik_solver_ros.viewer.web import WebViewer

from .robots import robot, robot_urdf, robot_urdf_path


def session_of(name: str) -> Session:
    """A session with a test robot and the solver of this process."""
    entry = robot(name)
    # Time enough on a busy machine, and for the slower solver where there is no kernel.
    patient = SolverSettings(timeout_s=5.0)
    solver = IKSolver(
        RobotModel.from_urdf(robot_urdf(name)), entry.tip, entry.base, settings=patient
    )
    return Session(ArmKinematics(solver), LocalBackend(solver))


def viewer_of(session: Session, name: str, port: int = 8090) -> WebViewer:
    """The browser's side of it."""
    arm = session.kinematics
    files = MeshFiles(robot_urdf_path(name), environment={})
    look = look_of(arm.robot, robot_urdf(name), files, arm.size_m())
    return WebViewer(session, look, port=port, title=name, urdf_name=f"{name}.urdf")


def moved(pose: pin.SE3, x: float = 0.0, y: float = 0.0, z: float = 0.0) -> pin.SE3:
    """A pose somewhere else in its base frame, turned as before."""
    return pin.SE3(pose.rotation, pose.translation + np.array([x, y, z]))
