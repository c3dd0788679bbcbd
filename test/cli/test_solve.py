# SPDX-License-Identifier: Apache-2.0
"""`ik solve` and `ik fk`: everything a request takes, for people and for programs."""

from __future__ import annotations

import json
import math
import re

import numpy as np
import pytest

from ik_solver_ros import RobotModel, Status
from ik_solver_ros.core.transforms import rpy_from_se3, se3_from_xyz_rpy
from support.command import ik
from support.poses import rotation_from_rpy
from support.robots import REPOSITORY, robot_urdf_path

DEMO_ARM = REPOSITORY / "urdf" / "demo_arm.urdf"
PANDA = robot_urdf_path("panda")
ROBOT = RobotModel.from_urdf_file(DEMO_ARM)
XYZ = ("--xyz", 0.4, 0.2, 0.6)
TARGET = (*XYZ, "--quat-xyzw", 1, 0, 0, 0)


def solve(*words, **options):
    return ik("solve", DEMO_ARM, *words, **options)


def pose_of(answer, frame="tool0", base=""):
    return ROBOT.forward_kinematics(answer["joints"], frame, base)


def test_advice_is_given_in_options():
    words = "--tip", "gripper", "--xyz", 0.1, -0.2, 0.1, "--quat-xyzw", 0.1, 0.2, 0.3, 0.4
    run = ik("solve", robot_urdf_path("so100"), *words, "--solver", "reference", "--timeout-s", 60)
    assert "about the target's z axis free (--free-axes rz)" in run.out
    freed = ik("solve", robot_urdf_path("so100"), *words, "--free-axes", "rz")
    assert freed.code == 0


# --- the target ---


def test_the_same_target_in_every_form_has_the_same_answer(tmp_path):
    file = tmp_path / "target.json"
    matrix = [[1, 0, 0, 0.4], [0, -1, 0, 0.2], [0, 0, -1, 0.6], [0, 0, 0, 1]]
    expected = solve(*TARGET, "--json").json["joints"]
    forms = [
        [*XYZ, "--rpy", math.pi, 0, 0],
        [*XYZ, "--rpy", 180, 0, 0, "--degrees"],
        [{"xyz": [0.4, 0.2, 0.6], "quat_xyzw": [1, 0, 0, 0]}],
        [{"xyz": [0.4, 0.2, 0.6], "rpy": [math.pi, 0, 0]}],
        [{"matrix": matrix}],
        [{"poses": {"tool0": {"matrix": matrix}}}],
    ]
    for form in forms:
        words = form
        if isinstance(form[0], dict):
            file.write_text(json.dumps(form[0]))
            words = ["--target", file]
        assert solve(*words, "--json").json["joints"] == pytest.approx(expected, abs=1e-6), form


def test_degrees_without_the_option_are_remarked():
    assert "add --degrees" in solve(*XYZ, "--rpy", 180, 0, 0).err
    assert solve(*XYZ, "--rpy", 180, 0, 0, "--degrees").err == ""
    assert solve(*XYZ, "--rpy", math.pi, 0, -math.pi).err == ""


def test_what_fk_prints_is_a_target():
    fk = ik("fk", DEMO_ARM, "--joints", "joint_2=0.5", "joint_5=-1", "--json")
    answer = solve("--target", "-", "--json", stdin=fk.out).json
    assert pose_of(answer) == pytest.approx(np.array(fk.json["poses"]["tool0"]["matrix"]), abs=1e-3)


def test_numbers_with_exponents_and_signs_are_numbers_and_no_options():
    answer = solve(
        "--xyz", "4e-1", "-2e-1", "+.6", "--quat-xyzw", -1, "-0.0", "-1e-12", "0", "--json"
    )
    assert pose_of(answer.json)[:3, 3] == pytest.approx([0.4, -0.2, 0.6], abs=1e-4)


def test_roll_pitch_yaw_are_those_of_urdf():
    for rpy in np.random.default_rng(5).uniform(-1.5, 1.5, (20, 3)):
        pose = se3_from_xyz_rpy([1, 2, 3], rpy)
        assert pose.rotation == pytest.approx(rotation_from_rpy(rpy), abs=1e-14)
        assert rpy_from_se3(pose) == pytest.approx(tuple(rpy), abs=1e-12)


# --- what an answer may look like ---


def test_seed_base_tip_and_tool_count():
    words = ["--base", "shoulder_link", "--tip", "flange", "--tcp-offset", 0, 0, 0.1, "--json"]
    free = ("--free-axes", "orientation")  # five joints are left below the shoulder
    answer = ik("solve", DEMO_ARM, *words, "--xyz", 0.4, 0.1, 0.3, *free).json
    assert (answer["base_frame"], answer["tip_frame"]) == ("shoulder_link", "flange")
    pose = ROBOT.forward_kinematics(answer["joints"], "flange", "shoulder_link")
    assert pose[:3, 3] + 0.1 * pose[:3, 2] == pytest.approx([0.4, 0.1, 0.3], abs=1e-4)
    far = solve(*TARGET, "--seed", "joint_6=-5.8", "joint_4=0.1", "--json").json["joints"]
    assert far["joint_6"] < -3.0


