# SPDX-License-Identifier: Apache-2.0
"""One thread that does what users wish for; of wishes of the same kind only the newest counts."""

from __future__ import annotations

import sys
import threading
import traceback
from collections.abc import Callable

Wish = Callable[[], None]


class Worker:
    """Runs wishes in the order of their last posting, then shows what came of them.

    Args:
        show: called after every round of wishes, in the same thread.
        fail: called with a sentence when a wish failed in a way that nobody foresaw.
    """

    def __init__(self, show: Wish, fail: Callable[[str], None]) -> None:
        self._show, self._fail = show, fail
        self._wishes: dict[object, Wish] = {}
        self._changed = threading.Condition()
        self._is_closed = False
        self._thread = threading.Thread(target=self._work, name="viewer worker", daemon=True)
        self._thread.start()

    def post(self, wish: Wish, kind: str = "") -> None:
        """Have a wish done soon; it replaces one of the same ``kind`` that waits, if any."""
        key: object = kind or object()
        with self._changed:
            self._wishes.pop(key, None)
            self._wishes[key] = wish
            self._changed.notify()

    def close(self) -> None:
        """Finish the present round and stop."""
        with self._changed:
            self._is_closed = True
            self._changed.notify()
        self._thread.join()

    def _work(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._wishes or self._is_closed)
                if self._is_closed:
                    return
                wishes, self._wishes = self._wishes, {}
            for wish in wishes.values():
                self._try(wish)
            self._try(self._show)

    def _try(self, wish: Wish) -> None:
        try:
            wish()
        except Exception as error:  # noqa: BLE001  # the next wish may well work
            traceback.print_exc(file=sys.stderr)
            self._fail(f"internal error, please report it: {type(error).__name__}: {error}")
