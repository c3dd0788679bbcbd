# SPDX-License-Identifier: Apache-2.0
"""A ROS domain for each test of `ik call`."""

from __future__ import annotations

import pytest

from support.ros_harness import own_domain


@pytest.fixture(scope="module")
def domain():
    with own_domain() as number:
        yield number
