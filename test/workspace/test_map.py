# SPDX-License-Identifier: Apache-2.0
"""Maps of arms whose workspace is known, and of the demo arm, judged target by target."""

from __future__ import annotations

import dataclasses
import math

import matplotlib
import numpy as np
import pytest

from ik_solver_ros import IKRequest, IKSolver, RobotModel
from ik_solver_ros.core.errors import InvalidRequestError, NoChainError, UnknownFrameError
from ik_solver_ros.workspace import OrientationSet, ReachabilityMap, map_workspace
from ik_solver_ros.workspace.backends import Threads
from ik_solver_ros.workspace.colours import viridis
from ik_solver_ros.workspace.picture import draw_map
from support.gantry import STROKES, gantry
from support.robots import robot_urdf

STRAIGHT = OrientationSet.given([(0, 0, 0, 1)])
UPSIDE_DOWN = OrientationSet.given([(1, 0, 0, 0)])
DEMO = robot_urdf("demo_arm")


def inside(axis, stroke):
    return (stroke[0] <= axis) & (axis <= stroke[1])


def box(reachable):
    axes = reachable.x_m, reachable.y_m, reachable.z_m
    along = [inside(axis, stroke) for axis, stroke in zip(axes, STROKES.values(), strict=True)]
    return along[0][:, None, None] & along[1][None, :, None] & along[2][None, None, :]


@pytest.mark.parametrize("orientations", [STRAIGHT, OrientationSet.any()], ids=["full", "any"])
def test_a_gantry_reaches_its_box_and_nothing_else(orientations):
    reachable = map_workspace(gantry(), cell_m=0.1, orientations=orientations)
    assert ((reachable.reached > 0) == box(reachable)).all()
    assert reachable.cells == 8 * 4 * 4
    assert reachable.volume_m3 == pytest.approx(0.8 * 0.4 * 0.4)
    assert reachable.manipulability[box(reachable)] == pytest.approx(1.0)
    assert np.isnan(reachable.manipulability[~box(reachable)]).all()
    i, j, k = (
        int(np.abs(a - 0.05).argmin()) for a in (reachable.x_m, reachable.y_m, reachable.z_m)
    )
    # 0.35 of 0.4, 0.05 of 0.2 and 0.15 of 0.2 to the nearest limits
    assert reachable.limit_margin[i, j, k] == pytest.approx(0.25)
    assert reachable.share[i, j, k] == 1.0


def test_the_limit_that_blocks_is_counted_and_what_no_limit_blocks_is_out_of_reach():
    reachable = map_workspace(gantry(), cell_m=0.1, orientations=STRAIGHT)
    i, j, k = (
        int(np.abs(a - 0.05).argmin()) for a in (reachable.x_m, reachable.y_m, reachable.z_m)
    )
    beyond = int(np.abs(reachable.x_m - 0.65).argmin())
    assert reachable.joint_names == ("slide_x", "slide_y", "slide_z")
    assert reachable.blocked[beyond, j, k].tolist() == [1, 0, 0]
    assert reachable.blocked[i, int(np.abs(reachable.y_m + 0.15).argmin()), k].tolist() == [0, 1, 0]
    assert reachable.out_of_reach[beyond, j, k] == 0
    turned = map_workspace(gantry(), cell_m=0.1, orientations=UPSIDE_DOWN)
    assert turned.cells == 0
    assert not turned.blocked.any()
    assert (turned.out_of_reach == 1).all()


def test_each_cell_of_a_real_arm_agrees_with_a_solver_that_is_asked_target_by_target():
    orientations = OrientationSet.even(6)
    reachable = map_workspace(DEMO, cell_m=0.2, orientations=orientations)
    solver = IKSolver(RobotModel.from_urdf(DEMO))
    cells = np.argwhere(reachable.reached + reachable.blocked.sum(axis=-1) > 0)
    for i, j, k in np.random.default_rng(5).permutation(cells)[:25]:
        at = [reachable.x_m[i], reachable.y_m[j], reachable.z_m[k]]
        solved = [
            solver.solve(IKRequest.from_xyz_quat(at, quat, timeout_s=5.0)).success
            for quat in orientations.quats_xyzw
        ]
        assert reachable.reached[i, j, k] == sum(solved)
    total = reachable.reached + reachable.out_of_reach + (reachable.blocked > 0).any(axis=-1)
    assert (total <= reachable.orientations + 1).all()
    assert (reachable.reached + reachable.out_of_reach <= reachable.orientations).all()


def test_the_tip_of_the_tool_is_what_reaches():
    offset = ((0.1, 0.0, 0.0), (0.0, 0.0, 0.0, 1.0))
    plain = map_workspace(gantry(), cell_m=0.1, orientations=STRAIGHT)
    longer = map_workspace(gantry(), cell_m=0.1, orientations=STRAIGHT, tcp_offset=offset)
    assert longer.x_m[longer.reached.any(axis=(1, 2))] == pytest.approx(
        plain.x_m[plain.reached.any(axis=(1, 2))] + 0.1
    )


