# SPDX-License-Identifier: Apache-2.0
"""Sessions for the tests of the viewer."""

from __future__ import annotations

import pytest

from support.viewing import session_of


@pytest.fixture
def demo():
    """A session with the demo arm."""
    return session_of("demo_arm")


@pytest.fixture
def panda():
    """A session with a redundant arm."""
    return session_of("panda")