@pytest.mark.parametrize(
    ("offset", "pitch"),
    [
        ((0, 0, 0.1), 0.0),
        ((0, 0, 0.1, 0, -20, 0), math.radians(-20)),
        ((0, 0, 0.1, 0, -1, 0, 5), -2 * math.atan2(1, 5)),
    ],
)
def test_a_tool_offset_has_three_six_or_seven_numbers(offset, pitch):
    answer = solve(*TARGET, "--tcp-offset", *offset, "--degrees", "--json").json
    pose = pose_of(answer)
    assert pose[:3, 3] + 0.1 * pose[:3, 2] == pytest.approx([0.4, 0.2, 0.6], abs=1e-4)
    along = pose[:3, :3] @ (math.sin(pitch), 0.0, math.cos(pitch))  # the tool's z axis
    assert along == pytest.approx([0, 0, -1], abs=2e-3)


@pytest.mark.parametrize(
    ("words", "free"),
    [
        (("--free-axes", "rz"), 1),
        (("--free-axes", "orientation"), 3),
        (("--orientation-tolerance", "inf"), 3),
        (("--orientation-tolerance", 0, 0, "inf"), 1),
    ],
)
def test_free_axes_are_free(words, free):
    # Turned about its own axis, the last joint alone would have to follow: now nothing has to.
    start = {"joint_2": 0.3, "joint_5": -1.0}
    there = ik("fk", DEMO_ARM, "--joints", *(f"{n}={v}" for n, v in start.items()), "--json").json
    pose = there["poses"]["tool0"]
    seed = ("--seed", *(f"{name}={start.get(name, 0.0)}" for name in ROBOT.joint_names))
    turned = se3_from_xyz_rpy(pose["xyz"], pose["rpy"])
    turned.rotation = turned.rotation @ rotation_from_rpy((0.0, 0.0, 0.7))
    x, y, z, w = rotation_to_quat(turned.rotation)
    words = ("--xyz", *pose["xyz"], "--quat-xyzw", x, y, z, w, *seed, *words, "--json")
    assert solve(*words).json["max_joint_jump"] < 1e-3
    strict = solve(*words[: words.index("--seed") + 7], "--json").json
    assert strict["max_joint_jump"] > 0.5
    assert free in (1, 3)


def rotation_to_quat(rotation):
    from ik_solver_ros.core.pinocchio_import import pin

    return pin.Quaternion(rotation).coeffs().tolist()


def test_one_tolerance_bounds_the_norm_and_three_bound_axes():
    tight = solve(*TARGET, "--position-tolerance", 1e-9, "--orientation-tolerance", 1e-9, "--json")
    assert tight.json["position_error_m"] <= 1e-9
    assert solve(*TARGET, "--position-tolerance", 0.01, 0.01, 0.01).code == 0
    reach = ("--xyz", 0.4, 0.2, 1.1925, "--free-axes", "orientation")
    assert solve(*reach, "--position-tolerance", 0.2).code == 0
    wide = ("--orientation-tolerance", 30, 30, 30, "--degrees")
    assert solve(*TARGET, *wide).code == 0


def test_branches_are_listed_nearest_first():
    answer = solve(*TARGET, "--solutions", 16, "--seed", "joint_1=0.4", "--json").json
    jumps = [
        answer["max_joint_jump"],
        *(other["max_joint_jump"] for other in answer["alternatives"]),
    ]
    assert len(jumps) >= 2
    assert jumps == sorted(jumps)
    for other in answer["alternatives"]:
        assert pose_of(other)[:3, 3] == pytest.approx([0.4, 0.2, 0.6], abs=1e-4)
    out = solve(*TARGET, "--solutions", 16, "--degrees").out
    assert re.search(r"branch +joint_1 \[deg\].*jump\n +1 +26\.565", out)
    assert len(re.findall(r"^ +\d+( +-?\d+\.\d{6}){6} ", out, re.M)) == len(jumps)


# --- how it ends ---


