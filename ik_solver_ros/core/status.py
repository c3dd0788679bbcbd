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
        return self in (Status.SOLVED, Status.SOLVED_RELAXED)
