# SPDX-License-Identifier: Apache-2.0
"""A stream under test, every step of which is judged from outside."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree

import numpy as np

from ik_solver_ros import IKRequest
from ik_solver_ros.core.stream import Stream
from ik_solver_ros.core.stream_settings import StreamSettings
from support.judging import PATIENT_S, Arm
from support.poses import Matrix, orientation_error_rad, position_error_m


def velocity_limits(arm: Arm, urdf: str) -> dict[str, float]:
    """Velocity limits of the moving joints, read from the text."""
    limits = {}
    for joint in ElementTree.fromstring(urdf).iter("joint"):
        limit = joint.find("limit")
        if limit is not None:
            limits[joint.get("name")] = float(limit.get("velocity"))
    return {name: limits[name] for name in arm.joint_names}


class Drive:
    """Steps a stream and judges each step: finite, inside the limits, no faster than allowed."""

    def __init__(
        self,
        arm: Arm,
        urdf: str,
        start: dict[str, float],
        solver: dict[str, object] | None = None,
        **settings: float,
    ) -> None:
        self.arm, self.settings = arm, StreamSettings(**settings)
        self.solver = arm.solver(**(solver or {}))
        self.stream = Stream(self.solver, self.settings, start)
        self.names = list(self.stream.joint_names)
        scale, period_s = self.settings.max_velocity_scale, self.settings.period_s
        limits = velocity_limits(arm, urdf)
        self.largest_step = np.array([limits[name] for name in self.names]) * scale * period_s
        self.q = np.array([start[name] for name in self.names])
        self.steps: list[np.ndarray] = []
        self._velocity = np.zeros(len(self.names))

    @property
    def positions(self) -> dict[str, float]:
        return dict(zip(self.names, self.q.tolist(), strict=True))

    @property
    def pose(self) -> Matrix:
        return self.arm.pose(self.positions)

    def follow(self, T_base_target: Matrix) -> str:
        """Give a target; returns why it is refused, if it is."""
        return self.stream.follow(IKRequest.from_matrix(T_base_target).T_base_target, PATIENT_S)

    def step(self, count: int = 1) -> None:
        for _ in range(count):
            q = np.array(self.stream.step())
            moved = q - self.q
            assert np.isfinite(q).all()
            assert (np.abs(moved) <= self.largest_step * (1 + 1e-9)).all()
            if self.settings.max_acceleration:
                change = moved / self.settings.period_s - self._velocity
                allowed = self.settings.max_acceleration * self.settings.period_s
                assert (np.abs(change) <= allowed * (1 + 1e-6) + 1e-9).all()
            self._velocity = moved / self.settings.period_s
            self.q = q
            self.steps.append(q)
            self.arm.assert_allowed(self.positions)
            self.stream.watch(self.positions)  # a robot that follows is never a reason to stop

    def settle(self, most: int = 3000) -> None:
        """Step until the arm rests."""
        for _ in range(most):
            self.step()
            if self.stream.is_at_rest:
                return
        raise AssertionError(f"it still moves after {most} steps")

    def assert_at(self, T_base_target: Matrix) -> None:
        assert position_error_m(T_base_target, self.pose) <= 1e-4
        assert orientation_error_rad(T_base_target, self.pose) <= 1e-3
