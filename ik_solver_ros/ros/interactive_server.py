# SPDX-License-Identifier: Apache-2.0
"""Who speaks the protocol of interactive markers: the ROS package, or where it is missing, we."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from rclpy.node import Node
from rclpy.qos import QoSProfile
from visualization_msgs.msg import InteractiveMarker, InteractiveMarkerFeedback

from .interactive_marker import is_pose
from .interactive_protocol import OwnInteractiveServer

Hear = Callable[[InteractiveMarkerFeedback], None]


class InteractiveServer(Protocol):
    """Serves one marker to any number of clients."""

    def show(self, marker: InteractiveMarker) -> None:
        """Show it, in place of the one before."""


def interactive_server(node: Node, namespace: str, hear: Hear) -> InteractiveServer:
    """A server; `hear` is called with each feedback for the marker that is shown."""
    try:
        from interactive_markers import InteractiveMarkerServer
    except ImportError:
        return OwnInteractiveServer(node, namespace, hear)
    # Its default depth of 1 loses the press before the release of a quick hand.
    depth = QoSProfile(depth=100)
    return _PackagedServer(InteractiveMarkerServer(node, namespace, feedback_sub_qos=depth), hear)


class _PackagedServer:
    """The server of the package ``interactive_markers``."""

    def __init__(self, server: Any, hear: Hear) -> None:
        self._server, self._hear = server, hear

    def show(self, marker: InteractiveMarker) -> None:
        self._server.insert(marker, feedback_callback=self._take)
        self._server.applyChanges()

    def _take(self, feedback: InteractiveMarkerFeedback) -> None:
        if is_pose(feedback.pose):
            self._hear(feedback)
