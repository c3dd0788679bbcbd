# SPDX-License-Identifier: Apache-2.0
"""What a request came to as markers for RViz: where to, how far, and what lies in between."""

from __future__ import annotations

from typing import Any

from geometry_msgs.msg import Point
from rclpy.node import Node
from rclpy.qos import QoSProfile
from rclpy.qos_overriding_options import QoSOverridingOptions
from std_msgs.msg import ColorRGBA
from visualization_msgs.msg import Marker, MarkerArray

from ..core.request import IKRequest
from ..core.result import IKResult
from ..core.status import Status
from .description import Setup

_AXIS_M, _LINE_M = 0.1, 0.004
_AXIS_COLOURS = (
    ColorRGBA(r=0.9, g=0.1, b=0.1, a=1.0),
    ColorRGBA(r=0.1, g=0.7, b=0.1, a=1.0),
    ColorRGBA(r=0.1, g=0.3, b=0.9, a=1.0),
)
_PALE = 0.4  # share of the colour that stays for what is not the target itself
_GREEN = ColorRGBA(r=0.1, g=0.8, b=0.1, a=1.0)
_AMBER = ColorRGBA(r=1.0, g=0.7, b=0.0, a=1.0)
_RED = ColorRGBA(r=0.9, g=0.1, b=0.1, a=1.0)


class Markers:
    """Publishes ``~/markers``, while somebody listens.

    Args:
        node: publishes.
    """

    def __init__(self, node: Node) -> None:
        self._clock = node.get_clock()
        self._publisher = node.create_publisher(
            MarkerArray,
            "~/markers",
            QoSProfile(depth=10),
            qos_overriding_options=QoSOverridingOptions.with_default_policies(),
        )

    def show(self, setup: Setup, request: IKRequest, result: IKResult) -> None:
        """Draw the target, the pose that was reached or came closest, and the way between them."""
        if setup.settings.publish_markers and self._publisher.get_subscription_count():
            frame = setup.settings.frame_prefix + setup.solver.base_frame
            self._publisher.publish(self._drawing(frame, setup, request, result))

    def _drawing(
        self, frame: str, setup: Setup, request: IKRequest, result: IKResult
    ) -> MarkerArray:
        target, reached = request.T_base_target, _reached(setup, request, result)
        colour = _colour(result.status)
        markers = [Marker(action=Marker.DELETEALL), _axes("target", target, 1.0)]
        if reached is not None:
            markers.append(_axes("reached" if result.success else "closest", reached, _PALE))
            markers.append(_lines("error", [target, reached], [colour, colour]))
        markers.append(_text(result.status.name, target, colour))
        stamp = self._clock.now().to_msg()
        for marker in markers:
            marker.header.frame_id, marker.header.stamp = frame, stamp
        return MarkerArray(markers=markers)


def _reached(setup: Setup, request: IKRequest, result: IKResult) -> Any:
    """T_base_tcp of the answer, or of the closest configuration; None without either."""
    found = result.solution or result.closest
    if found is None:
        return None
    solver = setup.solver
    tip = request.tip_frame or solver.tip_frame
    positions = dict(zip(found.joint_names, found.q.tolist()))
    T_tip_tcp = setup.T_tip_tcp if request.T_tip_tcp is None else request.T_tip_tcp
    return solver.robot.pose(positions, tip, solver.base_frame) * T_tip_tcp


def _colour(status: Status) -> ColorRGBA:
    if not status.is_success:
        return _RED
    return _AMBER if status is Status.SOLVED_RELAXED else _GREEN


def _axes(name: str, pose: Any, share: float) -> Marker:
    """Three lines from the origin of a pose along its axes."""
    points, colours = [], []
    for i, full in enumerate(_AXIS_COLOURS):
        end = pose.copy()
        end.translation = pose.translation + _AXIS_M * pose.rotation[:, i]
        points += [pose, end]
        colours += [ColorRGBA(r=full.r, g=full.g, b=full.b, a=share)] * 2
    return _lines(name, points, colours)


def _lines(name: str, ends: list[Any], colours: list[ColorRGBA]) -> Marker:
    """Lines between the origins of poses, two for each line."""
    marker: Any = Marker(ns=name, type=Marker.LINE_LIST, action=Marker.ADD)
    marker.pose.orientation.w = 1.0
    marker.scale.x = _LINE_M
    marker.points, marker.colors = [_point(end) for end in ends], colours
    return marker


def _text(words: str, pose: Any, colour: ColorRGBA) -> Marker:
    marker: Any = Marker(ns="status", type=Marker.TEXT_VIEW_FACING, action=Marker.ADD, text=words)
    marker.pose.position = _point(pose)
    marker.pose.position.z += _AXIS_M
    marker.pose.orientation.w = 1.0
    marker.scale.z = 0.3 * _AXIS_M
    marker.color = colour
    return marker


def _point(pose: Any) -> Point:
    x, y, z = pose.translation.tolist()
    return Point(x=x, y=y, z=z)
