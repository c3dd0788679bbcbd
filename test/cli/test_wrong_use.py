# SPDX-License-Identifier: Apache-2.0
"""Wrong use and wrong input end with one sentence that names the culprit, and exit code 2."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ik_solver_ros import __version__
from ik_solver_ros.cli.main import COMMANDS, build_parser
from support.command import ik
from support.messages.command import OK, TARGET, WRONG_USE
from support.robots import REPOSITORY
from support.ros_harness import wait_until

DEMO_ARM = str(REPOSITORY / "urdf" / "demo_arm.urdf")


@pytest.mark.parametrize(("words", "told"), WRONG_USE, ids=[told for _, told in WRONG_USE])
def test_wrong_use_is_one_sentence_with_the_culprit(words, told):
    run = ik(*words)
    assert (run.code, run.out) == (2, "")
    assert run.sentence.startswith(f"ik {words[0]}: " if words and words[0] in COMMANDS else "ik: ")
    assert told in run.sentence


@pytest.mark.parametrize(("words", "told"), WRONG_USE, ids=[told for _, told in WRONG_USE])
def test_with_json_the_same_sentence_is_an_object_on_stdout(words, told):
    if not words or words[0] not in ("solve", "fk"):
        return
    run = ik(*words, "--json")
    assert (run.code, run.err) == (2, "")
    assert list(run.json) == ["error"]
    assert told in run.json["error"]["message"]
    assert run.json["error"]["kind"].endswith("Error")


FILES = {
    "empty": (b"", "the robot description is empty"),
    "blank": (b" \n", "the robot description is empty"),
    "binary": (bytes(range(256)), "is not UTF-8 text"),
    "mesh": (b"solid cube\n", "is not XML"),
    "cut off": (b"<robot name='a'><link name='b'/>", "is it cut off?"),
}


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("command", ["solve", "fk", "batch"])
def test_a_file_that_is_no_robot_is_told(tmp_path, name, command):
    content, told = FILES[name]
    path = tmp_path / "robot.urdf"
    path.write_bytes(content)
    run = ik(command, path, *{"solve": TARGET, "fk": (), "batch": ("-",)}[command])
    assert run.code == 2
    assert told in run.sentence


def test_faults_of_a_robot_are_in_the_json(tmp_path):
    path = tmp_path / "robot.urdf"
    path.write_text("<robot name='a'/>")
    error = ik("solve", path, *TARGET, "--json").json["error"]
    assert error["kind"] == "RobotModelError"
    assert [fault["kind"] for fault in error["faults"]] == ["no-links"]


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("", "is not JSON"),
        ("[1, 2]", "holds [1, 2], not an object with xyz and quat_xyzw"),
        ('{"xyz": [1, 2, 3]}', "not an object with xyz and quat_xyzw"),
        ('{"xyz": [1, 2], "rpy": [0, 0, 0]}', "x, y, z in metres expected: 3 numbers"),
        ('{"xyz": [1, 2, "a"], "rpy": [0, 0, 0]}', "target.position: x, y, z in metres expected"),
        ('{"xyz": [1, 2, NaN], "rpy": [0, 0, 0]}', "nan is not a finite number"),
        ('{"matrix": 1}', "a pose matrix is 4 x 4"),
        ('{"matrix": [[2,0,0,0],[0,1,0,0],[0,0,1,0],[0,0,0,1]]}', "is not a rotation"),
        ('{"poses": {"a": {}, "b": {}}}', "holds several poses: a, b; keep one"),
        ("[" * 100000, "is not JSON"),
        ("\xff", "is not JSON"),
    ],
)  # fmt: skip
def test_a_target_file_that_cannot_be_used_is_told(tmp_path, content, told):
    path = tmp_path / "target.json"
    path.write_text(content)
    run = ik("solve", DEMO_ARM, "--target", path)
    assert run.code == 2
    assert told in run.sentence


def test_a_target_file_that_is_no_text_is_told(tmp_path):
    path = tmp_path / "target.json"
    path.write_bytes(bytes(range(256)))
    run = ik("solve", DEMO_ARM, "--target", path)
    assert run.code == 2
    assert f"{path} is not UTF-8 text" in run.sentence


def test_an_unreadable_file_is_told(tmp_path):
    if os.geteuid() == 0:
        return  # root reads everything
    path = tmp_path / "robot.urdf"
    path.touch(mode=0)
    assert "Permission denied" in ik("check", path).sentence


def test_the_robot_may_come_from_stdin_but_not_everything_at_once():
    text = (REPOSITORY / "urdf" / "demo_arm.urdf").read_text()
    assert ik("solve", "-", *TARGET, stdin=text).code == 0
    both = ik("solve", "-", "--target", "-", stdin=text)
    assert both.code == 2
    assert "stdin" in both.sentence


# --- xacro ---


@pytest.fixture
def xacro_file(tmp_path):
    """The demo arm with the name of its tip as an argument."""
    text = (REPOSITORY / "urdf" / "demo_arm.urdf").read_text().replace('"tool0"', '"$(arg tip)"')
    name, xmlns = '<robot name="demo_arm"', 'xmlns:xacro="http://www.ros.org/wiki/xacro"'
    argument = '<xacro:arg name="tip" default="plain"/>'
    path = tmp_path / "arm.urdf.xacro"
    path.write_text(text.replace(f"{name}>", f"{name} {xmlns}>{argument}"))
    return path


def test_xacro_files_are_expanded_with_arguments(xacro_file):
    assert "likely: plain," in ik("check", xacro_file).out
    assert "likely: other," in ik("check", xacro_file, "--xacro-args", "tip:=other").out


def test_what_xacro_refuses_is_told_with_its_reason(xacro_file):
    xacro_file.write_text(xacro_file.read_text().replace("<link ", "<xacro:nothing/><link ", 1))
    run = ik("check", xacro_file)
    assert run.code == 2
    assert f"xacro refuses {xacro_file}: " in run.sentence
    assert "xacro:nothing" in run.sentence


def test_without_xacro_it_says_what_to_install(xacro_file, monkeypatch):
    monkeypatch.setattr("shutil.which", lambda _: None)
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    assert "a .xacro file needs xacro, which is not installed" in ik("check", xacro_file).sentence


# --- the command as a whole ---


def test_version_and_help():
    assert ik("--version").out == f"ik {__version__}\n"
    text = ik("--help").out
    assert all(f"\n    {command} " in text for command in COMMANDS)
    assert "exit codes: 0 solved, 1 not solved, 2 wrong usage or input" in text
    assert 'eval "$(register-python-argcomplete ik)"' in text


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_helps_with_examples(command):
    run = ik(command, "--help")
    assert run.code == 0
    assert "examples:\n  " in run.out


def test_every_argument_is_explained():
    for subparser in build_parser()._subparsers._group_actions[0].choices.values():
        assert [a.dest for a in subparser._actions if not a.help] == []


def test_no_colour_without_a_terminal_and_none_with_no_color(monkeypatch):
    def on_a_terminal(**environment):
        controller, terminal = pty.openpty()
        subprocess.run(
            [sys.executable, "-m", "ik_solver_ros.cli", *map(str, OK)],
            stdout=terminal, env=os.environ | {"TERM": "xterm"} | environment, cwd="/", timeout=60,
            check=True,
        )  # fmt: skip
        os.close(terminal)
        shown = os.read(controller, 100_000)
        os.close(controller)
        return shown

    monkeypatch.delenv("NO_COLOR", raising=False)
    assert b"\033[32mSOLVED" in on_a_terminal()
    assert b"\033" not in on_a_terminal(NO_COLOR="1")
    assert "\033" not in ik(*OK).out


def test_a_reader_that_has_enough_is_no_error():
    command = f"{sys.executable} -m ik_solver_ros.cli check {DEMO_ARM} | head -1"
    run = subprocess.run(
        ["bash", "-c", command], cwd="/", capture_output=True, text=True, timeout=60
    )  # fmt: skip
    assert run.stdout.splitlines()[0].startswith("demo_arm")
    assert run.stderr == ""


def test_ctrl_c_while_reading_is_silent():
    process = subprocess.Popen(
        [sys.executable, "-m", "ik_solver_ros.cli", "check", "-"],
        cwd="/", stdin=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    process.stdin.write(b"<robot")
    process.stdin.flush()
    wait_until(lambda: is_reading(process.pid), "it reads stdin")
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=30)
    assert (process.returncode, err) == (130, b"")


def is_reading(pid):
    """Whether it waits in a read of stdin: nothing is left in the pipe, and it sleeps."""
    with open(f"/proc/{pid}/syscall") as file:
        return file.read().split()[:2] == ["0", "0x0"]


WORDS = st.one_of(
    st.sampled_from(
        [
            "solve", "fk", "check", "batch", DEMO_ARM, "-", "--xyz", "--quat-xyzw", "--rpy",
            "--seed",
            "--json", "--tip", "--base", "--tcp-offset", "--free-axes", "--degrees", "--frames",
            "--joints", "--position-tolerance", "--max-jump", "--solutions", "--target", "0", "-1",
            "nan", "inf", "1e400", "joint_1=1", "joint_1=", "=", "tool0", "x", "rx", "--", "-h=",
        ]
    ),
    st.text(st.characters(blacklist_categories=("Cs",), blacklist_characters="\0"), max_size=6),
)  # fmt: skip


@settings(max_examples=150, deadline=None)
@given(words=st.lists(WORDS, max_size=12))
def test_whatever_is_typed_ends_with_an_exit_code_and_no_traceback(words):
    run = ik(*[word for word in words if word not in ("-o", "--output")])
    assert run.code in (0, 1, 2)
    assert "Traceback" not in run.err
    if run.code == 2 and "--json" in words:
        assert "error" in json.loads(run.out)
    elif run.code == 2:
        assert len(run.err.splitlines()) == 1
