# SPDX-License-Identifier: Apache-2.0
"""Lets pip finish what an interrupted pip began.

pip writes a package's INSTALLER file after its other files. When it is killed before that, later
runs take the torn package for an installed one. Without its metadata they install it again.
"""

import shutil
import sysconfig
from pathlib import Path


def main() -> None:
    """Remove the metadata of every package of this venv whose installation was cut off."""
    site_packages = Path(sysconfig.get_paths()["purelib"])
    for metadata in site_packages.glob("*.dist-info"):
        if not (metadata / "INSTALLER").exists():
            shutil.rmtree(metadata)


if __name__ == "__main__":
    main()
