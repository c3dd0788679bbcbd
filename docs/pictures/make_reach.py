# SPDX-License-Identifier: Apache-2.0
"""Makes reach.png: the workspace of the demo arm."""

from __future__ import annotations

import subprocess
from pathlib import Path

here = Path(__file__).resolve().parent
robot, picture = here.parents[1] / "urdf" / "demo_arm.urdf", here / "reach.png"
subprocess.run(["ik", "reach", str(robot), "--picture", str(picture)], check=True)
