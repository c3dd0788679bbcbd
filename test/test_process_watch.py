# SPDX-License-Identifier: Apache-2.0
"""A leak is told from the noise of a process that is well."""

from __future__ import annotations

import os
import sys

import numpy as np
import pytest

from support.robots import REPOSITORY

sys.path.insert(0, str(REPOSITORY / "reliability"))

from process_watch import Sample, growth, leaks, look_at, resources

N = 100
NOISE_MB = np.random.default_rng(1).normal(0.0, 1.0, N)


def samples(memory_mb, files=20, threads=21):
    return [
        Sample(float(mb), int(f), int(t), 0.0)
        for mb, f, t in zip(memory_mb, np.broadcast_to(files, N), np.broadcast_to(threads, N))
    ]


@pytest.mark.parametrize(
    "memory_mb",
    [
        150.0 + NOISE_MB,
        np.where(np.arange(N) < 15, 100.0, 150.0) + NOISE_MB,  # warm-up
        150.0 + NOISE_MB + 80.0 * (np.arange(N) % 17 == 0),  # a large request now and then
        150.0 - 0.2 * np.arange(N) + NOISE_MB,
        np.full(N, 150.0),
    ],
)
def test_a_process_that_is_well_does_not_leak(memory_mb):
    assert leaks(samples(memory_mb)) == []


@pytest.mark.parametrize("rate_mb", [0.08, 1.0])
def test_a_leak_of_memory_is_found_in_the_noise(rate_mb):
    (fault,) = leaks(samples(150.0 + rate_mb * np.arange(N) + NOISE_MB))
    assert "MB of memory" in fault


def test_files_and_threads_that_are_never_given_back_are_found():
    more = 20 + np.arange(N) // 10
    (fault,) = leaks(samples(150.0 + NOISE_MB, files=more))
    assert "open files" in fault
    (fault,) = leaks(samples(150.0 + NOISE_MB, threads=more))
    assert "threads" in fault


def test_a_steady_growth_is_measured():
    grown = growth(0.5 * np.arange(N))
    assert grown.most_likely == pytest.approx(0.5 * N)
    assert grown.at_least == pytest.approx(0.5 * N)
    with pytest.raises(ValueError, match="tell nothing"):
        growth([1.0, 2.0])


def test_this_process_is_seen():
    seen = look_at(os.getpid())
    assert 5.0 < seen.memory_mb < 50_000.0
    with open(os.devnull, encoding="utf-8"):
        assert look_at(os.getpid()).files == seen.files + 1
    assert seen.threads >= 1
    assert seen.processor_s > 0.0
    assert resources([seen, seen])["memory_largest_mb"] == seen.memory_mb
