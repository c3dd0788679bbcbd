# SPDX-License-Identifier: Apache-2.0
"""Inverse kinematics for any arm with a URDF; usable without ROS."""

from .core.errors import (
    FrameUnavailableError,
    IKSolverError,
    InvalidRequestError,
    JointStateError,
    MissingDependencyError,
    NoChainError,
    RobotModelError,
    SettingsError,
    UnknownFrameError,
)
from .core.request import IKRequest
from .core.result import Closest, IKResult
from .core.robot_model import Joint, RobotModel
from .core.settings import SolverSettings
from .core.solver import IKSolver
from .core.status import Status
from .core.verification import VerifiedSolution

__version__ = "0.1.0"

__all__ = [
    "Closest",
    "FrameUnavailableError",
    "IKRequest",
    "IKResult",
    "IKSolver",
    "IKSolverError",
    "InvalidRequestError",
    "Joint",
    "JointStateError",
    "MissingDependencyError",
    "NoChainError",
    "RobotModel",
    "RobotModelError",
    "SettingsError",
    "SolverSettings",
    "Status",
    "UnknownFrameError",
    "VerifiedSolution",
    "__version__",
]
