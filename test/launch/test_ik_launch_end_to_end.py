# SPDX-License-Identifier: Apache-2.0
"""The installed launch file with the real node: started, called, ended by Ctrl-C."""

from __future__ import annotations

import os
import signal
import subprocess
from contextlib import contextmanager
from pathlib import Path

import pytest
from ament_index_python.packages import get_package_share_directory
from builtin_interfaces.msg import Duration

from ik_solver_ros import Status
from support.launch_runs import LAUNCH_FILE, PACKAGE, launch_command
from support.poses import orientation_error_rad, position_error_m
from support.robots import robot, robot_urdf, robot_urdf_path
from support.ros_harness import (
    DEADLINE_S,
    Cell,
    isolated,
    own_domain,
    positions_of,
    request_for,
    wait_until,
)
from support.targets import fk_targets
from support.urdf_fk import UrdfKinematics

SHARE = Path(get_package_share_directory(PACKAGE))
PATIENT = Duration(sec=2)  # for a machine that is busy with other things


class Launch:
    """A launch that runs in a session of its own, as in a terminal."""

    def __init__(self, folder, domain, real, *arguments):
        self._log = folder / "launch.log"
        environment = {"ROS_LOG_DIR": str(folder), "TMPDIR": str(folder)}
        with self._log.open("wb") as log:
            self._process = subprocess.Popen(
                [*launch_command(real), str(SHARE / "launch" / LAUNCH_FILE.name), *arguments],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                env=isolated(domain) | environment,
                start_new_session=True,
            )

    @property
    def log(self):
        return self._log.read_text(encoding="utf-8", errors="replace")

    def end_with_ctrl_c(self):
        os.killpg(self._process.pid, signal.SIGINT)
        return self._process.wait(DEADLINE_S)

    def make_sure_it_is_gone(self):
        if self._process.poll() is None:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait(DEADLINE_S)


@pytest.fixture
def launched(tmp_path, real):
    """Starts a launch and yields it with a cell around it."""

    @contextmanager
    def start(*arguments, namespace=""):
        with own_domain() as domain:
            launch = Launch(tmp_path, domain, real, *arguments)
            try:
                with Cell(domain, namespace) as cell:
                    cell.find_service()
                    yield launch, cell
            finally:
                launch.make_sure_it_is_gone()

    return start


def assert_reached(response, name, T_base_target):
    assert response.status == Status.SOLVED, response.message
    of = robot(name)
    T_base_tip = UrdfKinematics(robot_urdf(name)).relative(
        positions_of(response.solution), of.base, of.tip
    )
    assert position_error_m(T_base_target, T_base_tip) < 1e-4
    assert orientation_error_rad(T_base_target[:3, :3], T_base_tip[:3, :3]) < 1e-3


def seed_and_target(name):
    of = robot(name)
    kinematics = UrdfKinematics(robot_urdf(name))
    configurations, targets = fk_targets(kinematics, of.base, of.tip, 2, seed=3)
    return configurations[0], targets[1]


def answer_from_joint_states(cell, request):
    """The answer, once joint states have been heard."""

    def answer():
        response = cell.call(request)
        return None if response.status == Status.NO_JOINT_STATE else response

    return wait_until(answer, "an answer from joint states")


def test_the_demo_arm_answers_without_a_robot_and_ends_cleanly(launched):
    _, target = seed_and_target("demo_arm")

    with launched("joint_states:=fake", "robot_state_publisher:=false") as (launch, cell):
        request = request_for(target, timeout=PATIENT)
        response = answer_from_joint_states(cell, request)
        wait_until(lambda: cell.call(request).max_joint_jump < 1e-3, "the arm at the answer")
        assert launch.end_with_ctrl_c() == 0, launch.log

    assert response.seed_source == "joint_states"
    assert response.max_joint_jump > 0.1
    assert_reached(response, "demo_arm", target)
    assert "Traceback" not in launch.log
    assert "process has died" not in launch.log


def test_another_robot_is_another_urdf_and_another_yaml(launched):
    seed, target = seed_and_target("panda")

    with launched(
        f"urdf:={robot_urdf_path('panda')}",
        f"params_file:={SHARE / 'config' / 'robots' / 'panda.yaml'}",
        "namespace:=cell_1/arm",
        namespace="cell_1/arm",
    ) as (launch, cell):
        response = cell.call(request_for(target, seed=seed, timeout=PATIENT))
        assert launch.end_with_ctrl_c() == 0, launch.log

    assert response.seed_source == "request"
    assert_reached(response, "panda", target)
