# SPDX-License-Identifier: Apache-2.0
"""One run from its set-up to its numbers."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import rclpy
from ament_index_python.packages import get_package_prefix
from rclpy.signals import SignalHandlerOptions

from ..core.limits import Floats
from ..core.robot_model import RobotModel
from ..core.solver import IKSolver
from ..core.stream_settings import StreamSettings
from ..ros.children import Children
from ..ros.demo_client import solver_for
from ..ros.fake_robot import resting_positions
from ..ros.lanes import Lanes
from ..ros.program import Ending
from .cell import COMMAND_TOPIC, Cell
from .controller import TrajectoryController
from .drive import TICK_S, Loop
from .figure import FigureOfEight, Timetable, fitted_figure
from .pace import Pace
from .record import Record, Recorder
from .report import announcement, report
from .summary import JointSummary, Summary, summary
from .world import STEP_S, World

# A busy machine is no reason to stop.
_STREAM_TIMEOUT_S = 1.0


@dataclass(frozen=True)
class Run:
    """A run that came to its end.

    Attributes:
        robot: the robot.
        solver: its default arm has drawn.
        figure, rounds: what was drawn.
        record: every tick.
        summary: the numbers.
        pace: how real time was kept.
        steps: of physics.
        hurried_commands: see ``Loop``.
    """

    robot: RobotModel
    solver: IKSolver
    figure: FigureOfEight
    rounds: int
    record: Record
    summary: Summary
    pace: Pace
    steps: int
    hurried_commands: int

    @property
    def report(self) -> str:
        """The numbers as text."""
        return report(self.summary, self.pace, self.steps, self.hurried_commands)

    def as_json(self) -> dict[str, Any]:
        """The numbers by name, in SI units."""
        figure = self.figure
        return {
            "robot": self.robot.name,
            "base_frame": self.solver.base_frame,
            "tip_frame": self.solver.tip_frame,
            "figure": {
                "width_m": figure.width_m,
                "period_s": figure.period_s,
                "rounds": self.rounds,
                "wider_refused": list(figure.refused),
            },
            **dataclasses.asdict(self.summary),
            "steps": self.steps,
            "late_steps": self.pace.late_steps,
            "lost_s": self.pace.lost_s,
            "hurried_commands": self.hurried_commands,
        }


def run_figure(
    urdf_text: str,
    tip_frame: str,
    rounds: int,
    max_acceleration: float | None,
    ending: Ending,
    say: Callable[[str], None],
) -> Run | None:
    """Let the node draw.

    Args:
        urdf_text: the robot.
        tip_frame: link that carries the tool; empty = the robot's only end.
        rounds: of the figure.
        max_acceleration: the node's ``stream_max_acceleration``; None = its default.
        ending: the wish to end.
        say: takes what is to be told on the way.

    Returns:
        The run; None if the end was wished for.

    Raises:
        RuntimeError: it cannot begin or go on; with the reason.
        IKSolverError: the robot or the settings cannot be used.
    """
    settings = StreamSettings(timeout_s=_STREAM_TIMEOUT_S)
    if max_acceleration is not None:
        settings = dataclasses.replace(settings, max_acceleration=max_acceleration)
    robot = RobotModel.from_urdf(urdf_text)
    solver = solver_for(robot, tip_frame)
    figure = fitted_figure(solver, settings)
    say(announcement(robot.name, solver.tip_frame, figure, rounds))
    start = _start(robot, figure)
    world = World(urdf_text, robot, start)
    columns = [robot.joint_names.index(name) for name in figure.start]
    recorder = Recorder(list(figure.start), columns, solver.tip_frame, solver.base_frame)

    rclpy.init(args=[], signal_handler_options=SignalHandlerOptions.NO)
    node = rclpy.create_node("ik_sim")
    cell = Cell(node, robot.joint_names)
    with Lanes(node, []), Children([_node_command(solver, settings)]) as children:
        cell.describe(urdf_text)
        pace = Pace(STEP_S, wait=ending.wait)
        loop = Loop(
            world,
            TrajectoryController(robot, start),
            cell,
            figure,
            recorder,
            lambda: children.all_run() and not ending.is_wished,
        )
        timetable, is_complete = Timetable(rounds, figure.period_s), False
        if loop.wait_for_node(pace):
            say(f"drawing   takes {timetable.duration_s:.0f} s\n")
            is_complete = loop.run(timetable, pace)
        if not (is_complete or ending.is_wished):
            raise RuntimeError(f"{children.ended()} has ended; its reason is above")
    if not is_complete:
        return None
    record = recorder.record()
    numbers = summary(
        record,
        robot,
        (solver.tip_frame, solver.base_frame),
        figure,
        _joints(robot, world, columns, settings),
        TICK_S,
    )
    return Run(
        robot, solver, figure, rounds, record, numbers, pace, world.steps, loop.hurried_commands
    )


def _start(robot: RobotModel, figure: FigureOfEight) -> Floats:
    """Positions of all joints: the arm at the figure's crossing point, the others at rest."""
    positions = resting_positions(robot.joints.values()) | dict(figure.start)
    return np.array([positions[name] for name in robot.joint_names])


def _node_command(solver: IKSolver, settings: StreamSettings) -> list[str]:
    parameters = {
        "base_frame": solver.base_frame,
        "tip_frame": solver.tip_frame,
        "command_type": "joint_trajectory",
        "command_topic": COMMAND_TOPIC,
        "stream_rate": settings.rate_hz,
        "stream_max_velocity_scale": settings.max_velocity_scale,
        "stream_max_acceleration": settings.max_acceleration,
        "stream_timeout": settings.timeout_s,
        "publish_markers": False,
    }
    executable = Path(get_package_prefix("ik_solver_ros"), "lib", "ik_solver_ros", "ik_node")
    command = [str(executable), "--ros-args", "--log-level", "warn"]
    for name, value in parameters.items():
        command += ["-p", f"{name}:={json.dumps(value)}"]  # in quotes a text stays a text
    return command


def _joints(
    robot: RobotModel, world: World, columns: list[int], settings: StreamSettings
) -> tuple[JointSummary, ...]:
    summaries = []
    for column in columns:
        joint = robot.joints[robot.joint_names[column]]
        summaries.append(
            JointSummary(
                joint.name,
                joint.unit,
                float(world.peak_velocity[column]),
                settings.max_velocity_scale * joint.velocity,
                joint.velocity,
                float(world.saturated_steps[column] / world.steps),
            )
        )
    return tuple(summaries)
