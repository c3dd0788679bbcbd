# SPDX-License-Identifier: Apache-2.0
"""What all tests share."""

from __future__ import annotations

import signal

import pytest


@pytest.fixture(scope="session", autouse=True)
def _processes_hear_ctrl_c():
    """Background jobs of a script ignore SIGINT, and so would what the tests start from there."""
    before = signal.getsignal(signal.SIGINT)
    if before is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)
