# SPDX-License-Identifier: Apache-2.0
"""The viewer beside a running node: who solves, what is published, which robot is shown."""

from __future__ import annotations

import urllib.request
from pathlib import Path

import pytest

from ik_solver_ros import IKRequest, IKSolver, RobotModel, Status
from ik_solver_ros.ros import demo
from ik_solver_ros.ros.solve_client import SolveClient
from ik_solver_ros.ros.viewer_node import NodeBackend
from ik_solver_ros.viewer.kinematics import ArmKinematics
from ik_solver_ros.viewer.scene import Tone
from ik_solver_ros.viewer.session import Session
from support.robots import robot_urdf
from support.ros_harness import Program, node_in_cell, wait_until
from support.viewing import moved

DEMO = robot_urdf("demo_arm")


def session_with(cell):
    """A session that asks the node of a cell."""
    kinematics = ArmKinematics(IKSolver(RobotModel.from_urdf(DEMO), "tool0"))
    client = SolveClient(cell.node, "ik_solver")
    wait_until(client.is_ready, "the node's services")
    return Session(kinematics, NodeBackend(client, "base_link", "tool0"))


def test_dragging_asks_the_node_and_only_send_publishes(tmp_path, domain):
    with node_in_cell(tmp_path, domain, {"robot_description": DEMO}) as (_, cell):
        cell.hear_targets()
        session = session_with(cell)
        assert session.view().tone is Tone.ROBOT

        session.move_target(moved(session.view().T_base_target, z=-0.1))
        view = session.view()
        assert view.tone is Tone.SOLVED
        assert view.T_base_tool.isApprox(view.T_base_target, 1e-4)
        session.move_target(moved(view.T_base_target, x=3.0))
        assert session.view().headline == "unreachable"
        assert "out of reach" in session.view().message
        assert cell.targets == []

        session.move_target(view.T_base_target)
        session.send()
        (target,) = wait_until(lambda: cell.targets, "a published target")
        shown = session.view().positions
        assert dict(zip(target.name, target.position)) == {n: shown[n] for n in target.name}


def test_the_arm_follows_the_robot_until_the_tool_is_dragged_and_again_once_it_arrives(
    tmp_path, domain
):
    with node_in_cell(tmp_path, domain, {"robot_description": DEMO}) as (_, cell):
        session = session_with(cell)
        names = session.kinematics.joint_names
        here = dict.fromkeys(names, 0.1)
        session.hear(here)
        view = session.view()
        assert view.tone is Tone.ROBOT
        assert view.positions == here
        assert view.robot is None

        session.move_target(moved(view.T_base_target, z=-0.1))
        session.hear(here)
        view = session.view()
        assert view.tone is Tone.SOLVED
        assert view.robot is not None, "the robot is shown where it still stands"

        session.send()
        session.hear(here)
        assert session.view().tone is Tone.SOLVED
        session.hear({name: view.positions[name] for name in names})
        assert session.view().tone is Tone.ROBOT


def test_a_node_that_is_gone_is_told_in_a_sentence(tmp_path, domain):
    with node_in_cell(tmp_path, domain, {"robot_description": DEMO}) as (_, cell):
        client = SolveClient(cell.node, "nobody")
        answer = NodeBackend(client, "base_link", "tool0").solve(
            IKRequest.from_xyz_quat([0.4, 0.2, 0.6], [0, 0, 0, 1])
        )
    assert answer.status is Status.TIMEOUT
    assert "no node /nobody" in answer.message


@pytest.mark.parametrize("source", ["parameter", "topic"])
def test_the_program_shows_the_robot_of_the_node(tmp_path, domain, source):
    parameters = {"robot_description": DEMO if source == "parameter" else "", "tip_frame": "tool0"}
    with node_in_cell(tmp_path, domain, parameters) as (_, cell):
        if source == "topic":
            cell.describe(DEMO)
        with Program(tmp_path, "ik_viewer", domain, {"port": 8300}) as viewer:
            viewer.wait_for("shows the robot of /ik_solver/solve_ik")
            address = viewer.stdout.splitlines()[-1].split()[0]
            assert address.startswith("http://127.0.0.1:")
            with urllib.request.urlopen(address, timeout=10) as page:
                assert page.status == 200
            assert viewer.end() == 0
            assert viewer.stderr == ""


def test_the_program_follows_the_node_to_another_robot(tmp_path, domain):
    """As after a calibration: what is drawn must be the robot that is solved for."""
    longer = DEMO.replace('name="demo_arm"', 'name="longer_arm"')
    assert longer != DEMO
    with node_in_cell(tmp_path, domain, {"tip_frame": "tool0"}) as (_, cell):
        cell.describe(DEMO)
        with Program(tmp_path, "ik_viewer", domain, {"port": 8300}) as viewer:
            told = "shows the robot of"
            viewer.wait_for(told)
            cell.describe("<robot/>")
            viewer.wait_for("the robot stays as it is")
            cell.describe(longer)
            wait_until(lambda: viewer.stdout.count(told) == 2, "the other robot")
            first, second = (line for line in viewer.stdout.splitlines() if told in line)
            assert first == second, "the browser finds it at the same address"
            with urllib.request.urlopen(second.split()[0], timeout=10) as page:
                assert page.status == 200
            assert viewer.end() == 0
            assert viewer.stderr == ""


def test_the_demonstration_goes_on_without_viser(monkeypatch, capsys):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert demo._viewer(Path("/x"), Path("robot.urdf")) == []
    assert "viser is not installed (pip install viser)" in capsys.readouterr().out
