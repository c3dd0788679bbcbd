# SPDX-License-Identifier: Apache-2.0
"""Names and numbers out of URDF attributes, and why a text is none."""

from __future__ import annotations

import math
import re

from ..errors import quoted
from .elements import Element, is_expression
from .faults import RUN_XACRO, About, FaultLog, Kind

_DECIMAL = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?", re.ASCII)
_DECIMAL_COMMA = re.compile(r"[+-]?\d+,\d+", re.ASCII)
_WITH_UNIT = re.compile(r"[+-]?[\d.]+\s*(°|deg|degrees?|rad|radians?|mm|cm|m)", re.ASCII)
_NOT_FINITE = re.compile(r"[+-]?\.?(inf|infinity|nan)", re.IGNORECASE)
_LONGEST_NAME = 255  # what file systems and DDS take for a name, too


class BadNumberError(ValueError):
    """A text that is not the number it should be.

    Attributes:
        kind: kind of fault: "bad-number", "not-finite", "wrong-count" or "xacro".
        reason: what is wrong and what to write, beginning with a verb.
    """

    def __init__(self, kind: Kind, reason: str) -> None:
        super().__init__(reason)
        self.kind = kind
        self.reason = reason

    def __str__(self) -> str:
        """The reason as a subordinate clause: "which is not a number; …"."""
        return f"which {self.reason}"


class BadComponentError(BadNumberError):
    """One of several numbers is not one.

    Attributes:
        component: its text.
    """

    def __init__(self, component: str, error: BadNumberError) -> None:
        super().__init__(error.kind, error.reason)
        self.component = component

    def __str__(self) -> str:
        """The reason as a subordinate clause: "where 'abc' is not a number; …"."""
        return f"where {quoted(self.component)} {self.reason}"


def read_name(element: Element, faults: FaultLog) -> str:
    """Name of a ``<joint>`` or ``<link>`` as written; "", with an error in the log, for none."""
    name = element.attributes.get("name", "")
    if not name.strip():
        nameless = About(faults, element.tag, "", element.line)
        nameless.error("missing-name", 'has no name; add name="…"')
        return ""
    about = About(faults, element.tag, name, element.line)
    if unresolved(name, "name", about):
        return ""
    if not name.isprintable():
        about.error("bad-name", "has a character in its name that cannot be printed; rename it")
    elif len(name) > _LONGEST_NAME:
        about.error("bad-name", f"has a name of more than {_LONGEST_NAME} characters; rename it")
    elif name != name.strip():
        about.warning(
            "bad-name", "has a space at an end of its name, and is found with it only; rename it"
        )
    return name


def unresolved(text: str, what: str, about: About, line: int | None = None) -> bool:
    """Whether a name still is a xacro expression, with an error in the log if so."""
    if is_expression(text):
        about.error(
            "xacro", f"has a {what} that only xacro resolves, {quoted(text)}; {RUN_XACRO}", line
        )
        return True
    return False


def read_number(text: str) -> float:
    """A finite decimal number, as ROS tools accept it: no ``inf``, no ``0x10``, no ``1_000``.

    Raises:
        BadNumberError: with the reason.
    """
    stripped = text.strip()
    if not _DECIMAL.fullmatch(stripped):
        raise _why_no_number(stripped)
    value = float(stripped)
    if not math.isfinite(value):
        raise BadNumberError("not-finite", "is beyond the range of numbers; write a smaller one")
    return value


def read_numbers(text: str, count: int) -> tuple[float, ...]:
    """``count`` numbers with spaces between them.

    Raises:
        BadNumberError: with the reason.
    """
    words = text.split()
    if is_expression(text):
        raise _why_no_number(text)
    if len(words) != count:
        if "," in text or ";" in text:
            raise BadNumberError("bad-number", "has commas; put spaces between the numbers")
        numbers = "1 number" if len(words) == 1 else f"{len(words)} numbers"
        raise BadNumberError(
            "wrong-count", f"has {numbers} where {count} are needed; write {count}"
        )
    return tuple(_component(word) for word in words)


def _component(word: str) -> float:
    try:
        return read_number(word)
    except BadNumberError as error:
        raise BadComponentError(word, error) from None


def _why_no_number(text: str) -> BadNumberError:
    if is_expression(text):
        return BadNumberError("xacro", f"is an expression that only xacro resolves; {RUN_XACRO}")
    if not text:
        return BadNumberError("bad-number", "is empty; write a number")
    if _NOT_FINITE.fullmatch(text):
        return BadNumberError("not-finite", "is not finite; write a finite number")
    if _DECIMAL_COMMA.fullmatch(text):
        return BadNumberError("bad-number", f"has a decimal comma; write {text.replace(',', '.')}")
    if _WITH_UNIT.fullmatch(text):
        return BadNumberError("bad-number", "has a unit; write the number alone, in rad or m")
    return BadNumberError("bad-number", "is not a number; write a decimal such as -1.57")


def read_number_of(element: Element, attribute: str, default: float, about: About) -> float | None:
    """Number in an attribute, ``default`` without it; None, with an error in the log, if bad."""
    text = element.attributes.get(attribute)
    if text is None:
        return default
    try:
        return read_number(text)
    except BadNumberError as error:
        _log_bad_number(element, attribute, error, about)
        return None


def read_numbers_of(
    element: Element, attribute: str, count: int, about: About
) -> tuple[float, ...] | None:
    """Numbers in an attribute; None without it, and, with an error in the log, for another text."""
    text = element.attributes.get(attribute)
    if text is None:
        return None
    try:
        return read_numbers(text, count)
    except BadNumberError as error:
        _log_bad_number(element, attribute, error, about)
        return None


def _log_bad_number(element: Element, attribute: str, error: BadNumberError, about: About) -> None:
    text = quoted(element.attributes[attribute])
    hint = (
        ", 1e16 if nothing bounds it"
        if error.kind == "not-finite" and element.tag == "limit"
        else ""
    )
    about.error(
        error.kind, f"has {attribute}={text} in its <{element.tag}>, {error}{hint}", element.line
    )
