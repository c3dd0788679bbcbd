# SPDX-License-Identifier: Apache-2.0
# PYTHON_ARGCOMPLETE_OK
"""The command `ik`: reads the arguments, runs one subcommand, turns errors into sentences.

A subcommand is a module of this folder with `HELP`, `EXAMPLES`, `add_arguments` and `run`; what is
slow to import it imports inside `run`, so that completion and `--help` answer at once.
"""

from __future__ import annotations

import argparse
import importlib
import io
import os
import re
import sys
import traceback
from collections.abc import Sequence
from typing import Any, NoReturn

from .. import __version__
from ..core.errors import IKSolverError, listed, near_matches
from .exit_codes import INTERNAL_ERROR, INTERRUPTED, SOLVED, WRONG_USE
from .output import coloured, print_json, tell
from .wording import error_in_options

#: Subcommands in the order of `ik --help`.
COMMANDS = (
    "check",
    "solve",
    "fk",
    "batch",
    "reach",
    "call",
    "view",
)

_EPILOG = """\
exit codes: 0 solved, 1 not solved, 2 wrong usage or input
            (check: 0 can be used, warnings or not; 1 has faults; 2 cannot be read)

completion for this shell, bash or zsh (zsh: `autoload -U bashcompinit && bashcompinit` first):
  eval "$(register-python-argcomplete ik)"
"""
_NEGATIVE_NUMBER = re.compile(r"-((\d+\.?\d*|\.\d+)(e[+-]?\d+)?|inf|nan)", re.IGNORECASE)


class UsageError(Exception):
    """Arguments that do not fit together."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run `ik`; the exit code is 0 solved, 1 not solved, 2 wrong usage or input."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    try:
        if isinstance(sys.stdout, io.TextIOWrapper):
            sys.stdout.reconfigure(errors="replace")  # drawings need Unicode, readers may not
        return _run(words)
    except BrokenPipeError:
        # The reader (`| head`) has enough; Python would complain once more at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return SOLVED
    except KeyboardInterrupt:
        return INTERRUPTED
    except (UsageError, IKSolverError, OSError) as error:
        _tell_error(error, words)
        return WRONG_USE
    except Exception:  # noqa: BLE001
        tell(f"ik: an error of its own, please report it:\n{traceback.format_exc()}")
        return INTERNAL_ERROR


def _run(words: Sequence[str]) -> int:
    parser = build_parser()
    if "_ARGCOMPLETE" in os.environ:
        from .completion import complete

        complete(parser)
    _require_command(words)
    given, unknown = parser.parse_known_args([_protected(word) for word in words])
    if unknown:
        raise UsageError(_unknown(unknown, given.parser))
    code: int = given.run(given)
    sys.stdout.flush()
    return code


def _require_command(words: Sequence[str]) -> None:
    if words and not words[0].startswith("-") and words[0] not in COMMANDS:
        near = near_matches(words[0], COMMANDS)
        there_are = f"there are {listed(COMMANDS)}"
        if near:
            there_are = f"did you mean {listed(near, last=' or ')}?"
        raise UsageError(f"there is no command '{words[0]}'; {there_are}")


def build_parser() -> argparse.ArgumentParser:
    """The parser of the whole command."""
    parser = _Parser(
        prog="ik",
        description="Which joint angles put the tool here? For any robot with a URDF.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"ik {__version__}")
    subparsers = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name in COMMANDS:
        command: Any = importlib.import_module(f".{name}", __package__)
        subparser = subparsers.add_parser(
            name,
            help=command.HELP,
            description=command.HELP[0].upper() + command.HELP[1:] + ".",
            epilog="examples:\n" + "\n".join(f"  {line}" for line in command.EXAMPLES),
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )
        command.add_arguments(subparser)
        subparser.set_defaults(run=command.run, parser=subparser)
    return parser


class _Parser(argparse.ArgumentParser):
    """Raises where argparse would print and exit, so that `--json` holds for wrong usage, too."""

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message} (see `{self.prog} --help`)")


def _unknown(words: Sequence[str], parser: argparse.ArgumentParser) -> str:
    """A sentence for words that no argument takes, with near matches of an option."""
    options = [option for action in parser._actions for option in action.option_strings]
    near = near_matches(words[0], options) if words[0].startswith("-") else ()
    hint = f"did you mean {listed(near, last=' or ')}?" if near else f"see `{parser.prog} --help`"
    return f"there is no argument '{words[0].strip()}' here; {hint}"


def _protected(word: str) -> str:
    """Hide the sign of a number from argparse, which takes -1e-3 and -inf for options."""
    return f" {word}" if _NEGATIVE_NUMBER.fullmatch(word) else word


def _tell_error(error: Exception, words: Sequence[str]) -> None:
    command = f"ik {words[0]}" if words and words[0] in COMMANDS else "ik"
    if "--json" in words:
        told = {"kind": type(error).__name__, "message": _sentence(error)}
        faults = [vars(fault) for fault in getattr(error, "faults", ())]
        print_json({"error": told | ({"faults": faults} if faults else {})})
    else:
        tell(f"{coloured(command + ':', 'red', sys.stderr)} {_sentence(error)}")
        if sum(fault.severity == "error" for fault in getattr(error, "faults", ())) > 1:
            tell("`ik check` lists all of them")


def _sentence(error: Exception) -> str:
    if isinstance(error, OSError) and error.filename is not None:
        return f"{error.filename}: {error.strerror}"
    return error_in_options(" ".join(str(error).split())) or type(error).__name__
