# SPDX-License-Identifier: Apache-2.0
"""The tool's way: short steps are joined, leaps are not, the oldest is forgotten."""

from __future__ import annotations

import numpy as np

from ik_solver_ros.viewer.trace import Trace


def test_steps_are_joined_and_leaps_are_not():
    trace = Trace(1.0)
    for x in (0.0, 0.05, 0.0501, 0.1, 5.0, 5.05):
        trace.add([x, 0.0, 0.0])
    pieces = trace.pieces()
    assert pieces[:, :, 0].tolist() == [[0.0, 0.05], [0.05, 0.1], [5.0, 5.05]]
    trace.clear()
    trace.add([5.1, 0.0, 0.0])
    assert trace.pieces().shape == (0, 2, 3)


def test_it_does_not_grow_for_ever():
    trace = Trace(1.0)
    for i in range(5000):
        trace.add([0.01 * i, 0.0, 0.0])
    assert len(trace.pieces()) < 1000
    np.testing.assert_allclose(trace.pieces()[-1, 1], [49.99, 0.0, 0.0])
