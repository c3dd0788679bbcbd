# SPDX-License-Identifier: Apache-2.0
"""What the node uses of tf2_ros, where that is missing: a frame and its child, no longer chains."""

from __future__ import annotations

from typing import Any

from geometry_msgs.msg import TransformStamped


class TransformException(Exception):
    """A transform that is not known."""


class Buffer:
    """Keeps the latest transform of each child frame."""

    def __init__(self) -> None:
        self._transforms: dict[tuple[str, str], TransformStamped] = {}

    def set_transform(self, message: TransformStamped, _authority: str) -> None:
        self._transforms[message.header.frame_id, message.child_frame_id] = message

    set_transform_static = set_transform

    def lookup_transform_core(self, target: str, source: str, _time: Any) -> TransformStamped:
        if (target, source) not in self._transforms:
            raise TransformException(f'"{source}" passed to lookupTransform does not exist.')
        return self._transforms[target, source]


class TransformListener:
    """Listens to nothing: tests put transforms into the buffer themselves."""

    def __init__(self, buffer: Buffer, node: Any) -> None:
        del buffer, node
