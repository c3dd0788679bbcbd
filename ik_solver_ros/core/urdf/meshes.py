# SPDX-License-Identifier: Apache-2.0
"""The mesh files that a URDF refers to, and where they are; kinematics needs none of them."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote
from xml.parsers import expat

from .elements import is_expression
from .faults import Fault, quoted


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


def find_meshes(
    urdf_text: str, folder: Path, environment: Mapping[str, str] = os.environ
) -> tuple[Mesh, ...]:
    """Every mesh that a URDF refers to, with its file.

    Args:
        urdf_text: a text that ``read_urdf`` accepts.
        folder: where the URDF lies; names that are no URL are relative to it.
        environment: its AMENT_PREFIX_PATH and ROS_PACKAGE_PATH are searched for ``package://``,
            and so are the folders above ``folder``, since a package is often read where it lies.
    """
    return tuple(
        Mesh(link, purpose, filename, line, _path_of(filename, folder, environment))
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


def _path_of(filename: str, folder: Path, environment: Mapping[str, str]) -> Path | None:
    return next(filter(_is_file, _places(filename.strip(), folder, environment)), None)


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):  # too long, or with a NUL
        return False


def _places(filename: str, folder: Path, environment: Mapping[str, str]) -> Iterator[Path]:
    scheme, separator, rest = filename.partition("://")
    if not separator:
        if filename:
            yield folder / filename
    elif scheme == "file":
        yield Path(unquote(rest))
    elif scheme == "package":
        package, _, inside = unquote(rest).partition("/")
        for prefix in _listed(environment.get("AMENT_PREFIX_PATH")):
            yield prefix / "share" / package / inside
        for root in _listed(environment.get("ROS_PACKAGE_PATH")):
            yield root / package / inside
            if root.name == package:
                yield root / inside
        for above in (folder.absolute(), *folder.absolute().parents):
            if above.name == package:
                yield above / inside
            yield above / package / inside


def _listed(paths: str | None) -> Iterator[Path]:
    return (Path(path) for path in (paths or "").split(os.pathsep) if path)
