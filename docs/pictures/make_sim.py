# SPDX-License-Identifier: Apache-2.0
"""Makes sim.png: one run of the simulator with the demo arm."""

from __future__ import annotations

import subprocess
from pathlib import Path

subprocess.run(
    ["ik_sim", "--rounds", "1", "--picture", str(Path(__file__).with_name("sim.png"))], check=True
)
