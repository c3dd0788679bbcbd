# SPDX-License-Identifier: Apache-2.0
"""What all controls have in common: the user's events only, and no message without a change."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, Protocol


class Post(Protocol):
    """Takes a wish; of those of one kind that wait, only the newest is done."""

    def __call__(self, wish: Callable[[], None], kind: str = "") -> None:
        """Have a wish done soon."""


def by_user(react: Callable[[Any], None]) -> Callable[[Any], Awaitable[None]]:
    """A callback that ignores what the server itself wrote.

    A coroutine, because those run in the order of the events.
    """

    async def callback(event: Any) -> None:
        if event.client is not None:
            react(event)

    return callback


def write(handle: Any, name: str, value: Any) -> None:
    """Set a property only if it changes: every change is a message to every browser."""
    if getattr(handle, name) != value:
        setattr(handle, name, value)
