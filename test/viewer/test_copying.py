# SPDX-License-Identifier: Apache-2.0
"""What is copied does what it says: the text is run, or read, and gives the same answer."""

from __future__ import annotations

import json
import math
import shlex
import subprocess
import sys

import pytest
import yaml

from ik_solver_ros.viewer import copying
from ik_solver_ros.viewer.task import Task
from support.robots import robot_urdf_path

TASKS = (
    Task(),
    Task(
        position_tolerance_m=1e-3,
        free_position=(False, True, False),
        free_rotation=(False, False, True),
        allow_relaxed=True,
    ),
)


@pytest.fixture(params=TASKS)
def session(request, demo):
    demo.go_to_random()
    demo.set_task(request.param)
    return demo


def test_the_python_program_finds_the_same_answer(session):
    text = copying.python(session.request(), "base_link", "tool0", str(robot_urdf_path("demo_arm")))
    compile(text, "copied", "exec")
    program = text + "\nimport json; print(json.dumps(dict(zip(result.joint_names, result.q))))\n"
    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=60, cwd="/"
    )
    assert run.returncode == 0, run.stderr
    found = json.loads(run.stdout.splitlines()[-1])
    assert found == pytest.approx(session.positions, abs=1e-3)


def test_the_service_call_is_one_shell_word_of_yaml_with_every_field(session):
    request = session.request()
    text = copying.service_call(request, "base_link", "tool0", "/ik_solver/solve_ik")
    words = [word for word in shlex.split(text) if word != "\n"]
    assert words[:5] == [
        "ros2",
        "service",
        "call",
        "/ik_solver/solve_ik",
        "ik_solver_ros/srv/SolveIK",
    ]
    assert len(words) == 6
    fields = yaml.safe_load(words[5])
    assert fields["target"]["header"]["frame_id"] == "base_link"
    position = fields["target"]["pose"]["position"]
    xyz = request.T_base_target.translation
    assert [position[a] for a in "xyz"] == pytest.approx(xyz.tolist(), abs=1e-8)
    assert dict(zip(fields["seed"]["name"], fields["seed"]["position"])) == pytest.approx(
        session.positions, abs=1e-8
    )
    free = fields.get("orientation_tolerance", {"z": 0.0})["z"]
    assert math.isinf(free) == session.task.free_rotation[2]
    assert fields.get("allow_relaxed", False) == session.task.allow_relaxed


def test_names_with_quotes_stay_inside_the_shell_word(session):
    text = copying.service_call(session.request(), "it's $HOME `id`", 'a"b', "/s")
    fields = yaml.safe_load(shlex.split(text)[-1])
    assert fields["target"]["header"]["frame_id"] == "it's $HOME `id`"
    assert fields["tip_frame"] == 'a"b'


def test_the_json_holds_target_and_joints(session):
    content = json.loads(
        copying.as_json(session.request(), "base_link", "tool0", session.positions)
    )
    assert content["joints"] == pytest.approx(session.positions, abs=1e-8)
    xyz = session.view().T_base_target.translation
    assert content["position_m"] == pytest.approx(xyz.tolist(), abs=1e-8)
    assert len(content["quat_xyzw"]) == 4
