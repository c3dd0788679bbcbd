# SPDX-License-Identifier: Apache-2.0
"""Meshes are found or told to be missing, primitives have their size, sticks stand in."""

from __future__ import annotations

import struct

import numpy as np
import pytest

from ik_solver_ros import RobotModel
from ik_solver_ros.viewer.camera import framing
from ik_solver_ros.viewer.mesh_files import MeshFiles
from ik_solver_ros.viewer.shapes import look_of, triangles_of
from support.robots import robot_urdf, robot_urdf_path
from support.viewing import session_of


def urdf(geometry, origin="", material=""):
    return f"""<robot name="r">
  <material name="blue"><color rgba="0 0 1 1"/></material>
  <link name="a"/><link name="b"><visual>{origin}<geometry>{geometry}</geometry>{material}</visual>
  </link><joint name="j" type="revolute"><parent link="a"/><child link="b"/>
  <origin xyz="0 0 1"/><axis xyz="0 0 1"/>
  <limit lower="-1" upper="1" effort="1" velocity="1"/></joint></robot>"""


def look(text, files=None):
    return look_of(RobotModel.from_urdf(text), text, files or MeshFiles(environment={}), 1.0)


def extent(part):
    return part.vertices.max(axis=0) - part.vertices.min(axis=0)


@pytest.mark.parametrize(
    ("geometry", "size"),
    [
        ('<box size="0.1 0.2 0.3"/>', (0.1, 0.2, 0.3)),
        ('<cylinder radius="0.1" length="0.5"/>', (0.2, 0.2, 0.5)),
        ('<sphere radius="0.15"/>', (0.3, 0.3, 0.3)),
    ],
)
def test_primitives_have_their_size_colour_and_place(geometry, size):
    text = urdf(geometry, '<origin xyz="1 2 3"/>', '<material name="blue"/>')
    (part,) = look(text).parts
    assert part.link == "b"
    assert part.rgb == (0, 0, 255)
    np.testing.assert_allclose(extent(part), size, rtol=5e-3)
    middle = 0.5 * (part.vertices.max(axis=0) + part.vertices.min(axis=0))
    np.testing.assert_allclose(middle, [1, 2, 3], atol=1e-5)
    assert part.faces.max() < len(part.vertices)


def test_a_capsule_stands_upright_about_its_middle():
    import coal  # comes with Pinocchio

    vertices, faces = triangles_of(coal.Capsule(0.1, 0.5))
    np.testing.assert_allclose(vertices.max(axis=0), [0.1, 0.1, 0.35], rtol=1e-2)
    np.testing.assert_allclose(vertices.min(axis=0), [-0.1, -0.1, -0.35], rtol=1e-2)
    assert faces.max() < len(vertices)


def write_stl(path):
    """A tetrahedron of size 1 as binary STL."""
    corners = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]
    faces = [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)]
    body = b"".join(
        struct.pack("<12fH", 0, 0, 1, *(c for i in face for c in corners[i]), 0) for face in faces
    )
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"\0" * 80 + struct.pack("<I", len(faces)) + body)


def write_obj(path):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n")


@pytest.mark.parametrize(("name", "write"), [("m.stl", write_stl), ("m.obj", write_obj)])
def test_a_mesh_is_read_and_scaled(tmp_path, name, write):
    write(tmp_path / "meshes" / name)
    text = urdf(f'<mesh filename="meshes/{name}" scale="0.5 1 2"/>')
    found = look(text, MeshFiles(tmp_path / "robot.urdf", environment={}))
    (part,) = found.parts
    np.testing.assert_allclose(extent(part), [0.5, 1.0, 2.0], rtol=1e-6)
    assert found.missing == ()


