# SPDX-License-Identifier: Apache-2.0
"""The command: what is measured in which order, and where it is written."""

from __future__ import annotations

import argparse
import json
import os
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from harness import machine, plan, programme
from harness.batch import batch_rates
from harness.certificate import certificate
from harness.contest import BLOCK
from harness.startup import startup
from page import comparison, own
from page.figure import draw
from page.page import page
from peers import find_peers
from peers.base import Peer

from support.machine import description

ROOT = Path(__file__).resolve().parents[1]
SCRATCH = ROOT / ".bench"  # measured numbers, and the page of a quick run


def measure(sizes: plan.Sizes, command: str) -> Iterator[dict[str, Any]]:
    """Yield everything that the page shows, part by part, each with all that came before."""
    cores = os.cpu_count() or 1
    machine.pin_to_one_core()
    peers, absent = find_peers()
    results = {
        "command": command,
        "sizes": asdict(sizes),
        "block": BLOCK,
        "machine": description(cores),
        "peers": machine.peers_description(peers),
        "absent": absent,
    }
    for name, run in _parts(peers, sizes).items():
        started_s = time.perf_counter()
        results[name] = run()
        programme.say(f"{name}: {time.perf_counter() - started_s:.0f} s")
        yield results


def _parts(
    peers: Sequence[type[Peer]], sizes: plan.Sizes
) -> dict[str, Callable[[], dict[str, Any]]]:
    """Return what is measured, short parts first: what goes wrong is not waited for."""
    panda = plan.batch_arms()[0]
    return {
        "startup": lambda: startup(panda, sizes.repetitions),
        "certificate": lambda: certificate(panda, 1_000, plan.SETS_GOAL),
        "batch": lambda: batch_rates(
            plan.batch_arms(), sizes.batch, sizes.repetitions, plan.SHARP_GOAL
        ),
        "solve_rates": lambda: programme.solve_rates(
            plan.solve_rate_arms(), sizes.solve_rate, plan.SHARP_GOAL
        ),
        "unreachable": lambda: programme.without_answer(
            peers, plan.unreachable_arms(), sizes.unreachable, sizes.oracle_starts, plan.SETS_GOAL
        ),
        "sets": lambda: programme.other_sets(peers, plan.set_arms(), sizes.sets, plan.SETS_GOAL),
        "protocol": lambda: programme.trac_ik_protocol(
            peers, plan.protocol_arms(), sizes.protocol, plan.PROTOCOL_GOAL
        ),
    }


def write_page(results: dict[str, Any], folder: Path) -> None:
    """Write the page and its figure."""
    folder.mkdir(exist_ok=True)
    draw(results, folder / "benchmarks.svg")
    (folder / "benchmarks.md").write_text(page(results, "benchmarks.svg"), encoding="utf-8")


def main() -> None:
    """Measure, or read what was measured before, and write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--full", action="store_true", help="for the record: about an hour")
    parser.add_argument(
        "--targets", type=int, metavar="N", help="at most so many for each chain and set of peers"
    )
    parser.add_argument("--page-only", action="store_true", help="write the last run's page again")
    options = parser.parse_args()
    SCRATCH.mkdir(exist_ok=True)
    if options.full:
        sizes, command, folder, kept = plan.FULL, "make bench FULL=1", ROOT / "docs", "full.json"
    else:
        sizes, command, folder, kept = plan.QUICK, "make bench", SCRATCH, "quick.json"
    if options.targets:
        sizes = sizes.with_at_most(options.targets)
        command += f' ARGS="--targets {options.targets}"'
    if not options.page_only:
        for results in measure(sizes, command):
            (SCRATCH / kept).write_text(json.dumps(results, indent=1), encoding="utf-8")
    results = json.loads((SCRATCH / kept).read_text(encoding="utf-8"))
    write_page(results, folder)
    print(comparison.overview(results), own.goals(results), sep="\n\n")
    print(f"\nAll tables: {folder.relative_to(ROOT)}/benchmarks.md")
