# SPDX-License-Identifier: Apache-2.0
"""The notebook runs from top to bottom, and lies in the repository without its outputs."""

from __future__ import annotations

import pytest

from support.robots import REPOSITORY

FILE = REPOSITORY / "examples" / "panda.ipynb"
nbformat = pytest.importorskip("nbformat", reason="Jupyter is not installed")
NOTEBOOK = nbformat.read(FILE, as_version=4)


@pytest.fixture(scope="module")
def cells():
    """The cells after a run, those of code only."""
    nbclient = pytest.importorskip("nbclient", reason="nbclient is not installed")
    pytest.importorskip("ipykernel", reason="ipykernel is not installed")
    notebook = nbformat.read(FILE, as_version=4)
    nbclient.NotebookClient(
        notebook,
        timeout=120,
        kernel_name="python3",  # of this very environment
        resources={"metadata": {"path": str(FILE.parent)}},
    ).execute()
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def printed(cells) -> str:
    outputs = [output for cell in cells for output in cell.outputs]
    return "".join(output.text for output in outputs if output.output_type == "stream")


def test_it_prints_answers_reasons_and_all_branches(cells):
    text = printed(cells)
    assert "SOLVED - solved: off by" in text
    assert "JOINT_LIMITS" in text
    assert "UNREACHABLE" in text
    assert text.count("] off by") == 8  # of a UR5


def test_it_draws_three_pictures(cells):
    pictures = [o for cell in cells for o in cell.outputs if "image/png" in o.get("data", {})]
    assert len(pictures) == 3


def test_it_shows_the_way_to_the_browser(cells):
    pages = [o for cell in cells for o in cell.outputs if "text/html" in o.get("data", {})]
    assert "http://127.0.0.1:" in pages[-1].data["text/html"]


def test_nothing_was_written_to_stderr(cells):
    outputs = [output for cell in cells for output in cell.outputs]
    assert [o.text for o in outputs if o.output_type == "stream" and o.name == "stderr"] == []


def test_it_is_stored_without_outputs():
    nbformat.validate(NOTEBOOK)
    for cell in NOTEBOOK.cells:
        if cell.cell_type == "code":
            assert cell.outputs == []
            assert cell.execution_count is None
