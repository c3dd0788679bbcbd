# SPDX-License-Identifier: Apache-2.0
"""What to say about a robot description that is not UTF-8."""

from __future__ import annotations

import codecs

from ..errors import quoted

_AROUND = 20  # bytes that are shown to each side


def not_utf8(error: UnicodeDecodeError) -> str:
    """What a sentence about the file or stream says: "is not UTF-8 text; …"."""
    data = error.object
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "is not UTF-8 text but UTF-16, as PowerShell writes it; save it as UTF-8"
    if b"\0" in data or b"<" not in data:
        return "is not UTF-8 text; is it a mesh or an archive?"
    begin = max(data.rfind(b"\n", 0, error.start) + 1, error.start - _AROUND)
    near = data[begin : error.end + _AROUND].split(b"\n")[0].decode("cp1252", "replace").strip()
    line = data.count(b"\n", 0, error.start) + 1
    return f"is not UTF-8 text on line {line}, near {quoted(near)}; save it as UTF-8"
