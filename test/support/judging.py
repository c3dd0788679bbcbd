# SPDX-License-Identifier: Apache-2.0
"""The package's answers and refusals, judged from outside: by the tests' own kinematics."""

from __future__ import annotations

import contextlib
import functools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pytest

from ik_solver_ros import (
    IKRequest,
    IKResult,
    IKSolver,
    IKSolverError,
    InvalidRequestError,
    MissingDependencyError,
    RobotModel,
    SolverSettings,
    VerifiedSolution,
)
from ik_solver_ros.core.solvers import choice
from support.poses import Matrix, orientation_error_rad, position_error_m
from support.robots import robot, robot_urdf
from support.urdf_fk import UrdfKinematics
from support.urdf_writer import MadeRobot

PATIENT_S = 30.0  # so that a busy machine never decides how a search ends
FREE = (math.inf, math.inf, math.inf)
MEASURED = 1e-9  # what a reported error may differ by from ours, in m or rad
#: SolverSettings' defaults, written again on purpose.
POSITION_M, ORIENTATION_RAD = 1e-4, 1e-3


def usable_solvers() -> list[str]:
    """Return the solvers that there are here; those that fall back to another are left out."""
    names = ["reference"] if choice.KERNEL_FAULT else ["reference", "numeric"]
    with contextlib.suppress(MissingDependencyError):
        choice.solver_called("analytic")
        names.append("analytic")
    return names


SOLVERS = usable_solvers()


@dataclass(frozen=True)
class Arm:
    """One chain under test, and the independent kinematics that judges it."""

    model: RobotModel
    kinematics: UrdfKinematics
    base: str
    tip: str

    @property
    def joint_names(self) -> list[str]:
        """Moving joints from base to tip, mimic joints included."""
        return self.kinematics.chain_joints(self.base, self.tip)

    def solver(self, **settings: object) -> IKSolver:
        """Return a solver that is not in a hurry."""
        patient = SolverSettings(**{"timeout_s": PATIENT_S, **settings})
        return IKSolver(self.model, self.tip, self.base, settings=patient)

    def pose(self, positions: dict[str, float]) -> Matrix:
        """Return T_base_tip."""
        return self.kinematics.relative(positions, self.base, self.tip)

    def target(self, positions: dict[str, float], **options: object) -> IKRequest:
        """Return the request for the pose that these positions have."""
        return IKRequest.from_matrix(self.pose(positions), **options)

    def assert_is_answer(
        self,
        answer: VerifiedSolution,
        T_base_target: Matrix,
        T_tip_tcp: Matrix | None = None,
        position_m: float = POSITION_M,
        orientation_rad: float = ORIENTATION_RAD,
    ) -> None:
        """Check limits, followers, the pose, and that the reported errors are the true ones."""
        positions = dict(zip(answer.joint_names, answer.q.tolist(), strict=True))
        self.assert_allowed(positions)
        T_base_tcp = self.pose(positions) @ (np.eye(4) if T_tip_tcp is None else T_tip_tcp)
        off_m = float(position_error_m(T_base_target, T_base_tcp))
        off_rad = float(orientation_error_rad(T_base_target, T_base_tcp))
        assert off_m <= position_m + MEASURED
        assert off_rad <= orientation_rad + MEASURED
        if math.isfinite(position_m):
            assert answer.position_error_m == pytest.approx(off_m, abs=MEASURED)
        if math.isfinite(orientation_rad):
            assert answer.orientation_error_rad == pytest.approx(off_rad, abs=MEASURED)
        assert not answer.q.flags.writeable

    def assert_allowed(self, positions: dict[str, float]) -> None:
        """Check limits, without any margin, and that followers follow."""
        assert set(self.joint_names) <= set(positions)
        for name, position in positions.items():
            lower, upper = self.kinematics.limits(name)
            assert lower <= position <= upper
            assert math.isfinite(position)
            if self.kinematics.mimic(name) is not None:
                follower = self.kinematics.position(positions, name)
                assert position == pytest.approx(follower, abs=1e-9)

    def assert_solved(self, result: IKResult, T_base_target: Matrix, **bounds: object) -> None:
        """Check the answer of a result, and all its alternatives."""
        assert result.success, result.message
        for answer in (result.solution, *result.alternatives):
            self.assert_is_answer(answer, T_base_target, **bounds)


def made_arm(made: MadeRobot) -> Arm:
    """Return a made-up robot's chain."""
    return Arm(RobotModel.from_urdf(made.urdf), UrdfKinematics(made.urdf), made.base, made.tip)


@functools.cache
def robot_arm(name: str) -> Arm:
    """Return the chain of a robot of the list."""
    entry, urdf = robot(name), robot_urdf(name)
    return Arm(RobotModel.from_urdf(urdf), UrdfKinematics(urdf), entry.base, entry.tip)


@contextlib.contextmanager
def refused(field: str, *parts: str) -> Iterator[None]:
    """Expect one sentence about a field that holds these parts."""
    with pytest.raises(InvalidRequestError) as info:
        yield
    assert info.value.field == field
    assert_sentence(info.value, field, *parts)


def assert_sentence(error: IKSolverError, *parts: str, at_most: int = 300) -> None:
    """Check that an error is one line that a person can read, with these parts."""
    text = str(error)
    assert "\n" not in text
    assert len(text) <= at_most
    for part in parts:
        assert part in text


def all_answers(result: IKResult) -> Sequence[VerifiedSolution]:
    """Return the answer of a result and its alternatives, in order; empty without success."""
    return [] if result.solution is None else [result.solution, *result.alternatives]
