# SPDX-License-Identifier: Apache-2.0
"""Figures that are chosen for an arm, and when to be where on them."""

from __future__ import annotations

import math

import numpy as np
import pytest

from ik_solver_ros import IKSolver, RobotModel, StreamSettings
from ik_solver_ros.sim.figure import Timetable, fitted_figure
from support.gantry import gantry
from support.robots import robot, robot_urdf
from support.urdf_fk import UrdfKinematics


@pytest.mark.parametrize("name", ["demo_arm", "panda", "ur5"])
def test_a_fitted_figure_can_be_followed_within_the_limits(name):
    entry, urdf, settings = robot(name), robot_urdf(name), StreamSettings()
    solver = IKSolver(RobotModel.from_urdf(urdf), entry.tip, entry.base)
    figure = fitted_figure(solver, settings)
    T_start = UrdfKinematics(urdf).relative(figure.start, entry.base, entry.tip)
    assert np.abs(T_start - figure.pose(0.0)).max() < 1e-9

    count = 300
    batch = solver.solve_batch(
        figure.poses(count), seed=list(figure.start.values()), chain_seeds=True
    )
    assert batch.success.all()
    speed = np.abs(np.diff(batch.positions, axis=0)) * count / figure.period_s
    limits = [solver.robot.joints[joint].velocity for joint in batch.joint_names]
    assert (speed.max(axis=0) <= np.array(limits) * settings.max_velocity_scale).all()
    # Wider ones were tried first, each twice as wide.
    widths = [float(reason.split()[0]) for reason in figure.refused]
    doubled = figure.width_m * 2.0 ** np.arange(len(widths), 0, -1)
    assert widths == pytest.approx(doubled, rel=0.01)


def test_the_figure_is_an_eight_as_wide_as_it_says_and_half_as_high():
    figure = fitted_figure(IKSolver(RobotModel.from_urdf(robot_urdf("demo_arm"))), StreamSettings())
    T_centre_tool = np.linalg.inv(figure.T_base_centre) @ figure.poses(400)
    x, y, z = T_centre_tool[:, :3, 3].T
    assert np.ptp(x) == pytest.approx(figure.width_m, rel=1e-3)
    assert np.ptp(y) == pytest.approx(0.5 * figure.width_m, rel=1e-3)
    assert np.abs(z).max() < 1e-12
    assert figure.pose(0.5)[:3, 3] == pytest.approx(figure.pose(0.0)[:3, 3])  # it crosses itself
    assert figure.pose(1.0) == pytest.approx(figure.pose(0.0))


def test_an_arm_that_cannot_draw_is_told_why():
    flat = gantry({"x": (-0.3, 0.5), "z": (-0.2, 0.2)})  # slides along its x and its y axis
    narrow = gantry({"x": (0.0, 0.1), "y": (0.0, 1e-4)})
    tiny = gantry({"x": (0.0, 1e-3), "y": (0.0, 1e-3)})
    assert fitted_figure(IKSolver(RobotModel.from_urdf(flat)), StreamSettings()).width_m > 0.05
    for urdf, reason in ((narrow, "0.04 m wide: .*; 0.02 m wide"), (tiny, "only 0.002 m long")):
        with pytest.raises(RuntimeError, match=f"cannot draw a figure-of-eight: .*{reason}"):
            fitted_figure(IKSolver(RobotModel.from_urdf(urdf)), StreamSettings())


@pytest.mark.parametrize("rounds", [1, 3])
def test_a_timetable_goes_from_rest_to_rest_and_never_back(rounds):
    table = Timetable(rounds, 8.0)
    times_s = np.linspace(-1.0, table.duration_s + 1.0, 4001)
    at = np.array([table.rounds_at(time_s) for time_s in times_s])
    assert at[0] == 0.0
    assert at[-1] == rounds
    speed = np.diff(at) / np.diff(times_s)
    assert speed.min() >= 0.0
    assert speed.max() == pytest.approx(1.0 / 8.0, rel=1e-6)
    # A ramp 3 u² - 2 u³ over a quarter of a round is steepest, by 1.5, in its middle.
    steepest = np.abs(np.diff(speed) / np.diff(times_s)[1:]).max()
    assert steepest == pytest.approx(1.5 / 8.0 / 2.0, rel=1e-2)
    assert math.isclose(table.duration_s, rounds * 8.0 + 2.0)
