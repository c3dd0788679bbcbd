# SPDX-License-Identifier: Apache-2.0
"""`ik check` names every fault with culprit, line and what to change, and proposes a tip."""

from __future__ import annotations

import math
import re

import pytest
import yaml

from ik_solver_ros import IKSolver, RobotModel
from ik_solver_ros.cli import output
from ik_solver_ros.core.urdf.faults import quoted
from ik_solver_ros.ros.node_settings import declared_fields, settings_from
from support.broken_urdfs import GOOD_URDF, UNUSABLE, USABLE
from support.broken_urdfs.case import ELBOW_AXIS, SHOULDER_LIMIT, SLIDE_LIMIT, edited, line_of
from support.command import ik
from support.robots import REPOSITORY, ROBOTS, robot_urdf, robot_urdf_path

DEMO_ARM = REPOSITORY / "urdf" / "demo_arm.urdf"
#: Every sentence about something to repair holds one of these words.
REMEDY = re.compile(
    r"\b(add|write|give|make|swap|rename|remove|delete|correct|move|run|keep|hang|cut|follow|put|"
    r"pass|download|source|leave out|did you mean|need|pull|holds everything|read it as|close it|"
    r"save it)\b"
)
ON_DISK = [case for case in (*UNUSABLE, *USABLE) if "\udc80" not in case.text]


@pytest.fixture
def written(tmp_path):
    """Writes a text into a file, and returns its path."""

    def write(text):
        path = tmp_path / "robot.urdf"
        path.write_bytes(text.encode("utf-8"))
        return path

    return write


# --- every fault ---


def test_the_set_of_broken_descriptions_is_large_enough():
    assert len(ON_DISK) >= 160
    assert len({case.kind for case in ON_DISK}) >= 40


@pytest.mark.parametrize("case", ON_DISK, ids=str)
def test_a_fault_is_named_with_culprit_line_and_remedy(written, case):
    run = ik("check", written(case.text))
    culprit = quoted(case.subject).strip("'")
    place = f"line {case.line}: " if case.line else ""
    told = [
        line
        for line in run.out.splitlines()
        if line.startswith(f"  {place}") and all(words in line for words in (culprit, *case.says))
    ]
    assert told, run.out
    assert case.severity == "note" or all(map(REMEDY.search, told))
    assert run.err == ""
    is_without_arm = case.kind == "no-moving-joint"
    assert run.code == (1 if case in UNUSABLE or is_without_arm else 0)


@pytest.mark.parametrize("case", ON_DISK, ids=str)
def test_the_same_fault_is_in_the_json(written, case):
    found = ik("check", written(case.text), "--json").json
    told = {(f["severity"], f["kind"], f["subject"], f["line"]) for f in found["faults"]}
    assert (case.severity, case.kind, case.subject, case.line) in told
    assert found["usable"] == (case in USABLE and case.kind != "no-moving-joint")


def test_all_faults_of_one_file_are_listed_errors_apart_from_warnings(written):
    text = edited(ELBOW_AXIS, '<axis xyz="0 0 0"/>')
    text = edited(SHOULDER_LIMIT, '<limit lower="1" upper="-2" velocity="2" effort="3"/>', text)
    text = edited(SLIDE_LIMIT, '<limit lower="0.05" upper="0,45" velocity="0" effort="80"/>', text)
    run = ik("check", written(text))
    errors, warnings = re.split(r"\nwarnings\n", run.out)
    assert [int(n) for n in re.findall(r"^  line (\d+): ", errors, re.M)] == [22, 28, 35]
    assert re.search(r"line 35: joint 'slide' has velocity='0'", warnings)
    assert "cannot be used: 3 errors, 1 warning" in warnings


def test_a_missing_mesh_is_a_warning_with_its_line_and_package(written):
    run = ik("check", written(GOOD_URDF))
    line = line_of("<visual>", GOOD_URDF)
    assert (
        f"line {line}: link 'upper_arm' has the mesh 'package://not_there/upper_arm.dae'" in run.out
    )
    assert "source the workspace that holds the package 'not_there'" in run.out
    assert "0 found, 1 missing" in run.out
    assert run.code == 0


