# SPDX-License-Identifier: Apache-2.0
"""The viewer in the browser: the one module that knows viser."""

from __future__ import annotations

import contextlib
import io
import threading
from collections.abc import Callable
from typing import Any

import numpy as np

from ..core.errors import MissingDependencyError
from ..core.pinocchio_import import pin
from .arm_drawing import wxyz_xyz
from .camera import FIELD_OF_VIEW_RAD, framing
from .drawing import Drawing
from .panel import Panel
from .scene import View
from .session import Session
from .shapes import Look
from .worker import Worker

HOST = "127.0.0.1"
FIRST_PORT = 8080
_BACKGROUND = ((250, 251, 252), (222, 227, 233))  # above, below


def require_viser() -> Any:
    """The module; raises MissingDependencyError with what to install."""
    try:
        import viser
    except ImportError as error:
        raise MissingDependencyError(
            "viser", "the viewer", "pip install 'ik_solver_ros[viewer]', or pip install viser"
        ) from error
    return viser


class WebViewer:
    """A session in the browser, until closed.

    Args:
        session: what is shown.
        look: the robot's shapes.
        port: the first one to try; the next free one is taken.
        title: shown above the controls.
        urdf_name, service: for the texts to copy.

    Raises:
        MissingDependencyError: viser is not installed.
    """

    def __init__(
        self,
        session: Session,
        look: Look,
        *,
        port: int = FIRST_PORT,
        title: str = "",
        urdf_name: str = "robot.urdf",
        service: str = "/ik_solver/solve_ik",
    ) -> None:
        viser = require_viser()
        self.session = session
        with contextlib.redirect_stdout(io.StringIO()):  # it prints a banner of its own
            self.server = viser.ViserServer(host=HOST, port=port, verbose=False)
        self.worker = Worker(self._show, self._fail)
        self._shown = threading.Condition()
        view = session.view()
        size_m = session.kinematics.size_m()
        self.framing = framing(look.parts, view.links, size_m)
        moving = _moved_links(session)
        self._set_stage(title)
        scene = self.server.scene
        self.drawing = Drawing(scene, look.parts, moving, self.framing, session.backend.can_send)
        self.gizmo = scene.add_transform_controls(
            "/target", scale=0.42 * self.framing.size_m, line_width=3.5, depth_test=False
        )
        self.gizmo.on_update(self._dragged())
        self._dragged_to: pin.SE3 | None = None
        self.notes = _notes(look)
        self.panel = Panel(
            self.server.gui,
            session,
            self.worker.post,
            self.drawing.layers,
            self.reset_view,
            urdf_name,
            service,
            self.notes,
        )
        self.view = view
        self._show()

    @property
    def port(self) -> int:
        """Where it listens."""
        return int(self.server.get_port())

    @property
    def address(self) -> str:
        """What to open in a browser."""
        return f"http://{HOST}:{self.port}"

    def reset_view(self) -> None:
        """Bring every browser's camera back."""
        for client in self.server.get_clients().values():
            with client.atomic():
                client.camera.position = self.framing.camera_m
                client.camera.look_at = self.framing.look_at_m
                client.camera.up_direction = np.array([0.0, 0.0, 1.0])

    def handle_pose(self) -> pin.SE3:
        """Where the handle of the tool is, T_base_target."""
        w, x, y, z = map(float, self.gizmo.wxyz)
        return pin.SE3(pin.Quaternion(w, x, y, z).normalized(), np.array(self.gizmo.position))

    def wait_for(self, condition: Callable[[View], bool], timeout_s: float) -> bool:
        """Block until what is shown fulfils a condition; returns whether it does."""
        with self._shown:
            return self._shown.wait_for(lambda: condition(self.view), timeout_s)

    def close(self) -> None:
        """Stop serving."""
        self.worker.close()
        with contextlib.redirect_stdout(io.StringIO()):
            self.server.stop()

    def _set_stage(self, title: str) -> None:
        server, frame = self.server, self.framing
        server.gui.configure_theme(
            control_width="medium",
            show_logo=False,
            show_share_button=False,
            brand_color=(38, 92, 158),
        )
        server.gui.set_panel_label(title or None)
        camera = server.initial_camera
        camera.position, camera.look_at = frame.camera_m, frame.look_at_m
        camera.up, camera.fov = np.array([0.0, 0.0, 1.0]), FIELD_OF_VIEW_RAD
        camera.near, camera.far = 0.01 * frame.size_m, 200.0 * frame.size_m
        above, below = np.array(_BACKGROUND, dtype=float)
        shares = np.linspace(0.0, 1.0, 256)[:, None]
        column = ((1.0 - shares) * above + shares * below).round().astype(np.uint8)
        server.scene.set_background_image(np.repeat(column[:, None], 4, axis=1), format="png")
        self.floor = server.scene.add_grid(
            "/floor",
            infinite_grid=True,
            cell_size=frame.cell_m,
            section_size=5.0 * frame.cell_m,
            cell_color=(205, 211, 219),
            section_color=(175, 184, 196),
            fade_distance=14.0 * frame.size_m,
            fade_from="origin",
            position=(0.0, 0.0, frame.floor_m),
        )

    def _dragged(self) -> Any:
        async def callback(event: Any) -> None:
            if event.client is None:
                return
            target = self.handle_pose()
            self._dragged_to = target if event.phase != "end" else None
            self.worker.post(lambda: self.session.move_target(target), "target")

        return callback

    def _show(self) -> None:
        view = self.session.view()
        with self.server.atomic():
            self.drawing.draw(view)
            self.panel.show(view)
            if self._dragged_to is None:  # nobody's hand is on it
                self.gizmo.wxyz, self.gizmo.position = wxyz_xyz(view.T_base_target)
        with self._shown:
            self.view = view
            self._shown.notify_all()

    def _fail(self, sentence: str) -> None:
        for client in self.server.get_clients().values():
            client.add_notification("ik_solver_ros", sentence, color="red")


def _moved_links(session: Session) -> list[str]:
    tree = session.kinematics.robot.tree
    first = session.kinematics.joint_names[0]
    top = tree.joint_by_name(first).child
    return [link for link in tree.links if tree.is_ancestor(top, link)]


def _notes(look: Look) -> list[str]:
    if look.missing:
        count = len(look.missing)
        what = "1 mesh was" if count == 1 else f"{count} meshes were"
        first = look.missing[0].rpartition("/")[2]
        return [
            f"{what} not found ({first}{', …' if count > 1 else ''}): sticks are shown instead."
        ]
    return ["This URDF has no shapes: sticks are shown."] if look.is_sticks else []
