# SPDX-License-Identifier: Apache-2.0
"""URDF text to elements that know their line, and one sentence for whatever is not XML.

Expat does the parsing: it nests without recursion, and it tells lines and columns. A DOCTYPE is
refused where it begins, so no entity is ever expanded.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from xml.parsers import expat

from ..errors import quoted
from .faults import FaultLog, Kind
from .not_xml import count_lines, what_it_is, why_not_xml

_KEPT_DEPTH = 4  # robot / link / inertial / mass
# fmt: off
_KEPT_TAGS = frozenset({  # in small letters
    "link", "joint", "parent", "child", "origin", "axis", "limit", "mimic",
    "inertial", "mass", "inertia",
})
# fmt: on
# 1000 links and the joints between them: Pinocchio climbs the tree by recursion, and 8 MB of stack
# end between 3000 and 4000 links. Stopping here also ends hostile texts soon.
_MOST_PARTS = 2000
_BLANK = "\ufeff \t\r\n"


@dataclass(slots=True)
class Element:
    """One XML element.

    Attributes:
        tag: its name, with a namespace prefix as written.
        attributes: by name, as written.
        line: where it begins, counted from 1.
        children: the elements in it, in document order.
    """

    tag: str
    attributes: dict[str, str]
    line: int
    children: list[Element] = field(default_factory=list)

    def all(self, tag: str) -> Iterator[Element]:
        """Children of one name."""
        return (child for child in self.children if child.tag == tag)

    def first(self, tag: str) -> Element | None:
        """The first child of one name: the one that ROS tools read."""
        return next(self.all(tag), None)


@dataclass(slots=True)
class Sightings:
    """Where something was seen first, and how often in all.

    Attributes:
        first: text and line of the first; meaningless while count is 0.
        count: how many there are.
    """

    first: tuple[str, int] = ("", 0)
    count: int = 0

    def add(self, text: str, line: int) -> None:
        """Count one more."""
        if self.count == 0:
            self.first = (text, line)
        self.count += 1


@dataclass(slots=True)
class Document:
    """What the parser saw.

    Attributes:
        root: the outermost element with the parts of a robot that matter to kinematics.
        xacro_elements: ``<xacro:…>`` at any depth.
        expressions: attributes with a ``${…}`` or ``$(…)`` at any depth.
    """

    root: Element
    xacro_elements: Sightings
    expressions: Sightings


def parse_xml(text: str, faults: FaultLog) -> Document | None:
    """Parse a document; None, and an error in the log, where it is not XML."""
    body = text.lstrip(_BLANK)
    if not body.startswith("<"):
        faults.error(*what_it_is(body))
        return None
    builder = _Builder(lines_before=count_lines(text[: len(text) - len(body)]))
    try:
        return builder.parse(body)
    except _RefusedError as refusal:
        faults.error(refusal.kind, str(refusal), builder.line)
    except expat.ExpatError as error:
        message = why_not_xml(error, body, builder.open_elements)
        faults.error("not-xml", message, error.lineno + builder.lines_before)
    except UnicodeEncodeError as error:
        line = count_lines(body[: error.start]) + builder.lines_before + 1
        faults.error(
            "not-xml", "this is not Unicode text (a lone surrogate); read it as UTF-8", line
        )
    return None


def is_expression(text: str) -> bool:
    """Whether a text holds an expression that only xacro can evaluate."""
    return "${" in text or "$(" in text


class _RefusedError(Exception):
    """Stops the parser at once."""

    def __init__(self, kind: Kind, message: str) -> None:
        super().__init__(message)
        self.kind = kind


class _Builder:
    """Expat's callbacks: keeps the elements that matter, and looks for leftovers in all others."""

    def __init__(self, lines_before: int) -> None:
        self.lines_before = lines_before
        self.open_elements: list[tuple[str, int]] = []  # (tag, line), outermost first
        self._kept: list[Element | None] = []  # the same elements, None where they do not matter
        self._root = Element("", {}, 0)
        self._xacro_elements = Sightings()
        self._expressions = Sightings()
        self._parser = expat.ParserCreate()
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.StartDoctypeDeclHandler = self._refuse_doctype

    @property
    def line(self) -> int:
        """Where the parser is, in the whole text."""
        return self._parser.CurrentLineNumber + self.lines_before

    def parse(self, body: str) -> Document:
        """Read everything. Expat takes a str as UTF-8, whatever encoding it declares."""
        self._parser.Parse(body, True)
        return Document(self._root, self._xacro_elements, self._expressions)

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        line = self.line
        self._kept.append(self._keep(tag, attributes, line))
        self.open_elements.append((tag, line))
        if tag.startswith("xacro:"):
            self._xacro_elements.add(tag, line)
        for value in attributes.values():
            if is_expression(value):
                self._expressions.add(value, line)

    def _keep(self, tag: str, attributes: dict[str, str], line: int) -> Element | None:
        if not self._kept:
            self._root = Element(tag, attributes, line)
            return self._root
        parent = self._kept[-1]
        if parent is None or len(self._kept) >= _KEPT_DEPTH or tag.lower() not in _KEPT_TAGS:
            return None
        element = Element(tag, attributes, line)
        parent.children.append(element)
        if len(parent.children) > _MOST_PARTS:
            raise _RefusedError(
                "too-many",
                f"element {quoted(parent.tag)} of line {parent.line} holds more than {_MOST_PARTS} "
                f"links, joints or other parts; leave out what no arm needs",
            )
        return element

    def _end(self, _tag: str) -> None:
        self._kept.pop()
        self.open_elements.pop()

    def _refuse_doctype(self, *_declaration: object) -> None:
        raise _RefusedError(
            "doctype",
            "a DOCTYPE is refused, because entities can grow without bound and a URDF needs none; "
            "delete it and write out what its entities stand for",
        )