def test_many_missing_meshes_do_not_bury_the_other_warnings(written):
    visuals = "".join(
        f'<visual><geometry><mesh filename="package://arm/{i}.stl"/></geometry></visual>'
        for i in range(7)
    )
    text = edited('<link name="forearm"/>', f'<link name="forearm">{visuals}</link>')
    run = ik("check", written(text))
    assert run.out.count("package://") == 2
    assert "  and 6 more meshes missing (--json lists them)\n" in run.out
    assert len(ik("check", written(text), "--json").json["meshes"]["missing"]) == 8


def test_meshes_are_found_in_a_folder_of_packages(written, tmp_path):
    (tmp_path / "elsewhere" / "not_there").mkdir(parents=True)
    (tmp_path / "elsewhere" / "not_there" / "upper_arm.dae").touch()
    options = "--json", "--package-dir", tmp_path / "elsewhere"
    found = ik("check", written(GOOD_URDF), *options).json["meshes"]
    assert found == {"found": 1, "missing": []}


def test_meshes_are_found_beside_the_file_in_packages_and_by_path(written, tmp_path, monkeypatch):
    for path in ("beside.stl", "prefix/share/arm/a.stl", "root/hand/b.stl", "absolute c.stl"):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).touch()
    monkeypatch.setenv("AMENT_PREFIX_PATH", f"{tmp_path / 'prefix'}")
    monkeypatch.setenv("ROS_PACKAGE_PATH", f"{tmp_path / 'root'}")
    names = [
        "beside.stl", "package://arm/a.stl", "package://hand/b.stl",
        f"file://{tmp_path}/absolute%20c.stl", f"package://{tmp_path.name}/beside.stl",
    ]  # fmt: skip
    meshes = "".join(
        f'<visual><geometry><mesh filename="{name}"/></geometry></visual>' for name in names
    )
    text = edited('<link name="forearm"/>', f'<link name="forearm">{meshes}</link>')
    found = ik("check", written(text), "--json").json["meshes"]
    assert found == {"found": len(names), "missing": ["package://not_there/upper_arm.dae"]}


# --- what cannot be read at all ---


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda folder: folder / "nowhere.urdf", "No such file"),
        (lambda folder: folder, "is a folder"),
        (lambda folder: binary(folder / "mesh.urdf"), "not UTF-8 text"),
    ],
    ids=["missing", "folder", "binary"],
)
def test_what_cannot_be_read_is_wrong_input(tmp_path, make, words):
    path = make(tmp_path)
    run = ik("check", path)
    assert (run.code, run.out) == (2, "")
    assert words in run.sentence
    assert str(path) in run.sentence


def binary(path):
    path.write_bytes(bytes(range(256)))
    return path


# --- what is in a robot ---


def test_a_healthy_robot_has_tree_joints_tip_and_parameters():
    run = ik("check", DEMO_ARM)
    assert run.code == 0
    assert run.out.splitlines()[0] == "demo_arm: 8 links, 6 moving joints; root base_link"
    assert (
        "\n  base_link\n  └─ shoulder_link  (joint_1, revolute)\n     └─ upper_arm_link" in run.out
    )
    assert re.search(r"joint_2 +revolute +-1\.8326 +2\.0944 +rad +-105\.0° +120\.0°", run.out)
    assert re.search(r"→ +tool0 +base_link +6 +6R", run.out)
    assert run.out.endswith("can be used\n")
    assert "error" not in run.out


def test_branches_followers_sliders_and_continuous_joints_are_shown(written):
    out = ik("check", written(GOOD_URDF)).out
    assert re.search(
        r"\n( +)├─ left_finger  \(left_grip, prismatic\)\n\1└─ right_finger  \(right_grip, pris",
        out,
    )
    assert re.search(r"right_grip +prismatic .* m .* 0\.5 × left_grip \+0\.001", out)
    assert re.search(r"elbow +continuous +none +none +rad +none +none", out)
    assert "6 moving joints" not in out
    assert "5 moving joints, 1 of them followers" in out


