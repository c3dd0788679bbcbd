# SPDX-License-Identifier: Apache-2.0
"""Faults of robot descriptions, one for each kind and severity."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ik_solver_ros.core.errors import RobotModelError
from ik_solver_ros.core.urdf.meshes import find_meshes, missing_meshes
from ik_solver_ros.core.urdf_check import Fault, read_urdf
from support.broken_urdfs import GOOD_URDF, UNUSABLE, USABLE
from support.messages.provoking import Sentence

_ORDER = ("error", "warning", "note")


def description_sentences() -> Iterator[Sentence]:
    """("error: zero-axis", sentence) for everything that the set of broken URDFs shows."""
    shown: dict[tuple[str, str, str], Fault] = {}
    for case in (*UNUSABLE, *USABLE):
        for fault in _faults(case.text):
            if (fault.severity, fault.kind, fault.subject) == (
                case.severity,
                case.kind,
                case.subject,
            ):
                # Cases of one kind that only differ in their values say the same: one of them.
                shown.setdefault((fault.severity, fault.kind, _plan(fault, case.says)), fault)
    for mesh in missing_meshes(find_meshes(GOOD_URDF, _nowhere)):
        shown[(mesh.severity, mesh.kind, "")] = mesh
    unnamed = GOOD_URDF.replace("package://not_there/upper_arm.dae", "upper_arm.dae")
    for mesh in missing_meshes(find_meshes(unnamed, _nowhere)):
        shown[(mesh.severity, mesh.kind, "beside")] = mesh
    for (severity, kind, _), fault in sorted(shown.items(), key=lambda i: _ORDER.index(i[0][0])):
        yield f"{severity}: {kind}", str(fault)


def _faults(text: str) -> tuple[Fault, ...]:
    try:
        return read_urdf(text)[1]
    except RobotModelError as error:
        return error.faults


def _plan(fault: Fault, _: object) -> str:
    """The words of a sentence without its names and numbers."""
    words = [word for word in fault.message.split() if word.isalpha()]
    return " ".join(words)


def _nowhere(_: str) -> Path | None:
    return None
