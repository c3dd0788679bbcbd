#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures latency beside an echo, prints it, and writes the section of docs/reliability.md.

Run it as `make latency`, on a machine that does nothing else; where there is no such machine,
`make latency ARGS=--realtime` (as root) does not wait for others, but shares their caches still.
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

# The robot and the processes are those of the tests; their checks of each field are not.
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "test"))
os.environ.pop("ROS_PYTHON_CHECK_FIELDS", None)


def main() -> None:
    """Measure, print, and keep it."""
    # Imported late: messages look at the environment when they are imported.
    from latency import batch, single, stream
    from report import latency
    from report.page import write_section

    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--calls", type=int, default=5000, help="calls of each service")
    parser.add_argument("--batches", type=int, default=50, help="batches of each service")
    parser.add_argument("--rate", type=float, default=500.0, help="commands a second of a stream")
    parser.add_argument("--seconds", type=float, default=10.0, help="length of the stream")
    parser.add_argument("--print-only", action="store_true", help="leave the page as it is")
    parser.add_argument("--realtime", action="store_true", help="run before everybody else")
    options = parser.parse_args()
    if options.realtime:
        os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(1))  # and all that is started here
    data = {
        "single": single.measure(options.calls),
        "batch": batch.measure(options.batches),
        "stream": stream.measure(options.rate, options.seconds),
    }
    print(latency.render(data))
    if not options.print_only:
        arguments = " ".join(sys.argv[1:])
        command = f"make latency ARGS='{arguments}'" if arguments else "make latency"
        print(f"written to {write_section('latency', command, data)}")


if __name__ == "__main__":
    main()
