# SPDX-License-Identifier: Apache-2.0
"""Other executables as processes of our own, which end when we do."""

from __future__ import annotations

import signal
import subprocess
from pathlib import Path
from types import TracebackType

_PATIENCE_S = 5.0


class Children:
    """Processes that end when the block is left.

    Args:
        commands: executable and arguments of each.

    Raises:
        OSError: one cannot be started; then none runs.
    """

    def __init__(self, commands: list[list[str]]) -> None:
        self._commands = commands
        self._processes: list[subprocess.Popen[bytes]] = []
        try:
            for command in commands:
                self._processes.append(subprocess.Popen(command, stdin=subprocess.DEVNULL))
        except OSError:
            self._end()
            raise

    def all_run(self) -> bool:
        """Whether every one is running."""
        return self.ended() == ""

    def ended(self) -> str:
        """Name of the first one that has ended; empty if all run."""
        for command, process in zip(self._commands, self._processes):
            if process.poll() is not None:
                return Path(command[0]).name
        return ""

    def __enter__(self) -> Children:
        return self

    def __exit__(
        self,
        _type: type[BaseException] | None,
        _error: BaseException | None,
        _traceback: TracebackType | None,
    ) -> None:
        self._end()

    def _end(self) -> None:
        for process in self._processes:
            if process.poll() is None:
                process.send_signal(signal.SIGINT)
        for process in self._processes:
            _wait_or_kill(process)


def _wait_or_kill(process: subprocess.Popen[bytes]) -> None:
    try:
        process.wait(_PATIENCE_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
