# SPDX-License-Identifier: Apache-2.0
"""The site builds without a warning and loads nothing from elsewhere."""

from __future__ import annotations

import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest

from support.doc_pages import FOLDER, PAGES
from support.robots import REPOSITORY

#: Attributes that make a browser load something; a link to click on is none of them.
LOADS = {"script": "src", "link": "href", "img": "src", "iframe": "src", "source": "src"}


class Assets(HTMLParser):
    """Collects what a page loads."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        value = dict(attrs).get(LOADS.get(tag, ""))
        if value:
            self.found.append(value)


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The built site."""
    pytest.importorskip("mkdocs", reason="mkdocs is not installed")
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet"]
    run = subprocess.run(
        [*command, "--site-dir", str(folder)],
        cwd=REPOSITORY,
        capture_output=True,
        encoding="utf-8",
        timeout=300,
    )
    assert run.returncode == 0, run.stdout + run.stderr
    return folder


def test_every_page_is_there(site):
    built = {path.relative_to(site).with_suffix(".md") for path in site.rglob("*.html")}
    assert {page.relative_to(FOLDER) for page in PAGES} <= built


def test_nothing_is_loaded_from_elsewhere(site):
    pages = list(site.rglob("*.html"))
    assert pages
    for page in pages:
        for asset in Assets(page.read_text(encoding="utf-8")).found:
            assert not asset.startswith(("http:", "https:", "//")), f"{page}: {asset}"
            file = asset.split("?")[0].split("#")[0]
            # The page for what is not found is shown at any depth, so it names files from the root.
            assert (site / file[1:] if file[0] == "/" else page.parent / file).exists(), file


def test_styles_load_nothing_from_elsewhere(site):
    for style in site.rglob("*.css"):
        assert "url(http" not in style.read_text(encoding="utf-8"), style


def text_of(site: Path, page: str) -> str:
    return (site / page).read_text(encoding="utf-8")


def test_formulae_are_drawn_by_the_browser_itself(site):
    formulae = re.findall(r"<math .*?</math>", text_of(site, "how/search.html"), re.DOTALL)
    assert len(formulae) >= 4
    for formula in formulae:  # what is not understood stays in it as it was written
        assert "\\" not in formula
        assert "&amp;" not in formula
        assert "&#x00026;" not in formula


def test_tables_come_from_the_readme_and_links_out_of_docs_become_names(site):
    node = text_of(site, "reference/node.html")
    for word in ("stream_max_deviation", "robot_state_publisher", "NO_JOINT_STATE", "~/solve_ik"):
        assert word in node
    assert "<code>config/ik_solver.yaml</code>" in node
    assert "README:" not in node


def test_the_reference_comes_from_the_docstrings(site):
    page = text_of(site, "reference/python.html")
    assert "Look for joint positions that reach the target." in page
    assert 'id="ik_solver_ros.IKSolver.solve_batch"' in page
