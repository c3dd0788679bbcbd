#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Abuses the node with random messages and writes the section of docs/reliability.md.

Run it as `make abuse`. A message that did harm is sent again by its number, with what came before
it as far as that matters: `make abuse ARGS="--first 1200 --messages 35"`.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
import tempfile
from pathlib import Path
from typing import Any

# The robots, the processes and the judge are those of the tests.
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "test"))
os.environ["ROS_PYTHON_CHECK_FIELDS"] = "1"


def main() -> int:
    """Abuse, print, and keep it; returns 1 if something was wrong."""
    # Imported late: messages look at the environment when they are imported.
    from abuse.trial import trial
    from report import abuse
    from report.page import write_section

    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--messages", type=int, default=20_000, help="how many")
    parser.add_argument("--seed", type=int, default=1, help="another seed, other messages")
    parser.add_argument("--first", type=int, default=0, help="number of the first message")
    parser.add_argument("--print-only", action="store_true", help="leave the page as it is")
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, _stop)  # so that the node ends, too
    with tempfile.TemporaryDirectory() as folder:
        data = trial(
            Path(folder), options.seed, options.first, options.messages, block=500, say=print
        )
    print(abuse.render(data))
    if not (options.print_only or options.first):
        print(f"written to {write_section('abuse', 'make abuse', data)}")
    return 1 if data["faults"] else 0


def _stop(*_: Any) -> None:
    raise SystemExit(1)


if __name__ == "__main__":
    sys.exit(main())
