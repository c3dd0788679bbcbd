# SPDX-License-Identifier: Apache-2.0
"""Random questions to all three services, and which of the two robots an answer belongs to."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np

from ik_solver_ros.srv import ComputeFK, SolveIK, SolveIKBatch
from support.poses import (
    Matrix,
    inverse,
    orientation_error_rad,
    position_error_m,
    transform_from_xyz_quat,
    xyz_quat_from_transform,
)
from support.ros_harness import joint_state, positions_of, request_for
from support.urdf_fk import UrdfKinematics

from .robots import BASE, JOINTS, MODELS, MOVING_FRAME, TIP

SERVICES: dict[str, type] = {
    "solve_ik": SolveIK,
    "solve_ik_batch": SolveIKBatch,
    "compute_fk": ComputeFK,
}
_POSITION_M, _ORIENTATION_RAD = 1e-4, 1e-3  # the node's default tolerances
_EXACT = 1e-9
_NEAR_RAD = 0.15  # from a configuration to the seed, or to a neighbouring target
_MARGIN_RAD = 0.4  # from the limits: some of the other robot's answers are farther out
_ROWS = 20
_SHARES = {"solve_ik": 0.6, "compute_fk": 0.25, "solve_ik_batch": 0.15}


class Question(NamedTuple):
    """A request, and how to tell which robots its answer is right for.

    Attributes:
        service: whom to ask.
        request: what to ask.
        fits: whether an answer is right for a robot.
    """

    service: str
    request: Any
    fits: Callable[[UrdfKinematics, Any], bool]


def question(rng: np.random.Generator, now: Mapping[str, float]) -> Question:
    """Some question that both robots can answer; `now` is where the robot stands."""
    service = rng.choice(list(_SHARES), p=list(_SHARES.values()))
    return {"solve_ik": _solve, "compute_fk": _compute, "solve_ik_batch": _batch}[service](rng, now)


def robots_of(asked: Question, answer: Any) -> list[int]:
    """Which robots an answer is right for, by index; one and no other, if all is well."""
    return [i for i, model in enumerate(MODELS) if answer.success and asked.fits(model, answer)]


def _configuration(rng: np.random.Generator) -> dict[str, float]:
    return MODELS[0].random_configuration(rng, JOINTS, margin=_MARGIN_RAD)


def _near(rng: np.random.Generator, positions: Mapping[str, float]) -> dict[str, float]:
    return {name: at + rng.uniform(-_NEAR_RAD, _NEAR_RAD) for name, at in positions.items()}


def _solve(rng: np.random.Generator, now: Mapping[str, float]) -> Question:
    """One target, given in the base or in a link that the joint state moves."""
    wanted = _configuration(rng)
    T_base_target = MODELS[0].relative(wanted, BASE, TIP)
    frame = MOVING_FRAME if rng.random() < 0.3 else BASE
    T_frame_target = inverse(MODELS[0].relative(now, BASE, frame)) @ T_base_target
    request = request_for(T_frame_target, seed=_near(rng, wanted), dry_run=bool(rng.random() < 0.5))
    request.target.header.frame_id = frame

    def fits(model: UrdfKinematics, answer: Any) -> bool:
        T_base_reached = model.relative(positions_of(answer.solution), BASE, TIP)
        T_base_wanted = model.relative(now, BASE, frame) @ T_frame_target
        off_m = position_error_m(T_base_wanted, T_base_reached)
        return bool(
            off_m <= _POSITION_M
            and orientation_error_rad(T_base_wanted, T_base_reached) <= _ORIENTATION_RAD
            and abs(off_m - answer.position_error) <= _EXACT
        )

    return Question("solve_ik", request, fits)


def _compute(rng: np.random.Generator, _: Mapping[str, float]) -> Question:
    """Several frames at once, which have to be of one robot."""
    positions = _configuration(rng)
    frames = [TIP, MOVING_FRAME, "wrist_link", "flange"]
    request = ComputeFK.Request(frames=frames, joint_state=joint_state(positions))

    def fits(model: UrdfKinematics, answer: Any) -> bool:
        return len(answer.poses) == len(frames) and all(
            np.abs(_matrix(told.pose) - model.relative(positions, BASE, frame)).max() <= _EXACT
            for told, frame in zip(answer.poses, frames)
        )

    return Question("compute_fk", request, fits)


def _batch(rng: np.random.Generator, _: Mapping[str, float]) -> Question:
    """Many targets along a line of configurations, which have to be of one robot."""
    wanted = _configuration(rng)
    T_base_targets = np.array(
        [MODELS[0].relative(_near(rng, wanted), BASE, TIP) for _ in range(_ROWS)]
    )
    request = SolveIKBatch.Request(seed=joint_state(wanted))
    request.targets = np.concatenate([xyz_quat_from_transform(T) for T in T_base_targets]).tolist()

    def fits(model: UrdfKinematics, answer: Any) -> bool:
        columns = np.array(answer.positions).reshape(_ROWS, -1).T
        T_base_reached = model.relative(dict(zip(answer.joint_names, columns)), BASE, TIP)
        off_m = position_error_m(T_base_targets, T_base_reached)
        told_m = np.array(answer.position_error)
        return bool(np.all((off_m <= _POSITION_M) & (np.abs(off_m - told_m) <= _EXACT)))

    return Question("solve_ik_batch", request, fits)


def _matrix(pose: Any) -> Matrix:
    at, turned = pose.position, pose.orientation
    return transform_from_xyz_quat((at.x, at.y, at.z), (turned.x, turned.y, turned.z, turned.w))
