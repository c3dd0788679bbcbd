# SPDX-License-Identifier: Apache-2.0
"""The controls at the right: what the arm says, and what can be done with it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from . import copying, html
from .controls import Post, by_user, write
from .drawing import Layers
from .joint_controls import JointSliders, TargetFields
from .scene import View
from .session import Session
from .task_controls import TaskControls

_LAYERS = {"ghosts": "ghosts", "ellipsoid": "manipulability", "trace": "trace of the tool"}
_LANGUAGES = ("service call", "Python", "JSON")


class Panel:
    """All controls of one session.

    Args:
        gui: viser's.
        session: what they act on, by wishes.
        post: takes wishes.
        layers: what is shown beside the arm.
        reset_view: brings the cameras back.
        urdf_name: file of the robot, for the Python program.
        service: of the node, for the service call.
        notes: sentences about what is shown.
    """

    def __init__(
        self,
        gui: Any,
        session: Session,
        post: Post,
        layers: Layers,
        reset_view: Callable[[], None],
        urdf_name: str,
        service: str,
        notes: Sequence[str],
    ) -> None:
        self._gui, self._session, self._post, self._layers = gui, session, post, layers
        self._urdf, self._service, self._notes = urdf_name, service, tuple(notes)
        self._status = gui.add_html("")
        self._add_buttons(reset_view)
        with gui.add_folder("Joints"):
            self._sliders = JointSliders(gui, session, post)
        self._task = TaskControls(gui, session, post)
        with gui.add_folder("Distance to limits"):
            self._table = gui.add_html("")
        with gui.add_folder("Target", expand_by_default=False):
            self._target = TargetFields(gui, session, post)
        with gui.add_folder("Show", expand_by_default=False):
            self._add_layers()
        with gui.add_folder("Copy", expand_by_default=False):
            self._add_copying()

    def show(self, view: View) -> None:
        """Bring every control up to date."""
        write(self._status, "content", html.status(view, self._notes))
        write(self._table, "content", html.joint_table(view.rows))
        self._sliders.show(view.positions)
        self._target.show(view.T_base_target)
        self._task.show(view)

    def _add_buttons(self, reset_view: Callable[[], None]) -> None:
        session = self._session
        wishes = {"random target": session.go_to_random, "start": session.go_to_start}
        go_to = self._gui.add_button_group("go to", tuple(wishes))
        go_to.on_click(by_user(lambda event: self._post(wishes[event.target.value])))
        if session.backend.can_send:
            send = self._gui.add_button("Send to the robot", color="green")
            send.on_click(by_user(lambda _: self._post(session.send)))
        view = self._gui.add_button_group("view", ("reset",))
        view.on_click(by_user(lambda _: reset_view()))

    def _add_layers(self) -> None:
        for name, label in _LAYERS.items():
            box = self._gui.add_checkbox(label, getattr(self._layers, name))
            box.on_update(self._switch(name))
        clear = self._gui.add_button("Clear the trace", color="gray")
        clear.on_click(by_user(lambda _: self._post(self._session.trace.clear)))

    def _switch(self, name: str) -> Any:
        def switched(event: Any) -> None:
            value = bool(event.target.value)
            self._post(lambda: setattr(self._layers, name, value), f"layer {name}")

        return by_user(switched)

    def _add_copying(self) -> None:
        choice = self._gui.add_button_group("as", _LANGUAGES)
        text = self._gui.add_html("")

        def chosen(event: Any) -> None:
            language = event.target.value
            self._post(lambda: write(text, "content", html.text_to_copy(self._text(language))))

        choice.on_click(by_user(chosen))

    def _text(self, language: str) -> str:
        arm, request = self._session.kinematics, self._session.request()
        if language == "service call":
            return copying.service_call(request, arm.base_frame, arm.tip_frame, self._service)
        if language == "Python":
            return copying.python(request, arm.base_frame, arm.tip_frame, self._urdf)
        shown = {name: self._session.positions[name] for name in arm.joint_names}
        return copying.as_json(request, arm.base_frame, arm.tip_frame, shown)
