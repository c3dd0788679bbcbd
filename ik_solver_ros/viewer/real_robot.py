# SPDX-License-Identifier: Apache-2.0
"""Where the real robot is, and whether the shown arm goes with it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

_ARRIVED = 2e-3  # rad or m


class RealRobot:
    """The robot beside the shown arm: followed until the user moves something.

    Args:
        joint_names: of the arm.
        is_followed: whether there is a robot to follow.
    """

    def __init__(self, joint_names: Sequence[str], is_followed: bool) -> None:
        self._joint_names = tuple(joint_names)
        self._is_awaited = False
        self.is_followed = is_followed
        self.positions: dict[str, float] | None = None

    @property
    def elsewhere(self) -> Mapping[str, float] | None:
        """Its positions, while the shown arm is not where it is."""
        return None if self.is_followed else self.positions

    def leave(self) -> None:
        """The user has moved something."""
        self.is_followed = self._is_awaited = False

    def await_arrival(self) -> None:
        """It was sent to where the arm is shown: follow it again once it is there."""
        self._is_awaited = True

    def hear(self, positions: Mapping[str, float], shown: Mapping[str, float]) -> None:
        """It is here now.

        Args:
            positions: of its joints, rad or m; not necessarily of all.
            shown: positions of all joints of the shown arm.
        """
        self.positions = {**shown, **(self.positions or {}), **positions}
        away = max(abs(self.positions[name] - shown[name]) for name in self._joint_names)
        if self._is_awaited and away <= _ARRIVED:
            self.follow()

    def follow(self) -> None:
        """The shown arm goes with it from now on."""
        self.is_followed, self._is_awaited = True, False
