# SPDX-License-Identifier: Apache-2.0
"""What can be wrong with a robot description, told to a person, and the log that collects it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from ..errors import RobotModelError, near_matches, quoted

Severity = Literal["error", "warning", "note"]
# fmt: off
Kind = Literal[
    "axis-length", "bad-name", "bad-number", "continuous-limits", "default-axis", "degrees",
    "doctype", "duplicate-element", "duplicate-joint", "duplicate-link", "effort", "empty",
    "half-limit", "held-joint", "incomplete-limit", "inertia", "loop", "millimetres",
    "mimic-chain", "mimic-fixed", "mimic-ignored", "mimic-limits", "mimic-loop", "mimic-still",
    "mimic-unknown", "misplaced", "missing-axis", "missing-child", "missing-limit", "missing-mesh",
    "missing-mimic", "missing-name", "missing-parent", "missing-type", "misspelt", "no-links",
    "no-moving-joint", "not-finite", "not-urdf", "not-xml", "quaternion", "reserved-name",
    "reversed-limits", "too-large", "too-many", "two-parents", "two-roots", "unbounded",
    "unknown-attribute", "unknown-link", "unknown-type", "velocity", "version", "wrong-count",
    "xacro", "zero-axis",
]
# fmt: on

RUN_XACRO = "run xacro first ('xacro robot.urdf.xacro > robot.urdf')"
_RANK = {"error": 0, "warning": 1, "note": 2}


@dataclass(frozen=True)
class Fault:
    """One thing that is wrong or odd in a robot description.

    Attributes:
        severity: "error" (the description cannot be used), "warning" (it can, but not everything in
            it counts as written) or "note" (good to know).
        kind: short stable name of the kind of fault, such as "missing-limit".
        subject: name of the joint or link at fault; empty for the document as a whole.
        message: one sentence: which joint or link, what is wrong, what to change.
        line: line in the text, counted from 1; None where there is none.
    """

    severity: Severity
    kind: Kind
    subject: str
    message: str
    line: int | None = None

    def __str__(self) -> str:
        """The message with its line."""
        return self.message if self.line is None else f"line {self.line}: {self.message}"


class FaultLog:
    """Collects every fault of one description, so that nobody has to repair it one at a time."""

    def __init__(self) -> None:
        self._faults: list[Fault] = []

    def add(
        self, severity: Severity, kind: Kind, subject: str, message: str, line: int | None
    ) -> None:
        """Record a fault."""
        self._faults.append(Fault(severity, kind, subject, message, line))

    def error(self, kind: Kind, message: str, line: int | None = None, subject: str = "") -> None:
        """Record what makes the description unusable."""
        self.add("error", kind, subject, message, line)

    @property
    def has_errors(self) -> bool:
        """Whether the description cannot be used."""
        return any(fault.severity == "error" for fault in self._faults)

    def has_kind(self, kind: Kind) -> bool:
        """Whether a fault of this kind was found."""
        return any(fault.kind == kind for fault in self._faults)

    def in_order(self) -> tuple[Fault, ...]:
        """All faults: errors first, leftovers of xacro before what they entail, then by line."""
        return tuple(
            sorted(self._faults, key=lambda f: (_RANK[f.severity], f.kind != "xacro", f.line or 0))
        )

    def as_exception(self) -> RobotModelError:
        """The error to raise: the first fault in words, all of them as data."""
        faults = self.in_order()
        more = sum(fault.severity == "error" for fault in faults) - 1
        tail = f" (and {more} more {'error' if more == 1 else 'errors'})" if more > 0 else ""
        return RobotModelError(f"{faults[0]}{tail}", faults)


@dataclass(frozen=True)
class About:
    """Writes faults of one joint or link: every message begins with its name."""

    log: FaultLog
    noun: str
    name: str
    line: int

    def error(self, kind: Kind, predicate: str, line: int | None = None) -> None:
        """Record that the joint or link makes the description unusable."""
        self._add("error", kind, predicate, line)

    def warning(self, kind: Kind, predicate: str, line: int | None = None) -> None:
        """Record that something does not count as written."""
        self._add("warning", kind, predicate, line)

    def note(self, kind: Kind, predicate: str, line: int | None = None) -> None:
        """Record what is good to know."""
        self._add("note", kind, predicate, line)

    def _add(self, severity: Severity, kind: Kind, predicate: str, line: int | None) -> None:
        label = f"{self.noun} {quoted(self.name)}" if self.name else f"a {self.noun}"
        self.log.add(severity, kind, self.name, f"{label} {predicate}", line or self.line)


class NearMatches:
    """Proposes names like a wrong one; only a few times, since looking takes time.

    Attributes:
        names: those that exist.
    """

    def __init__(self, names: Iterable[str], most: int = 10) -> None:
        self.names = tuple(names)
        self._left = most

    def proposal(self, wrong: str, but_not: str = "") -> str:
        """A question for a sentence, such as "did you mean 'tool0'?", or nothing."""
        self._left -= 1
        if self._left < 0:
            return ""
        near = near_matches(wrong, (name for name in self.names if name != but_not), most=3)
        return f"did you mean {quoted_names(near, ' or ')}?" if near else ""


def quoted_names(names: Sequence[str], last: str = " and ", most: int = 6) -> str:
    """``'a', 'b' and 'c'``, cut after ``most`` names."""
    parts = [quoted(name) for name in names[:most]]
    if len(names) > most:
        parts.append(f"{len(names) - most} more")
    return parts[0] if len(parts) == 1 else ", ".join(parts[:-1]) + last + parts[-1]


def chain_of(names: Sequence[str], most: int = 8) -> str:
    """``'a' → 'b' → 'c'``, cut in the middle when it is long."""
    if len(names) > most:
        return f"{chain_of(names[: most - 1])} → … → {quoted(names[-1])}"
    return " → ".join(map(quoted, names))
