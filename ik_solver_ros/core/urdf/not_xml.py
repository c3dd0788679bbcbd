# SPDX-License-Identifier: Apache-2.0
"""Why a text is not XML, and what it may be instead."""

from __future__ import annotations

import re
from xml.parsers import expat

from ..errors import quoted
from .faults import Kind

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
    _CODES[expat.errors.XML_ERROR_INVALID_TOKEN]: "; correct the text there: values stand in "
    "quotes, '<' in them is '&lt;'",
    _CODES[expat.errors.XML_ERROR_DUPLICATE_ATTRIBUTE]: "; keep one of them",
    _CODES[expat.errors.XML_ERROR_JUNK_AFTER_DOC_ELEMENT]: "; one <robot> holds everything",
}


def what_it_is(body: str) -> tuple[Kind, str, int | None]:
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


def why_not_xml(error: expat.ExpatError, body: str, open_elements: list[tuple[str, int]]) -> str:
    """Sentence for what stopped the parser while these elements (tag, line) were open."""
    if open_elements and error.code == _MISMATCHED_TAG:
        tag, line = open_elements[-1]
        place = _place(error, body)
        return f"element {quoted(tag)} of line {line} is not closed before {place}; close it there"
    if open_elements and error.code in _CUT_OFF:
        tag, line = open_elements[-1]
        return (
            f"the text ends before element {quoted(tag)} of line {line} is closed; is it cut off?"
        )
    around = _around(error, body)
    hint = _HINTS.get(error.code, "")
    if "\0" in around:
        hint = "; it holds NUL characters, as UTF-16 does: save it as UTF-8 text"
    elif "\\n" in around or '\\"' in around:
        hint = "; its backslashes come from YAML or JSON, so pass the text on unescaped"
    return f"broken XML ({expat.ErrorString(error.code)}) at {_place(error, body)}{hint}"


def _place(error: expat.ExpatError, body: str) -> str:
    return f"column {error.offset + 1}, near {quoted(_around(error, body))}"


def _around(error: expat.ExpatError, body: str) -> str:
    line = _LINE_BREAK.split(body)[error.lineno - 1]
    return line[max(0, error.offset - 20) : error.offset + 30].strip()


def count_lines(text: str) -> int:
    """How many line ends a text has; as expat counts them."""
    return len(_LINE_BREAK.findall(text))
