# SPDX-License-Identifier: Apache-2.0
"""Builds the C++ kernel for `pip install .`; everything else stands in pyproject.toml.

colcon does not read this file: for it the package is an ament_cmake package.
"""

import shutil
from glob import glob
from pathlib import Path

from pybind11.setup_helpers import Pybind11Extension
from setuptools import setup
from setuptools.command.build_ext import build_ext


class BuildKernel(build_ext):
    """Builds the kernel where a compiler is at hand, and says so where not."""

    def run(self) -> None:
        """Build, then report whether the kernel is there."""
        super().run()
        for extension in self.extensions:
            if not Path(self.get_ext_fullpath(extension.name)).exists():
                self.warn(
                    "the C++ kernel was not built (see the compiler's message above): "
                    "ik_solver_ros works without it, with the slower `reference` solver"
                )


def kernel_extensions() -> list[Pybind11Extension]:
    """The kernel, if this source tree has one."""
    if not Path("src/kernel/bindings.cpp").exists():
        return []
    kernel = Pybind11Extension(
        "ik_solver_ros._kernel",
        sorted(glob("src/kernel/*.cpp")),
        depends=sorted(glob("src/kernel/*.hpp")),
        cxx_std=17,
        extra_compile_args=["-O3"],
    )
    kernel.optional = True  # a failed compilation is reported and does not end the installation
    return [kernel]


# setuptools would pack what an earlier version of the sources left there.
shutil.rmtree(".pip-build", ignore_errors=True)

setup(
    ext_modules=kernel_extensions(),
    cmdclass={"build_ext": BuildKernel},
    # The same places as in a colcon install, so that both are found in one way.
    data_files=[
        ("share/ament_index/resource_index/packages", ["resource/ik_solver_ros"]),
        ("share/ik_solver_ros", ["package.xml"]),
        ("share/ik_solver_ros/urdf", sorted(glob("urdf/*.urdf"))),
    ],
)
