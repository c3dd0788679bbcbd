# SPDX-License-Identifier: Apache-2.0
"""`ik call` asks a running node, and says what is missing where none answers."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import pytest

from ik_solver_ros import RobotModel
from ik_solver_ros.cli.call import EXAMPLES
from support.command import ik
from support.robots import DEMO_ARM, robot_urdf
from support.ros_harness import isolated, node_in_cell, own_domain, request_for, wait_until

URDF = robot_urdf(DEMO_ARM.name)
ROBOT = RobotModel.from_urdf(URDF)
TARGET = ("--xyz", 0.4, 0.2, 0.6, "--quat-xyzw", 1, 0, 0, 0)
START = dict.fromkeys(ROBOT.joint_names, 0.1)


@pytest.fixture(scope="module")
def cell(tmp_path_factory, domain):
    """A node with joint states; the command is told the same domain."""
    parameters = {"robot_description": URDF, "max_joint_state_age": 0.0}
    folder = tmp_path_factory.mktemp("call")
    with (
        pytest.MonkeyPatch.context() as patch,
        node_in_cell(folder, domain, parameters) as (_, cell),
    ):
        use_domain(patch, domain)
        request = request_for(ROBOT.forward_kinematics(START, "tool0"))
        cell.move_joints(START, lambda: cell.call(request).success)
        yield cell


def use_domain(patch, domain):
    for name in ("ROS_DOMAIN_ID", "ROS_AUTOMATIC_DISCOVERY_RANGE"):
        patch.setenv(name, isolated(domain)[name])


def call(*words):
    return ik("call", "--wait-s", 20, *words)


@pytest.mark.parametrize("line", EXAMPLES)
def test_an_example_runs_as_it_stands(cell, line):
    run = ik(*line.split()[1:])
    assert run.code == 0, run.err
    assert run.err == ""


def test_an_answer_reaches_the_target_and_is_published_unless_dry(cell):
    cell.hear_targets()
    run = call(*TARGET, "--json", "--dry-run")
    answer = run.json
    pose = ROBOT.forward_kinematics(answer["joints"], "tool0")
    assert run.code == 0
    assert (answer["status"], answer["seed_source"]) == ("SOLVED", "joint_states")
    assert pose[:3, 3] == pytest.approx([0.4, 0.2, 0.6], abs=1e-4)
    published = len(cell.targets)
    assert call(*TARGET).code == 0
    wait_until(lambda: len(cell.targets) > published, "a published target")
    assert len(cell.targets) == published + 1


def test_the_table_has_the_limits_of_the_nodes_robot(cell):
    out = call(*TARGET, "--dry-run").out
    assert "node      /ik_solver, dry run" in out
    assert "-170° ├" in out
    assert "ms there and back" in out


def test_degrees_hold_for_the_seed(cell):
    answer = call(*TARGET, "--degrees", "--seed", "joint_1=20", "--dry-run", "--json").json
    assert answer["seed_source"] == "request+joint_states"
    assert answer["max_joint_jump"] < 0.5


def test_branches_frames_tolerances_and_tools_get_through(cell):
    two = call(*TARGET, "--solutions", 8, "--dry-run", "--json").json
    assert len(two["alternatives"]) >= 1
    seen = call(
        "--frame", "tool0", "--xyz", 0, 0, 0.01, "--rpy", 0, 0, 0, "--dry-run", "--json"
    ).json
    start = ROBOT.forward_kinematics(START, "tool0")
    pose = ROBOT.forward_kinematics(seen["joints"], "tool0")
    assert pose[:3, 3] == pytest.approx(start[:3, 3] + 0.01 * start[:3, 2], abs=1e-4)
    free = call("--xyz", 0.4, 0.2, 0.6, "--free-axes", "orientation", "--dry-run", "--json").json
    assert free["status"] == "SOLVED"
    tool = call(*TARGET, "--tcp-offset", 0, 0, 0.05, "--dry-run", "--json").json
    pose = ROBOT.forward_kinematics(tool["joints"], "tool0")
    assert pose[:3, 3] + 0.05 * pose[:3, 2] == pytest.approx([0.4, 0.2, 0.6], abs=1e-4)


@pytest.mark.parametrize(
    ("words", "code", "status"),
    [
        (("--xyz", 4, 0, 0, "--rpy", 0, 0, 0), 1, "UNREACHABLE"),
        ((*TARGET, "--max-jump", 1e-3), 1, "JOINT_JUMP"),
        ((*TARGET, "--tip", "tool"), 2, "UNKNOWN_FRAME"),
    ],
)
def test_failures_have_status_reason_and_who_acts(cell, words, code, status):
    run = call(*words)
    assert run.code == code
    assert f"answer    {status}" in run.out
    assert "who acts  " in run.out
    assert call(*words, "--json").json["status"] == status


def test_fk_of_the_joint_states_and_of_positions(cell):
    now = call("--fk", "--frames", "tool0", "flange", "--json").json
    assert now["state_source"] == "joint_states"
    for frame, pose in now["poses"].items():
        assert pose["matrix"] == pytest.approx(ROBOT.forward_kinematics(START, frame), abs=1e-9)
    there = call("--fk", "--seed", *(f"{name}=0" for name in START), "--json").json
    assert there["poses"]["tool"]["matrix"] == pytest.approx(
        ROBOT.forward_kinematics({}, "tool0"), abs=1e-9
    )
    assert "frame     tool, in base_link" in call("--fk").out
    unknown = call("--fk", "--frames", "toolo")
    assert unknown.code == 2
    assert "did you mean 'tool0'" in unknown.out


def test_where_nobody_answers_the_nodes_that_do_are_listed(cell):
    run = ik("call", "--node", "/robot2/ik_solver", "--wait-s", 5, *TARGET)
    assert run.code == 2
    assert run.sentence == (
        "ik call: service '/robot2/ik_solver/solve_ik': nobody serves it (waited 5 s); "
        "nodes that do: '/ik_solver'"
    )


def test_a_node_in_a_namespace_with_its_robot_from_the_topic(tmp_path):
    with (
        pytest.MonkeyPatch.context() as patch,
        own_domain() as domain,
        node_in_cell(
            tmp_path, domain, {"max_joint_state_age": 0.0},
            ["--ros-args", "-r", "__ns:=/robot1"], "/robot1",
        ) as (_, cell),
    ):  # fmt: skip
        use_domain(patch, domain)
        node = ("--node", "robot1/ik_solver")  # as people write it, without the slash
        unknown = call(*node, *TARGET, "--seed", "joint_1=1")
        assert "answer    NO_ROBOT_MODEL" in unknown.out
        assert unknown.code == 1
        degrees = call(*node, *TARGET, "--seed", "joint_1=1", "--degrees")
        assert "nobody knows which joints turn" in degrees.sentence
        cell.describe(URDF)
        seed = [f"{name}=5" for name in ROBOT.joint_names]
        request = request_for(ROBOT.forward_kinematics(START, "tool0"), seed=START)
        wait_until(lambda: cell.call(request).success, "the robot is known")
        run = call(*node, *TARGET, "--degrees", "--seed", *seed)
        assert run.code == 0
        assert "-170° ├" in run.out


def test_where_nobody_is_at_all_it_says_how_to_start_a_node():
    with pytest.MonkeyPatch.context() as patch, own_domain() as empty:
        use_domain(patch, empty)
        run = ik("call", "--wait-s", 0.3, *TARGET)
    assert run.code == 2
    assert "nor does any other node here (ROS_DOMAIN_ID is" in run.sentence
    assert "ros2 launch ik_solver_ros ik.launch.py" in run.sentence


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ((*TARGET, "--node", "/no body"), "cannot be a node's name"),
        ((*TARGET, "--position-tolerance", 0.1), "give three, one per axis"),
        ((*TARGET, "--wait-s", 0), "'0' is not above 0"),
        (("--fk", *TARGET), "leave out --fk"),
        ((), "--xyz: give the target's position"),
    ],
)
def test_arguments_that_do_not_fit_are_refused_before_the_call(words, told):
    run = ik("call", *words)
    assert run.code == 2
    assert told in run.sentence


def test_ctrl_c_ends_the_waiting(domain):
    command = [
        sys.executable,
        "-m",
        "ik_solver_ros.cli",
        "call",
        "--wait-s",
        "60",
        "--node",
        "/nobody",
    ]
    process = subprocess.Popen(
        [*command, *map(str, TARGET)],
        cwd="/", stderr=subprocess.PIPE, env=isolated(domain) | {"PYTHONUNBUFFERED": "1"},
    )  # fmt: skip
    wait_until(lambda: threads_of(process.pid) > 4, "DDS has started")
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=30)
    assert (process.returncode, err) == (130, b"")


def threads_of(pid):
    try:
        return len(os.listdir(f"/proc/{pid}/task"))
    except OSError:
        return 0


def test_without_ros_it_says_what_to_source(monkeypatch):
    monkeypatch.setitem(sys.modules, "rclpy", None)
    for name in [
        n for n in sys.modules if n.startswith(("ik_solver_ros.ros", "ik_solver_ros.cli.call_"))
    ]:
        monkeypatch.delitem(sys.modules, name)
    run = ik("call", *TARGET)
    assert run.code == 2
    assert "ik call needs 'rclpy', which is not installed: source the set-up file" in run.sentence
