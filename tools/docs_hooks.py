# SPDX-License-Identifier: Apache-2.0
"""What mkdocs does beside rendering the pages of docs/.

- ``<!-- README: NAME -->`` becomes what stands in the README between ``<!-- NAME -->`` and
  ``<!-- /NAME -->``: there the tests hold it equal to the sources.
- ``<!-- ik COMMAND --help -->`` becomes what this command prints.
- A block of the language ``math`` holds LaTeX and becomes MathML, which browsers draw themselves:
  no script, no font from elsewhere.
- A link to a file of the repository outside docs/ works when the page is read in the repository.
  The site does not have that file; there it becomes the file's name.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path, PurePosixPath
from posixpath import normpath, relpath
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
_FROM_README = re.compile(r"<!-- README: ([\w ]+) -->")
_HELP = re.compile(r"<!-- ik (\w+) --help -->")
_LINK = re.compile(r"(?<!!)\[(?P<text>[^\]]+)\]\((?P<target>[^)#:]+)(?P<anchor>#[^)]*)?\)")


def on_config(config: Any) -> Any:
    """Teach the Markdown of this site the language ``math``."""
    fences = config.mdx_configs.setdefault("pymdownx.superfences", {})
    fences["custom_fences"] = [{"name": "math", "class": "math", "format": math_fence}]
    return config


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Bring in what the README says, and mend links that lead out of docs/."""
    text = _FROM_README.sub(lambda match: readme_part(match[1]), markdown)
    text = _HELP.sub(lambda match: f"```text\n{help_of(match[1])}```", text)
    return _LINK.sub(lambda match: _mended(match, PurePosixPath(page.file.src_uri).parent), text)


def readme_part(name: str) -> str:
    """What the README says between two comments, with links as seen from the root.

    Links to other places of the README become plain text.

    Raises:
        ValueError: the README has no such part.
    """
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    found = re.search(rf"<!-- {name} -->\n(.*?)<!-- /{name} -->", readme, re.DOTALL)
    if found is None:
        raise ValueError(f"README.md has no part between <!-- {name} --> and <!-- /{name} -->")
    without_anchors = re.sub(r"\[([^\]]+)\]\(#[^)]*\)", r"\1", found[1])
    return re.sub(r"\]\((?!https?:|/)", "](/", without_anchors)


def help_of(command: str) -> str:
    """What ``ik COMMAND --help`` prints.

    Raises:
        CalledProcessError: there is no such command.
    """
    words = [sys.executable, "-m", "ik_solver_ros.cli", command, "--help"]
    wide = os.environ | {"COLUMNS": "84", "NO_COLOR": "1"}
    return subprocess.run(words, env=wide, check=True, capture_output=True, text=True).stdout


def math_fence(source: str, *_: Any, **__: Any) -> str:
    """LaTeX as a MathML block."""
    from latex2mathml.converter import convert

    return f'<div class="math">{convert(source.strip(), display="block")}</div>'


def _mended(match: re.Match[str], folder: PurePosixPath) -> str:
    target, text = match["target"], match["text"]
    here = normpath(f"docs/{folder}")
    path = normpath(target[1:] if target.startswith("/") else f"{here}/{target}")
    if path.startswith("docs/"):  # mkdocs checks it
        return f"[{text}]({relpath(path, here)}{match['anchor'] or ''})"
    if not (ROOT / path).exists():
        return match[0]  # mkdocs complains
    return text if text.startswith("`") else f"`{text}`"
