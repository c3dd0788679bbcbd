# SPDX-License-Identifier: Apache-2.0
"""Names what an installed ROS 2 lacks for this package, with the command that installs it.

Arguments: names of further requirement lists (dev, robots) that are about to be used.
"""

import importlib.util
import os
import re
import shutil
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
ROSDEP = "rosdep install --from-paths . --ignore-src -y"
# Where the name to import or to run differs from the name of the distribution.
MODULES = {
    "example-robot-data": "example_robot_data",
    "mkdocs-material": "material",
    "mkdocstrings-python": "mkdocstrings_handlers",
    "rtb-data": "rtbdata",
}
COMMANDS = {"clang-format", "mypy", "pytest", "ruff", "xacro"}


def missing_from_ros() -> list[str]:
    """What the build and the node need and rosdep installs."""
    modules = {"pinocchio": "Pinocchio", "numpy": "NumPy", "ament_package": "ament_cmake"}
    missing = [name for module, name in modules.items() if not importlib.util.find_spec(module)]
    return missing + [tool for tool in ("cmake", "c++") if not shutil.which(tool)]


def missing_from_list(name: str) -> list[str]:
    """The packages of requirements/NAME.txt that are not here; versions are left to the user."""
    lines = (ROOT / "requirements" / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    packages = [re.split(r"[\[=;]", line)[0] for line in lines if line and not line.startswith("#")]
    return [package for package in packages if not is_here(package)]


def is_here(package: str) -> bool:
    """Whether the command or the module that the package brings is found."""
    if package in COMMANDS:
        return shutil.which(package) is not None
    return importlib.util.find_spec(MODULES.get(package, package)) is not None


def main() -> None:
    """Check, in the order in which the lacks would hurt.

    Raises:
        SystemExit: Something is missing.
    """
    distro = os.environ["ROS_DISTRO"]
    if missing := missing_from_ros():
        raise SystemExit(
            f"ik_solver_ros: beside ROS 2 {distro}, {', '.join(missing)} is missing; "
            f"install with: {ROSDEP}"
        )
    if not shutil.which("colcon"):
        raise SystemExit(
            "ik_solver_ros: colcon is missing; install with: sudo apt-get install "
            "python3-colcon-common-extensions"
        )
    for name in sys.argv[1:]:
        if missing := missing_from_list(name):
            raise SystemExit(
                f"ik_solver_ros: {', '.join(missing)} is missing for this; install with: "
                "python3 -m venv --system-site-packages venv-on-ros && "
                ". venv-on-ros/bin/activate && "
                f"python3 -m pip install -r requirements/{name}.txt"
            )


if __name__ == "__main__":
    main()