def test_a_joint_that_no_arm_can_cross_moves_the_base(written):
    text = edited(
        '<joint name="shoulder" type="revolute">', '<joint name="shoulder" type="floating">'
    )
    found = ik("check", written(text), "--json").json
    assert found["tips"][0]["base_frame"] == "upper_arm"
    assert found["usable"]


#: Robots whose likely arm is not the one in the list of test robots, and why.
ANOTHER_ARM = {
    "talos": "the arm begins at the root, below the torso's joints",
    "talos_torso": "the left arm comes first",
    "romeo": "the arm begins at the root, below the torso's joint",
}


@pytest.mark.parametrize("robot", ROBOTS, ids=str)
def test_the_likely_tip_is_moved_by_the_arm(robot):
    found = ik("check", robot_urdf_path(robot.name), "--json").json
    solver = IKSolver(RobotModel.from_urdf(robot_urdf(robot.name)), robot.tip, robot.base)
    tip = found["tips"][0]
    assert not tip["is_finger"]
    assert not tip["problem"]
    is_the_same = tip["joints"] == list(solver.joint_names)
    assert is_the_same == (robot.name not in ANOTHER_ARM)


@pytest.mark.parametrize("robot", ROBOTS, ids=str)
def test_the_proposed_parameters_are_valid_for_the_node(robot):
    run = ik("check", robot_urdf_path(robot.name), "--yaml")
    parameters = yaml.safe_load(run.out)["/**"]["ros__parameters"]
    values = {name: item.default for name, item in declared_fields()} | parameters
    settings = settings_from(values)
    IKSolver(RobotModel.from_urdf(robot_urdf(robot.name)), settings.tip_frame, settings.base_frame)


def test_names_that_yaml_would_read_as_something_else_stay_names(written):
    text = edited('<link name="base">', '<link name="yes">').replace('link="base"', 'link="yes"')
    parameters = yaml.safe_load(ik("check", written(text), "--yaml").out)["/**"]["ros__parameters"]
    assert parameters["base_frame"] == "yes"


def test_a_description_without_an_arm_gets_no_parameters(written):
    run = ik("check", written('<robot name="a"><link name="b"/></robot>'), "--yaml")
    assert (run.code, run.out) == (1, "")
    assert "no arm in it" in run.err


def test_limits_that_let_no_joint_move_leave_no_arm(written):
    """What the exporter of SolidWorks writes unless somebody types limits."""
    text = re.sub(r'lower="[^"]*" upper="[^"]*"', 'lower="0" upper="0"', robot_urdf("demo_arm"))
    run = ik("check", written(text))
    assert run.code == 1
    assert "nothing to solve for: its limits let no joint move, " in run.out
    assert "parameters for the node" not in run.out


def test_five_joints_are_told_to_be_few():
    assert "5 joints cannot reach every orientation" in ik("check", robot_urdf_path("so100")).out


def test_a_long_chain_is_no_trouble(written):
    links = "".join(f'<link name="l{i}"/>' for i in range(1000))
    joints = "".join(
        f'<joint name="j{i}" type="{"continuous" if i == 500 else "fixed"}"><axis xyz="0 0 1"/>'
        f'<parent link="l{i}"/><child link="l{i + 1}"/></joint>'
        for i in range(999)
    )
    path = written(f'<robot name="r">{links}{joints}</robot>')
    assert ik("check", path, "--json").json["tips"][0]["tip_frame"] == "l999"
    assert max(map(len, ik("check", path).out.splitlines())) < 150


# --- the table ---


def test_a_table_puts_numbers_to_the_right_and_words_to_the_left():
    assert output.table([("a", -1.5), ("long", "20")], ("name", "n")) == [
        "name     n",
        "a     -1.5",
        "long    20",
    ]


def test_what_json_lacks_becomes_null():
    assert output.plain({"a": (math.inf, math.nan, 1.0), 2: [None, "x", True]}) == {
        "a": [None, None, 1.0],
        "2": [None, "x", True],
    }
