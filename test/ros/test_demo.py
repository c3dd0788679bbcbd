# SPDX-License-Identifier: Apache-2.0
"""What `make run` shows, and that it leaves nothing behind."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import uuid
from pathlib import Path

import pytest

from ik_solver_ros import IKSolver, RobotModel, Status
from ik_solver_ros.ros.demo_client import reachable_request
from ik_solver_ros.ros.demo_report import call_it_yourself, report
from ik_solver_ros.srv import SolveIK
from support.hand_robots import continuous_7r
from support.robots import robot_urdf_path
from support.ros_harness import Program, isolated, joint_state, wait_until


@pytest.fixture
def mark():
    """A variable that every process of one demonstration inherits."""
    return {"IK_DEMO_MARK": uuid.uuid4().hex}


def processes_with(mark):
    """Ids of the processes of one demonstration."""
    ((name, value),) = mark.items()
    folders = Path("/proc").glob("[0-9]*")
    return [int(f.name) for f in folders if f"{name}={value}".encode() in environment(f)]


def environment(process_folder):
    try:
        return process_folder.joinpath("environ").read_bytes().split(b"\0")
    except OSError:
        return []  # it has ended, or is somebody else's


def press_ctrl_c(demo):
    demo.send(signal.SIGINT)  # to all of its processes, as a terminal does


def terminate(demo):
    os.kill(demo.pid, signal.SIGTERM)


@pytest.mark.parametrize("end", [press_ctrl_c, terminate])
def test_it_answers_serves_and_leaves_nothing_behind(tmp_path, domain, mark, end):
    with Program(tmp_path, "ik_demo", domain, environment=mark) as demo:
        demo.wait_for("In another shell")
        assert "demo_arm: 6 joints, base_link to tool0" in demo.stdout
        assert "SOLVED" in demo.stdout
        for joint in range(1, 7):
            assert re.search(rf"joint_{joint} .* rad .*°.*├─*●─*┤", demo.stdout)
        assert len(processes_with(mark)) == 3

        end(demo)
        assert demo.exit_code() == 0, demo.log
        assert demo.stderr == ""
    wait_until(lambda: processes_with(mark) == [], "no process is left")


def test_the_call_for_another_shell_works_as_it_is_printed(tmp_path, domain):
    bare = {"PATH": without("ros2", os.environ["PATH"])}
    with Program(tmp_path, "ik_demo", domain, environment=bare) as demo:
        demo.wait_for("list(future.result().solution.position)")
        call = demo.stdout.partition("source env.sh\n")[2]
        called = subprocess.run(
            ["bash", "-c", call], env=isolated(domain), capture_output=True, text=True, timeout=60
        )
        assert called.stdout.startswith("solved"), called
        assert demo.end() == 0


def without(command, path):
    return ":".join(part for part in path.split(":") if not Path(part, command).exists())


def test_any_urdf_with_a_tip(tmp_path, domain):
    robot = continuous_7r()
    file = tmp_path / "robot.urdf"
    file.write_text(robot.urdf)
    with Program(tmp_path, "ik_demo", domain, None, ["--urdf", str(file), "--tip", "l7"]) as demo:
        demo.wait_for("errors ")
        assert "continuous_7r: 7 joints, base to l7" in demo.stdout
        assert "SOLVED" in demo.stdout
        assert re.search("roll_1 .* no limits", demo.stdout)
        assert demo.end() == 0


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--urdf", "nowhere.urdf"], ["nowhere.urdf"]),
        (["--urdf", str(robot_urdf_path("pr2"))], ["its ends are", "TIP=LINK"]),
        (["--tip", "tool"], ["'tool'", "'tool0'"]),
    ],
)
def test_what_cannot_be_shown_is_told_in_one_sentence(tmp_path, domain, arguments, words):
    with Program(tmp_path, "ik_demo", domain, None, arguments) as demo:
        assert demo.exit_code() == 1
        (sentence,) = demo.stderr.splitlines()
        assert sentence.startswith("ik_demo: ")
        assert all(word in sentence for word in words)


def test_the_end_of_the_node_is_the_end_of_the_demo(tmp_path, domain, mark):
    with Program(tmp_path, "ik_demo", domain, environment=mark) as demo:
        demo.wait_for("Ctrl-C")
        (node,) = [
            process
            for process in processes_with(mark)
            if b"ik_node" in Path(f"/proc/{process}/cmdline").read_bytes()
        ]
        os.kill(node, signal.SIGTERM)
        assert demo.exit_code() == 1
        assert "ik_node has ended" in demo.stderr
    wait_until(lambda: processes_with(mark) == [], "no process is left")


def answered(**fields):
    response = SolveIK.Response(status=int(Status.SOLVED), success=True, **fields)
    response.solution = joint_state({"lift": 0.3, "turn": 9.0, "wrist": -0.5})
    return response


JOINTS = RobotModel.from_urdf(
    """<robot name="r"><link name="a"/><link name="b"/><link name="c"/><link name="d"/>
    <joint name="lift" type="prismatic"><parent link="a"/><child link="b"/><axis xyz="0 0 1"/>
      <limit lower="0" upper="0.4" effort="1" velocity="1"/></joint>
    <joint name="turn" type="continuous"><parent link="b"/><child link="c"/>
      <axis xyz="0 0 1"/></joint>
    <joint name="wrist" type="revolute"><parent link="c"/><child link="d"/>
      <axis xyz="0 1 0"/><limit lower="-0.5" upper="0.5" effort="1" velocity="1"/></joint>
    </robot>"""
).joints


def test_the_report_shows_each_joint_in_its_unit_and_between_its_limits():
    text = report(SolveIK.Request(), answered(position_error=3e-9), 0.0021, JOINTS)
    lift, turn, wrist = re.findall(".*(?:lift|turn|wrist).*", text)
    assert "0.3000 m " in lift
    assert "9.0000 rad   515.7°" in turn
    assert turn.endswith("no limits")
    assert re.search("-29° ├●─+┤ 29°", wrist)
    assert "2.1 ms there and back" in text
    assert "3.0e-09 m" in text


def test_the_report_of_a_failure_shows_the_reason_and_no_positions():
    response = SolveIK.Response(status=int(Status.UNREACHABLE), message="too far away")
    text = report(SolveIK.Request(), response, 0.001, JOINTS)
    assert "UNREACHABLE" in text
    assert "too far away" in text
    assert "├" not in text


def test_the_ros2_call_is_the_same_request():
    solver = IKSolver(RobotModel.from_urdf_file(robot_urdf_path("demo_arm")))
    request = reachable_request(solver)
    words = call_it_yourself(request, "/ik_solver/solve_ik", has_ros2=True)
    assert "ros2 service call /ik_solver/solve_ik ik_solver_ros/srv/SolveIK" in words
    at = request.target.pose.position
    assert f"x: {at.x}, y: {at.y}, z: {at.z}" in words
