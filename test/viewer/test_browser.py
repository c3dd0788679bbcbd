# SPDX-License-Identifier: Apache-2.0
"""The viewer as a person meets it: a real browser, a mouse, and what is to be seen then.

Judged by the server's state, by motion along the dragged axis, and by the colour of the pixels.
"""

from __future__ import annotations

import math
import threading

import numpy as np
import pytest

from ik_solver_ros.viewer.scene import Tone
from support.browser import chromium, client_of, page_at, wait_until
from support.viewing import session_of, viewer_of

pytestmark = pytest.mark.skipif(
    chromium() is None, reason="no browser: `apt-get install chromium` brings one"
)

_NEAR_PX, _FAR_PX = 60.0, 400.0
_STEPS = 4  # of the mouse on its way
_TURN_RAD = 0.4


class Desk:
    """A viewer, a browser that shows it, and the hand of its user."""

    def __init__(self, viewer, page):
        self.viewer, self.page = viewer, page
        self.client = client_of(viewer.server, viewer.framing.camera_m)
        self.grabbed = threading.Event()
        viewer.gizmo.on_update(self._note)

    async def _note(self, event):
        if event.phase == "start":
            self.grabbed.set()

    @property
    def view(self):
        return self.viewer.view

    def tool(self):
        return self.view.T_base_tool.translation.copy()

    def reset(self):
        """Everything as in the beginning."""
        self.page.mouse.move(5, 5)
        self.viewer.worker.post(self.viewer.session.go_to_start)
        self.viewer.reset_view()
        home = self.viewer.session.start
        self.see(lambda view: view.positions == home, "the arm is back")
        client_of(self.viewer.server, self.viewer.framing.camera_m)

    def see(self, condition, what):
        assert self.viewer.wait_for(condition, 20.0), f"{what}: no, it says {self.view.message}"

    def pixel(self, point_m):
        """Where a point of the scene is in the page."""
        camera = self.client.camera
        w, x, y, z = camera.wxyz
        T = np.array(
            [
                [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
            ]
        )  # the camera looks along its z axis, its y axis points down
        right, down, ahead = T.T @ (np.asarray(point_m) - camera.position)
        width, height = self.page.viewport_size["width"], self.page.viewport_size["height"]
        scale = 0.5 * height / math.tan(0.5 * camera.fov)
        return np.array([0.5 * width + scale * right / ahead, 0.5 * height + scale * down / ahead])

    def is_scene(self, at):
        """Whether the scene, and no control, is at a place of the page."""
        name = self.page.evaluate("([x, y]) => document.elementFromPoint(x, y)?.tagName", list(at))
        return name == "CANVAS"

    def pull(self, axis, distance_px):
        """Drag an arrow of the handle outwards; returns whether it could be grabbed."""
        T_base_target = self.view.T_base_target
        direction = T_base_target.rotation[:, axis]
        length = self.viewer.gizmo.scale
        start = self.pixel(T_base_target.translation + 0.93 * length * direction)
        outwards = start - self.pixel(T_base_target.translation)
        if np.linalg.norm(outwards) < 20.0 or not self.is_scene(start):
            return False  # it points at the camera, or something is in front of it
        end = start + distance_px * outwards / np.linalg.norm(outwards)
        mouse = self.page.mouse
        self.grabbed.clear()
        mouse.move(*(start - 2.0))
        mouse.move(*start)  # the handle must see the mouse before it is pressed
        mouse.down()
        try:
            if not self.grabbed.wait(3.0):
                return False
            for share in np.linspace(0.0, 1.0, _STEPS + 1)[1:]:
                mouse.move(*(start + share * (end - start)))
        finally:
            mouse.up()
        return True

    def pull_any(self, axes, distance_px):
        """The first of some axes whose arrow can be grabbed, dragged; ends where it must."""
        for axis in axes:
            if self.pull(axis, distance_px):
                return axis
            self.reset()  # a miss turns the camera
        raise AssertionError("no arrow of the handle could be grabbed")

    def colours(self):
        """Shares of the rendered pixels that are green and that are red."""
        image = self.client.get_render(120, 160, timeout=20.0).astype(int)
        r, g, b = image[..., 0], image[..., 1], image[..., 2]
        return (
            float(np.mean((g - r > 25) & (g - b > 12))),
            float(np.mean((r - g > 25) & (r - b > 25))),
        )


@pytest.fixture(scope="module")
def opened():
    viewer = viewer_of(session_of("demo_arm"), "demo_arm")
    # Drawn in software here: what costs most and is not looked at stays away.
    viewer.server.scene.configure_default_lights(cast_shadow=False)
    viewer.floor.visible = False
    try:
        with page_at(viewer.address, width=1100, height=620) as page:
            yield Desk(viewer, page)
    finally:
        viewer.close()


@pytest.fixture
def desk(opened):
    opened.reset()
    return opened


def test_the_arm_follows_the_dragged_tool(desk):
    before = desk.view
    axis = desk.pull_any((0, 2, 1), _NEAR_PX)
    along, start = before.T_base_target.rotation[:, axis], before.T_base_tool.translation
    desk.see(lambda view: along @ (view.T_base_tool.translation - start) > 0.02, "it follows")
    desk.see(lambda view: view.T_base_target == last_target(desk), "it follows to the end")

    way = desk.tool() - start
    assert along @ way > 0.98 * np.linalg.norm(way)
    T_target_tool = desk.view.T_base_target.actInv(desk.view.T_base_tool)
    np.testing.assert_allclose(T_target_tool.homogeneous, np.eye(4), atol=1e-3)
    assert desk.view.tone is Tone.SOLVED
    green, red = desk.colours()
    assert green > 0.01
    assert red < 0.3 * green


def last_target(desk):
    """The pose of the handle, as a target."""
    return desk.viewer.handle_pose()


def test_out_of_reach_the_arm_is_red_and_says_why(desk):
    green, _ = desk.colours()
    desk.pull_any((1, 0), _FAR_PX)
    desk.see(lambda view: view.tone is Tone.FAILED, "it is red")
    desk.see(lambda view: view.T_base_target == last_target(desk), "it tried to the end")
    sentence = desk.view.message
    assert "reach" in sentence
    wait_until(desk.page.get_by_text(sentence).is_visible, "the sentence is shown")
    still_green, red = desk.colours()
    assert red > 0.01
    assert still_green < 0.5 * green


def test_a_joint_slider_moves_the_tool(desk):
    before = desk.tool()
    field = desk.page.locator("input[type=text], input[type=number]").first
    field.fill(f"{math.degrees(_TURN_RAD):.1f}")
    field.press("Enter")
    desk.see(lambda view: abs(view.positions["joint_1"] - _TURN_RAD) < 2e-3, "joint_1 turns")
    way = np.linalg.norm(desk.tool() - before)
    turned = desk.view.positions["joint_1"]
    assert way == pytest.approx(2.0 * math.hypot(*before[:2]) * math.sin(turned / 2.0), rel=1e-6)
    np.testing.assert_allclose(desk.view.T_base_target.translation, desk.tool(), atol=1e-4)
    assert desk.view.tone is Tone.SOLVED
