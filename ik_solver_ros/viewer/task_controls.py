# SPDX-License-Identifier: Apache-2.0
"""Which of all answers is shown, and how exactly the target is meant."""

from __future__ import annotations

import math
from typing import Any

from .controls import Post, by_user, write
from .scene import View
from .session import NULL_RANGE, Session
from .task import Flags, Task

_AXES = "xyz"


class TaskControls:
    """Tolerances, free axes, branches and the null space.

    Args:
        gui: viser's.
        session: what they act on.
        post: takes wishes.
    """

    def __init__(self, gui: Any, session: Session, post: Post) -> None:
        self._gui, self._session, self._post = gui, session, post
        with gui.add_folder("Other answers"):
            self._branches = gui.add_checkbox(
                "all branches", False, hint="Shows every other answer as a ghost."
            )
            gui.add_button("Next branch").on_click(by_user(lambda _: post(session.next_branch)))
            self._null = self._null_slider()
        with gui.add_folder("Tolerance and free axes", expand_by_default=False):
            hint = "Largest error along each axis; 0 is the solver's default."
            self._position_mm = gui.add_number(
                "position, mm", 0.0, min=0.0, max=1000.0, step=0.1, hint=hint
            )
            self._orientation_deg = gui.add_number(
                "orientation, °", 0.0, min=0.0, max=180.0, step=0.1, hint=hint
            )
            self._relaxed = gui.add_checkbox("accept relaxed", False)
            self._free_position = [gui.add_checkbox(f"free along {a}", False) for a in _AXES]
            self._free_rotation = [gui.add_checkbox(f"free about {a}", False) for a in _AXES]
        self._listen()

    def show(self, view: View) -> None:
        """Bring the null-space slider up to date."""
        write(self._null, "visible", view.null_range > 0.0)
        write(self._null, "value", view.null_value)

    def _null_slider(self) -> Any:
        slider = self._gui.add_slider(
            "null space, rad",
            min=-NULL_RANGE,
            max=NULL_RANGE,
            step=0.05,
            initial_value=0.0,
            hint="Moves the joints while the tool stays where it is.",
        )

        def slid(event: Any) -> None:
            distance = float(event.target.value)
            self._post(lambda: self._session.slide_null_space(distance), "null space")

        slider.on_update(by_user(slid))
        return slider

    def _listen(self) -> None:
        boxes = (self._branches, self._relaxed, *self._free_position, *self._free_rotation)
        for control in (*boxes, self._position_mm, self._orientation_deg):
            control.on_update(by_user(lambda _: self._changed()))

    def _changed(self) -> None:
        task = Task(
            self._position_mm.value * 1e-3,
            math.radians(self._orientation_deg.value),
            _flags(self._free_position),
            _flags(self._free_rotation),
            self._relaxed.value,
            self._branches.value,
        )
        self._post(lambda: self._session.set_task(task), "task")


def _flags(boxes: list[Any]) -> Flags:
    x, y, z = (bool(box.value) for box in boxes)
    return x, y, z
