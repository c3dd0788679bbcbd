# SPDX-License-Identifier: Apache-2.0
"""Answers a shell that completes `ik`: files by suffix, names out of the URDF typed already."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import Any

import argcomplete

from ..core.errors import IKSolverError
from ..core.urdf_check import MOVING_TYPES, UrdfTree, read_urdf

_SUFFIXES = {
    "URDF": ("urdf", "xacro", "xml"),
    "FILE": ("json", "csv", "parquet", "npz", "png", "svg", "yaml"),
}


def complete(parser: argparse.ArgumentParser) -> None:
    """Print what the shell asks for, and end the process; the environment holds the question."""
    for action in _all_actions(parser):
        if action.metavar in _SUFFIXES:
            suffixes = _SUFFIXES[str(action.metavar)]
            _give(action, argcomplete.completers.FilesCompleter(suffixes))
        elif action.metavar == "DIR":
            _give(action, argcomplete.completers.DirectoriesCompleter())
        elif action.metavar == "LINK":
            _give(action, _links)
        elif action.metavar == "JOINT=VALUE":
            _give(action, _joints)
    argcomplete.autocomplete(parser, always_complete_options=False)


def _links(parsed_args: argparse.Namespace, **_: Any) -> list[str]:
    tree = _robot_in(parsed_args)
    return list(tree.links) if tree else []


def _joints(parsed_args: argparse.Namespace, **_: Any) -> list[str]:
    tree = _robot_in(parsed_args)
    return [f"{joint.name}=" for joint in tree.joints if joint.type in MOVING_TYPES] if tree else []


def _robot_in(parsed_args: argparse.Namespace) -> UrdfTree | None:
    """The robot of the URDF that is on the command line; a completion never complains."""
    from .inputs import urdf_text_from

    if getattr(parsed_args, "urdf", None) in (None, "-"):
        return None
    try:
        return read_urdf(urdf_text_from(parsed_args))[0]
    except IKSolverError:
        return None


def _all_actions(parser: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    for action in parser._actions:
        yield action
        if isinstance(action, argparse._SubParsersAction):
            for subparser in action.choices.values():
                yield from _all_actions(subparser)


def _give(action: argparse.Action, completer: Any) -> None:
    action.completer = completer  # type: ignore[attr-defined]
