# SPDX-License-Identifier: Apache-2.0
"""How a request can end, grouped by who can do something about it."""

from __future__ import annotations

from enum import IntEnum


class Status(IntEnum):
    """The values of ``status`` in ``SolveIK.srv``; 0 is never sent and never success."""

    UNKNOWN = 0
    SOLVED = 1
    SOLVED_RELAXED = 2
    # the caller acts
    INVALID_REQUEST = 10
    UNKNOWN_FRAME = 11
    FRAME_UNAVAILABLE = 12
    # the system acts
    NO_ROBOT_MODEL = 13
    NO_JOINT_STATE = 14
    # change the task
    UNREACHABLE = 20
    JOINT_LIMITS = 21
    # try again: another seed, more time, a larger jump
    NOT_CONVERGED = 22
    TIMEOUT = 23
    JOINT_JUMP = 24
    COLLISION = 25
    # we act
    INTERNAL_ERROR = 30

    @property
    def is_success(self) -> bool:
        """True exactly for SOLVED and SOLVED_RELAXED."""
        return self is Status.SOLVED or self is Status.SOLVED_RELAXED

    @property
    def who_acts(self) -> str:
        """Who can do something about it, in a few words; empty for success."""
        return _WHO_ACTS.get(self, "")


_WHO_ACTS = {
    Status.INVALID_REQUEST: "the caller: correct the request",
    Status.UNKNOWN_FRAME: "the caller: correct the name",
    Status.FRAME_UNAVAILABLE: "the caller: name a frame that TF knows, or wait for it",
    Status.NO_ROBOT_MODEL: "the system: a valid robot description is missing",
    Status.NO_JOINT_STATE: "the system: fresh joint states are missing",
    Status.UNREACHABLE: "change the task: trying again cannot help",
    Status.JOINT_LIMITS: "change the task: only the limits of the blocking joints forbid it",
    Status.NOT_CONVERGED: "try again: another seed, or more time",
    Status.TIMEOUT: "try again: more time, or another seed",
    Status.JOINT_JUMP: "try again: a nearer seed, or a larger jump",
    Status.COLLISION: "change the task, or try again with another seed",
    Status.INTERNAL_ERROR: "us: please report it",
}
