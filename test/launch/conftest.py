# SPDX-License-Identifier: Apache-2.0
"""The launch file is run by the stand-in and, where it is installed, by ROS's own launch too."""

from __future__ import annotations

import pytest

from support.launch_runs import LaunchRunner, ros2_launch_is_installed

SYSTEMS = ["stand_in", "ros2_launch"] if ros2_launch_is_installed() else ["stand_in"]


@pytest.fixture(params=SYSTEMS)
def real(request):
    """Whether to run ROS's own launch."""
    return request.param == "ros2_launch"


@pytest.fixture
def runner(real, tmp_path):
    return LaunchRunner(tmp_path, real)