@pytest.mark.parametrize("name", ["panda", "ur5", "kinova"])
def test_robots_are_found_whole(name):
    path = robot_urdf_path(name)
    found = look_of(
        RobotModel.from_urdf(robot_urdf(name)), robot_urdf(name), MeshFiles(path, environment={}), 1
    )
    assert found.missing == ()
    assert not found.is_sticks
    assert sum(len(part.faces) for part in found.parts) > 50_000


def test_a_missing_mesh_is_told_and_a_stick_stands_in():
    text = urdf('<mesh filename="package://nowhere/m.stl"/>')
    found = look(text)
    assert found.missing == ("package://nowhere/m.stl",)
    assert found.is_sticks
    assert {part.link for part in found.parts} == {"a", "b"}


def test_a_broken_mesh_does_not_take_the_others_with_it(tmp_path):
    (tmp_path / "broken.stl").write_text("this is no mesh")
    write_stl(tmp_path / "good.stl")
    text = urdf('<mesh filename="good.stl"/>').replace(
        '<link name="a"/>',
        '<link name="a"><visual><geometry><mesh filename="broken.stl"/></geometry></visual></link>',
    )
    found = look(text, MeshFiles(tmp_path / "robot.urdf", environment={}))
    assert found.missing == ("broken.stl",)
    assert not found.is_sticks
    assert "b" in {part.link for part in found.parts}


def test_where_packages_are_looked_for(tmp_path):
    def place(*parts):
        path = tmp_path.joinpath(*parts)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
        return path

    name = "package://arm/meshes/m.stl"
    share = place("prefix", "share", "arm", "meshes", "m.stl")
    source = place("src", "arm", "meshes", "m.stl")
    above = place("ws", "arm", "meshes", "m.stl")
    renamed = place("arm-main", "meshes", "m.stl")

    def find(urdf_file=None, folders=(), **environment):
        return MeshFiles(urdf_file, folders, environment or {"HOME": "/"}).find(name)

    assert find() is None
    assert find(AMENT_PREFIX_PATH=f"/nowhere:{tmp_path / 'prefix'}") == share
    assert find(ROS_PACKAGE_PATH=str(tmp_path / "src")) == source
    assert find(folders=[tmp_path / "src"], AMENT_PREFIX_PATH=str(tmp_path / "prefix")) == source
    assert find(tmp_path / "ws" / "arm" / "urdf" / "arm.urdf") == above
    assert find(tmp_path / "arm-main" / "urdf" / "arm.urdf") == renamed
    assert MeshFiles(environment={}).find(f"file://{share}") == share
    assert MeshFiles(environment={}).find(str(share)) == share
    assert MeshFiles(environment={}).find("http://somewhere/m.stl") is None
    assert MeshFiles(environment={}).find("m.stl") is None


@pytest.mark.parametrize("scale", [0.01, 1.0, 20.0])
def test_the_camera_sees_the_whole_arm_of_any_size(scale):
    text = urdf(f'<box size="{0.2 * scale} {0.2 * scale} {0.2 * scale}"/>').replace(
        'xyz="0 0 1"/><axis', f'xyz="0 0 {scale}"/><axis'
    )
    robot = RobotModel.from_urdf(text)
    parts = look(text).parts
    poses = {link: robot.pose({}, link) for link in robot.link_names}
    frame = framing(parts, poses, scale)
    ahead = frame.look_at_m - frame.camera_m
    ahead /= np.linalg.norm(ahead)
    for pose in poses.values():
        offset = pose.translation - frame.camera_m
        angle = np.degrees(np.arccos(offset @ ahead / np.linalg.norm(offset)))
        assert angle < 19.0, "half of the field of view"
    assert 0.02 < frame.cell_m / scale < 2.0


def test_the_floor_is_where_the_robot_stands():
    session = session_of("demo_arm")
    text = robot_urdf("demo_arm")
    parts = look_of(session.kinematics.robot, text, MeshFiles(environment={}), 1.0).parts
    frame = framing(parts, session.view().links, session.kinematics.size_m())
    assert frame.floor_m == 0.0
