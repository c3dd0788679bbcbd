# SPDX-License-Identifier: Apache-2.0
"""A map around the arm in the browser: `ik view --map`."""

from __future__ import annotations

import pytest

from ik_solver_ros.cli.main import main
from ik_solver_ros.viewer.cloud import Cloud
from ik_solver_ros.workspace import OrientationSet, ReachabilityMap, map_workspace
from support.gantry import gantry
from support.robots import robot_urdf, robot_urdf_path
from support.viewing import session_of, viewer_of

DEMO = str(robot_urdf_path("demo_arm"))


@pytest.fixture(scope="module")
def reachable():
    return map_workspace(robot_urdf("demo_arm"), cell_m=0.2, orientations=OrientationSet.any())


def test_the_cloud_is_cut_and_switched(reachable):
    viewer = viewer_of(session_of("demo_arm"), "demo_arm")
    try:
        points_m, rgb = reachable.points_and_colours()
        cloud = Cloud(viewer.server, points_m, rgb, reachable.cell_m, "workspace")
        assert 0 < cloud.shown < reachable.cells
        cloud.cut.value = points_m[:, 1].min()
        assert cloud.shown == reachable.cells
        cloud.cut.value = 0.3
        assert cloud.shown == (points_m[:, 1] >= 0.3 - 1e-6).sum()
        cloud.switch.value = False
        assert cloud.shown == 0
    finally:
        viewer.close()


def test_a_map_of_nothing_can_be_shown():
    empty = map_workspace(gantry(), cell_m=0.3, orientations=OrientationSet.given([(1, 0, 0, 0)]))
    viewer = viewer_of(session_of("demo_arm"), "demo_arm")
    try:
        cloud = Cloud(viewer.server, *empty.points_and_colours(), empty.cell_m, "workspace")
        assert cloud.shown == 0
    finally:
        viewer.close()


def test_a_map_of_another_robot_or_base_is_refused(tmp_path, capsys, reachable):
    path = tmp_path / "map.npz"
    map_workspace(gantry(), cell_m=0.4, orientations=OrientationSet.any()).save(path)
    assert main(["view", DEMO, "--map", str(path)]) == 2
    err = capsys.readouterr().err
    assert "'gantry' from 'base' on, not 'demo_arm' from 'base_link'" in err
    reachable.save(path)
    assert main(["view", DEMO, "--base", "shoulder_link", "--map", str(path)]) == 2
    assert "not 'demo_arm' from 'shoulder_link'" in capsys.readouterr().err
    path.write_text("no map")
    assert main(["view", DEMO, "--map", str(path)]) == 2
    assert "is not a reachability map" in capsys.readouterr().err
    with pytest.raises(OSError, match="nowhere"):
        ReachabilityMap.load("nowhere.npz")
