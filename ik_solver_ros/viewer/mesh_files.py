# SPDX-License-Identifier: Apache-2.0
"""Where the mesh files lie that a URDF names."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from urllib.parse import unquote, urlsplit

_SCHEMES = ("package", "model")


class MeshFiles:
    """Finds meshes by the names that a URDF gives them.

    A file of a package is looked for in the given folders, in those of the environment, and in the
    folders above the URDF; a relative name is looked for beside the URDF.

    Args:
        urdf_file: the URDF, if it came from a file.
        package_dirs: folders that hold packages, or are one.
        environment: variables of the process; None = its own.
    """

    def __init__(
        self,
        urdf_file: Path | None = None,
        package_dirs: Sequence[Path] = (),
        environment: Mapping[str, str] | None = None,
    ) -> None:
        self.urdf_file = urdf_file
        self._beside = urdf_file.resolve().parent if urdf_file else None
        self._folders = [*package_dirs, *_folders_of(environment or os.environ)]
        if self._beside:
            self._folders += [self._beside, *self._beside.parents]

    def find(self, name: str) -> Path | None:
        """The file behind ``package://…``, ``file://…`` or a plain path; None if there is none."""
        return next((path.resolve() for path in self._candidates(name) if path.is_file()), None)

    def _candidates(self, name: str) -> Iterator[Path]:
        scheme, _, rest = name.partition("://")
        if scheme in _SCHEMES and rest:
            package, _, below = rest.partition("/")
            for folder in self._folders:
                yield folder / package / below
            for folder in self._folders:  # a checkout may have another name than its package
                yield folder / below
        elif scheme == "file" and rest:
            yield Path(unquote(urlsplit(name).path))
        elif Path(name).is_absolute():
            yield Path(name)
        elif self._beside and not rest:
            yield self._beside / name


def _folders_of(environment: Mapping[str, str]) -> list[Path]:
    def entries(variable: str) -> list[Path]:
        return [Path(entry) for entry in environment.get(variable, "").split(os.pathsep) if entry]

    shares = [prefix / "share" for prefix in entries("AMENT_PREFIX_PATH")]
    return [*shares, *entries("ROS_PACKAGE_PATH")]
