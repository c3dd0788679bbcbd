# SPDX-License-Identifier: Apache-2.0
"""Robot descriptions: real ones, and what accidents and attackers make of them."""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random

from . import values

_ATTRIBUTE = re.compile(r'"[^"]*"')
_TAG = re.compile(r"(?<=<)/?\w+")
_NASTY_ATTRIBUTES = (
    "", "nan", "inf", "1e400", "1,5", "0x1", "1_0", "0 0 0", "1 2", "1e308 0 0", "5e-324 0 0",
    "9" * 5000, "${x}", "$(arg a)", "base_link", "tool0", "joint_1", "universe", "planar",
    "floating", "continuous", "fixed", "revolute", "é手\u202e", "&lt;", "&#0;", "a" * 100_000,
)  # fmt: skip
_NASTY_PIECES = (
    "<link/>", "<joint/>", "</robot>", "<!--", "]]>", "<![CDATA[", "<?xml?>", "<!DOCTYPE a>",
    "<xacro:if/>", "\0", "\ufeff", "&", "<", '<axis xyz="0 0 0"/>', '<mimic joint="joint_1"/>',
    '<limit lower="3" upper="2"/>', '<child link="base_link"/>', '<link name="base_link"/>',
)  # fmt: skip


def description(rng: Random, real: tuple[str, ...]) -> tuple[str, str]:
    """A URDF text, or what claims to be one, and in a few words what it is."""
    kind = rng.choice(tuple(_KINDS))
    return _KINDS[kind](rng, rng.choice(real)), kind


def _unharmed(_: Random, urdf: str) -> str:
    return urdf


def _truncated(rng: Random, urdf: str) -> str:
    return urdf[: rng.randrange(len(urdf))]


def _other_attributes(rng: Random, urdf: str) -> str:
    for _ in range(rng.randint(1, 3)):
        spot = rng.choice(list(_ATTRIBUTE.finditer(urdf)))
        new = f'"{rng.choice(_NASTY_ATTRIBUTES)}"'
        urdf = urdf[: spot.start()] + new + urdf[spot.end() :]
    return urdf


def _other_tags(rng: Random, urdf: str) -> str:
    spot = rng.choice(list(_TAG.finditer(urdf)))
    new = rng.choice(("link", "joint", "/joint", "Joint", "robot", "xacro:if", "手"))
    return urdf[: spot.start()] + new + urdf[spot.end() :]


def _inserted(rng: Random, urdf: str) -> str:
    at = rng.randrange(len(urdf))
    return urdf[:at] + rng.choice(_NASTY_PIECES) + urdf[at:]


def _shuffled(rng: Random, urdf: str) -> str:
    lines = urdf.splitlines()
    first, second = rng.randrange(len(lines)), rng.randrange(len(lines))
    lines[first], lines[second] = lines[second], lines[first]
    return "\n".join(lines)


def _moved_numbers(rng: Random, urdf: str) -> str:
    """Another robot of the same names: the kind of change that calibration makes."""
    spots = [s for s in re.finditer(r'xyz="([^"]*)"', urdf) if len(s[1].split()) == 3]
    spot = rng.choice(spots)
    x, y, z = (rng.uniform(-0.3, 0.3) for _ in range(3))
    return f'{urdf[: spot.start()]}xyz="{x!r} {y!r} {z!r}"{urdf[spot.end() :]}'


def _laughs(rng: Random, urdf: str) -> str:
    entities = "".join(f'<!ENTITY e{i + 1} "{f"&e{i};" * 10}">' for i in range(rng.randint(2, 12)))
    head = f'<?xml version="1.0"?><!DOCTYPE robot [<!ENTITY e0 "ha">{entities}]>'
    return head + urdf.partition("?>")[2].replace('name="', 'name="&e2;', 1)


def _outside_entity(_: Random, urdf: str) -> str:
    head = '<!DOCTYPE robot [<!ENTITY e SYSTEM "file:///etc/passwd">]>'
    return head + urdf.partition("?>")[2].replace('name="', 'name="&e;', 1)


def _deep(rng: Random, _: str) -> str:
    depth = rng.choice((100, 10_000, 200_000))
    return '<robot name="deep">' + "<link>" * depth + "</link>" * depth + "</robot>"


def _chain(rng: Random, _: str) -> str:
    """Very many links, fixed or moving, below each other or beside each other."""
    count, kind = rng.choice((50, 140, 990, 5000)), rng.choice(("fixed", "continuous", "revolute"))
    in_row = rng.random() < 0.5
    links = "".join(f'<link name="l{i}"/>' for i in range(count + 1))
    joints = "".join(
        f'<joint name="j{i}" type="{kind}"><parent link="l{i if in_row else 0}"/>'
        f'<child link="l{i + 1}"/><axis xyz="0 0 1"/><origin xyz="0 0 0.01"/>'
        '<limit lower="-1" upper="1" effort="1" velocity="1"/></joint>'
        for i in range(count)
    )
    return f'<robot name="many">{links}{joints}</robot>'


def _loop(_: Random, urdf: str) -> str:
    loop = '<joint name="back" type="fixed"><parent link="tool0"/><child link="base_link"/></joint>'
    return urdf.replace("</robot>", loop + "</robot>")


def _no_xml(rng: Random, _: str) -> str:
    return rng.choice(
        (values.text(rng), "robot.urdf", '{"robot": 1}', "<sdf/>", "<html></html>", "\0" * 100)
    )


def _megabytes(rng: Random, urdf: str) -> str:
    filler = rng.choice((" ", "<!-- x -->", "<gazebo/>")) * 300_000
    return urdf.replace("</robot>", filler + "</robot>")


_KINDS: dict[str, Callable[[Random, str], str]] = {
    "a real robot": _unharmed,
    "a truncated URDF": _truncated,
    "a URDF with other attributes": _other_attributes,
    "a URDF with another tag": _other_tags,
    "a URDF with something inserted": _inserted,
    "a URDF with two lines swapped": _shuffled,
    "a URDF with one origin moved": _moved_numbers,
    "an entity bomb": _laughs,
    "an entity from outside": _outside_entity,
    "deeply nested elements": _deep,
    "very many links": _chain,
    "a loop of links": _loop,
    "no XML": _no_xml,
    "a URDF of megabytes": _megabytes,
}
