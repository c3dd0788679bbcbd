# SPDX-License-Identifier: Apache-2.0
"""`ik reach` as its users run it."""

from __future__ import annotations

import json

import numpy as np
import pytest

from ik_solver_ros.cli.main import main
from ik_solver_ros.workspace import ReachabilityMap
from support.gantry import gantry
from support.robots import robot_urdf_path

DEMO = str(robot_urdf_path("demo_arm"))


def test_the_summary_the_file_and_the_picture_are_of_one_map(tmp_path, capsys):
    files = ["--out", str(tmp_path / "m.npz"), "--picture", str(tmp_path / "m.png")]
    size = ["--cell", "0.25", "--orientations", "5", "--json"]
    assert main(["reach", DEMO, *size, *files]) == 0
    told = json.loads(capsys.readouterr().out)
    reachable = ReachabilityMap.load(tmp_path / "m.npz")
    assert told["cells"] == reachable.cells == (reachable.reached > 0).sum()
    assert told["tip_frame"] == reachable.tip_frame == "tool0"
    assert told["share"] == pytest.approx(reachable.share[reachable.reached > 0].mean())
    assert told["blocked_by_joint"]["joint_5"] == reachable.blocked[..., 4].sum()
    x, used = told["box"]["x_m"], (reachable.reached > 0).any(axis=(1, 2))
    assert x == [reachable.x_m[used].min(), reachable.x_m[used].max()]
    assert (tmp_path / "m.png").stat().st_size > 10_000


def test_people_read_the_numbers_in_five_lines(capsys):
    assert main(["reach", DEMO, "--cell", "0.3", "--directions", "4"]) == 0
    out, err = capsys.readouterr()
    assert "demo_arm, base_link to tool0" in out
    assert "of 4 directions, any roll there" in out
    assert "blocked   by joint_" in out
    assert len(out.splitlines()) == 6
    assert err == ""  # the progress bar is for terminals


def test_nothing_reached_is_no_success(tmp_path, capsys):
    robot = tmp_path / "gantry.urdf"
    robot.write_text(gantry())
    assert main(["reach", str(robot), "--cell", "0.2", "--quat-xyzw", "1", "0", "0", "0"]) == 1
    assert "reached   0 cells" in capsys.readouterr().out


def test_an_orientation_may_be_given_several_times(capsys):
    turns = ["--quat-xyzw", "1", "0", "0", "0", "--quat-xyzw", "0", "0", "0", "1"]
    assert main(["reach", DEMO, "--cell", "0.3", *turns, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["orientations"] == 2


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--out", "m.xlsx"], "--out: 'm.xlsx' does not end in .npz or .csv"),
        (["--out", "/nowhere/m.npz"], "--out: there is no folder for '/nowhere/m.npz'"),
        (["--picture", "m.gif"], "--picture: 'm.gif' does not end in"),
        (["--backend", "dask"], "--address: where does the scheduler listen?"),
        (["--address", "x"], "--address: it is for --backend dask or ray"),
        (["--backend", "ray", "--threads", "2"], "--threads: a cluster has its own"),
        (["--cell", "0.001"], "--cell: cubes of 0.001 m are too many for an arm of"),
        (["--orientations", "0"], "'0' is not a whole number above 0"),
        (["--orientations", "3", "--any-orientation"], "not allowed with argument"),
        (["--tip", "tool"], "'tool0'"),
        (["--threads", "1000"], "threads: 1000 is not a number from 1 to 256"),
    ],
)
def test_wrong_use_is_one_sentence(words, sentence, capsys):
    assert main(["reach", DEMO, *words]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert sentence in err
    assert len(err.splitlines()) == 1


def test_the_csv_is_read_by_numpy(tmp_path):
    path = tmp_path / "map.csv"
    assert main(["reach", DEMO, "--cell", "0.3", "--any-orientation", "--out", str(path)]) == 0
    table = np.genfromtxt(path, delimiter=",", names=True)
    assert table["reached"].max() == 1
    assert np.isfinite(table["manipulability"][table["reached"] > 0]).all()
