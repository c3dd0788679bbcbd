# SPDX-License-Identifier: Apache-2.0
# PYTHON_ARGCOMPLETE_OK
"""The command `ik`: reads the arguments, runs one subcommand, turns errors into sentences.

A subcommand is a module of this folder with `HELP`, `EXAMPLES`, `add_arguments` and `run`; what is
slow to import it imports inside `run`, so that completion and `--help` answer at once.
"""

from __future__ import annotations

import argparse
import importlib
import os
import sys
from collections.abc import Sequence
from typing import Any

from ..core.errors import IKSolverError

#: Subcommands in the order of `ik --help`.
COMMANDS = ("solve",)

SOLVED, NOT_SOLVED, WRONG_USE = 0, 1, 2
INTERRUPTED = 130  # as a shell reports a program that SIGINT ended


def main(arguments: Sequence[str] | None = None) -> int:
    """Run `ik`; the exit code is 0 solved, 1 not solved, 2 wrong usage or input."""
    parser = _parser()
    _complete(parser)
    given = parser.parse_args(arguments)
    try:
        code: int = given.run(given)
        sys.stdout.flush()
        return code
    except (IKSolverError, OSError) as error:
        if isinstance(error, BrokenPipeError):
            # The reader (`| head`) has enough; Python would complain once more at its end.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return SOLVED
        print(f"ik {given.command}: {_sentence(error)}", file=sys.stderr)
        return WRONG_USE
    except KeyboardInterrupt:
        return INTERRUPTED


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="ik", description="Which joint angles put the tool here? For any robot with a URDF."
    )
    subparsers = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name in COMMANDS:
        command: Any = importlib.import_module(f".{name}", __package__)
        subparser = subparsers.add_parser(
            name,
            help=command.HELP,
            description=command.HELP[0].upper() + command.HELP[1:] + ".",
            epilog="examples:\n" + "\n".join(f"  {line}" for line in command.EXAMPLES),
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        command.add_arguments(subparser)
        subparser.set_defaults(run=command.run)
    return parser


def _complete(parser: argparse.ArgumentParser) -> None:
    """Answer a shell that asks for completions; otherwise nothing happens."""
    if "_ARGCOMPLETE" in os.environ:
        import argcomplete

        argcomplete.autocomplete(parser)


def _sentence(error: Exception) -> str:
    if isinstance(error, OSError) and error.filename is not None:
        return f"{error.filename}: {error.strerror}"
    return str(error)
