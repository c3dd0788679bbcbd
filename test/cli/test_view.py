# SPDX-License-Identifier: Apache-2.0
"""`ik view` as a process: its address, its end, and what it says when it cannot start."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import socket
import subprocess
import urllib.request

import pytest

from ik_solver_ros.cli import view
from support.robots import REPOSITORY, robot_urdf_path

DEMO = str(robot_urdf_path("demo_arm"))


@contextlib.contextmanager
def viewing(*arguments):
    """A running `ik view`; at its end nothing of it is left."""
    process = subprocess.Popen(
        ["ik", "view", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd="/",
        start_new_session=True,
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


@contextlib.contextmanager
def taken_port():
    """A port on which somebody else listens."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        yield listener.getsockname()[1]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_it_prints_one_address_serves_on_loopback_and_ends_silently(number):
    with taken_port() as port, viewing(DEMO, "--port", str(port)) as process:
        said = process.stdout.readline()
        assert said == f"port {port} is in use; this is the next free one:\n"
        line = process.stdout.readline()
        address = re.match(r"(http://127\.0\.0\.1:(\d+))  shows demo_arm; Ctrl-C ends it$", line)
        assert address, line
        with urllib.request.urlopen(address[1], timeout=10) as page:
            assert page.status == 200
        assert listening_addresses(int(address[2])) == {"0100007F"}  # 127.0.0.1, as Linux writes it
        os.killpg(process.pid, number)
        out, err = process.communicate(timeout=20)
    assert (process.returncode, out, err) == (0, "", "")


def listening_addresses(port):
    """Where a port is listened on, out of the kernel's tables."""
    found = set()
    for table in ("/proc/net/tcp", "/proc/net/tcp6"):
        with open(table, encoding="ascii") as lines:
            for line in list(lines)[1:]:
                local, state = line.split()[1], line.split()[3]
                address, _, number = local.rpartition(":")
                if int(number, 16) == port and state == "0A":
                    found.add(address)
    return found


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["nowhere.urdf"], ["nowhere.urdf", "No such file"]),
        ([DEMO, "--tip", "tool"], ["'tool'", "did you mean 'tool0'"]),
        ([DEMO, "--port", "0"], ["--port", "1 to 65535"]),
        ([DEMO, "--port", "70000"], ["--port", "65535"]),
    ],
)
def test_what_cannot_be_shown_is_one_sentence(arguments, words):
    with viewing(*arguments) as process:
        out, err = process.communicate(timeout=30)
    assert process.returncode == 2
    assert out == ""
    assert len(err.splitlines()) == 1
    assert all(word in err for word in words), err


def test_missing_meshes_are_told_with_what_to_do(tmp_path):
    urdf = robot_urdf_path("ur5").read_text(encoding="utf-8")
    lonely = tmp_path / "ur5.urdf"
    lonely.write_text(urdf, encoding="utf-8")
    with viewing(str(lonely), "--tip", "tool0", "--port", "8400") as process:
        first, second = process.stdout.readline(), process.stdout.readline()
    assert first == "7 meshes were not found (base.dae, …): sticks are shown instead.\n"
    assert "package://example-robot-data/" in second
    assert "--package-dir" in second


@pytest.mark.parametrize("line", view.EXAMPLES)
def test_an_example_is_understood(line):
    from ik_solver_ros.cli.main import build_parser

    given = build_parser().parse_args(line.split()[1:])
    assert (REPOSITORY / given.urdf).is_file()
