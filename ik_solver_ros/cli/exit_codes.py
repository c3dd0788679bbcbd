# SPDX-License-Identifier: Apache-2.0
"""What the command `ik` tells the shell."""

from ..core.status import Status

SOLVED, NOT_SOLVED, WRONG_USE = 0, 1, 2
INTERNAL_ERROR = 70  # EX_SOFTWARE of sysexits.h
INTERRUPTED = 130  # as a shell reports a program that SIGINT ended

_INPUT_AT_FAULT = (Status.INVALID_REQUEST, Status.UNKNOWN_FRAME, Status.FRAME_UNAVAILABLE)


def exit_code(status: Status) -> int:
    """The exit code for the end of one request."""
    if status.is_success:
        return SOLVED
    return WRONG_USE if status in _INPUT_AT_FAULT else NOT_SOLVED
