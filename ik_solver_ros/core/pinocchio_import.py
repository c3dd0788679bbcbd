# SPDX-License-Identifier: Apache-2.0
"""The one place that imports Pinocchio, so that its absence is a sentence and not a traceback.

Everything in the package gets the module from here: ``from .pinocchio_import import pin``.
"""

from __future__ import annotations

from .errors import MissingDependencyError

_INSTALL = (
    "install it with 'pip install \"pin>=3.8\"', or on a ROS 2 system with "
    "'sudo apt install ros-$ROS_DISTRO-pinocchio'"
)

try:
    import eigenpy  # Pinocchio's own binding of Eigen, always installed with it
    import pinocchio as pin
except Exception as error:  # a broken install raises more than ImportError
    raise MissingDependencyError(
        "Pinocchio",
        "ik_solver_ros",
        f"{_INSTALL} (importing it failed with: {type(error).__name__}: {error})",
    ) from error

_REQUIRED = ("buildModelFromXML", "SE3ToXYZQUAT", "forwardKinematics", "updateFramePlacement")
_missing = [name for name in _REQUIRED if not hasattr(pin, name)]
if _missing:
    # PyPI also has an unrelated package called "pinocchio"; without this check it fails much later.
    raise MissingDependencyError(
        "Pinocchio",
        "ik_solver_ros",
        f"the installed package 'pinocchio' is another one (it has no {', '.join(_missing)}); "
        f"uninstall it, then {_INSTALL}",
    )

__all__ = ["eigenpy", "pin"]
