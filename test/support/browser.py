# SPDX-License-Identifier: Apache-2.0
"""A real browser without a screen: Debian's Chromium, driven by Playwright."""

from __future__ import annotations

import contextlib
import shutil
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

NAMES = ("chromium", "chromium-browser", "google-chrome")
FLAGS = (
    "--no-sandbox", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--use-gl=angle", "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
)  # fmt: skip
DEADLINE_S = 30.0


def chromium() -> str | None:
    """Path of a Chromium; None where there is none."""
    return next((path for name in NAMES if (path := shutil.which(name))), None)


@contextlib.contextmanager
def page_at(address: str, width: int = 1280, height: int = 800) -> Iterator[Any]:
    """A page of a fresh browser; needs 1000 x 600, or viser's panel covers the robot."""
    from playwright.sync_api import sync_playwright

    executable = chromium()
    if executable is None:
        raise FileNotFoundError("no chromium: apt-get install chromium")
    with tempfile.TemporaryDirectory() as user_data, sync_playwright() as playwright:
        context = playwright.chromium.launch_persistent_context(
            str(Path(user_data) / "profile"),
            executable_path=executable,
            headless=True,
            args=list(FLAGS),
            viewport={"width": width, "height": height},
            timeout=DEADLINE_S * 1e3,
        )
        try:
            page = context.pages[0]
            page.goto(address, timeout=DEADLINE_S * 1e3)
            yield page
        finally:
            context.close()


def wait_until(condition: Callable[[], bool], what: str, timeout_s: float = DEADLINE_S) -> None:
    """Poll a condition; raises TimeoutError with ``what`` was waited for."""
    deadline_s = time.monotonic() + timeout_s
    pause = threading.Event()
    while not condition():
        if time.monotonic() > deadline_s:
            raise TimeoutError(f"waited {timeout_s:g} s in vain: {what}")
        pause.wait(0.02)


def client_of(server: Any, camera_m: Any) -> Any:
    """The browser's handle at a viser server, as soon as its camera is where it was told to be."""

    def is_there() -> bool:
        clients = list(server.get_clients().values())
        if len(clients) != 1 or clients[0].camera.image_width == 0:
            return False
        return bool(abs(clients[0].camera.position - camera_m).max() < 1e-3)

    wait_until(is_there, "the browser shows the scene")
    return next(iter(server.get_clients().values()))
