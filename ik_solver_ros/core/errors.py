# SPDX-License-Identifier: Apache-2.0
"""Every error this package raises, in one tree.

::

    IKSolverError
    ├── InvalidRequestError     (ValueError)   a number, tolerance, seed or option of no use
    │   └── SettingsError                      the same for SolverSettings
    ├── UnknownFrameError       (ValueError)   no such link; lists near matches
    ├── NoChainError            (ValueError)   no joint to move between base and tip
    ├── FrameUnavailableError                  TF does not know the frame (now)
    ├── JointStateError                        no joint state, a partial or an old one
    ├── RobotModelError         (ValueError)   an unusable description; carries its faults
    ├── ServiceUnavailableError                no running node answers; lists those that would
    ├── StreamError                            a stream of targets that cannot start or go on
    ├── BackendError                           a cluster that is not there, or that fails
    └── MissingDependencyError  (ImportError)  not installed; says how to install it

"No solution" is not an error: it is a status in the result. Each error knows the status that a
service answers with when it ends a request.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence
from typing import Any, ClassVar

from .status import Status

_LONGEST_QUOTE = 60  # characters


class IKSolverError(Exception):
    """Root of the tree; its text is one sentence for a person."""

    status: ClassVar[Status] = Status.INTERNAL_ERROR


class InvalidRequestError(IKSolverError, ValueError):
    """A value of the caller that cannot be used.

    Attributes:
        field: name of the field at fault, as in ``IKRequest`` and ``SolveIK``.
    """

    status = Status.INVALID_REQUEST

    def __init__(self, field: str, reason: str) -> None:
        super().__init__(f"{field}: {reason}")
        self.field = field
        self.reason = reason


class SettingsError(InvalidRequestError):
    """A setting out of its bounds or of the wrong type."""


class UnknownFrameError(IKSolverError, ValueError):
    """A link that the robot does not have.

    Attributes:
        frame: the name that was asked for.
        role: what it was asked for as, such as ``tip_frame``.
        known: the links that exist.
        near: those of them that look like ``frame``.
    """

    status = Status.UNKNOWN_FRAME

    def __init__(self, frame: str, role: str, known: Sequence[str], hint: str = "") -> None:
        self.frame = frame
        self.role = role
        self.known = tuple(known)
        self.near = near_matches(frame, known)
        super().__init__(
            f"{role} {quoted(frame)} is not a link of this robot{hint}; {self._alternatives()}"
        )

    def _alternatives(self) -> str:
        if self.near:
            return "did you mean " + listed(self.near, last=" or ") + "?"
        return f"its links are {listed(self.known)}"


class NoChainError(IKSolverError, ValueError):
    """Base and tip exist, but there is nothing to solve for between them."""

    status = Status.INVALID_REQUEST

    def __init__(self, base_frame: str, tip_frame: str, reason: str) -> None:
        to_tip = f" to {quoted(tip_frame)}" if tip_frame else ""
        super().__init__(f"no arm from {quoted(base_frame)}{to_tip}: {reason}")
        self.base_frame = base_frame
        self.tip_frame = tip_frame


class FrameUnavailableError(IKSolverError):
    """A frame outside the robot that TF cannot resolve."""

    status = Status.FRAME_UNAVAILABLE

    def __init__(self, frame: str, reason: str, role: str = "target frame") -> None:
        super().__init__(f"{role} {quoted(frame)} is not available: {reason}")
        self.frame = frame


class JointStateError(IKSolverError):
    """Joint positions that are missing or too old.

    Attributes:
        joints: the joints without a usable position.
    """

    status = Status.NO_JOINT_STATE

    def __init__(self, joints: Sequence[str], reason: str) -> None:
        super().__init__(reason)
        self.joints = tuple(joints)


class RobotModelError(IKSolverError, ValueError):
    """A robot description that cannot be used.

    Attributes:
        faults: every fault found (``urdf_check.Fault``), the first one is in the text.
    """

    status = Status.NO_ROBOT_MODEL

    def __init__(self, message: str, faults: Sequence[Any] = ()) -> None:
        super().__init__(message)
        self.faults = tuple(faults)


class ServiceUnavailableError(IKSolverError):
    """A service of a running node that nobody answers.

    Attributes:
        service: its full name.
    """

    def __init__(self, service: str, reason: str) -> None:
        super().__init__(f"service '{service}': {reason}")
        self.service = service


class StreamError(IKSolverError):
    """A stream of targets that cannot start or go on."""


class BackendError(IKSolverError):
    """A cluster that was to do the work is not there, or could not do it."""


class MissingDependencyError(IKSolverError, ImportError):
    """An optional package is not installed.

    Attributes:
        package: the name to install.
    """

    def __init__(self, package: str, needed_for: str, install: str) -> None:
        super().__init__(f"{needed_for} needs {package}, which is not installed: {install}")
        self.package = package


def near_matches(name: str, known: Iterable[str], most: int = 5) -> tuple[str, ...]:
    """Names out of ``known`` that look like ``name``, best first."""
    by_folded: dict[str, str] = {}
    for candidate in known:
        by_folded.setdefault(candidate.lower(), candidate)
    close = difflib.get_close_matches(str(name).lower()[:200], by_folded, n=most, cutoff=0.6)
    return tuple(by_folded[folded] for folded in close)


def listed(names: Sequence[str], most: int = 12, last: str = ", ") -> str:
    """``'a', 'b', 'c'`` for a sentence, cut after ``most`` names."""
    parts = [quoted(name) for name in names[:most]]
    if len(names) > most:
        return ", ".join(parts) + f" and {len(names) - most} more"
    return ", ".join(parts[:-1]) + last + parts[-1] if len(parts) > 1 else "".join(parts)


def quoted(name: object) -> str:
    """Somebody else's name in quotes for a sentence."""
    return f"'{plain(str(name), _LONGEST_QUOTE)}'"


def plain(text: str, most: int) -> str:
    """Somebody else's text on one line, cut to a length, and nothing in it moves a cursor."""
    short = text if len(text) <= most else text[: most - 1] + "…"
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in short)


def shown(value: object) -> str:
    """A value of any kind for a sentence: on one line, cut to a readable length."""
    text = " ".join(repr(value).split())
    return text if len(text) <= _LONGEST_QUOTE else text[: _LONGEST_QUOTE - 1] + "…"
