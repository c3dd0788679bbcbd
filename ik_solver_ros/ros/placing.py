# SPDX-License-Identifier: Apache-2.0
"""Where a frame that a request names is, at the latest joint state."""

from __future__ import annotations

from typing import Any

from .description import Setup
from .frames import TargetFrames
from .joint_state_cache import JointStateCache
from .seed import current_positions


def frame_pose(
    frames: TargetFrames,
    setup: Setup,
    frame: str,
    joint_states: JointStateCache,
    role: str = "target frame",
) -> Any:
    """T_base_frame as ``pin.SE3``.

    Args:
        frames: finds it.
        setup: robot, base and the settings that say how old what is used may be.
        frame: link of the robot or TF frame.
        joint_states: asked only for joints between the base and the frame.
        role: what the frame is to the caller, for messages.

    Raises:
        UnknownFrameError, FrameUnavailableError, JointStateError: see ``TargetFrames.pose``.
    """
    solver, settings = setup.solver, setup.settings
    max_age_s = settings.max_joint_state_age_s
    return frames.pose(
        solver.robot,
        solver.base_frame,
        frame,
        lambda joints: current_positions(solver.robot, joints, joint_states, max_age_s),
        max_age_s,
        frame_prefix=settings.frame_prefix,
        role=role,
    )
