# SPDX-License-Identifier: Apache-2.0
"""Numbers that say what a record is worth: plain values, ready for JSON."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from .contest import Record
from .goal import Goal
from .judge import Verdict, judge
from .target_sets import TargetSet

#: Points of the distribution of times that the page shows, in percent.
PERCENTILES = (1, 25, 50, 75, 95, 99)


def verdict_of(record: Record, questions: TargetSet, goal: Goal) -> Verdict:
    """Judge a record by its own part of the questions."""
    n = len(record.answers)
    return judge(questions.arm, questions.T_base_tip[:n], questions.seeds[:n], record.answers, goal)


def summary(record: Record, questions: TargetSet, goal: Goal) -> dict[str, Any]:
    """Return times in seconds, rates in parts of one, and jumps in rad or m."""
    verdict = verdict_of(record, questions, goal)
    seconds = np.array(record.seconds)
    percentiles_s = np.percentile(seconds, PERCENTILES).tolist()
    in_time = verdict.solved & (seconds <= goal.time_limit_s)
    return {
        "n": len(seconds),
        "median_s": float(np.median(seconds)),
        "mean_s": float(seconds.mean()),
        "percentiles_s": dict(zip(map(str, PERCENTILES), percentiles_s)),
        "solved": float(verdict.solved.mean()),
        "solved_in_time": float(in_time.mean()),
        "false_success": float(verdict.false_success.mean()),
        "outside": float(verdict.outside.mean()),
        "mean_jump": float(verdict.jump[verdict.solved].mean()) if verdict.solved.any() else None,
        "errors": record.errors,
    }


def labels(record: Record, truth: list[str]) -> dict[str, Any]:
    """Return how often the reason for a failure was the true one, and what was said instead."""
    said = Counter(
        f"{true} called {label}" for label, true in zip(record.labels, truth) if label != true
    )
    right = sum(label == true for label, true in zip(record.labels, truth))
    return {"right": right / len(truth), "wrong": dict(said)}
