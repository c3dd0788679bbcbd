# SPDX-License-Identifier: Apache-2.0
"""A launch that cannot work ends at once, with one sentence that names the culprit."""

from __future__ import annotations

import pytest


def assert_refused(launched, *words):
    assert launched.exit_code == 1
    assert launched.nodes == {}
    assert "Traceback" not in launched.output
    errors = [line for line in launched.output.splitlines() if "Caught exception" in line]
    assert len(errors) == 1, launched.output
    for word in words:
        assert word in errors[0]


@pytest.fixture
def robots(tmp_path):
    folder = tmp_path / "robots"
    folder.mkdir()
    for name in ("left_arm.urdf", "right_arm.urdf.xacro", "notes.txt"):
        (folder / name).write_text('<robot name="r"/>')
    return folder


def test_a_missing_urdf_is_named_and_what_lies_beside_it(runner, robots):
    launched = runner.run(f"urdf:={robots}/left.urdf")

    assert_refused(launched, f"{robots}/left.urdf", "left_arm.urdf, right_arm.urdf.xacro.")
    assert "notes.txt" not in launched.output


def test_a_folder_is_no_urdf(runner, robots):
    assert_refused(runner.run(f"urdf:={robots}"), f"{robots} is a directory", "left_arm.urdf")


def test_a_missing_folder_is_named(runner, robots):
    assert_refused(runner.run(f"urdf:={robots}/no/arm.urdf"), f"no file {robots}/no/arm.urdf")


@pytest.mark.parametrize("content", ["", " \n\t\n"])
def test_an_empty_urdf_does_not_mean_the_topic(runner, robots, content):
    (robots / "empty.urdf").write_text(content)

    assert_refused(runner.run(f"urdf:={robots}/empty.urdf"), f"{robots}/empty.urdf is empty")


def test_other_encodings_are_named(runner, robots):
    (robots / "latin.urdf").write_bytes(b'<robot name="\xe9"/>')

    assert_refused(runner.run(f"urdf:={robots}/latin.urdf"), "latin.urdf", "not UTF-8")


def test_a_missing_params_file_is_refused_and_the_bundled_ones_listed(runner, robots):
    launched = runner.run(f"params_file:={robots}/ur5.yaml")

    bundled = runner.share / "config" / "robots"
    assert_refused(launched, f"{robots}/ur5.yaml", f"{bundled}/panda.yaml, {bundled}/ur5e.yaml")


@pytest.mark.parametrize(
    "argument", ["rviz", "use_sim_time", "joint_states", "robot_state_publisher"]
)
def test_a_value_that_is_no_choice_is_refused(runner, argument):
    assert_refused(runner.run(f"{argument}:=perhaps"), argument, "perhaps")


def test_a_state_publisher_needs_a_description(runner):
    launched = runner.run("urdf:=topic", "robot_state_publisher:=true")

    assert_refused(launched, "robot_state_publisher:=true needs a file in urdf")


def test_a_missing_xacro_is_named_with_its_package(runner, robots):
    launched = runner.run(f"urdf:={robots}/right_arm.urdf.xacro")

    assert_refused(launched, "right_arm.urdf.xacro", "sudo apt install ros-jazzy-xacro")


def test_a_failing_xacro_says_why(runner, robots):
    runner.install_command("xacro", "import sys\nsys.exit('error: undefined macro\\nin line 3')")

    launched = runner.run(f"urdf:={robots}/right_arm.urdf.xacro")

    assert_refused(launched, "right_arm.urdf.xacro", "error: undefined macro; in line 3")


def test_xacro_arguments_with_an_open_quote_are_refused(runner, robots):
    runner.install_command("xacro", "print('<robot/>')")

    launched = runner.run(f"urdf:={robots}/right_arm.urdf.xacro", "xacro_args:=name:='ur")

    assert_refused(launched, "xacro_args", "No closing quotation")


def test_xacro_arguments_for_a_plain_urdf_are_refused(runner, robots):
    launched = runner.run(f"urdf:={robots}/left_arm.urdf", "xacro_args:=name:=ur")

    assert_refused(launched, "xacro_args", "left_arm.urdf")
