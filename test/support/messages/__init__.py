# SPDX-License-Identifier: Apache-2.0
"""Provokes every sentence that tells somebody what is wrong, to be read as one list."""

from support.messages.command import WRONG_USE, command_sentences
from support.messages.descriptions import description_sentences
from support.messages.library import library_sentences
from support.messages.no_solution import no_solution_sentences
from support.messages.node import node_sentences

__all__ = ["WRONG_USE", "sections"]


def sections():
    """(title, introduction, sentences) of each part of the list; a sentence is (kind, text)."""
    yield (
        "No solution",
        "What `message` says when there is no answer, and with some that there are. The status "
        "says who can do something about it.",
        no_solution_sentences(),
    )
    yield (
        "Robot descriptions",
        "One example of each kind of fault; `ik check` lists all of a file. The kinds after the "
        "severity are the `kind` of `ik check --json`.",
        description_sentences(),
    )
    yield (
        "Requests, settings and files",
        "Errors of the library, under the name of their class; a service answers with the status "
        "of the same kind.",
        library_sentences(),
    )
    yield (
        "The command ik",
        "Wrong use and wrong input, exit code 2, beside those of the library.",
        command_sentences(),
    )
    yield (
        "The node",
        "Refusals of the services, of parameters and of streams, beside those of the library.",
        node_sentences(),
    )
