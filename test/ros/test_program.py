# SPDX-License-Identifier: Apache-2.0
"""How executables start and end, tried with programs that do nothing else."""

from __future__ import annotations

import contextlib
import signal
import subprocess
import sys
import time

import pytest

BODY = """
import sys
from ik_solver_ros.ros.program import run

def work(ending):
    {work}

sys.exit(run("robot", work))
"""


def running(work):
    return subprocess.Popen(
        [sys.executable, "-c", BODY.format(work=work)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def outcome(work):
    process = running(work)
    out, err = process.communicate(timeout=60)
    return process.returncode, out, err


def test_work_that_ends_is_a_success():
    assert outcome("print('done')") == (0, "done\n", "")


@pytest.mark.parametrize(
    ("failure", "sentence"),
    [
        ("ValueError('no arm')", "robot: no arm\n"),
        ("RuntimeError('two\\n  lines')", "robot: two lines\n"),
        ("ImportError('no Pinocchio')", "robot: no Pinocchio\n"),
        ("OSError()", "robot: OSError\n"),
    ],
)
def test_work_that_cannot_be_done_is_one_sentence(failure, sentence):
    assert outcome(f"raise {failure}") == (1, "", sentence)


def test_a_missing_ros_says_what_to_source():
    code, _, err = outcome("raise ModuleNotFoundError('No module', name='rclpy')")
    assert code == 1
    assert "source" in err


def test_a_bug_keeps_its_traceback():
    code, _, err = outcome("{}['joint']")
    assert code == 1
    assert "Traceback" in err
    assert "KeyError: 'joint'" in err


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_is_a_wish_and_the_work_ends_by_itself(number):
    process = running("print('ready', flush=True); ending.wait(); print('tidy')")
    assert process.stdout.readline() == "ready\n"
    process.send_signal(number)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err) == (0, "tidy\n", "")


def test_a_wish_from_before_the_wait_counts():
    work = (
        "import os, signal; os.kill(os.getpid(), signal.SIGINT); "
        "print(ending.is_wished, ending.wait())"
    )
    assert outcome(work) == (0, "True True\n", "")


def test_a_wait_may_have_an_end():
    assert outcome("print(ending.wait(0.001))") == (0, "False\n", "")


def test_what_fails_after_the_wish_is_no_failure():
    work = "import os, signal; os.kill(os.getpid(), signal.SIGINT); raise RuntimeError('cut off')"
    assert outcome(work) == (0, "", "")


def test_a_signal_that_arrives_twice_is_one_wish():
    """A process group gets Ctrl-C from the terminal, and again from `ros2 launch`."""
    process = running("print('ready', flush=True); ending.wait(); print('tidy')")
    assert process.stdout.readline() == "ready\n"
    process.send_signal(signal.SIGINT)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err) == (0, "tidy\n", "")


def test_a_later_signal_ends_it_on_the_spot():
    process = running("print('ready', flush=True)\n    while True: pass")
    assert process.stdout.readline() == "ready\n"
    deadline_s = time.monotonic() + 60
    while process.poll() is None and time.monotonic() < deadline_s:
        process.send_signal(signal.SIGINT)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(timeout=0.2)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 128 + signal.SIGINT
    assert (out, err) == ("", "")
