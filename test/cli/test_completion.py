# SPDX-License-Identifier: Apache-2.0
"""Shells complete commands, options, files by suffix, and names out of the URDF on the line."""

from __future__ import annotations

import os
import subprocess

import pytest

from support.robots import REPOSITORY

DEMO_ARM = "urdf/demo_arm.urdf"


def completions(line, folder=REPOSITORY):
    """What a shell is told for a line with the cursor at its end, by argcomplete's protocol."""
    read, write = os.pipe()
    environment = os.environ | {
        "_ARGCOMPLETE": "1",
        "_ARGCOMPLETE_STDOUT_FILENAME": f"/proc/self/fd/{write}",
        "_ARGCOMPLETE_IFS": "\n",
        "_ARGCOMPLETE_SHELL": "bash",
        "COMP_LINE": line,
        "COMP_POINT": str(len(line.encode())),
    }
    run = subprocess.run(
        ["ik"], env=environment, pass_fds=[write], cwd=folder,
        capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    os.close(write)
    with os.fdopen(read) as pipe:
        assert run.stderr == ""
        return [word.strip() for word in pipe.read().split("\n") if word]


def test_commands_and_options():
    assert {"check", "solve", "fk", "batch", "call"} <= set(completions("ik "))
    assert completions("ik so") == ["solve"]
    assert "--quat-xyzw" in completions(f"ik solve {DEMO_ARM} --")
    assert set(completions(f"ik solve {DEMO_ARM} --solver ")) == {
        "auto", "numeric", "analytic", "reference",
    }  # fmt: skip


def test_files_by_suffix(tmp_path):
    for name in ("arm.urdf", "arm.xacro", "mesh.stl", "targets.csv", "target.json"):
        (tmp_path / name).touch()
    (tmp_path / "folder").mkdir()
    assert set(completions("ik check ", tmp_path)) == {"arm.urdf", "arm.xacro", "folder/"}
    assert set(completions("ik solve arm.urdf --target ", tmp_path)) == {
        "target.json", "targets.csv", "folder/",
    }  # fmt: skip
    assert completions("ik check arm.urdf --package-dir ", tmp_path) == ["folder/"]


def test_links_and_joints_of_the_urdf_that_is_typed_already():
    assert set(completions(f"ik solve {DEMO_ARM} --tip to")) == {"tool0"}
    assert "shoulder_link" in completions(f"ik fk {DEMO_ARM} --frames ")
    assert completions(f"ik solve {DEMO_ARM} --seed joint_") == [f"joint_{i}=" for i in range(1, 7)]
    assert completions(f"ik fk {DEMO_ARM} --joints joint_1=1 joint_2") == ["joint_2="]


@pytest.mark.parametrize("urdf", ["nowhere.urdf", "README.md"])
def test_what_is_no_robot_has_no_names_and_no_complaints(urdf):
    assert completions(f"ik solve {urdf} --tip to") == []


def test_the_executable_can_be_registered():
    for file in (REPOSITORY / "scripts" / "ik", REPOSITORY / "ik_solver_ros" / "cli" / "main.py"):
        assert "PYTHON_ARGCOMPLETE_OK" in file.read_text(encoding="utf-8")[:1024]
    line = 'eval "$(register-python-argcomplete ik)" && complete -p ik'
    run = subprocess.run(["bash", "-c", line], capture_output=True, text=True, timeout=60)
    assert run.stdout.strip().endswith(" ik")
