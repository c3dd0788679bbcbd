# SPDX-License-Identifier: Apache-2.0
"""Values that break programs, for each type that a message field can have."""

from __future__ import annotations

import math
from collections.abc import Callable
from random import Random
from typing import Any

NUMBERS = (
    math.nan, math.inf, -math.inf, 1e308, -1e308, 1.7976931348623157e308, 5e-324, -5e-324, 1e-310,
    -0.0, 0.0, 1.0, -1.0, 1e-12, -1e-12, 1e-6, 1e3, 1e9, -1e9, 1e16, 1e154, 2**53 + 1.0, math.pi,
)  # fmt: skip
TEXTS = (
    "", " ", "\t\n", "\0", "joint_1\0", "é手\u202e\u2028", "🤖" * 50, "a\nb\r\nc", "%s%n%x{0}{}",
    "${hostname}", "$(reboot)", "../../etc/passwd", "<robot/>", "null", "nan", "[1, 2", '"', "\\",
    "\x1b[31mred", "/base_link", "base_link/", "~/x", "-", "0", "\ufeffbase_link", "\x7f",
)  # fmt: skip
LONG = (1_000, 65_535, 1_000_000)
COUNTS = (0, 0, 1, 1, 2, 3, 5, 6, 7, 7, 8, 13, 14, 100)
RARE = 0.02  # how often something is huge


def number(rng: Random) -> float:
    """A float64."""
    if rng.random() < 0.3:
        return rng.uniform(-2.0, 2.0) * 10.0 ** rng.randint(-3, 3)
    return rng.choice(NUMBERS)


def whole(rng: Random, lower: int, upper: int) -> int:
    """An integer of a type with these bounds."""
    return rng.choice((lower, upper, 0, 1, min(2, upper), upper // 2, rng.randint(lower, upper)))


def text(rng: Random, known: tuple[str, ...] = ()) -> str:
    """A string: a name that exists, one that looks like it, or trouble."""
    draw = rng.random()
    if known and draw < 0.4:
        return rng.choice(known)
    if known and draw < 0.55:
        name = rng.choice(known)
        at = rng.randrange(len(name))
        return rng.choice((name[:at], name.upper(), name + name, name[:at] + "\0" + name[at:]))
    if draw > 1.0 - RARE:
        return rng.choice("a手 \n") * rng.choice(LONG)
    return rng.choice(TEXTS)


def sequence(rng: Random, element: Callable[[], Any], most: int = 10_000) -> list[Any]:
    """A row of any length; sometimes the same element throughout."""
    count = most if rng.random() < RARE else rng.choice(COUNTS)
    if rng.random() < 0.2:
        return [element()] * count
    return [element() for _ in range(count)]


_WHOLES = {
    f"{sign}int{bits}": (0, 2**bits - 1) if sign else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)
    for sign in ("", "u")
    for bits in (8, 16, 32, 64)
}


def of_type(rng: Random, kind: str, known: tuple[str, ...]) -> Any:
    """A value for a field of a ROS type that holds no messages."""
    if kind.startswith("sequence<"):
        inner = kind[len("sequence<") : -1].partition(",")[0]
        if inner == "string":  # of which one alone may be very long
            return sequence(rng, lambda: rng.choice((*known, *TEXTS)))
        return sequence(rng, lambda: of_type(rng, inner, known))
    if kind in ("double", "float"):
        return number(rng)
    if kind == "boolean":
        return rng.random() < 0.5
    if kind == "string":
        return text(rng, known)
    if kind in ("octet", "char"):
        return bytes([rng.randrange(256)])
    return whole(rng, *_WHOLES[kind])


def is_plain(kind: str) -> bool:
    """Whether a field's type holds no messages."""
    return "/" not in kind


def corrupt(rng: Random, message: Any, known: tuple[str, ...], times: int) -> str:
    """Overwrite some fields anywhere in a message; returns which."""
    return ", ".join(_corrupt_one(rng, message, known) for _ in range(times))


def _corrupt_one(rng: Random, message: Any, known: tuple[str, ...]) -> str:
    kinds = message.get_fields_and_field_types()
    name = rng.choice(sorted(kinds))
    kind, value = kinds[name], getattr(message, name)
    if is_plain(kind):
        setattr(message, name, of_type(rng, kind, known))
        return name
    if not kind.startswith("sequence<"):
        return f"{name}.{_corrupt_one(rng, value, known)}"
    if not value:
        return f"{name} (empty)"
    at = rng.randrange(len(value))
    return f"{name}[{at}].{_corrupt_one(rng, value[at], known)}"
