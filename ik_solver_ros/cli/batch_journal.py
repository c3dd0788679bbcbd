# SPDX-License-Identifier: Apache-2.0
"""How far an unfinished batch has come, in a file beside its output.

After each slice the output is on the disk, and then this file is replaced as a whole. What a crash
leaves behind the size that it tells is cut off when the run goes on, so no row is there twice, in
part or not at all.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path

from ..core.errors import InvalidRequestError


@dataclass
class Progress:
    """What the journal holds.

    Attributes:
        asked: what the run was begun with, by the words that name something else in a sentence,
            such as "another robot"; the run goes on for the same only.
        rows: how many rows of the input are done.
        digest: SHA-256 of those rows, so that another input is noticed.
        size_bytes: how much of the output they take.
        counts: rows by status.
        seed: where the next row of a path starts; None otherwise.
    """

    asked: dict[str, str]
    rows: int = 0
    digest: str = ""
    size_bytes: int = 0
    counts: dict[str, int] = field(default_factory=dict)
    seed: list[float] | None = None


class Journal:
    """The file beside an output.

    Args:
        output: the output's path.
    """

    def __init__(self, output: str) -> None:
        self._output = output
        self._path = Path(f"{output}.unfinished")

    def refuse_to_overwrite(self) -> None:
        """Raise InvalidRequestError if there is an unfinished run."""
        if self._path.exists():
            raise InvalidRequestError(
                "--output",
                f"{self._output} holds an unfinished run; --resume goes on with it, deleting "
                f"{self._path} gives it up",
            )

    def read(self, asked: Mapping[str, str]) -> Progress | None:
        """How far the run has come; None where none was begun.

        Raises:
            InvalidRequestError: if it was another run, or is finished, naming what differs.
        """
        if not self._path.exists():
            if Path(self._output).exists():
                reason = f"there is no unfinished run in {self._output}; leave --resume out"
                raise InvalidRequestError("--resume", reason)
            return None
        try:
            progress = Progress(**json.loads(self._path.read_text(encoding="utf-8")))
        except (ValueError, TypeError) as error:
            reason = f"{self._path} is damaged ({error}); delete it to begin anew"
            raise InvalidRequestError("--resume", reason) from error
        for name, value in asked.items():
            if progress.asked.get(name) != value:
                raise self.differs(name)
        return progress

    def differs(self, what: str) -> InvalidRequestError:
        """The error for a run that was begun with another robot, other arguments or such."""
        reason = f"the run in {self._output} was begun with {what}; repeat it as it was, or begin "
        return InvalidRequestError("--resume", f"{reason}anew without --resume")

    def write(self, progress: Progress) -> None:
        """Replace the file as a whole."""
        unfinished = self._path.with_name(f"{self._path.name}.new")
        with unfinished.open("w", encoding="utf-8") as file:
            json.dump(asdict(progress), file)
            file.flush()
            os.fsync(file.fileno())
        os.replace(unfinished, self._path)

    def remove(self) -> None:
        """The run is finished."""
        self._path.unlink(missing_ok=True)
