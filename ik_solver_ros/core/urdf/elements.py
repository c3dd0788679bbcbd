# SPDX-License-Identifier: Apache-2.0
"""URDF text to elements that know their line, and one sentence for whatever is not XML.

Expat does the parsing: it nests without recursion, and it tells lines and columns. A DOCTYPE is
refused where it begins, so no entity is ever expanded.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from xml.parsers import expat

from .faults import FaultLog, Kind, quoted

_KEPT_DEPTH = 4  # robot / link / inertial / mass: nothing deeper matters to kinematics
_BLANK = "\ufeff \t\r\n"
_LINE_BREAK = re.compile(r"\r\n|\r|\n")
_CODES = expat.errors.codes
_MISMATCHED_TAG = _CODES[expat.errors.XML_ERROR_TAG_MISMATCH]
_CUT_OFF = (
    _CODES[expat.errors.XML_ERROR_NO_ELEMENTS],
    _CODES[expat.errors.XML_ERROR_UNCLOSED_TOKEN],
)
_HINTS = {
    _CODES[expat.errors.XML_ERROR_MISPLACED_XML_PI]: "; move <?xml …?> to the very beginning",
    _CODES[expat.errors.XML_ERROR_UNDEFINED_ENTITY]: "; write '&amp;' for a plain '&'",
    _CODES[expat.errors.XML_ERROR_JUNK_AFTER_DOC_ELEMENT]: "; one <robot> holds everything",
}


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
class Document:
    """What the parser saw.

    Attributes:
        root: the outermost element, four levels of it.
        xacro_elements: (tag, line) of every ``<xacro:…>`` at any depth.
        expressions: (text, line) of every attribute with a ``${…}`` or ``$(…)`` at any depth.
    """

    root: Element
    xacro_elements: list[tuple[str, int]]
    expressions: list[tuple[str, int]]


def parse_xml(text: str, faults: FaultLog) -> Document | None:
    """Parse a document; None, and an error in the log, where it is not XML."""
    body = text.lstrip(_BLANK)
    if not body.startswith("<"):
        faults.error(*_what_it_is(body))
        return None
    builder = _Builder(lines_before=_count_lines(text[: len(text) - len(body)]))
    try:
        return builder.parse(body)
    except _DoctypeError:
        faults.error(
            "doctype",
            "a DOCTYPE is refused, because entities can grow without bound and a URDF needs none; "
            "delete it and write out what its entities stand for",
            builder.line,
        )
    except expat.ExpatError as error:
        message = _why_not_xml(error, body, builder.open_elements)
        faults.error("not-xml", message, error.lineno + builder.lines_before)
    except UnicodeEncodeError as error:
        line = _count_lines(body[: error.start]) + builder.lines_before + 1
        faults.error(
            "not-xml", "this is not Unicode text (a lone surrogate); read it as UTF-8", line
        )
    return None


def is_expression(text: str) -> bool:
    """Whether a text holds an expression that only xacro can evaluate."""
    return "${" in text or "$(" in text


class _DoctypeError(Exception):
    """Stops the parser at a DOCTYPE."""


class _Builder:
    """Expat's callbacks: keeps the upper levels of the document."""

    def __init__(self, lines_before: int) -> None:
        self.lines_before = lines_before
        self.open_elements: list[tuple[str, int]] = []  # (tag, line), outermost first
        self._kept: list[Element] = [Element("", {}, 0)]  # holds the root; the open ones follow
        self._xacro_elements: list[tuple[str, int]] = []
        self._expressions: list[tuple[str, int]] = []
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
        return Document(self._kept[0].children[0], self._xacro_elements, self._expressions)

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        line = self.line
        self.open_elements.append((tag, line))
        if tag.startswith("xacro:"):
            self._xacro_elements.append((tag, line))
        for value in attributes.values():
            if is_expression(value):
                self._expressions.append((value, line))
        if len(self.open_elements) <= _KEPT_DEPTH:
            element = Element(tag, attributes, line)
            self._kept[-1].children.append(element)
            self._kept.append(element)

    def _end(self, _tag: str) -> None:
        if len(self.open_elements) <= _KEPT_DEPTH:
            self._kept.pop()
        self.open_elements.pop()

    def _refuse_doctype(self, *_declaration: object) -> None:
        raise _DoctypeError


def _what_it_is(body: str) -> tuple[Kind, str, int | None]:
    """Kind, sentence and line for a text that does not begin like XML."""
    if not body:
        return "empty", "the robot description is empty; give the text of a URDF", None
    begins = quoted(_LINE_BREAK.split(body, maxsplit=1)[0])
    if body.startswith("version https://git-lfs"):
        what = "is a Git LFS pointer, not the file; run 'git lfs pull'"
    elif "<robot" in body:
        what = (
            f"begins with {begins} before its <robot>; if it comes from a launch file, pass it as "
            f"ParameterValue(…, value_type=str), so that it is not read as YAML"
        )
    elif re.fullmatch(r"\S+\.(urdf|xacro|xml)\s*", body):
        what = f"is the path {begins}; give the text of that file, or load it as a file"
    else:
        what = f"begins with {begins}, which is not XML; give the text of a URDF"
    return "not-xml", f"the robot description {what}", 1


def _why_not_xml(error: expat.ExpatError, body: str, open_elements: list[tuple[str, int]]) -> str:
    if open_elements and error.code == _MISMATCHED_TAG:
        tag, line = open_elements[-1]
        return f"element {quoted(tag)} of line {line} is not closed before {_place(error, body)}"
    if open_elements and error.code in _CUT_OFF:
        tag, line = open_elements[-1]
        return (
            f"the text ends before element {quoted(tag)} of line {line} is closed; is it cut off?"
        )
    hint = _HINTS.get(error.code, "")
    if "\\n" in body or '\\"' in body:
        hint = "; quotes or line ends have backslashes, as if it had been through YAML or JSON"
    return f"broken XML ({expat.ErrorString(error.code)}) at {_place(error, body)}{hint}"


def _place(error: expat.ExpatError, body: str) -> str:
    line = _LINE_BREAK.split(body)[error.lineno - 1]
    around = line[max(0, error.offset - 20) : error.offset + 30].strip()
    return f"column {error.offset + 1}, near {quoted(around)}"


def _count_lines(text: str) -> int:
    return len(_LINE_BREAK.findall(text))
