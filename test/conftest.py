# SPDX-License-Identifier: Apache-2.0
"""What all tests share: signals reach them and the processes that they start."""

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


@pytest.fixture(scope="session", autouse=True)
def _sigterm_leaves_no_process_behind():
    """`timeout` and CI end a run by SIGTERM, which by default ends Python without any clean-up."""
    before = signal.signal(signal.SIGTERM, _end)
    yield
    signal.signal(signal.SIGTERM, before)


def _end(*_: object) -> None:
    pytest.exit("ended by SIGTERM", returncode=128 + signal.SIGTERM)
