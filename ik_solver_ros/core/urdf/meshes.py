# SPDX-License-Identifier: Apache-2.0
"""The mesh files that a URDF refers to; kinematics needs none of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple
from xml.parsers import expat

from ..errors import quoted
from .elements import is_expression
from .faults import Fault


class Mesh(NamedTuple):
    """One reference to a mesh file.

    Attributes:
        link: the link it gives a shape to.
        purpose: "visual" or "collision".
        filename: as written in the URDF.
        line: where it is written, counted from 1.
        path: the file; None if it is not there.
    """

    link: str
    purpose: str
    filename: str
    line: int
    path: Path | None


def find_meshes(urdf_text: str, find: Callable[[str], Path | None]) -> tuple[Mesh, ...]:
    """Every mesh that a URDF refers to, with its file.

    Args:
        urdf_text: a text that ``read_urdf`` accepts.
        find: the file behind a name, or None; may raise what ``Path.is_file`` raises.
    """

    def path_of(filename: str) -> Path | None:
        try:
            return find(filename.strip())
        except (OSError, ValueError):  # too long, or with a NUL
            return None

    return tuple(
        Mesh(link, purpose, filename, line, path_of(filename))
        for link, purpose, filename, line in _references(urdf_text)
    )


def missing_meshes(meshes: tuple[Mesh, ...]) -> tuple[Fault, ...]:
    """A warning for each file that is not there, with the line that asks for it first."""
    first = {
        mesh.filename: mesh
        for mesh in reversed(meshes)
        if mesh.path is None and not is_expression(mesh.filename)  # told as a leftover of xacro
    }
    return tuple(
        Fault("warning", "missing-mesh", mesh.link, _what_to_do(mesh), mesh.line)
        for mesh in sorted(first.values(), key=lambda mesh: mesh.line)
    )


def _what_to_do(mesh: Mesh) -> str:
    about = f"link {quoted(mesh.link)} has the mesh {quoted(mesh.filename)}, which "
    if not mesh.filename.strip():
        return f'link {quoted(mesh.link)} has a <mesh> without filename; add filename="…"'
    if mesh.filename.startswith("package://"):
        package = mesh.filename.removeprefix("package://").partition("/")[0]
        return about + (
            f"is not there; source the workspace that holds the package {quoted(package)}, or "
            "correct the path (pictures and collision checks miss it, kinematics does not)"
        )
    return about + "is not there; correct the path (kinematics does without it)"


def _references(urdf_text: str) -> Iterator[tuple[str, str, str, int]]:
    found: list[tuple[str, str, str, int]] = []
    place = {"link": "", "purpose": ""}
    body = urdf_text.lstrip("\ufeff \t\r\n")
    lines_before = urdf_text[: len(urdf_text) - len(body)].count("\n")
    parser = expat.ParserCreate()

    def start(tag: str, attributes: dict[str, str]) -> None:
        if tag == "link":
            place["link"] = attributes.get("name", "")
        elif tag in ("visual", "collision"):
            place["purpose"] = tag
        elif tag == "mesh":
            line = parser.CurrentLineNumber + lines_before
            filename = attributes.get("filename", "")
            found.append((place["link"], place["purpose"], filename, line))

    parser.StartElementHandler = start
    parser.Parse(body, True)
    return iter(found)
