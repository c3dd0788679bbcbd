#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Lets many clients call the node at once and writes the section of docs/reliability.md.

Run it as `make concurrency`.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
import tempfile
from pathlib import Path
from typing import Any

# The robots, the processes and the judge are those of the tests, the checks of each field are not.
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "test"))
os.environ.pop("ROS_PYTHON_CHECK_FIELDS", None)


def main() -> int:
    """Measure, print, and keep it; returns 1 if something was wrong."""
    # Imported late: messages look at the environment when they are imported.
    from load.bystanders import beside_a_large_batch, idle
    from load.concurrency import crowd
    from report import concurrency
    from report.page import write_section

    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--processes", type=int, default=4, help="that hold the clients")
    parser.add_argument("--clients", type=int, default=2, help="in each of them")
    parser.add_argument("--calls", type=int, default=1000, help="of each client")
    parser.add_argument("--rows", type=int, default=100_000, help="of the large batch")
    parser.add_argument("--print-only", action="store_true", help="leave the page as it is")
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, _stop)  # so that the processes end, too
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        data = {
            "crowd": crowd(folder, options.processes, options.clients, options.calls),
            "idle": idle(folder, seconds=10.0),
            "large_batch": beside_a_large_batch(folder, options.rows),
        }
    print(concurrency.render(data))
    if not options.print_only:
        print(f"written to {write_section('concurrency', 'make concurrency', data)}")
    return 1 if data["crowd"]["faults"] else 0


def _stop(*_: Any) -> None:
    raise SystemExit(1)


if __name__ == "__main__":
    sys.exit(main())
