# SPDX-License-Identifier: Apache-2.0
"""What the command `ik` tells the shell."""

SOLVED, NOT_SOLVED, WRONG_USE = 0, 1, 2
INTERNAL_ERROR = 70  # EX_SOFTWARE of sysexits.h
INTERRUPTED = 130  # as a shell reports a program that SIGINT ended
