# SPDX-License-Identifier: Apache-2.0
"""Makes the ROS wheels' CMake files name this machine's headers.

The files carry two paths of the machine that built the wheels: the headers of Python and those of
NumPy. Run it with the Python of the venv that holds the wheels; running it again changes nothing.
"""

import re
import sys
import sysconfig
from pathlib import Path

import numpy as np

BUILD_PYTHON = r"/opt/python/cp3\d+-cp3\d+"
REPAIRS = {
    BUILD_PYTHON + r"/lib/python3\.\d+/site-packages/numpy/_core/include": np.get_include(),
    BUILD_PYTHON + r"/include/python3\.\d+": sysconfig.get_paths()["include"],
}


def repaired(text: str) -> str:
    """The text with every path of the build machine replaced."""
    for pattern, here in REPAIRS.items():
        for there in set(re.findall(pattern, text)):
            text = text.replace(there, here)
    return text


def main() -> None:
    """Repair every CMake file of the venv.

    Raises:
        SystemExit: A file still names the build machine: a newer wheel has a path we do not know.
    """
    for folder in ("share", "lib/cmake"):
        for file in sorted(Path(sys.prefix, folder).rglob("*.cmake")):
            text = file.read_text(encoding="utf-8")
            if not re.search(BUILD_PYTHON, text):
                continue
            text = repaired(text)
            if re.search(BUILD_PYTHON, text):
                raise SystemExit(f"ik_solver_ros: {file} has an unknown path of another machine")
            file.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
