# SPDX-License-Identifier: Apache-2.0
"""Stand-in for launch.logging: lines of the form `[WARNING] [name]: text` on the console."""

from __future__ import annotations

import logging
import sys


def get_logger(name: str) -> logging.Logger:
    """A logger that writes to the console."""
    logger = logging.getLogger(name)
    if not logger.handlers:
        handler = logging.StreamHandler(sys.stderr)
        handler.setFormatter(logging.Formatter("[%(levelname)s] [%(name)s]: %(message)s"))
        logger.addHandler(handler)
    return logger
