# SPDX-License-Identifier: Apache-2.0
"""config/robots: a few lines per robot, naming parameters and links that exist."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest
import yaml

from support.launch_runs import LAUNCH_FILE
from support.robots import robot_urdf

CONFIG = LAUNCH_FILE.parents[1] / "config"
# The UR5 of the test robots has the links of the UR5e; only lengths differ.
ROBOTS = {"panda": "panda", "ur5e": "ur5"}


def parameters_of(file):
    # '/**' fits every namespace; a name would not fit a namespaced node.
    (section,) = yaml.safe_load(file.read_text(encoding="utf-8")).items()
    assert section[0] == "/**"
    return section[1]["ros__parameters"]


def test_each_overlay_is_checked_here():
    assert {file.stem for file in (CONFIG / "robots").iterdir()} == set(ROBOTS)


@pytest.mark.parametrize("overlay", ROBOTS)
def test_an_overlay_holds_only_what_differs_from_the_defaults(overlay):
    defaults = parameters_of(CONFIG / "ik_solver.yaml")
    parameters = parameters_of(CONFIG / "robots" / f"{overlay}.yaml")

    assert set(parameters) <= set(defaults)
    assert not [name for name, value in parameters.items() if defaults[name] == value]


@pytest.mark.parametrize(("overlay", "robot"), ROBOTS.items())
def test_the_tip_hangs_on_the_base(overlay, robot):
    parameters = parameters_of(CONFIG / "robots" / f"{overlay}.yaml")

    parents = {
        joint.find("child").get("link"): joint.find("parent").get("link")
        for joint in ElementTree.fromstring(robot_urdf(robot)).iterfind("joint")
    }
    link = parameters["tip_frame"]
    while link != parameters["base_frame"]:
        assert link in parents, f"{link} does not hang on {parameters['base_frame']}"
        link = parents[link]
