# SPDX-License-Identifier: Apache-2.0
"""Inverse kinematics for any arm with a URDF; usable without ROS.

The names are loaded when they are first used: programs that start with this package can look after
signals, or say what is missing, before Pinocchio is loaded.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .core.batch import BatchResult as BatchResult
    from .core.errors import BackendError as BackendError
    from .core.errors import FrameUnavailableError as FrameUnavailableError
    from .core.errors import IKSolverError as IKSolverError
    from .core.errors import InvalidRequestError as InvalidRequestError
    from .core.errors import JointStateError as JointStateError
    from .core.errors import MissingDependencyError as MissingDependencyError
    from .core.errors import NoChainError as NoChainError
    from .core.errors import RobotModelError as RobotModelError
    from .core.errors import ServiceUnavailableError as ServiceUnavailableError
    from .core.errors import SettingsError as SettingsError
    from .core.errors import StreamError as StreamError
    from .core.errors import UnknownFrameError as UnknownFrameError
    from .core.request import IKRequest as IKRequest
    from .core.result import Closest as Closest
    from .core.result import IKResult as IKResult
    from .core.robot_model import Joint as Joint
    from .core.robot_model import RobotModel as RobotModel
    from .core.settings import SolverSettings as SolverSettings
    from .core.solver import IKSolver as IKSolver
    from .core.status import Status as Status
    from .core.stream import Stream as Stream
    from .core.stream_settings import StreamSettings as StreamSettings
    from .core.verification import VerifiedSolution as VerifiedSolution

__version__ = "0.1.0"

_MODULE_OF = {
    "BackendError": "errors",
    "BatchResult": "batch",
    "Closest": "result",
    "FrameUnavailableError": "errors",
    "IKRequest": "request",
    "IKResult": "result",
    "IKSolver": "solver",
    "IKSolverError": "errors",
    "InvalidRequestError": "errors",
    "Joint": "robot_model",
    "JointStateError": "errors",
    "MissingDependencyError": "errors",
    "NoChainError": "errors",
    "RobotModel": "robot_model",
    "RobotModelError": "errors",
    "ServiceUnavailableError": "errors",
    "SettingsError": "errors",
    "SolverSettings": "settings",
    "Status": "status",
    "Stream": "stream",
    "StreamError": "errors",
    "StreamSettings": "stream_settings",
    "UnknownFrameError": "errors",
    "VerifiedSolution": "verification",
}

__all__ = ["__version__", *_MODULE_OF]


def __getattr__(name: str) -> Any:
    if name not in _MODULE_OF:
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    value = getattr(importlib.import_module(f".core.{_MODULE_OF[name]}", __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
