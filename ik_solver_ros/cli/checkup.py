# SPDX-License-Identifier: Apache-2.0
"""Everything that `ik check` finds out about a robot description, as the object of ``--json``.

The object, with everything in m and rad (``null``: no limit, or unknown)::

    file
    usable                     no error among the faults, and at least one arm
    faults                     severity (error, warning, note), kind, subject, message, line
    robot                      name, root_link, links; null where an error keeps it from being read
    joints                     name, type, parent, child, lower, upper, velocity, effort, follows
                               (joint, multiplier, offset; else null), line
    tips                       the likely one first: tip_frame, base_frame, joints, freedoms,
                               is_finger, problem, analytic (the family that EAIK knows it as)
    why                        why the first tip is the likely one
    meshes                     found (a number), missing (file names)
    parameters                 for the node; empty without an arm
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from ..core.chain import build_chain
from ..core.errors import IKSolverError, MissingDependencyError, RobotModelError
from ..core.robot_model import RobotModel
from ..core.solvers.analytic import decomposition
from ..core.tips import Tip, candidate_tips, why_likely
from ..core.urdf.meshes import find_meshes, missing_meshes
from ..core.urdf_check import Fault, UrdfJoint
from ..viewer.mesh_files import MeshFiles
from .inputs import urdf_text_from


def examine(given: argparse.Namespace) -> dict[str, Any]:
    """Read the description that the arguments name, and everything in it.

    Raises:
        RobotModelError: without faults, if the file cannot be read at all.
    """
    text = urdf_text_from(given)
    try:
        robot = RobotModel.from_urdf(text)
    except RobotModelError as error:
        if not error.faults:
            raise
        return _refused(given.urdf, error.faults)
    files = MeshFiles(None if given.urdf == "-" else Path(given.urdf), given.package_dir)
    meshes = find_meshes(text, files.find)
    faults = sorted((*robot.warnings, *missing_meshes(meshes)), key=_order)
    tips = [_tip(robot, tip) for tip in candidate_tips(robot.tree)]
    first = next((tip for tip in tips if not tip["problem"]), None)
    return {
        "file": given.urdf,
        "usable": first is not None,
        "faults": [vars(fault) for fault in faults],
        "robot": {
            "name": robot.name,
            "root_link": robot.root_link,
            "links": list(robot.link_names),
        },
        "joints": [_joint(joint) for joint in robot.tree.joints],
        "tips": tips,
        "why": why_likely(candidate_tips(robot.tree)) if tips else "",
        "meshes": {
            "found": len({mesh.filename for mesh in meshes if mesh.path is not None}),
            "missing": sorted({mesh.filename for mesh in meshes if mesh.path is None}),
        },
        "parameters": {name: first[name] for name in ("base_frame", "tip_frame")} if first else {},
    }


def _refused(file: str, faults: tuple[Fault, ...]) -> dict[str, Any]:
    return {
        "file": file,
        "usable": False,
        "faults": [vars(fault) for fault in faults],
        "robot": None,
        "joints": [],
        "tips": [],
        "why": "",
        "meshes": {"found": 0, "missing": []},
        "parameters": {},
    }


def _order(fault: Fault) -> tuple[bool, int]:
    return fault.severity != "warning", fault.line or 0


def _tip(robot: RobotModel, tip: Tip) -> dict[str, Any]:
    problem, analytic = "", None
    try:
        chain = build_chain(robot, tip.base_frame, tip.link)
        analytic = decomposition(chain)
        if len(chain.held_joints) == len(chain.variable_names):
            problem = "its limits let no joint move"
    except MissingDependencyError:
        analytic = "unknown: EAIK is not installed"
    except IKSolverError as error:
        problem = str(error)
    return {
        "tip_frame": tip.link,
        "base_frame": tip.base_frame,
        "joints": list(tip.joints),
        "freedoms": tip.freedoms,
        "is_finger": tip.is_finger,
        "problem": problem,
        "analytic": analytic,
    }


def _joint(joint: UrdfJoint) -> dict[str, Any]:
    follows = None
    if joint.mimic_joint is not None:
        follows = {
            "joint": joint.mimic_joint,
            "multiplier": joint.mimic_multiplier,
            "offset": joint.mimic_offset,
        }
    return {
        "name": joint.name,
        "type": joint.type,
        "parent": joint.parent,
        "child": joint.child,
        "lower": joint.lower,
        "upper": joint.upper,
        "velocity": joint.velocity,
        "effort": joint.effort,
        "follows": follows,
        "line": joint.line,
    }
