# SPDX-License-Identifier: Apache-2.0
"""What measures latency counts what it says it counts, and its run ends with a section."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

from support.robots import REPOSITORY

sys.path.insert(0, str(REPOSITORY / "reliability"))

from latency.stream import lateness
from report import latency as section

RATE_HZ = 100.0
DUE_S = 3.21 + np.arange(1000) / RATE_HZ


def test_who_is_punctual_is_not_late():
    found = lateness(DUE_S.tolist(), RATE_HZ)
    assert (found["due"], found["late"]) == (1000, 0.0)
    assert found["p99_s"] == pytest.approx(0.0, abs=1e-9)


def test_a_command_that_is_less_than_three_quarters_of_a_period_behind_is_not_late():
    times_s = DUE_S.copy()
    times_s[500] += 0.7 / RATE_HZ
    found = lateness(times_s.tolist(), RATE_HZ)
    assert (found["due"], found["late"]) == (1000, 0.0)


@pytest.mark.parametrize("missing", [1, 7])
def test_commands_that_never_come_are_late(missing):
    jitter_s = np.random.default_rng(5).uniform(-1e-3, 1e-3, len(DUE_S))
    times_s = np.delete(DUE_S + jitter_s, slice(400, 400 + missing))
    found = lateness(times_s.tolist(), RATE_HZ)
    assert found["due"] == 1000
    assert found["late"] == pytest.approx(missing / 1000)
    assert found["p99_s"] < 1.1e-3


def test_how_far_the_others_are_from_their_due_times():
    jitter_s = np.random.default_rng(3).uniform(-1e-3, 1e-3, len(DUE_S))
    found = lateness((DUE_S + jitter_s).tolist(), RATE_HZ)
    assert found["late"] == 0.0
    assert found["median_s"] == pytest.approx(0.5e-3, rel=0.1)
    assert found["p99_s"] == pytest.approx(1e-3, rel=0.1)


def measured(ours_s, late):
    times = {"median": 1e-3, "p90": 1e-3, "p99": 2e-3}
    ours = {"median": ours_s, "p90": ours_s, "p99": 2.0 * ours_s}
    stream = {"due": 10, "late": late, "median_s": 1e-4, "p99_s": 1e-3}
    return {
        "single": {
            "calls": 3,
            "joint_state_rate_hz": 100.0,
            "ik_solver": ours,
            "echo": times,
            "solving": times,
        },
        "batch": {
            "calls": 2,
            "targets": 1000,
            "ik_solver": 3.1 * ours_s,
            "echo": 1e-3,
            "library": 2e-3,
            "kernel": 1e-3,
        },
        "stream": {
            "rate_hz": 500.0,
            "duration_s": 1.0,
            "target_rate_hz": 100.0,
            "sent": stream,
            "heard": stream,
        },
    }


@pytest.mark.parametrize(("ours_s", "late", "is_met"), [(0.9e-3, 0.0, True), (1.4e-3, 0.02, False)])
def test_the_section_says_whether_the_goals_are_met(ours_s, late, is_met):
    data = measured(ours_s, late)
    assert all((value <= bound) == is_met for value, bound in section.goals(data).values())
    assert ("**no**" in section.render(data)) != is_met


def test_the_run_prints_its_section():
    program = REPOSITORY / "reliability" / "run_latency.py"
    few = ["--calls=100", "--batches=5", "--rate=50", "--seconds=1", "--print-only"]
    run = subprocess.run(
        [sys.executable, program, *few], capture_output=True, text=True, timeout=120, check=False
    )
    assert run.returncode == 0, run.stderr
    assert "round trip ÷ echo, median" in run.stdout
    assert "nan" not in run.stdout
