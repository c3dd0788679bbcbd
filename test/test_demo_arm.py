# SPDX-License-Identifier: Apache-2.0
"""The demo arm keeps what its file promises: geometry, limits, inertias and shapes."""

from __future__ import annotations

import itertools
import math
import xml.etree.ElementTree as ElementTree

import numpy as np
import pinocchio as pin
import pytest

from support.poses import rotation_from_rpy
from support.robots import DEMO_ARM, robot_urdf, robot_urdf_path
from support.urdf_fk import UrdfKinematics

JOINTS = [f"joint_{number}" for number in range(1, 7)]
ROBOT = ElementTree.fromstring(robot_urdf(DEMO_ARM.name))
LINKS = {link.attrib["name"]: link for link in ROBOT.findall("link")}
SOLID_LINKS = [name for name in LINKS if name != "tool0"]
MOVED_LINKS = [name for name in SOLID_LINKS if name != "base_link"]
STRETCHED = dict.fromkeys(JOINTS, 0.0) | {"joint_3": -math.pi / 2, "joint_5": -math.pi / 2}
FOLDED = dict.fromkeys(JOINTS, 0.0) | {"joint_2": -0.5, "joint_3": 1.0, "joint_5": -1.0}


@pytest.fixture(scope="module")
def kinematics() -> UrdfKinematics:
    return UrdfKinematics(robot_urdf(DEMO_ARM.name))


@pytest.fixture(scope="module")
def model() -> pin.Model:
    return pin.buildModelFromUrdf(str(robot_urdf_path(DEMO_ARM.name)))


def random_configurations(kinematics: UrdfKinematics, count: int) -> list[dict[str, float]]:
    rng = np.random.default_rng(20)
    return [kinematics.random_configuration(rng, JOINTS) for _ in range(count)]


def numbers(text: str) -> np.ndarray:
    return np.array([float(number) for number in text.split()])


def test_pinocchio_reads_six_joints_in_order(model):
    assert list(model.names) == ["universe", *JOINTS]
    assert model.nq == model.nv == 6


def test_the_chain_runs_from_base_link_to_tool0(kinematics):
    assert kinematics.root == "base_link"
    assert kinematics.links[-1] == "tool0"
    assert kinematics.chain_joints("base_link", "tool0") == kinematics.moving_joints == JOINTS


def test_the_wrist_axes_meet_in_one_point_at_right_angles(kinematics):
    for configuration in random_configurations(kinematics, 50):
        centre = kinematics.forward(configuration, "wrist_link")[:3, 3]
        axes = []
        for name in JOINTS[3:]:
            joint = kinematics.joints[name]
            T_root_child = kinematics.forward(configuration, joint.child)
            axes.append(T_root_child[:3, :3] @ joint.axis)
            assert np.linalg.norm(np.cross(centre - T_root_child[:3, 3], axes[-1])) < 1e-14
        assert abs(axes[0] @ axes[1]) < 1e-14
        assert abs(axes[1] @ axes[2]) < 1e-14


def test_the_reach_is_ninety_centimetres(kinematics):
    def reach_m(configuration):
        return np.linalg.norm(
            kinematics.relative(configuration, "shoulder_link", "tool0")[:3, 3] - [0, 0, 0.172]
        )

    assert reach_m(STRETCHED) == pytest.approx(0.9, abs=1e-12)
    assert all(reach_m(q) <= 0.9 for q in random_configurations(kinematics, 200))


def test_the_zero_pose_points_the_tool_down_and_is_not_singular(kinematics, model):
    T_base_tool0 = kinematics.forward(dict.fromkeys(JOINTS, 0.0), "tool0")
    assert T_base_tool0[:3, 2] == pytest.approx([0, 0, -1], abs=1e-15)
    assert T_base_tool0[:3, 0] == pytest.approx([1, 0, 0], abs=1e-15)
    data, frame = model.createData(), model.getFrameId("tool0")
    jacobian = pin.computeFrameJacobian(model, data, np.zeros(6), frame, pin.LOCAL_WORLD_ALIGNED)
    assert np.linalg.svd(jacobian, compute_uv=False).min() > 0.05


@pytest.mark.parametrize("name", JOINTS)
def test_limits_hold_zero_inside_and_at_most_one_turn_each_way(name):
    limit = ROBOT.find(f"joint[@name='{name}']/limit").attrib
    lower, upper, velocity = (float(limit[key]) for key in ("lower", "upper", "velocity"))
    assert -2 * math.pi < lower < -0.5
    assert 0.5 < upper < 2 * math.pi
    assert 1.0 <= velocity <= 2 * math.pi + 0.5


def test_drives_hold_the_arm_and_five_kilograms_at_the_tool(kinematics, model):
    payload = pin.Inertia(5.0, np.zeros(3), np.zeros((3, 3)))
    tool0 = model.frames[model.getFrameId("tool0")]
    loaded = model.copy()
    loaded.appendBodyToJoint(tool0.parentJoint, payload, tool0.placement)
    data = loaded.createData()
    configurations = [STRETCHED | {"joint_2": math.pi / 2}, *random_configurations(kinematics, 200)]
    for configuration in configurations:
        q = np.array([configuration[name] for name in JOINTS])
        assert np.all(
            np.abs(pin.computeGeneralizedGravity(loaded, data, q)) < 0.9 * loaded.effortLimit
        )


