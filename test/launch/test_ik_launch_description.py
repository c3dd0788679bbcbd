# SPDX-License-Identifier: Apache-2.0
"""The robot's description travels as text: nothing between file and node may interpret it."""

from __future__ import annotations

import shutil

import pytest

ROBOT = '<robot name="r"><link name="base_link"/></robot>'
TEXTS = {
    "colons in a comment": f"<!-- GROUPS: a: b -->{ROBOT}",
    "an XML declaration": f'<?xml version="1.0" encoding="UTF-8"?>\n{ROBOT}\n',
    "hash": f"<!-- # not a YAML comment # -->\n{ROBOT}",
    "quotes": f"<!-- it's \"quoted\" 'twice' -->{ROBOT}",
    "percent signs": f"<!-- 100 % %YAML 1.1 %s %(name)s -->{ROBOT}",
    "braces": f"<!-- {{a: b}} [c, d] ${{pi}} $(env HOME) $(find ur) {{{{e}}}} -->{ROBOT}",
    "YAML documents": f"<!--\n---\n- a\n...\n? b\n! c & d * e | f > g @ h ` i\n-->{ROBOT}",
    "tabs and trailing blanks": f"<!--\t\ta: b   \n\n   -->\t{ROBOT}   \n\n\n",
    "a backslash": f"<!-- C:\\new\\table \\x41 -->{ROBOT}",
    "other scripts": f"<!-- Größe ±π 腕 🦾 \u0085\u2028 -->{ROBOT}",
    "a long line": f"<!-- {'a: b ' * 60_000}-->{ROBOT}",
    "many lines": "<!--\n" + "mesh: a # b\n" * 20_000 + f"-->{ROBOT}",
}


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS.keys())
def test_the_description_arrives_letter_by_letter(runner, tmp_path, text):
    urdf = tmp_path / "robot.urdf"
    urdf.write_text(text, encoding="utf-8", newline="")

    launched = runner.run(f"urdf:={urdf}", "joint_states:=fake")

    assert set(launched.nodes) == {"ik_node", "fake_joint_states"}, launched.output
    for node in launched.nodes.values():
        assert node.parameters["robot_description"] == text


def test_a_byte_order_mark_is_no_part_of_the_description(runner, tmp_path):
    urdf = tmp_path / "robot.urdf"
    urdf.write_text(ROBOT, encoding="utf-8-sig")

    launched = runner.run(f"urdf:={urdf}")

    assert launched.nodes["ik_node"].parameters["robot_description"] == ROBOT


def test_a_path_may_have_blanks_and_colons(runner, tmp_path):
    urdf = tmp_path / "my robots: new" / "left arm #1.urdf"
    urdf.parent.mkdir()
    urdf.write_text(ROBOT)

    launched = runner.run(f"urdf:={urdf}")

    assert launched.nodes["ik_node"].parameters["robot_description"] == ROBOT


# A `xacro` that answers with its own command line, as a comment that YAML would trip over.
ECHO = f"import sys\nprint('<!-- arguments: a:', sys.argv[1:], '-->{ROBOT}')\n"


def test_a_xacro_file_is_expanded_with_its_arguments(runner, tmp_path):
    runner.install_command("xacro", ECHO)
    file = tmp_path / "arm of ours.urdf.xacro"
    file.write_text(ROBOT)

    launched = runner.run(f"urdf:={file}", "xacro_args:=name:=ur joints:='1 2'")

    words = [str(file), "name:=ur", "joints:=1 2"]
    assert launched.nodes["ik_node"].parameters["robot_description"] == (
        f"<!-- arguments: a: {words} -->{ROBOT}\n"
    ), launched.output


def test_what_xacro_complains_about_is_passed_on(runner, tmp_path):
    runner.install_command("xacro", f"import sys\nprint('deprecated: x', file=sys.stderr)\n{ECHO}")
    file = tmp_path / "robot.xacro"
    file.write_text(ROBOT)

    launched = runner.run(f"urdf:={file}")

    assert "ik_node" in launched.nodes
    assert "deprecated: x" in launched.output


@pytest.mark.skipif(not shutil.which("xacro"), reason="xacro is not installed")
def test_the_real_xacro_expands_the_file(runner, tmp_path):
    script = f"import runpy\nrunpy.run_path({shutil.which('xacro')!r}, run_name='__main__')"
    runner.install_command("xacro", script)
    file = tmp_path / "robot.xacro"
    file.write_text(
        '<robot name="$(arg who)" xmlns:xacro="http://www.ros.org/wiki/xacro">'
        '<xacro:arg name="who" default="nobody"/><!-- a: b --><link name="l${1 + 1}"/></robot>'
    )

    launched = runner.run(f"urdf:={file}", "xacro_args:=who:=me")

    description = launched.nodes["ik_node"].parameters["robot_description"]
    assert '<robot name="me"' in description
    assert '<link name="l2"/>' in description
