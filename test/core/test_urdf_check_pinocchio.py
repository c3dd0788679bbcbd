# SPDX-License-Identifier: Apache-2.0
"""What the check lets through, Pinocchio loads, and both mean the same robot."""

from __future__ import annotations

import math

import numpy as np
import pinocchio as pin
import pytest

from ik_solver_ros.core.urdf_check import MOVING_TYPES, UrdfTree, read_urdf, to_pinocchio_xml
from support.broken_urdfs import GOOD_URDF, USABLE
from support.broken_urdfs.case import ELBOW_AXIS, SHOULDER_LIMIT, edited
from support.poses import Matrix
from support.robots import ROBOTS, robot_urdf, robot_urdf_path
from support.urdf_fk import UrdfKinematics

ROUNDING = 1e-12  # metres and rotation entries, in robots of a few metres
# Every URDF of both data packages, not only the arms that other tests use.
FOLDERS = [robot_urdf_path(name).parents[2] for name in ("panda", "puma560")]
ALL_FILES = [path for folder in FOLDERS for path in sorted(folder.rglob("*.urdf"))]
FILES = [path for path in ALL_FILES if "<link" in path.read_text(encoding="utf-8")]  # one is a stub
# What UrdfKinematics, which wants sound files, reads in another way or not at all.
NOT_FOR_KINEMATICS = {"mimics a stranger"}


def load(tree: UrdfTree) -> pin.Model:
    return pin.buildModelFromXML(to_pinocchio_xml(tree))


def random_positions(tree: UrdfTree, rng: np.random.Generator) -> dict[str, float]:
    """Positions of all moving joints, anywhere; followers where the tree says."""
    moving = [joint for joint in tree.joints if joint.type in MOVING_TYPES]
    positions = {joint.name: float(rng.uniform(-3.0, 3.0)) for joint in moving}
    followers = {
        joint.name: joint.mimic_multiplier * positions[joint.mimic_joint] + joint.mimic_offset
        for joint in moving
        if joint.mimic_joint is not None
    }
    return positions | followers


def pinocchio_poses(model: pin.Model, positions: dict[str, float]) -> dict[str, Matrix]:
    """T_root_link of every link."""
    q = pin.neutral(model)
    for name, position in positions.items():
        joint = model.joints[model.getJointId(name)]
        as_cos_sin = joint.nq == 2
        numbers = (math.cos(position), math.sin(position)) if as_cos_sin else (position,)
        q[joint.idx_q : joint.idx_q + joint.nq] = numbers
    data = model.createData()
    pin.framesForwardKinematics(model, data, q)
    return {
        frame.name: data.oMf[index].homogeneous
        for index, frame in enumerate(model.frames)
        if frame.type == pin.FrameType.BODY
    }


def check_same_poses(urdf: str, seed: int) -> None:
    tree, _ = read_urdf(urdf)
    model, kinematics = load(tree), UrdfKinematics(urdf)
    assert set(tree.links) == set(kinematics.links)
    assert tree.root_link == kinematics.root
    rng = np.random.default_rng(seed)
    for _ in range(5):
        positions = random_positions(tree, rng)
        independent = {
            joint.name: positions[joint.name]
            for joint in tree.joints
            if joint.type in MOVING_TYPES and joint.mimic_joint is None
        }
        poses = pinocchio_poses(model, positions)
        for link in tree.links:
            wanted = kinematics.forward(independent, link)
            assert poses[link] == pytest.approx(wanted, abs=ROUNDING * tree_size(wanted)), link


def tree_size(T_root_link: Matrix) -> float:
    return max(1.0, float(np.abs(T_root_link).max()))


@pytest.mark.parametrize("robot", ROBOTS, ids=str)
def test_real_robots_have_the_poses_their_files_describe(robot):
    check_same_poses(robot_urdf(robot.name), seed=11)


@pytest.mark.parametrize(
    "broken", [odd for odd in USABLE if odd.name not in NOT_FOR_KINEMATICS], ids=str
)
def test_odd_descriptions_have_the_poses_their_files_describe(broken):
    check_same_poses(broken.text, seed=12)


def test_the_good_description_has_the_poses_it_describes():
    check_same_poses(GOOD_URDF, seed=13)


def test_there_are_many_real_files():
    assert len(FILES) > 60


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parents[1].name}/{path.name}")
def test_whatever_pinocchio_loads_is_accepted_and_stays_the_same(path):
    wanted = pin.buildModelFromXML(path.read_text(encoding="utf-8"))
    tree, _ = read_urdf(path.read_text(encoding="utf-8"))
    model = load(tree)
    assert list(model.names) == list(wanted.names)
    assert frames(model) == frames(wanted)
    assert [j.shortname() for j in model.joints] == [j.shortname() for j in wanted.joints]
    for placement, wanted_placement in zip(model.jointPlacements, wanted.jointPlacements):
        assert placement.isApprox(wanted_placement, ROUNDING)
    assert model.lowerPositionLimit.tolist() == wanted.lowerPositionLimit.tolist()
    assert model.upperPositionLimit.tolist() == wanted.upperPositionLimit.tolist()
    known = (wanted.velocityLimit > 0.0) & np.isfinite(wanted.velocityLimit)
    assert model.velocityLimit[known].tolist() == wanted.velocityLimit[known].tolist()


def frames(model: pin.Model) -> list[tuple[str, str]]:
    return [(frame.name, str(frame.type)) for frame in model.frames]


@pytest.mark.parametrize("odd", USABLE, ids=str)
def test_odd_descriptions_load(odd):
    tree, _ = read_urdf(odd.text)
    model = load(tree)
    assert {f.name for f in model.frames if f.type == pin.FrameType.BODY} == set(tree.links)
    assert set(model.names) - {"universe"} == {j.name for j in tree.joints if j.type != "fixed"}


def test_limits_that_are_not_there_do_not_bind_in_pinocchio():
    tree, _ = read_urdf(edited(SHOULDER_LIMIT, '<limit lower="-1e4" upper="1e300"/>'))
    model = load(tree)
    index = model.joints[model.getJointId("shoulder")].idx_q
    assert model.lowerPositionLimit[index] == -1e16
    assert model.upperPositionLimit[index] == 1e16
    assert model.velocityLimit[model.joints[model.getJointId("shoulder")].idx_v] == 1e16


def test_the_name_of_the_robot_reaches_pinocchio():
    assert load(read_urdf(GOOD_URDF)[0]).name == "good"
    nameless, _ = read_urdf(edited('<robot name="good">', "<robot>"))
    assert nameless.name == ""
    assert load(nameless).name == "robot"


def test_axes_reach_pinocchio_with_length_one():
    tree, _ = read_urdf(edited(ELBOW_AXIS, '<axis xyz="0 0 5"/>'))
    model = load(tree)
    assert model.joints[model.getJointId("elbow")].shortname() == "JointModelRUBZ"


def test_names_reach_pinocchio_as_they_are():
    names = ["a<b", "\"q\" & 'a'", "  two  spaces ", "手", "a&#38;b", "]]>", "x" * 255]
    for name in names:
        escaped = name.replace("&", "&amp;").replace("<", "&lt;").replace('"', "&quot;")
        tree, _ = read_urdf(GOOD_URDF.replace('"elbow"', f'"{escaped}"'))
        assert tree.joint_by_name(name).type == "continuous"
        assert load(tree).existJointName(name)
