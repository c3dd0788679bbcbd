# SPDX-License-Identifier: Apache-2.0
"""Stand-in for launch_ros.substitutions."""

from __future__ import annotations

from ament_index_python.packages import get_package_share_directory
from launch import LaunchContext
from launch.substitutions import Substitution


class FindPackageShare(Substitution):
    """The share folder of a package, looked up at launch time."""

    def __init__(self, package: str) -> None:
        self._package = package

    def perform(self, context: LaunchContext) -> str:
        return get_package_share_directory(self._package)
