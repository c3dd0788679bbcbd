# SPDX-License-Identifier: Apache-2.0
"""The protocol of interactive markers for one marker, where the package of that name is missing.

A client (RViz) calls ``get_interactive_markers`` once and then follows ``update``, whose numbers
rise by exactly one; a gap makes it begin anew. What the user does arrives on ``feedback``.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from rclpy.node import Node
from rclpy.qos import QoSProfile
from visualization_msgs.msg import (
    InteractiveMarker,
    InteractiveMarkerFeedback,
    InteractiveMarkerPose,
    InteractiveMarkerUpdate,
)
from visualization_msgs.srv import GetInteractiveMarkers

from .interactive_marker import is_pose

#: Who drags holds the marker for so long after the last sign; others are not heard meanwhile.
_HOLD_S = 1.0


class OwnInteractiveServer:
    """Serves one marker.

    Args:
        node: its callbacks run in one thread.
        namespace: of the service and the two topics.
        hear: called with each feedback for the marker, its pose taken over already.
    """

    def __init__(
        self, node: Node, namespace: str, hear: Callable[[InteractiveMarkerFeedback], None]
    ) -> None:
        self._hear = hear
        self._marker: InteractiveMarker | None = None
        self._number = 0
        self._holder, self._held_until_s = "", 0.0
        self._server_id = node.get_fully_qualified_name()
        self._updates = node.create_publisher(
            InteractiveMarkerUpdate, f"{namespace}/update", QoSProfile(depth=100)
        )
        node.create_service(
            GetInteractiveMarkers, f"{namespace}/get_interactive_markers", self._introduce
        )
        node.create_subscription(
            InteractiveMarkerFeedback, f"{namespace}/feedback", self._take, QoSProfile(depth=100)
        )

    def show(self, marker: InteractiveMarker) -> None:
        """Show it, in place of the one before."""
        self._marker = marker
        self._publish(InteractiveMarkerUpdate(markers=[marker]))

    def _introduce(
        self, _request: GetInteractiveMarkers.Request, response: GetInteractiveMarkers.Response
    ) -> GetInteractiveMarkers.Response:
        response.sequence_number = self._number
        response.markers = [] if self._marker is None else [self._marker]
        return response

    def _take(self, feedback: InteractiveMarkerFeedback) -> None:
        marker: Any = self._marker
        if marker is None or feedback.marker_name != marker.name or not is_pose(feedback.pose):
            return
        now_s = time.monotonic()
        if feedback.client_id != self._holder and now_s < self._held_until_s:
            return
        self._holder, self._held_until_s = feedback.client_id, now_s + _HOLD_S
        if feedback.event_type == InteractiveMarkerFeedback.POSE_UPDATE:
            marker.pose = feedback.pose
            moved = InteractiveMarkerPose(
                header=marker.header, pose=feedback.pose, name=marker.name
            )
            self._publish(InteractiveMarkerUpdate(poses=[moved]))  # for the other clients
        self._hear(feedback)

    def _publish(self, update: Any) -> None:
        self._number += 1
        update.server_id, update.seq_num = self._server_id, self._number
        update.type = InteractiveMarkerUpdate.UPDATE
        self._updates.publish(update)
