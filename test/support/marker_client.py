# SPDX-License-Identifier: Apache-2.0
"""What RViz does with an interactive marker: ask for it once, follow its updates, send feedback."""

from __future__ import annotations

from typing import Any

from geometry_msgs.msg import Pose
from rclpy.node import Node
from rclpy.qos import QoSProfile
from visualization_msgs.msg import InteractiveMarkerFeedback, InteractiveMarkerUpdate
from visualization_msgs.srv import GetInteractiveMarkers

from .ros_harness import DEADLINE_S, wait_until

NAMESPACE = "ik_solver/interactive"


class MarkerClient:
    """One client; keeps the marker as RViz would show it.

    Attributes:
        marker: as it is now.
        updates: everything heard.
    """

    def __init__(self, node: Node, name: str = "rviz") -> None:
        self._name, self._clock = name, node.get_clock()
        self.marker: Any = None
        self.updates: list[InteractiveMarkerUpdate] = []
        self._service = node.create_client(
            GetInteractiveMarkers, f"{NAMESPACE}/get_interactive_markers"
        )
        self._feedback = node.create_publisher(
            InteractiveMarkerFeedback, f"{NAMESPACE}/feedback", QoSProfile(depth=100)
        )
        node.create_subscription(
            InteractiveMarkerUpdate, f"{NAMESPACE}/update", self._follow, QoSProfile(depth=100)
        )

    def begin(self) -> int:
        """Ask for the marker, until there is one; returns the number of the state it is from."""
        assert self._service.wait_for_service(DEADLINE_S)

        def introduced() -> Any:
            future = self._service.call_async(GetInteractiveMarkers.Request())
            wait_until(future.done, "an answer of get_interactive_markers")
            return future.result() if future.result().markers else None

        response = wait_until(introduced, "a marker")
        assert len(response.markers) == 1
        self.marker, number = response.markers[0], response.sequence_number
        for update in list(self.updates):
            if update.seq_num > number:
                self._apply(update)
        wait_until(self._feedback.get_subscription_count, "a listener to feedback")
        return number

    def send(self, event: int, pose: Pose | None = None, menu_entry: int = 0) -> None:
        """Send feedback on the marker."""
        feedback = InteractiveMarkerFeedback(
            client_id=self._name,
            marker_name=self.marker.name,
            event_type=event,
            pose=pose or self.marker.pose,
            menu_entry_id=menu_entry,
        )
        feedback.header = self.marker.header
        self._feedback.publish(feedback)

    def drag(self, *poses: Pose) -> None:
        """Press, move through the poses, release."""
        self.send(InteractiveMarkerFeedback.MOUSE_DOWN)
        for pose in poses:
            self.send(InteractiveMarkerFeedback.POSE_UPDATE, pose)
        self.send(InteractiveMarkerFeedback.MOUSE_UP, poses[-1])

    @property
    def ball(self) -> Any:
        """Colour of the ball."""
        return self.marker.controls[0].markers[0].color

    def _follow(self, update: InteractiveMarkerUpdate) -> None:
        self.updates.append(update)
        if self.marker is not None:
            self._apply(update)

    def _apply(self, update: InteractiveMarkerUpdate) -> None:
        for marker in update.markers:
            self.marker = marker
        for moved in update.poses:
            self.marker.pose = moved.pose
