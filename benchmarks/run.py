#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures this package against other solvers and writes the page about it.

Run it as `make bench`, which prepares a venv with the other solvers in it.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from dataclasses import asdict
from pathlib import Path
from typing import Any

# Linear algebra libraries start their threads when they are imported.
for library in ("OMP", "OPENBLAS", "MKL"):
    os.environ[f"{library}_NUM_THREADS"] = "1"

ROOT = Path(__file__).resolve().parents[1]
QUICK = ROOT / ".bench", ROOT / ".bench"  # a quick look does not replace what is on record
sys.path.insert(0, str(ROOT / "test"))  # the robots and the judge that the tests use

from harness import machine, plan, programme  # noqa: E402
from harness.batch import batch_rates  # noqa: E402
from harness.certificate import certificate  # noqa: E402
from harness.contest import BLOCK  # noqa: E402
from harness.startup import startup  # noqa: E402
from page import sections  # noqa: E402
from page.figure import draw  # noqa: E402
from page.page import page  # noqa: E402
from page.results import rounded_json  # noqa: E402
from peers import find_peers  # noqa: E402


def measure(sizes: plan.Sizes, command: str) -> dict[str, Any]:
    """Return everything that the page shows."""
    cores = os.cpu_count() or 1
    machine.pin_to_one_core()
    peers, absent = find_peers()
    results = {
        "command": command,
        "sizes": asdict(sizes),
        "block": BLOCK,
        "machine": machine.description(cores),
        "peers": machine.peers_description(peers),
        "absent": absent,
    }
    # The short ones first: what goes wrong shows before the long ones are waited for.
    runs = {
        "startup": lambda: startup(plan.batch_arms()[0], sizes.repetitions),
        "certificate": lambda: certificate(plan.batch_arms()[0], 1_000, plan.SETS_GOAL),
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
    for name, run in runs.items():
        started_s = time.perf_counter()
        results[name] = run()
        programme.say(f"{name}: {time.perf_counter() - started_s:.0f} s")
    return results


def write(results: dict[str, Any], page_folder: Path, results_folder: Path) -> None:
    """Write the page with its figure, and the numbers."""
    for folder in (page_folder, results_folder):
        folder.mkdir(parents=True, exist_ok=True)
    (results_folder / "results.json").write_text(rounded_json(results), encoding="utf-8")
    draw(results, page_folder / "benchmarks.svg")
    text = page(results, "benchmarks.svg")
    (page_folder / "benchmarks.md").write_text(text, encoding="utf-8")


def main() -> None:
    """Measure, or read what was measured before, and write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--full", action="store_true", help="for the record: about an hour")
    parser.add_argument("--page-only", action="store_true", help="draw the last results again")
    options = parser.parse_args()
    page_folder, results_folder = (ROOT / "docs", ROOT / "benchmarks") if options.full else QUICK
    if options.page_only:
        results = json.loads((results_folder / "results.json").read_text(encoding="utf-8"))
    elif options.full:
        results = measure(plan.FULL, "make bench FULL=1")
    else:
        results = measure(plan.QUICK, "make bench")
    write(results, page_folder, results_folder)
    print(sections.overview(results))
    print()
    print(sections.goals(results))
    print(f"\nAll tables: {page_folder.relative_to(ROOT)}/benchmarks.md")


if __name__ == "__main__":
    main()
