# SPDX-License-Identifier: Apache-2.0
"""Checks that every XML and YAML file of the tree can be read."""

import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parents[1]
FOLDERS = ("config", "launch", "urdf")
XML = {".xml", ".urdf", ".xacro"}
YAML = {".yaml", ".yml", ".rviz"}


def fault_in(file: Path) -> str | None:
    """The reader's complaint, or None."""
    try:
        if file.suffix in XML:
            ElementTree.parse(file)
        elif file.suffix in YAML:
            yaml.safe_load(file.read_text(encoding="utf-8"))
    except (ElementTree.ParseError, yaml.YAMLError) as fault:
        return f"{file.relative_to(ROOT)}: {fault}"
    return None


def main() -> None:
    """Print every fault; exit with 1 if there is one."""
    files = [ROOT / "package.xml"]
    for folder in FOLDERS:
        files += sorted(path for path in (ROOT / folder).rglob("*") if path.is_file())
    faults = [fault for file in files if (fault := fault_in(file))]
    print("\n".join(faults), end="\n" if faults else "")
    sys.exit(bool(faults))


if __name__ == "__main__":
    main()
