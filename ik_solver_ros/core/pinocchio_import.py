# SPDX-License-Identifier: Apache-2.0
"""The one place that imports Pinocchio, so that its absence is a sentence and not a traceback.

Everything in the package gets the module from here: ``from .pinocchio_import import pin``.
"""

from __future__ import annotations

from types import ModuleType

from .errors import MissingDependencyError

_INSTALL = (
    "install it with 'pip install \"pin>=3.8\"', or on a ROS 2 system with "
    "'sudo apt install ros-$ROS_DISTRO-pinocchio'"
)
_REQUIRED = ("buildModelFromXML", "SE3ToXYZQUAT", "forwardKinematics", "updateFramePlacement")


def _check_kind(module: ModuleType) -> None:
    """PyPI also has an unrelated package called "pinocchio", which would fail much later."""
    missing = [name for name in _REQUIRED if not hasattr(module, name)]
    if missing:
        raise MissingDependencyError(
            "Pinocchio",
            "ik_solver_ros",
            f"the installed package 'pinocchio' is another one (it has no {', '.join(missing)}); "
            f"uninstall it, then {_INSTALL}",
        )


try:
    import pinocchio as pin

    _check_kind(pin)
    import eigenpy  # Pinocchio's own binding of Eigen, always installed with it
except MissingDependencyError:
    raise
except Exception as error:  # a broken install raises more than ImportError
    reason = " ".join(f"{type(error).__name__}: {error}".split())
    raise MissingDependencyError(
        "Pinocchio", "ik_solver_ros", f"{_INSTALL} (importing it failed with: {reason})"
    ) from error

__all__ = ["eigenpy", "pin"]