def test_threads_do_not_change_a_bit_and_progress_ends_at_the_end():
    told = []
    maps = [
        map_workspace(
            DEMO,
            cell_m=0.15,
            orientations=OrientationSet.even_directions(5),
            backend=Threads(count),
            progress=lambda *done: told.append(done),
        )
        for count in (1, 2, 5)
    ]
    assert_same(maps[0], maps[1])
    assert_same(maps[0], maps[2])
    assert told[-1][0] == told[-1][1] > 0


def assert_same(a, b):
    for field in dataclasses.fields(ReachabilityMap):
        one, other = getattr(a, field.name), getattr(b, field.name)
        if isinstance(one, np.ndarray):
            assert one.dtype == other.dtype
            assert one.tobytes() == other.tobytes(), field.name
        else:
            assert one == other, field.name


@pytest.fixture(scope="module")
def small():
    return map_workspace(DEMO, cell_m=0.25, orientations=OrientationSet.even(4))


def test_a_saved_map_comes_back_as_it_was(small, tmp_path):
    small.save(tmp_path / "map.npz")
    assert_same(small, ReachabilityMap.load(tmp_path / "map.npz"))


def test_the_table_has_a_header_and_a_row_for_each_cell_that_says_something(small, tmp_path):
    small.save(tmp_path / "map.csv")
    header, *rows = (tmp_path / "map.csv").read_text().splitlines()
    columns = header.split(",")
    assert columns[:6] == ["x_m", "y_m", "z_m", "orientations", "reached", "share"]
    assert columns[-6:] == [f"blocked_by_joint_{i}" for i in range(1, 7)]
    assert len(rows) == ((small.reached > 0) | small.blocked.any(axis=-1)).sum()
    table = np.genfromtxt(rows, delimiter=",")
    assert table[:, columns.index("reached")].sum() == small.reached.sum()
    assert table[:, 5] == pytest.approx(table[:, 4] / 4)


@pytest.mark.parametrize("content", [b"", b"no map", b"PK\x03\x04 torn"])
def test_another_file_is_no_map(tmp_path, content):
    path = tmp_path / "map.npz"
    path.write_bytes(content)
    with pytest.raises(InvalidRequestError, match="not a reachability map"):
        ReachabilityMap.load(path)


def test_another_archive_is_no_map(tmp_path):
    np.savez(tmp_path / "other.npz", x=1)
    with pytest.raises(InvalidRequestError, match="not a reachability map"):
        ReachabilityMap.load(tmp_path / "other.npz")


@pytest.mark.parametrize("layer", ["share", "manipulability", "limit_margin"])
def test_a_cloud_of_points_for_a_viewer(small, layer):
    points, colours = small.points_and_colours(layer)
    assert points.shape == colours.shape == (small.cells, 3)
    assert colours.dtype == np.uint8
    values = small.layer(layer)[small.reached > 0]
    assert colours[values.argmax()].tolist() == [253, 231, 37]
    assert np.linalg.norm(points - small.base_m, axis=1).max() < 1.3


def test_colours_are_those_of_matplotlib():
    shares = np.linspace(0.0, 1.0, 50)
    theirs = 255.0 * matplotlib.colormaps["viridis"](shares)[:, :3]
    assert np.abs(viridis(shares) - theirs).max() < 5.0


@pytest.mark.parametrize("layer", ["share", "manipulability", "limit_margin"])
def test_a_picture_of_each_layer(small, tmp_path, layer):
    draw_map(small, tmp_path / "map.png", layer)
    assert (tmp_path / "map.png").read_bytes().startswith(b"\x89PNG")


def test_a_map_without_anything_in_it_can_be_drawn_and_shown(tmp_path):
    empty = map_workspace(gantry(), cell_m=0.2, orientations=UPSIDE_DOWN)
    draw_map(empty, tmp_path / "map.svg")
    assert empty.points_and_colours()[0].shape == (0, 3)
    empty.save(tmp_path / "map.csv")


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        ({"cell_m": 0.001}, InvalidRequestError, "too many"),
        ({"cell_m": 0.0}, InvalidRequestError, "cell_m"),
        ({"cell_m": math.nan}, InvalidRequestError, "cell_m"),
        ({"tip_frame": "nowhere"}, UnknownFrameError, "nowhere"),
        ({"tip_frame": "base_link"}, NoChainError, "no moving joint"),
        ({"max_attempts": 0}, InvalidRequestError, "max_attempts"),
    ],
)
def test_what_cannot_be_mapped_is_refused(arguments, error, words):
    with pytest.raises(error, match=words):
        map_workspace(DEMO, **arguments)


def test_a_slider_without_limits_has_no_map():
    endless = gantry({"x": (-1e9, 1e9), "y": (0, 1), "z": (0, 1)})
    with pytest.raises(InvalidRequestError, match="no map has an end"):
        map_workspace(endless)
    with pytest.raises(InvalidRequestError, match=r"neither in \.npz nor in \.csv"):
        map_workspace(gantry(), cell_m=0.4, orientations=STRAIGHT).save("map.txt")
