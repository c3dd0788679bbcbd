#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Keeps the node busy with everything at once and writes the section of docs/reliability.md.

Run it as `make soak`, or `make soak MINUTES=60`.
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

_SAMPLES = 300


def main() -> int:
    """Soak, print, and keep it; returns 1 if something was wrong."""
    # Imported late: messages look at the environment when they are imported.
    from load.soak import soak as soaked
    from report import soak
    from report.page import write_section

    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--minutes", type=float, default=10.0, help="how long")
    parser.add_argument("--print-only", action="store_true", help="leave the page as it is")
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, _stop)  # so that the processes end, too
    with tempfile.TemporaryDirectory() as folder:
        data = soaked(Path(folder), 60.0 * options.minutes, _SAMPLES)
    print(soak.render(data))
    if not options.print_only:
        command = f"make soak MINUTES={options.minutes:g}"
        print(f"written to {write_section('soak', command, data)}")
    return 1 if data["faults"] else 0


def _stop(*_: Any) -> None:
    raise SystemExit(1)


if __name__ == "__main__":
    sys.exit(main())
