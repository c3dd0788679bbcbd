# SPDX-License-Identifier: Apache-2.0
"""Errors of the library, each raised by a call that deserves it."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from unittest import mock

import numpy as np

from ik_solver_ros import IKRequest, IKSolver, RobotModel, SolverSettings, Stream, StreamSettings
from ik_solver_ros.core import limiter, robot_model
from ik_solver_ros.core.solvers.analytic import AnalyticSolver
from ik_solver_ros.core.transforms import se3_from_matrix, se3_from_xyz_quat, unit_quat_xyzw
from ik_solver_ros.plotting import new_figure
from support.messages.provoking import Sentence, not_installed, refusal, refusals
from support.robots import robot_urdf
from support.urdf_fk import Mimic
from support.urdf_writer import JointSpec, urdf_text

DEMO = RobotModel.from_urdf(robot_urdf("demo_arm"))
PR2 = RobotModel.from_urdf(robot_urdf("pr2"))
SOLVER = IKSolver(DEMO)
_GEARED = RobotModel.from_urdf(
    urdf_text(
        "geared",
        [
            JointSpec("turn", "revolute", "base", "arm"),
            JointSpec("gear", "revolute", "arm", "tip", mimic=Mimic("turn", 1e-9, 0.0)),
        ],
    )
)
_XYZ, _DOWN = (0.4, 0.2, 0.6), (1, 0, 0, 0)
_TARGETS = np.array([[*_XYZ, *_DOWN]])


def library_sentences() -> Iterator[Sentence]:
    """(name of the error, sentence)."""
    yield from _requests()
    yield from _arms()
    yield from _batches()
    yield from _settings()
    yield from _robots()
    yield from _streams()
    yield from _packages()


def _asked(**options: object) -> IKRequest:
    return IKRequest.from_xyz_quat(_XYZ, _DOWN, **options)


def _requests() -> Iterator[Sentence]:
    matrix = np.eye(4)
    odd, skew, stretched = (matrix.copy() for _ in range(3))
    odd[0, 0], skew[3, 0], stretched[0, 0] = np.nan, 0.5, 2.0
    yield from refusals(
        lambda: IKRequest.from_xyz_quat((0.4, np.nan, 0.6), _DOWN),
        lambda: IKRequest.from_xyz_quat((0.4, 0.6), _DOWN),
        lambda: IKRequest.from_xyz_quat("0.4 0.2 0.6", _DOWN),
        lambda: IKRequest.from_xyz_quat((1e9, 0, 0), _DOWN),
        lambda: se3_from_xyz_quat((1e9, 0, 0), _DOWN, "tcp_offset"),
        lambda: unit_quat_xyzw((0, 0, 0, 0)),
        lambda: se3_from_matrix(np.eye(3)),
        lambda: se3_from_matrix(odd),
        lambda: se3_from_matrix(stretched),
        lambda: se3_from_matrix(skew),
        lambda: _asked(tip_frame=7),
        lambda: _asked(allow_relaxed="yes"),
        lambda: _asked(position_tolerance=(-1, 0, 0)),
        lambda: _asked(position_tolerance=(1e-12, 0, 0)),
        lambda: _asked(position_tolerance=(np.inf,) * 3, orientation_tolerance=(np.inf,) * 3),
        lambda: _asked(seed=7),
        lambda: _asked(seed={"joint_1": "left"}),
        lambda: _asked(seed={"joint_1": np.nan}),
        lambda: _asked(max_joint_jump=None),
        lambda: _asked(timeout_s=-1.0),
        lambda: _asked(max_solutions=1.5),
        lambda: _asked(max_solutions=10**6),
        lambda: SOLVER.solve(_asked(seed={"joint_9": 0.0})),
        lambda: SOLVER.solve(_asked(seed=(0.0, 0.0))),
        lambda: IKSolver(_GEARED).solve(_asked(seed={"gear": 0.5})),
        lambda: DEMO.configuration({"joint_9": 0.0}),
        lambda: DEMO.configuration({"joint_1": np.inf}),
        lambda: DEMO.joint("elbow"),
        lambda: DEMO.forward_kinematics([0.0], "tool0"),
    )


def _arms() -> Iterator[Sentence]:
    floating = robot_urdf("demo_arm").replace(
        'name="joint_2" type="revolute"', 'name="joint_2" type="floating"'
    )
    yield from refusals(
        lambda: IKSolver(DEMO, "tool"),
        lambda: IKSolver(DEMO, "joint_6"),
        lambda: IKSolver(DEMO, "xyz"),
        lambda: IKSolver(DEMO, "base_link"),
        lambda: IKSolver(DEMO, "base_link", "tool0"),
        lambda: IKSolver(PR2),
        lambda: IKSolver(DEMO, "", "tool0"),
        lambda: IKSolver(RobotModel.from_urdf(floating), "tool0"),
        lambda: IKSolver(RobotModel.from_urdf(_CONTRADICTING), "c"),
        lambda: IKSolver(RobotModel.from_urdf(_STILL), "c"),
    )


_CONTRADICTING = """<robot name="r"><link name="a"/><link name="b"/><link name="c"/>
<joint name="j" type="revolute"><parent link="a"/><child link="b"/><axis xyz="0 0 1"/>
<limit lower="0" upper="1" velocity="1" effort="1"/></joint>
<joint name="k" type="revolute"><parent link="b"/><child link="c"/><axis xyz="0 0 1"/>
<limit lower="2" upper="3" velocity="1" effort="1"/><mimic joint="j"/></joint></robot>"""
_STILL = _CONTRADICTING.replace('joint="j"', 'joint="j" multiplier="0" offset="0.7"')


def _batches() -> Iterator[Sentence]:
    bad = _TARGETS.copy()
    bad[0, 3:] = 0.0
    yield from refusals(
        lambda: SOLVER.solve_batch(np.zeros((2, 3))),
        lambda: SOLVER.solve_batch(_TARGETS, seed=np.zeros((2, 6))),
        lambda: SOLVER.solve_batch(_TARGETS, seed=np.full((1, 6), np.nan)),
        lambda: SOLVER.solve_batch(_TARGETS, seed=np.zeros((1, 6)), chain_seeds=True),
        lambda: SOLVER.solve_batch(_TARGETS, max_solutions=4),
        lambda: SOLVER.solve_batch(_TARGETS, threads=0),
    )
    yield "INVALID_REQUEST", SOLVER.solve_batch(bad).messages[0]


def _settings() -> Iterator[Sentence]:
    from ik_solver_ros.ros.node_settings import NodeSettings

    yield from refusals(
        lambda: SolverSettings(timeout_s="soon"),
        lambda: SolverSettings(timeout_s=-1.0),
        lambda: SolverSettings(max_attempts=1.5),
        lambda: SolverSettings(solver="magic"),
        lambda: SolverSettings(solver=3),
        lambda: NodeSettings(tcp_offset=(0.0, 0.0)),
        lambda: NodeSettings(command_joints=("",)),
        lambda: NodeSettings(publish_markers="yes"),
    )


def _robots() -> Iterator[Sentence]:
    with tempfile.TemporaryDirectory() as folder:
        binary, large = Path(folder, "mesh.stl"), Path(folder, "large.urdf")
        latin, wide = Path(folder, "latin.urdf"), Path(folder, "wide.urdf")
        binary.write_bytes(b"\x80\0\0")
        latin.write_bytes('<robot>\n  <link name="Werkzeug_grün"/>\n</robot>'.encode("cp1252"))
        wide.write_bytes("<robot/>".encode("utf-16"))
        large.write_bytes(b"<robot/>" * 4)
        with mock.patch.object(robot_model, "_LARGEST_FILE_BYTES", 16):
            told = refusal(lambda: RobotModel.from_urdf_file(large))
        yield from (
            (kind, sentence.replace(folder, "~"))
            for kind, sentence in (
                *refusals(
                    lambda: RobotModel.from_urdf_file(Path(folder, "nowhere.urdf")),
                    lambda: RobotModel.from_urdf_file(folder),
                    lambda: RobotModel.from_urdf_file(binary),
                    lambda: RobotModel.from_urdf_file(latin),
                    lambda: RobotModel.from_urdf_file(wide),
                ),
                (told[0], told[1].replace("0 MB", "100 MB")),
            )
        )
    yield refusal(lambda: RobotModel.from_urdf(None))
    with mock.patch.object(robot_model.pin, "buildModelFromXML", side_effect=ValueError("…")):
        yield refusal(lambda: RobotModel.from_urdf(robot_urdf("demo_arm")))


def _streams() -> Iterator[Sentence]:
    zero = dict.fromkeys(DEMO.joint_names, 0.0)
    slow = RobotModel.from_urdf(robot_urdf("demo_arm").replace('velocity="2.6"', 'velocity="0"'))

    def stream(robot: RobotModel = DEMO, **start: float) -> Stream:
        return Stream(IKSolver(robot), StreamSettings(), zero | start)

    def judged(at: float, before: float = 0.0) -> None:
        following = stream()
        following._commanded = np.array([before, 0, 0, 0, 0, 0.0])
        following._judge(np.array([at, 0, 0, 0, 0, 0.0]))

    yield from refusals(
        lambda: stream(slow),
        lambda: stream(joint_1=4.0),
        lambda: stream().watch(zero | {"joint_2": 1.0}),
        lambda: judged(1.0),
        lambda: judged(2.97, 2.965),
    )
    with mock.patch.object(limiter, "ruckig", None):
        yield refusal(stream)


def _packages() -> Iterator[Sentence]:
    with not_installed("eaik", "eaik.pybindings"):
        yield refusal(lambda: AnalyticSolver(completion=SOLVER._solver))
    with not_installed("matplotlib", "matplotlib.backends.backend_agg"):
        yield refusal(lambda: new_figure(4, 3))