def test_a_success_shows_joints_errors_and_a_line_to_copy():
    run = solve(*TARGET)
    assert (run.code, run.err) == (0, "")
    assert "robot     demo_arm: 6 joints, base_link to tool0" in run.out
    for joint in range(1, 7):
        assert re.search(rf"joint_{joint} .* rad .*°.*├─*●─*┤", run.out)
    copied = re.search(r"^copy      (.*)$", run.out, re.M)[1].split()
    fk = ik("fk", DEMO_ARM, "--joints", *copied, "--json").json["poses"]["tool0"]
    assert fk["xyz"] == pytest.approx([0.4, 0.2, 0.6], abs=1e-6)
    degrees = re.search(r"^copy      (.*)$", solve(*TARGET, "--degrees").out, re.M)[1].split()
    fk = ik("fk", DEMO_ARM, "--degrees", "--joints", *degrees, "--json").json["poses"]["tool0"]
    assert fk["xyz"] == pytest.approx([0.4, 0.2, 0.6], abs=1e-6)


@pytest.mark.parametrize(
    ("words", "status", "shown"),
    [
        (("--xyz", 4, 2, 6, "--rpy", 0, 0, 0), Status.UNREACHABLE, "change the task"),
        (("--xyz", -0.5, 0, 0, "--rpy", 0, 0, 0), Status.JOINT_LIMITS, "blocking  joint_2"),
        ((*TARGET, "--max-jump", 1e-3), Status.JOINT_JUMP, "a larger jump"),
    ],
)
def test_a_failure_shows_reason_who_acts_and_the_closest(words, status, shown):
    run = solve(*words)
    assert run.code == 1
    assert f"answer    {status.name}" in run.out
    assert "why       " in run.out
    assert f"who acts  {status.who_acts}" in run.out
    assert shown in run.out
    assert "not an answer, not to be executed" in run.out
    answer = solve(*words, "--json").json
    assert (answer["status"], answer["success"], answer["joints"]) == (status.name, False, {})
    assert answer["position_error_m"] is None
    assert len(answer["closest"]["joints"]) == 6


def test_relaxed_answers_are_flagged():
    beyond = {"joint_3": 1.0472 + 0.004, "joint_1": 0.2, "joint_5": -1.0}
    pose = ik("fk", DEMO_ARM, "--joints", *(f"{n}={v}" for n, v in beyond.items()), "--json")
    assert "outside its limits" in pose.json["notes"][0]
    seed = ("--seed", *(f"{name}={value}" for name, value in beyond.items()))
    strict = solve("--target", "-", *seed, "--timeout-s", 2, stdin=pose.out)
    relaxed = solve("--target", "-", *seed, "--timeout-s", 2, "--allow-relaxed", stdin=pose.out)
    assert (strict.code, relaxed.code) == (1, 0)
    assert "SOLVED_RELAXED" in relaxed.out
    assert "the seed was outside the limits" in relaxed.out


@pytest.mark.parametrize("solver", ["auto", "numeric", "reference"])
def test_every_solver_can_be_asked_for(solver):
    assert solve(*TARGET, "--solver", solver).code == 0


def test_the_time_limit_holds():
    out = solve("--xyz", -0.5, 0, 0, "--rpy", 0, 0, 0, "--timeout-s", 1e-4, "--json").json
    assert out["status"] in ("TIMEOUT", "NOT_CONVERGED", "JOINT_LIMITS")


# --- forward kinematics ---


def test_fk_of_several_frames_with_a_tool():
    words = ["--joints", "joint_1=90", "joint_2=10", "--degrees", "--frames", "tool0", "elbow_link"]
    run = ik("fk", DEMO_ARM, *words, "--tcp-offset", 0, 0, 0.1, "--json").json
    q = {"joint_1": math.pi / 2, "joint_2": math.radians(10)}
    for frame, pose in run["poses"].items():
        T = ROBOT.forward_kinematics(q, frame)
        assert pose["xyz"] == pytest.approx(T[:3, 3] + 0.1 * T[:3, 2], abs=1e-12)
        assert np.array(pose["matrix"])[:3, :3] == pytest.approx(T[:3, :3], abs=1e-12)
        assert rotation_from_rpy(pose["rpy"]) == pytest.approx(T[:3, :3], abs=1e-9)
    assert run["joints"]["joint_1"] == pytest.approx(math.pi / 2)
    assert run["joints"]["joint_6"] == 0.0
    assert list(run["poses"]) == ["tool0", "elbow_link"]


def test_fk_shows_followers_and_bases():
    run = ik("fk", PANDA, "--joints", "panda_finger_joint1=0.02", "--frames", "panda_rightfinger",
             "--base", "panda_hand", "--json").json  # fmt: skip
    assert run["joints"]["panda_finger_joint2"] == 0.02
    assert run["poses"]["panda_rightfinger"]["xyz"][1] == pytest.approx(-0.02)
    text = ik("fk", DEMO_ARM, "--joints", "joint_1=4")
    assert "frame     tool0, in base_link" in text.out
    assert (
        "note      joint 'joint_1' at 4 rad is outside its limits [-2.9671, 2.9671] rad" in text.out
    )