@pytest.mark.parametrize("name", MOVED_LINKS)
def test_inertia_is_that_of_a_rigid_body(name):
    mass_kg, _, tensor = read_inertia(LINKS[name])
    moments = np.linalg.eigvalsh(tensor)
    assert mass_kg > 0
    assert moments[0] > 0
    assert moments[0] + moments[1] > moments[2]


def test_the_root_has_no_inertia_since_kdl_warns_of_it_at_every_start():
    assert LINKS["base_link"].find("inertial") is None


@pytest.mark.parametrize("name", MOVED_LINKS)
def test_inertia_is_that_of_the_collision_shapes_filled_evenly(name):
    mass_kg, centre_m, tensor = read_inertia(LINKS[name])
    shapes = [read_solid(element) for element in LINKS[name].findall("collision")]
    total_volume_m3 = sum(volume_m3 for volume_m3, _, _ in shapes)
    expected_centre_m = sum(v * origin for v, origin, _ in shapes) / total_volume_m3
    expected_tensor = np.zeros((3, 3))
    for volume_m3, origin, tensor_per_kg in shapes:
        arm = origin - centre_m
        parallel_axis = arm @ arm * np.eye(3) - np.outer(arm, arm)
        expected_tensor += mass_kg * volume_m3 / total_volume_m3 * (tensor_per_kg + parallel_axis)
    assert centre_m == pytest.approx(expected_centre_m, abs=1e-4)
    assert tensor == pytest.approx(expected_tensor, rel=1e-3, abs=1e-6)


@pytest.mark.parametrize("name", SOLID_LINKS)
@pytest.mark.parametrize("use", ["visual", "collision"])
def test_every_link_is_drawn_and_guarded_by_primitives(name, use):
    shapes = [element.find("geometry")[0].tag for element in LINKS[name].findall(use)]
    assert shapes
    assert set(shapes) <= {"box", "cylinder", "sphere"}


def test_every_visual_has_a_colour_that_is_defined():
    colours = {material.attrib["name"] for material in ROBOT.findall("material/color/..")}
    used = {material.attrib["name"] for material in ROBOT.findall("link/visual/material")}
    assert used == colours
    assert len(ROBOT.findall("link/visual")) == len(ROBOT.findall("link/visual/material"))


@pytest.mark.parametrize("pose", [dict.fromkeys(JOINTS, 0.0), STRETCHED, FOLDED])
def test_no_links_but_neighbours_touch(model, pose):
    geometry = pin.buildGeomFromUrdf(
        model, str(robot_urdf_path(DEMO_ARM.name)), pin.GeometryType.COLLISION
    )
    shapes = list(enumerate(geometry.geometryObjects))
    for (i, shape_a), (k, shape_b) in itertools.combinations(shapes, 2):
        if abs(shape_a.parentJoint - shape_b.parentJoint) > 1:
            geometry.addCollisionPair(pin.CollisionPair(i, k))
    assert len(geometry.collisionPairs) > 50
    data, geometry_data = model.createData(), geometry.createData()
    q = np.array([pose[name] for name in JOINTS])
    pin.updateGeometryPlacements(model, data, geometry, geometry_data, q)
    for index, pair in enumerate(geometry.collisionPairs):
        distance_m = pin.computeDistance(geometry, geometry_data, index).min_distance
        names = [geometry.geometryObjects[k].name for k in (pair.first, pair.second)]
        assert distance_m > 0.005, names


def read_inertia(link: ElementTree.Element) -> tuple[float, np.ndarray, np.ndarray]:
    """Return mass, centre of mass, and the tensor about it in the link's axes."""
    xx, xy, xz, yy, yz, zz = (
        float(link.find("inertial/inertia").attrib[key])
        for key in ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")
    )
    return (
        float(link.find("inertial/mass").attrib["value"]),
        numbers(link.find("inertial/origin").attrib["xyz"]),
        np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]),
    )


def read_solid(element: ElementTree.Element) -> tuple[float, np.ndarray, np.ndarray]:
    """Return volume, centre, and the tensor per kilogram about it in the link's axes."""
    shape, origin = element.find("geometry")[0], element.find("origin")
    if shape.tag == "box":
        size = numbers(shape.attrib["size"])
        volume_m3 = float(np.prod(size))
        moments = (size @ size - size**2) / 12
    else:
        assert shape.tag == "cylinder"
        radius_m, length_m = float(shape.attrib["radius"]), float(shape.attrib["length"])
        volume_m3 = math.pi * radius_m**2 * length_m
        across = (3 * radius_m**2 + length_m**2) / 12
        moments = np.array([across, across, radius_m**2 / 2])
    R = rotation_from_rpy(numbers(origin.attrib.get("rpy", "0 0 0")))
    return volume_m3, numbers(origin.attrib["xyz"]), R @ np.diag(moments) @ R.T
