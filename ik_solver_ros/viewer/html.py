# SPDX-License-Identifier: Apache-2.0
"""Pieces of the panel as HTML; names come from URDFs and are escaped."""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape

from .scene import JointRow, Tone, View

_FONT = "font-size:12.5px;line-height:1.45;"


def status(view: View, notes: Sequence[str] = ()) -> str:
    """The state: a coloured line, the sentence, and figures."""
    r, g, b = view.tone.rgb
    parts = [
        f'<div style="background:rgb({r},{g},{b});color:white;border-radius:6px;padding:5px 10px;'
        f'font-weight:650;font-size:15px">{escape(view.headline)}</div>'
    ]
    if view.tone is Tone.FAILED or not view.message.startswith("solved"):
        parts.append(f'<div style="{_FONT}margin-top:6px">{escape(view.message)}</div>')
    if view.details:
        figures = " · ".join(
            f'<span style="white-space:nowrap">{escape(part)}</span>'
            for part in view.details.split(" · ")
        )
        parts.append(f'<div style="{_FONT}color:#777;margin-top:4px">{figures}</div>')
    if view.branches:
        parts.append(
            f'<div style="{_FONT}color:#777">branch {view.branch} of {view.branches}</div>'
        )
    parts += [f'<div style="{_FONT}color:#777">{escape(note)}</div>' for note in notes]
    return f'<div style="padding:2px 12px 4px">{"".join(parts)}</div>'


def joint_table(rows: Sequence[JointRow]) -> str:
    """Each joint with its place between the limits and how far the nearer one is."""
    head = (
        '<tr style="color:#777;text-align:left"><th style="font-weight:500">joint</th>'
        '<th style="font-weight:500;text-align:right">at</th><th></th>'
        '<th style="font-weight:500;text-align:right">to limit</th></tr>'
    )
    body = "".join(map(_row, rows))
    return (
        f'<div style="padding:0 12px"><table style="{_FONT}width:100%;border-spacing:0 3px;'
        f'border-collapse:separate">{head}{body}</table></div>'
    )


def _row(row: JointRow) -> str:
    colour = "inherit"
    if row.is_blocking:
        colour = "rgb(150,20,90)"
    elif row.is_near:
        colour = "rgb(200,110,0)"
    weight = 650 if row.is_near or row.is_blocking else 400
    margin = "no limit" if math.isinf(row.margin) else _figure(row.margin, row.unit)
    return (
        f'<tr style="color:{colour};font-weight:{weight}">'
        '<td style="max-width:110px;overflow:hidden;text-overflow:ellipsis">'
        f"{escape(row.name)}</td>"
        f'<td style="text-align:right;white-space:nowrap">{_figure(row.value, row.unit)}</td>'
        f'<td style="width:64px;padding:0 6px">{_bar(row)}</td>'
        f'<td style="text-align:right;white-space:nowrap">{margin}</td></tr>'
    )


def _bar(row: JointRow) -> str:
    if row.share is None:
        return ""
    at = 100.0 * min(max(row.share, 0.0), 1.0)
    return (
        '<div style="position:relative;height:4px;border-radius:2px;background:#ddd">'
        f'<div style="position:absolute;left:calc({at:.1f}% - 4px);top:-2px;width:8px;height:8px;'
        'border-radius:4px;background:currentColor"></div></div>'
    )


def _figure(value: float, unit: str) -> str:
    number = f"{round(value, 1) + 0.0:.1f}"  # no negative zero
    return number + (unit if unit == "°" else f" {unit}")


def text_to_copy(text: str) -> str:
    """A text with a button that puts it on the clipboard."""
    return (
        '<div style="padding:0 12px">'
        f'<pre style="font-size:11px;line-height:1.4;max-height:180px;overflow:auto;margin:0 0 6px;'
        "padding:8px;background:rgba(128,128,128,.12);border-radius:6px;white-space:pre-wrap;"
        f'word-break:break-all;user-select:all">{escape(text)}</pre>'
        '<button style="font-size:12px;padding:3px 10px;border:1px solid #bbb;border-radius:5px;'
        'background:transparent;color:inherit;cursor:pointer" onclick="'
        "navigator.clipboard.writeText(this.previousElementSibling.textContent)"
        ".then(()=>{this.textContent='copied'})\">copy</button></div>"
    )
