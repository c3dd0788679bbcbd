# SPDX-License-Identifier: Apache-2.0
"""Draws docs/pictures/viewer.png: the viewer in a browser, solved with its ghosts, and red.

Needs Chromium (`apt-get install chromium`); `make pictures` calls this.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

REPOSITORY = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(REPOSITORY / "test"))

from ik_solver_ros.viewer.scene import Tone  # noqa: E402
from support.browser import client_of, page_at  # noqa: E402
from support.viewing import session_of, viewer_of  # noqa: E402

PICTURE = Path(__file__).with_name("viewer.png")
WIDTH, HEIGHT = 1180, 720
PANEL = 335  # px, at the right
LEFT = 385  # px, where the arm of the second picture begins
REACHED = {"joint_1": 0.54, "joint_2": 0.12, "joint_3": -0.6, "joint_4": -0.05, "joint_5": -0.44}
BEYOND = {"joint_1": 0.5, "joint_2": 0.8, "joint_3": -0.9, "joint_5": 1.0}  # its limit is 0.61


def main() -> None:
    """Open the viewer, bring it into two states, and put their pictures side by side."""
    session = session_of("demo_arm")
    viewer = viewer_of(session, "demo_arm", port=8500)
    arm = session.kinematics
    try:
        with page_at(viewer.address, WIDTH, HEIGHT) as page:
            client = client_of(viewer.server, viewer.framing.camera_m)
            # Software rendering is said at length where there is no graphics card.
            page.add_style_tag(content=".mantine-Notifications-root{display:none}")

            def shown(wish: Callable[[], None], tone: Tone) -> Image.Image:
                viewer.worker.post(wish)
                if not viewer.wait_for(lambda view: view.tone is tone, 30.0):
                    raise RuntimeError(f"not {tone.name}: {viewer.view.message}")
                viewer.server.flush()
                client.get_render(90, 160, timeout=60.0)  # everything has arrived by then
                return Image.open(io.BytesIO(page.screenshot())).convert("RGB")

            T_base_target = arm.tool_pose({**session.start, **REACHED})
            page.get_by_role("checkbox").first.click()  # all branches
            if not viewer.wait_for(lambda view: view.branches > 0, 30.0):
                raise RuntimeError("the branches are not shown")
            solved = shown(lambda: _solve(session, T_base_target), Tone.SOLVED)
            T_base_beyond = arm.tool_pose({**session.start, **BEYOND})
            failed = shown(lambda: session.move_target(T_base_beyond), Tone.FAILED)
            said_px = page.get_by_text("go to").bounding_box()["y"] - 4
        _side_by_side(solved, failed, round(said_px)).save(PICTURE, optimize=True)
    finally:
        viewer.close()
    size_kb = PICTURE.stat().st_size / 1e3
    print(f"{PICTURE.relative_to(REPOSITORY)}: {size_kb:.0f} kB")


def _solve(session: Any, T_base_target: Any) -> None:
    session.move_target(T_base_target)
    session.trace.clear()


def _side_by_side(solved: Image.Image, failed: Image.Image, said_px: int) -> Image.Image:
    """The whole page, and beside it the other state below what is said about it."""
    width = PANEL + 120
    picture = Image.new("RGB", (solved.width + width, solved.height), "white")
    picture.paste(solved, (0, 0))
    picture.paste(failed.crop((LEFT, 0, LEFT + width, failed.height)), (solved.width, 0))
    said = failed.crop((WIDTH - PANEL, 0, WIDTH, said_px))
    picture.paste(said, (solved.width + 60, 0))
    pixels = np.array(picture)
    pixels[:, solved.width] = 200
    return Image.fromarray(pixels).quantize(256, dither=Image.Dither.NONE)


if __name__ == "__main__":
    main()
