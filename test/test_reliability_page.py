# SPDX-License-Identifier: Apache-2.0
"""The page about reliability is what the runs found, and a run replaces its own section only."""

from __future__ import annotations

import sys

import pytest

from support.robots import REPOSITORY

sys.path.insert(0, str(REPOSITORY / "reliability"))

from report import page as pages
from report.page import DOCS, page, write_section


@pytest.fixture
def sections(monkeypatch):
    """Two sections that show their number; the second stands first on the page."""

    class Section:
        def __init__(self, title):
            self.TITLE = title

        def render(self, data):
            return f"{self.TITLE} found {data['number']}"

    modules = {"report.early": Section("Early"), "report.late": Section("Late")}
    monkeypatch.setattr(pages, "SECTIONS", ("early", "late"))
    monkeypatch.setattr(pages.importlib, "import_module", modules.__getitem__)


def test_a_run_replaces_its_own_section_only(sections, tmp_path):
    path = write_section("late", "make late", {"number": 1}, tmp_path)
    assert "Early" not in path.read_text()
    write_section("early", "make early", {"number": 2}, tmp_path)
    write_section("late", "make late", {"number": 3}, tmp_path)
    text = path.read_text()
    assert text.index("Early found 2") < text.index("Late found 3")
    assert "Late found 1" not in text
    assert "`make late`" in text
    assert "{" not in text


def test_what_is_no_section_or_no_number_is_refused(sections, tmp_path):
    with pytest.raises(ValueError, match="early, late"):
        write_section("other", "make other", {}, tmp_path)
    with pytest.raises(ValueError, match="JSON"):
        write_section("late", "make late", {"number": float("nan")}, tmp_path)


def test_nobody_has_typed_on_the_page():
    assert (DOCS / "reliability.md").read_text(encoding="utf-8") == page()
