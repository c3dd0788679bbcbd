# SPDX-License-Identifier: Apache-2.0
"""What the benchmark needs from a solver: one small adapter each."""

from __future__ import annotations

import importlib.metadata
from abc import ABC, abstractmethod
from typing import Any, ClassVar

from harness.arm import Arm
from harness.goal import Goal

from support.poses import Matrix, Vector


class Peer(ABC):
    """One solver, set up for one arm and one goal.

    Making one reads the robot; an exception means that the solver refuses the robot, and the page
    quotes it. Only :meth:`solve` is timed: the other methods turn the benchmark's form of a
    question into the solver's own and back.

    Attributes:
        name: what tables call it.
        distribution: the installed distribution whose version the page states.
        settings: how it is run, for the page: seed, limits, tolerance, time limit.
        ours: whether it belongs to this package.
        takes_mimic_joints: whether it takes arms with mimic joints.
        share: part of the targets it gets; slow solvers get fewer.
    """

    name: ClassVar[str]
    distribution: ClassVar[str]
    settings: ClassVar[str]
    ours: ClassVar[bool] = False
    takes_mimic_joints: ClassVar[bool] = False
    share: float = 1.0

    def __init__(self, arm: Arm, goal: Goal) -> None:
        self.arm = arm
        self.goal = goal

    @classmethod
    def version(cls) -> str:
        """Return the installed version."""
        return importlib.metadata.version(cls.distribution)

    @classmethod
    def why_not(cls, arm: Arm) -> str:
        """Return why this solver cannot take the arm, or "" if it can."""
        return "no mimic joints" if arm.has_mimic_joints and not cls.takes_mimic_joints else ""

    def target(self, T_base_tip: Matrix) -> Any:
        """Return the pose (4, 4) in the form that :meth:`solve` takes."""
        return T_base_tip

    def seed(self, q: Vector) -> Any:
        """Return joint positions (m,) in the form that :meth:`solve` takes."""
        return q

    @abstractmethod
    def solve(self, target: Any, seed: Any) -> Any:
        """Call the solver once, and nothing else: this is what is timed."""

    @abstractmethod
    def joints(self, raw: Any) -> Vector | None:
        """Return the joint positions (m,) that :meth:`solve` claims to be right, or None."""

    def label(self, raw: Any) -> str:  # noqa: ARG002 - for solvers that give a reason
        """Return the solver's reason for giving no answer, "" if it gives none."""
        return ""
