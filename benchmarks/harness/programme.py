# SPDX-License-Identifier: Apache-2.0
"""The runs: which peers are asked what, and what is kept of it. Everything returned is JSON."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any

import numpy as np
from peers.base import Peer
from peers.ours import FullSolve

from . import target_sets, unreachable
from .arm import Arm
from .contest import contest
from .goal import Goal
from .oracle import Oracle
from .singular import KINDS
from .summary import labels, summary, verdict_of
from .target_sets import TargetSet

_SEED = 2024
_MOST_SINGULAR = 2_000  # they take long to make
_WAITED_FOR = 50  # targets without an answer that solvers spend their whole time limit on
PeerTypes = Sequence[type[Peer]]


def trac_ik_protocol(peer_types: PeerTypes, arms: Iterable[Arm], n: int, goal: Goal) -> Any:
    """Return what every solver makes of reachable poses asked from the middle, by arm."""
    results = {}
    for arm in arms:
        say(f"TRAC-IK protocol: {arm.name}")
        peers, refused = open_peers(peer_types, arm, goal)
        solvers = compare(peers, target_sets.cold(arm, n, _SEED), goal)
        results[arm.name] = {
            "joints": len(arm.joint_names),
            "solvers": solvers,
            "refused": refused,
        }
    return results


def other_sets(peer_types: PeerTypes, arms: Iterable[Arm], n: int, goal: Goal) -> Any:
    """Return what every solver makes of each kind of target, by arm and kind."""
    results: dict[str, Any] = {}
    for arm in arms:
        peers, refused = open_peers(peer_types, arm, goal)
        sets = {}
        for name, make in sets_of(arm).items():
            say(f"sets: {arm.name}, {name}")
            sets[name] = compare(peers, make(n), goal)
        results[arm.name] = {"sets": sets, "refused": refused}
    return results


def without_answer(
    peer_types: PeerTypes, arms: Iterable[Arm], n: int, starts: int, goal: Goal
) -> Any:
    """Return what every solver says to targets that have no answer, by arm and kind."""
    results: dict[str, Any] = {}
    for arm in arms:
        peers, _ = open_peers(peer_types, arm, goal)
        ours = [peer for peer in peers if peer.ours]
        others = [peer for peer in peers if not peer.ours]
        oracle = Oracle(arm, goal.for_every_reading(), starts)
        rng = np.random.default_rng(_SEED)
        results[arm.name] = {}
        for kind in unreachable.kinds_for(arm):
            say(f"no answer: {arm.name}, {kind}")
            T_base_tip, truth = unreachable.unreachable_targets(arm, kind, n, oracle, rng)
            questions = target_sets.from_the_middle(arm, T_base_tip)
            solvers = compare(others, questions.first(_WAITED_FOR), goal)
            for peer, record in zip(ours, contest(ours, questions)):
                solvers[peer.name] = summary(record, questions, goal.for_every_reading())
                if any(record.labels):
                    solvers[peer.name]["labels"] = labels(record, truth)
            results[arm.name][kind] = {"truth": dict(Counter(truth)), "solvers": solvers}
    return results


def solve_rates(arms: Iterable[Arm], n: int, goal: Goal) -> Any:
    """Return how many of n targets `IKSolver.solve` solves, strictly judged, by arm and kind."""
    results: dict[str, Any] = {}
    for arm in arms:
        say(f"solve rates: {arm.name}")
        solver = FullSolve(arm, goal)
        results[arm.name] = {"joints": len(arm.joint_names)}
        for name, make in sets_of(arm).items():
            questions = make(n)
            (record,) = contest([solver], questions)
            solved = verdict_of(record, questions, goal).solved
            missed = Counter(record.labels[i] for i in np.flatnonzero(~solved))
            results[arm.name][name] = {
                "n": len(solved),
                "solved": int(solved.sum()),
                "missed": dict(missed),
            }
    return results


def sets_of(arm: Arm) -> dict[str, Callable[[int], TargetSet]]:
    """Return the ways to make n reachable targets for the arm, by name."""
    sets: dict[str, Callable[[int], TargetSet]] = {
        "cold": lambda n: target_sets.cold(arm, n, _SEED),
        "tracking": lambda n: target_sets.tracking(arm, n, _SEED),
        "near a limit": lambda n: target_sets.near_limit(arm, n, _SEED),
    }
    for kind in KINDS.get(arm.name, ()):
        sets[f"{kind} singular"] = partial(_some_singular, arm, kind)
    return sets


def _some_singular(arm: Arm, kind: str, n: int) -> TargetSet:
    return target_sets.singular(arm, kind, min(n, _MOST_SINGULAR), _SEED)


def open_peers(peer_types: PeerTypes, arm: Arm, goal: Goal) -> tuple[list[Peer], dict[str, str]]:
    """Return the solvers that take the arm, and why the others do not."""
    peers: list[Peer] = []
    refused: dict[str, str] = {}
    for peer_type in peer_types:
        opened = _opened(peer_type, arm, goal)
        if isinstance(opened, Peer):
            peers.append(opened)
        else:
            refused[peer_type.name] = opened
    return peers, refused


def _opened(peer_type: type[Peer], arm: Arm, goal: Goal) -> Peer | str:
    if reason := peer_type.why_not(arm):
        return reason
    try:
        return peer_type(arm, goal)
    except Exception as error:  # noqa: BLE001 - whatever a solver raises, it refuses the arm
        return f"{error}".partition("\n")[0]


def compare(peers: Sequence[Peer], questions: TargetSet, goal: Goal) -> dict[str, Any]:
    """Return the summary of each solver by name."""
    records = contest(peers, questions)
    lenient = goal.for_every_reading()
    return {peer.name: summary(record, questions, lenient) for peer, record in zip(peers, records)}


def say(line: str) -> None:
    """Tell the person who waits what is being done."""
    print(line, file=sys.stderr, flush=True)
