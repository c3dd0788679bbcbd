# SPDX-License-Identifier: Apache-2.0
"""From what the user does with the marker to calls of the IK node, and from answers to the marker.

Dragging only asks: each call is a dry run, and the node's ``~/markers`` show what came of it. When
the mouse is released the marker takes the colour and the sentence of the answer. Only the menu
entry "Move here" lets the node publish a target.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

from geometry_msgs.msg import Pose
from visualization_msgs.msg import InteractiveMarker, InteractiveMarkerFeedback

from ik_solver_ros.srv import ComputeFK, SolveIK

from ..core.status import Status
from .interactive_marker import BACK_TO_TOOL, MOVE_HERE, marker_at

_PATIENCE_S = 5.0  # for an answer; the node may have died meanwhile
_HINT = "drag me; right-click: move here"
_LET_GO = (InteractiveMarkerFeedback.MOUSE_UP, InteractiveMarkerFeedback.MENU_SELECT)


class Client(Protocol):
    """What is used of an rclpy client."""

    def service_is_ready(self) -> bool:
        """Whether a call would be heard."""

    def call_async(self, request: Any) -> Any:
        """Call; returns the future of the response."""


class _Wish(NamedTuple):
    """A pose that the node is to be asked about."""

    pose: Pose
    moves: bool


class InteractiveTarget:
    """One marker, and the IK node behind it.

    Args:
        solve: client of ``~/solve_ik``.
        compute_fk: client of ``~/compute_fk``.
        show: shows a marker.
    """

    def __init__(
        self, solve: Client, compute_fk: Client, show: Callable[[InteractiveMarker], None]
    ) -> None:
        self._solve, self._compute_fk, self._show = solve, compute_fk, show
        self._frame = ""
        self._wish: _Wish | None = None  # waits for its turn
        self._asked: _Wish | None = None  # waits for its answer
        self._asked_until_s = self._placed_until_s = 0.0
        self._is_dragged = False
        self._verdict: tuple[Pose, Status, str] | None = None

    @property
    def is_placed(self) -> bool:
        """Whether there is a marker."""
        return self._frame != ""

    def place(self) -> None:
        """Put the marker where the tool is; does nothing as long as the node does not know."""
        if time.monotonic() < self._placed_until_s or not self._compute_fk.service_is_ready():
            return
        self._placed_until_s = time.monotonic() + _PATIENCE_S
        self._compute_fk.call_async(ComputeFK.Request()).add_done_callback(self._put)

    def hear(self, feedback: InteractiveMarkerFeedback) -> None:
        """React to what the user does."""
        event = feedback.event_type
        if event == InteractiveMarkerFeedback.MOUSE_DOWN:
            self._is_dragged = True
        elif event == InteractiveMarkerFeedback.POSE_UPDATE:
            self._ask(_Wish(feedback.pose, moves=False))
        elif event in _LET_GO:
            self._is_dragged = False
            if event == InteractiveMarkerFeedback.MENU_SELECT:
                self._choose(feedback)
            self._tell()

    def _choose(self, feedback: InteractiveMarkerFeedback) -> None:
        if feedback.menu_entry_id == MOVE_HERE:
            self._ask(_Wish(feedback.pose, moves=True))
        elif feedback.menu_entry_id == BACK_TO_TOOL:
            self.place()

    def _put(self, future: Any) -> None:
        self._placed_until_s = 0.0
        response = future.result()
        if response is None or not response.success:
            return
        at = response.poses[0]
        self._frame = at.header.frame_id
        self._wish = self._asked = self._verdict = None
        self._show(marker_at(self._frame, at.pose, Status.UNKNOWN, _HINT))

    def _ask(self, wish: _Wish) -> None:
        """Ask now, or when the present call is answered; of several wishes only the last counts.

        A wish to move is never displaced by one that only looks.
        """
        is_free = time.monotonic() >= self._asked_until_s
        if is_free or wish.moves or self._wish is None or not self._wish.moves:
            # What still waits behind a call that was never answered is dropped: nothing may move
            # later than the user expects.
            self._wish = wish
        if is_free:
            self._send()

    def _send(self) -> None:
        wish, self._wish = self._wish, None
        if wish is None:
            return
        if not self._solve.service_is_ready():
            self._judge(wish, Status.UNKNOWN, "the IK node does not answer")
            return
        request: Any = SolveIK.Request(dry_run=not wish.moves)
        request.target.header.frame_id, request.target.pose = self._frame, wish.pose
        self._asked, self._asked_until_s = wish, time.monotonic() + _PATIENCE_S
        future = self._solve.call_async(request)
        future.add_done_callback(lambda done: self._answered(wish, done.result()))

    def _answered(self, wish: _Wish, response: SolveIK.Response | None) -> None:
        self._asked_until_s = 0.0
        if response is not None and wish is self._asked:
            status = Status(response.status)
            done = "published; " if wish.moves and response.success else ""
            self._judge(wish, status, f"{status.name}: {done}{response.message}")
        self._send()

    def _judge(self, wish: _Wish, status: Status, sentence: str) -> None:
        self._verdict = wish.pose, status, sentence
        self._tell()

    def _tell(self) -> None:
        """Show the last verdict, but not under the user's hand: RViz would let go of the marker."""
        if self._verdict is None or self._is_dragged:
            return
        pose, status, sentence = self._verdict
        self._verdict = None
        if self._wish is None:  # else the marker has moved on
            self._show(marker_at(self._frame, pose, status, sentence))
