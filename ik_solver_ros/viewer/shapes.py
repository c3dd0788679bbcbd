# SPDX-License-Identifier: Apache-2.0
"""What a robot looks like: triangles by link, out of its URDF or, without shapes, as sticks.

Meshes (STL, DAE, OBJ) are read by Pinocchio.
"""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core.pinocchio_import import pin
from ..core.robot_model import RobotModel
from ..core.urdf_check import to_pinocchio_xml
from . import solids
from .mesh_files import MeshFiles
from .solids import Triangles

Rgb = tuple[int, int, int]

_PLAIN: Rgb = (225, 225, 220)
_STICK: Rgb = (205, 208, 214)
_JOINT: Rgb = (70, 78, 92)


@dataclass(frozen=True, eq=False)
class Part:
    """Triangles of one colour, fixed to one link.

    Attributes:
        link: the link that carries them.
        vertices: (v, 3) in metres, in the link's frame.
        faces: (f, 3) indices of vertices.
        rgb: colour, 0 to 255.
    """

    link: str
    vertices: NDArray[np.float32]
    faces: NDArray[np.uint32]
    rgb: Rgb


@dataclass(frozen=True)
class Look:
    """A robot's parts and what could not be shown.

    Attributes:
        parts: all triangles.
        missing: names of meshes that were not found or could not be read.
        is_sticks: whether nothing but sticks is shown.
    """

    parts: tuple[Part, ...]
    missing: tuple[str, ...] = ()
    is_sticks: bool = False


@dataclass
class _Visuals:
    """Visual elements by link, with the file of each mesh, and the names of meshes without one."""

    shown: list[tuple[str, ElementTree.Element, str]] = field(default_factory=list)
    missing: dict[str, str] = field(default_factory=dict)


def look_of(robot: RobotModel, urdf_text: str, files: MeshFiles, size_m: float) -> Look:
    """What the URDF shows; sticks for links whose meshes are missing, or for all if none has any.

    Args:
        robot: the robot of ``urdf_text``.
        urdf_text: the URDF.
        files: finds its meshes.
        size_m: how large the robot is, for the thickness of sticks.
    """
    visuals = _visuals_of(urdf_text, files)
    geometry = _geometry(robot, visuals)
    parts = _merged(_triangles(robot, item) for item in geometry)
    in_sticks = set(visuals.missing.values())
    if not parts:
        in_sticks = set(robot.link_names)
    sticks = _merged(_sticks(robot, in_sticks, size_m))
    return Look((*parts, *sticks), tuple(visuals.missing), is_sticks=not parts)


def _visuals_of(urdf_text: str, files: MeshFiles) -> _Visuals:
    found = _Visuals()
    for link in ElementTree.fromstring(urdf_text).findall("link"):
        for visual in link.findall("visual"):
            mesh, name = visual.find("geometry/mesh"), ""
            if mesh is not None:
                name = mesh.get("filename", "")
                path = files.find(name)
                if path is None:
                    found.missing[name] = link.get("name", "")
                    continue
                mesh.set("filename", str(path))
            found.shown.append((link.get("name", ""), visual, name))
    materials = ElementTree.fromstring(urdf_text).findall("material")
    _resolve_colours([visual for _, visual, _ in found.shown], materials)
    return found


def _resolve_colours(
    visuals: Sequence[ElementTree.Element], materials: Sequence[ElementTree.Element]
) -> None:
    """Write the colour of each named material into the visuals that use it."""
    inline = [material for visual in visuals for material in visual.findall("material")]
    named = {
        material.get("name"): colour
        for material in [*inline, *materials]
        if (colour := material.find("color")) is not None
    }
    for material in inline:
        if material.find("color") is None and material.get("name") in named:
            material.append(named[material.get("name")])


