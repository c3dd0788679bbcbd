# SPDX-License-Identifier: Apache-2.0
"""Sliders for the joints, and numbers for the target."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from ..core.pinocchio_import import pin
from .controls import Post, by_user, write
from .session import Session
from .start import shown_limits

_DEGREE = math.radians(1.0)


class JointSliders:
    """One slider for each joint that the solver chooses, between its limits, in ° or mm.

    Args:
        gui: viser's.
        session: what they act on.
        post: takes wishes.
    """

    def __init__(self, gui: Any, session: Session, post: Post) -> None:
        self._session, self._post = session, post
        self._joints = session.kinematics.robot.joints
        chain = session.kinematics.chain
        low, high = shown_limits(session.kinematics)
        self._sliders = {
            name: self._slider(gui, name, (float(low[i]), float(high[i])), chain.held_joints)
            for i, name in enumerate(chain.variable_names)
        }

    def show(self, positions: Mapping[str, float]) -> None:
        """Move the sliders to where the joints are."""
        for name, slider in self._sliders.items():
            value = self._shown(name, positions[name])
            write(slider, "value", min(max(value, slider.min), slider.max))

    def _slider(
        self, gui: Any, name: str, limits: tuple[float, float], held: tuple[str, ...]
    ) -> Any:
        unit = "mm" if self._joints[name].is_prismatic else "°"
        low, high = (round(limit / self._size(name), 1) for limit in limits)
        slider = gui.add_slider(
            f"{name}, {unit}",
            min=low,
            max=high,
            step=0.1,
            initial_value=low,
            disabled=name in held,
        )
        slider.on_update(by_user(lambda event: self._moved(name, float(event.target.value))))
        return slider

    def _moved(self, name: str, value: float) -> None:
        position = value * self._size(name)
        self._post(lambda: self._session.set_joint(name, position), f"joint {name}")

    def _size(self, name: str) -> float:
        """Of the slider's unit, in m or rad."""
        return 1e-3 if self._joints[name].is_prismatic else _DEGREE

    def _shown(self, name: str, position: float) -> float:
        joint = self._joints[name]
        if not joint.is_prismatic and not math.isfinite(joint.upper - joint.lower):
            position = math.remainder(position, math.tau)
        return round(position / self._size(name), 1)


class TargetFields:
    """The target as numbers that can be typed; arguments as those of ``JointSliders``."""

    def __init__(self, gui: Any, session: Session, post: Post) -> None:
        self._session, self._post = session, post
        zero = (0.0, 0.0, 0.0)
        self._position = gui.add_vector3("position, m", zero, step=0.001)
        self._rotation = gui.add_vector3("roll pitch yaw, °", zero, step=0.1)
        for field in (self._position, self._rotation):
            field.on_update(by_user(lambda _: self._typed()))

    def show(self, T_base_target: pin.SE3) -> None:
        """Write the target."""
        rpy = pin.rpy.matrixToRpy(T_base_target.rotation) / _DEGREE
        xyz = T_base_target.translation
        write(self._position, "value", tuple(round(float(x), 4) + 0.0 for x in xyz))
        write(self._rotation, "value", tuple(round(float(x), 2) + 0.0 for x in rpy))

    def _typed(self) -> None:
        rotation = pin.rpy.rpyToMatrix(np.array(self._rotation.value) * _DEGREE)
        target = pin.SE3(rotation, np.array(self._position.value))
        self._post(lambda: self._session.move_target(target), "target")
