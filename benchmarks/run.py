#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures this package against other solvers and writes the page about it.

Run it as `make bench`, which prepares a venv with the other solvers in it.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

# Linear algebra libraries start their threads when they are imported.
for library in ("OMP", "OPENBLAS", "MKL"):
    os.environ[f"{library}_NUM_THREADS"] = "1"
# The robots and the judge are those of the tests.
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "test"))

if __name__ == "__main__":
    from command import main

    main()