def _geometry(robot: RobotModel, visuals: _Visuals) -> list[Any]:
    """Pinocchio's geometry objects; visuals that it refuses become missing."""
    try:
        return _built(robot, visuals.shown)
    except Exception:  # noqa: BLE001  # one broken file: find out which
        return [
            item for entry in visuals.shown for item in _built_if_possible(robot, entry, visuals)
        ]


def _built_if_possible(
    robot: RobotModel, entry: tuple[str, ElementTree.Element, str], visuals: _Visuals
) -> list[Any]:
    try:
        return _built(robot, [entry])
    except Exception:  # noqa: BLE001
        link, _, name = entry
        visuals.missing[name or f"a shape of {link}"] = link
        return []


def _built(robot: RobotModel, entries: Iterable[tuple[str, ElementTree.Element, str]]) -> list[Any]:
    root = ElementTree.fromstring(to_pinocchio_xml(robot.tree))
    links = {link.get("name"): link for link in root.findall("link")}
    for link, visual, _ in entries:
        links[link].append(visual)
    xml = ElementTree.tostring(root, encoding="unicode")
    model = pin.buildGeomFromUrdfString(robot.model, xml, pin.GeometryType.VISUAL)
    return list(model.geometryObjects)


def _triangles(robot: RobotModel, item: Any) -> Part:
    """Of one geometry object, in its link's frame."""
    frame = robot.model.frames[item.parentFrame]
    vertices, faces = triangles_of(item.geometry)
    placement = frame.placement.actInv(item.placement)  # both are in the joint's frame
    vertices = vertices @ placement.rotation.T + placement.translation
    rgb = _PLAIN
    if item.overrideMaterial:
        r, g, b = (round(255 * float(c)) for c in item.meshColor[:3])
        rgb = (r, g, b)
    return Part(frame.name, vertices, faces, rgb)


def triangles_of(shape: Any) -> Triangles:
    """Vertices and faces of a shape of coal; meshes are scaled already.

    Shapes are told apart by what they have: coal itself is imported elsewhere.
    """
    if hasattr(shape, "num_tris"):
        triangles = (shape.tri_indices(i) for i in range(shape.num_tris))
        faces = np.array([(t[0], t[1], t[2]) for t in triangles]).reshape(-1, 3)
        return np.array(shape.vertices()), faces
    if hasattr(shape, "halfSide"):
        return solids.box(shape.halfSide)
    if not hasattr(shape, "halfLength"):
        return solids.sphere(shape.radius)
    if type(shape).__name__ == "Capsule":
        return solids.capsule(shape.radius, 2.0 * shape.halfLength)
    return solids.cylinder(shape.radius, 2.0 * shape.halfLength)


def _sticks(robot: RobotModel, links: set[str], size_m: float) -> Iterator[Part]:
    """Rods to the joints below each link, and drums for the joints that move."""
    thick = 0.014 * size_m
    for joint in robot.tree.joints:
        end = np.array(joint.xyz)
        if joint.parent in links and float(np.linalg.norm(end)) > thick:
            yield Part(joint.parent, *solids.rod(thick, np.zeros(3), end), _STICK)
        if joint.child in links and joint.name in robot.joints:
            half = 2.2 * thick * np.array(joint.axis)
            yield Part(joint.child, *solids.rod(2.0 * thick, -half, half), _JOINT)


def _merged(parts: Iterable[Part]) -> tuple[Part, ...]:
    """One part for each link and colour."""
    groups: dict[tuple[str, Rgb], list[Part]] = {}
    for part in parts:
        groups.setdefault((part.link, part.rgb), []).append(part)
    return tuple(_joined(link, rgb, group) for (link, rgb), group in groups.items())


def _joined(link: str, rgb: Rgb, group: Sequence[Part]) -> Part:
    starts = np.cumsum([0, *(len(part.vertices) for part in group[:-1])])
    vertices = np.concatenate([part.vertices for part in group])
    faces = np.concatenate([part.faces + start for part, start in zip(group, starts)])
    return Part(link, vertices.astype(np.float32), faces.astype(np.uint32), rgb)
