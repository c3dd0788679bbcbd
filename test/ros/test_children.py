# SPDX-License-Identifier: Apache-2.0
"""Processes of ours end when the block is left, also when one of them cannot start."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from ik_solver_ros.ros import children
from ik_solver_ros.ros.children import Children

SLEEPER = [sys.executable, "-c", "import signal; signal.pause()"]
BRIEF = [sys.executable, "-c", "pass"]


@pytest.fixture
def started(monkeypatch):
    """Every process that was started, in order."""
    found = []
    original = children.subprocess.Popen

    class Recorded(original):
        def __init__(self, *args, **options):
            super().__init__(*args, **options)
            found.append(self)

    monkeypatch.setattr(children.subprocess, "Popen", Recorded)
    yield found
    for process in found:
        if process.poll() is None:
            process.kill()
            process.wait()


def test_all_end_when_the_block_is_left(started):
    with Children([SLEEPER, SLEEPER]) as running:
        assert running.all_run()
        assert running.ended() == ""
    assert len(started) == 2
    assert all(process.poll() is not None for process in started)


def test_the_one_that_has_ended_is_named(started):
    with Children([SLEEPER, BRIEF]) as running:
        started[1].wait(10.0)
        assert not running.all_run()
        assert running.ended() == Path(sys.executable).name


def test_when_one_cannot_start_none_is_left_behind(started):
    with pytest.raises(FileNotFoundError):
        Children([SLEEPER, ["/no/such/executable"]])
    assert len(started) == 1
    assert started[0].poll() is not None
