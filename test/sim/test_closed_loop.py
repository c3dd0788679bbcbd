# SPDX-License-Identifier: Apache-2.0
"""`make sim` as its users run it: the real node leads a robot of physics, judged from outside."""

from __future__ import annotations

import json
import os
import signal
import uuid
from pathlib import Path

import numpy as np
import pytest

from ik_solver_ros.sim.drive import HURRY, TICK_S
from ik_solver_ros.sim.world import DRIVE_LAG_S
from support.poses import orientation_error_rad, position_error_m
from support.robots import DEMO_ARM, robot_urdf
from support.ros_harness import Program, own_domain, wait_until
from support.urdf_fk import UrdfKinematics

# The arm's inertia couples its drives, so that each feels the others' accelerations.
COUPLING = 1.05
KINEMATICS = UrdfKinematics(robot_urdf(DEMO_ARM.name))


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """Result and record of one round, without a bound on the acceleration."""
    folder = tmp_path_factory.mktemp("sim")
    files = folder / "record.npz", folder / "picture.png"
    arguments = ["--rounds", "1", "--acceleration", "0", "--json"]
    arguments += ["--record", str(files[0]), "--picture", str(files[1])]
    with own_domain() as domain, Program(folder, "ik_sim", domain, None, arguments) as sim:
        assert sim.exit_code(120.0) == 0, sim.log
        assert sim.stderr == ""
        result = json.loads(sim.stdout)
    with np.load(files[0]) as record:
        return result, dict(record), files[1]


def tool(record, positions):
    """T_base_tool of rows of positions, by a forward kinematics that is not ours."""
    by_name = dict(zip(record["joint_names"], positions.T, strict=True))
    return KINEMATICS.relative(by_name, DEMO_ARM.base, DEMO_ARM.tip)


def test_every_command_is_an_answer_or_as_fast_as_allowed_on_the_way_to_one(run):
    result, record, _ = run
    allowed = np.array([joint["allowed_velocity"] for joint in result["joints"]]) * TICK_S
    steps = np.abs(np.diff(record["commanded"], axis=0))
    assert (steps <= allowed * (1 + 1e-9)).all()
    is_limited = np.r_[False, (steps >= allowed * (1 - 1e-6)).any(axis=1)]

    T_commanded = tool(record, record["commanded"])
    answers = 0
    for T, limited in zip(T_commanded, is_limited, strict=True):
        apart = position_error_m(record["target"], T), orientation_error_rad(record["target"], T)
        is_answer = ((apart[0] <= 1e-4) & (apart[1] <= 1e-3)).any()
        assert is_answer or limited
        answers += is_answer
    assert answers > 0.5 * len(T_commanded)
    for joint, positions in zip(record["joint_names"], record["commanded"].T, strict=True):
        lower, upper = KINEMATICS.limits(joint)
        assert ((lower <= positions) & (positions <= upper)).all()


def test_there_are_no_jumps_and_no_joint_is_faster_than_the_stream_may_be(run):
    result, record, _ = run
    assert result["branch_jumps"] == 0
    hurry = 1.0 / HURRY if result["hurried_commands"] else 1.0
    for joint in result["joints"]:
        assert joint["allowed_velocity"] == 0.25 * joint["velocity_limit"]
        assert 0.0 < joint["peak_velocity"] <= joint["allowed_velocity"] * hurry * COUPLING
        assert joint["saturated_share"] == 0.0
    assert len(record["commanded"]) == result["commands"]


def test_the_robot_follows_as_closely_as_its_drives_can(run):
    result, record, _ = run
    assert position_error_m(tool(record, record["measured"]), record["tool"]).max() < 1e-9
    newest = np.searchsorted(record["command_time_s"], record["time_s"], side="right") - 1
    lag = np.abs(record["commanded"][newest] - record["measured"])
    # A setpoint takes one command's time to get to its goal; the drive is behind it by its own lag.
    longest = np.array([j["allowed_velocity"] for j in result["joints"]]) * (TICK_S + DRIVE_LAG_S)
    assert (lag.max(axis=0) <= longest * COUPLING).all()
    assert position_error_m(record["tool"], record["target"])[-1] <= 1e-4 + 1e-6
    assert result["left_m"] <= 1e-4 + 1e-6
    assert result["tool_to_figure"]["max_m"] <= result["tool_to_target"]["max_m"]
    assert result["tool_to_target"]["mean_m"] < 0.1 * result["figure"]["width_m"]


def test_the_tool_draws_the_figure_that_was_announced(run):
    result, record, picture = run
    at = record["tool"][:, :3, 3] - record["target"][0, :3, 3]
    along = np.linalg.norm(at, axis=1)
    assert along.max() == pytest.approx(0.5 * result["figure"]["width_m"], rel=0.1)
    assert record["time_s"][-1] > result["figure"]["period_s"]
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_ctrl_c_ends_it_quietly_and_leaves_nothing_behind(tmp_path):
    mark = {"IK_SIM_MARK": uuid.uuid4().hex}
    (pair,) = (f"{name}={value}".encode() for name, value in mark.items())
    with own_domain() as domain, Program(tmp_path, "ik_sim", domain, environment=mark) as sim:
        sim.wait_for("drawing")
        assert len(processes_with(pair)) == 2  # the robot and the node
        os.killpg(sim.pid, signal.SIGINT)
        assert sim.exit_code() == 0, sim.log
        assert sim.stderr == ""
    wait_until(lambda: processes_with(pair) == [], "no process is left")


def processes_with(pair):
    return [f.name for f in Path("/proc").glob("[0-9]*") if pair in environment(f)]


def environment(process_folder):
    try:
        return process_folder.joinpath("environ").read_bytes().split(b"\0")
    except OSError:
        return []  # it has ended, or is somebody else's


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--robot", "pamda"], ["'pamda'", "panda"]),
        (["--urdf", "nowhere.urdf"], ["nowhere.urdf"]),
        (["--tip", "tool"], ["'tool'", "'tool0'"]),
    ],
)
def test_what_cannot_be_simulated_is_told_in_one_sentence(tmp_path, arguments, words):
    with own_domain() as domain, Program(tmp_path, "ik_sim", domain, None, arguments) as sim:
        assert sim.exit_code() == 1
        (sentence,) = sim.stderr.splitlines()
        assert sentence.startswith("ik_sim: ")
        assert all(word in sentence for word in words)
