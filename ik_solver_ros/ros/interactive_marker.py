# SPDX-License-Identifier: Apache-2.0
"""What is dragged in RViz: a ball at the tool with arrows and rings, a sentence and a menu."""

from __future__ import annotations

import math
import textwrap
from typing import Any

from geometry_msgs.msg import Pose, Quaternion
from std_msgs.msg import ColorRGBA
from visualization_msgs.msg import InteractiveMarker, InteractiveMarkerControl, Marker, MenuEntry

from ..core.status import Status

NAME = "target"
MOVE_HERE, BACK_TO_TOOL = 1, 2
_TITLES = {MOVE_HERE: "Move here", BACK_TO_TOOL: "Back to the tool"}
_SCALE_M, _BALL_M = 0.25, 0.05
_COLUMNS = 48  # of the sentence above the marker
_GREY = ColorRGBA(r=0.6, g=0.6, b=0.6, a=0.6)
_GREEN = ColorRGBA(r=0.1, g=0.8, b=0.1, a=0.6)
_AMBER = ColorRGBA(r=1.0, g=0.7, b=0.0, a=0.6)
_RED = ColorRGBA(r=0.9, g=0.1, b=0.1, a=0.6)
_HALF = math.sqrt(0.5)
#: Turns the x axis, along or about which a control moves, onto each axis of the marker.
_AXES = {
    "x": Quaternion(x=_HALF, w=_HALF),
    "y": Quaternion(z=_HALF, w=_HALF),
    "z": Quaternion(y=_HALF, w=_HALF),
}


def marker_at(frame: str, pose: Pose, status: Status, sentence: str) -> InteractiveMarker:
    """The marker at a pose.

    Args:
        frame: TF frame of the pose.
        pose: where the tool centre point shall be.
        status: how the last request for this pose ended; UNKNOWN = none was made yet.
        sentence: shown above it.
    """
    marker: Any = InteractiveMarker(name=NAME, scale=_SCALE_M)
    # The stamp stays zero: then RViz keeps the marker in this frame, and answers in it, too.
    marker.header.frame_id = frame
    marker.pose = pose
    marker.description = "\n".join(textwrap.wrap(sentence, _COLUMNS))
    marker.menu_entries = [MenuEntry(id=i, title=title) for i, title in _TITLES.items()]
    marker.controls = [_ball(_colour(status)), *_handles()]
    return marker


def is_pose(pose: Pose) -> bool:
    """Whether a pose is finite and has an orientation."""
    at, turn = pose.position, pose.orientation
    norm = math.hypot(turn.x, turn.y, turn.z, turn.w)
    return 1e-6 <= norm < math.inf and math.isfinite(at.x + at.y + at.z)


def _colour(status: Status) -> ColorRGBA:
    if status is Status.UNKNOWN:
        return _GREY
    if not status.is_success:
        return _RED
    return _AMBER if status is Status.SOLVED_RELAXED else _GREEN


def _ball(colour: ColorRGBA) -> InteractiveMarkerControl:
    """Moved freely with the mouse, and clicked on for the menu."""
    ball: Any = Marker(type=Marker.SPHERE, color=colour)
    ball.pose.orientation.w = 1.0
    ball.scale.x = ball.scale.y = ball.scale.z = _BALL_M
    return InteractiveMarkerControl(
        name="ball",
        orientation=Quaternion(w=1.0),
        interaction_mode=InteractiveMarkerControl.MOVE_3D,
        always_visible=True,
        markers=[ball],
    )


def _handles() -> list[InteractiveMarkerControl]:
    modes = {
        "move": InteractiveMarkerControl.MOVE_AXIS,
        "turn": InteractiveMarkerControl.ROTATE_AXIS,
    }
    return [
        InteractiveMarkerControl(
            name=f"{verb}_{axis}", orientation=orientation, interaction_mode=mode
        )
        for axis, orientation in _AXES.items()
        for verb, mode in modes.items()
    ]
