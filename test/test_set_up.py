# SPDX-License-Identifier: Apache-2.0
"""The scripts behind make and env.sh: what they choose, repair and say."""

import os
import re
import runpy
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import ik_solver_ros

ROOT = Path(__file__).resolve().parents[1]
TOOLS = ROOT / "tools"
BARE = {"HOME": os.environ.get("HOME", "/"), "PATH": "/usr/bin:/bin"}
LISTS = ("PATH", "LD_LIBRARY_PATH", "PYTHONPATH", "AMENT_PREFIX_PATH", "CMAKE_PREFIX_PATH")


def shell(script: str, environment: dict[str, str], name: str = "bash"):
    return subprocess.run(
        [name, "-c", script], env=environment, cwd="/", capture_output=True, text=True, timeout=120
    )


def choose(**environment: str):
    script = f'IK_ROOT="{ROOT}"; . "$IK_ROOT/tools/environment.sh"; _ik_choose && '
    return shell(script + 'echo "$IK_MODE $IK_KEY $IK_VENV"', BARE | environment)


# --- which ROS 2 ---


@pytest.mark.parametrize(
    ("environment", "key", "venv"),
    [
        ({}, "jazzy", ".venv"),
        ({"ROS_DISTRO": "jazzy"}, "jazzy", ".venv"),
        ({"ROS_DISTRO": "kilted"}, "kilted", ".venv-kilted"),
        ({"PIN": "3.8"}, "jazzy-pin3.8", ".venv-pin3.8"),
        ({"ROS_DISTRO": "kilted", "PIN": "3.8"}, "kilted-pin3.8", ".venv-kilted-pin3.8"),
    ],
)
def test_without_an_installed_ros_each_combination_has_its_own_venv(environment, key, venv):
    assert choose(**environment).stdout == f"wheels {key} {ROOT / venv}\n"


def python_with_rclpy(folder: Path) -> dict[str, str]:
    """The environment in which `python3` has some rclpy."""
    (folder / "rclpy.py").touch()
    return {"PYTHON": sys.executable, "PYTHONPATH": str(folder)}


def test_an_installed_ros_is_built_upon(tmp_path):
    chosen = choose(ROS_DISTRO="rolling", **python_with_rclpy(tmp_path))
    assert chosen.stdout == "installed installed-rolling \n"


def test_the_environment_of_env_sh_is_no_installed_ros():
    ours = f"{ROOT}/.colcon/jazzy/install/ik_solver_ros"
    chosen = choose(ROS_DISTRO="kilted", AMENT_PREFIX_PATH=f"{ours}:{ROOT}/.venv", PYTHONPATH=ours)
    assert chosen.stdout.startswith("wheels kilted ")


@pytest.mark.parametrize(
    ("environment", "sentence"),
    [
        ({"ROS_DISTRO": "humble"}, "no ROS 2 wheels for ROS_DISTRO=humble: choose jazzy or kilted"),
        ({"PIN": "9"}, "PIN=9 is not among the tested choices: 3.8"),
        ({"AMENT_PREFIX_PATH": "/opt/ros/x", "PYTHON": "nopython"}, "nopython can't import rclpy"),
    ],
)
def test_what_cannot_be_chosen_is_said_in_a_sentence(environment, sentence):
    chosen = choose(**environment)
    assert chosen.returncode == 1
    assert chosen.stdout == ""
    assert sentence in chosen.stderr
    assert chosen.stderr.count("\n") == 1


def test_a_path_with_a_space_is_refused_before_colcon_trips_over_it(tmp_path):
    checkout = tmp_path / "my robots"
    shutil.copytree(TOOLS, checkout / "tools")
    built = shell(f'"{checkout}/tools/build.sh"', BARE)
    assert built.returncode == 1
    assert f'move the checkout out of "{checkout}"' in built.stderr


def test_pin_is_refused_beside_an_installed_ros(tmp_path):
    chosen = choose(ROS_DISTRO="rolling", PIN="3.8", **python_with_rclpy(tmp_path))
    assert chosen.returncode == 1
    assert "brings its own Pinocchio" in chosen.stderr


# --- env.sh ---


@pytest.mark.parametrize("name", ["bash", "zsh"])
@pytest.mark.parametrize("options", ["", "set -eu; "])
def test_sourcing_again_changes_nothing(name, options):
    if not shutil.which(name):
        pytest.skip(f"{name} is not installed")
    show = "; ".join(f'echo "{variable}=${{{variable}:-}}"' for variable in LISTS)
    source = f'source "{ROOT}/env.sh"'
    once = shell(f"{options}{source}; {show}", dict(os.environ), name)
    twice = shell(f"{options}{source}; {source}; {show}", dict(os.environ), name)
    assert once.returncode == 0, once.stderr
    assert "ik_solver_ros/lib/ik_solver_ros:" in once.stdout
    command = shell(f"{options}{source}; ik --version", dict(os.environ), name)
    assert command.stdout == f"ik {ik_solver_ros.__version__}\n"
    assert twice.stdout == once.stdout
    assert once.stderr == twice.stderr == ""


def test_running_env_sh_instead_of_sourcing_it_is_explained():
    run = shell(f'bash "{ROOT}/env.sh"', BARE)
    assert run.returncode == 1
    assert "type `source env.sh`" in run.stderr


def test_a_build_without_changes_does_nothing():
    again = shell(f'"{TOOLS}/build.sh"', dict(os.environ))
    assert (again.returncode, again.stdout, again.stderr) == (0, "", "")


# --- what is missing on a machine ---


@pytest.fixture
def machine(tmp_path):
    """A function that runs check_machine.sh where only the named commands exist."""

    def check(*commands: str, **environment: str):
        for command in ("bash", "env", "id", "sed", "sort", "tr", *commands):
            path = shutil.which(command)
            if path is None:
                pytest.skip(f"{command} is not on this machine")
            (tmp_path / command).symlink_to(path)
        (tmp_path / "apt-get").symlink_to("/bin/true")
        everywhere = {"PATH": str(tmp_path), "PYTHON": sys.executable}
        return shell(f'"{TOOLS}/check_machine.sh" build', everywhere | environment)

    return check


def test_a_complete_machine_is_silent(machine):
    checked = machine("cc", "c++", "find", "flock")
    assert (checked.returncode, checked.stderr) == (0, "")


def test_a_missing_compiler_is_named_with_the_command_that_installs_it(machine):
    checked = machine("cc", "find", "flock")
    assert checked.returncode == 1
    assert re.fullmatch(
        r"ik_solver_ros: missing on this machine: a C\+\+ compiler; "
        r"install with: (sudo )?apt-get install g\+\+\n",
        checked.stderr,
    )


def test_everything_that_is_missing_is_named_at_once(machine):
    sentence = machine("flock").stderr
    assert "a C compiler, a C++ compiler, find; install with:" in sentence
    assert sentence.endswith("apt-get install findutils g++ gcc\n")


def test_a_python_that_is_not_there_is_named(machine):
    assert "there is no PYTHON=python3.99" in machine(PYTHON="python3.99").stderr


# --- what is repaired ---


def test_paths_of_the_machine_that_built_the_wheels_become_paths_of_this_one():
    repair = runpy.run_path(str(TOOLS / "repair_wheels.py"))
    there = "/opt/python/cp312-cp312"
    text = f'"{there}/include/python3.12;{there}/lib/python3.12/site-packages/numpy/_core/include"'
    python, numpy = repair["repaired"](text).strip('"').split(";")
    assert (Path(python) / "Python.h").exists()
    assert (Path(numpy) / "numpy" / "arrayobject.h").exists()
    assert repair["repaired"](f"{python};{numpy}") == f"{python};{numpy}"


def test_only_torn_packages_lose_their_metadata(tmp_path, monkeypatch):
    for name in ("whole", "torn"):
        (tmp_path / f"{name}-1.dist-info").mkdir()
    (tmp_path / "whole-1.dist-info" / "INSTALLER").write_text("pip\n")
    tool = runpy.run_path(str(TOOLS / "drop_torn_packages.py"))
    monkeypatch.setattr("sysconfig.get_paths", lambda: {"purelib": str(tmp_path)})
    tool["main"]()
    assert [path.name for path in tmp_path.iterdir()] == ["whole-1.dist-info"]


def test_a_venv_that_make_did_not_make_is_left_alone(tmp_path):
    (tmp_path / "precious").touch()
    made = shell(f'"{TOOLS}/make_venv.sh" "{tmp_path}" runtime', BARE)
    assert made.returncode == 1
    assert "was not made by make" in made.stderr
    assert (tmp_path / "precious").exists()


# --- the browser ---


def set_up_browser(folder: Path, user: str, apt_get: str = "") -> tuple[str, str]:
    """What the script prints on a machine without Chromium, and how it called apt-get."""
    for name in ("bash", "mktemp", "grep", "rm", "tail"):
        (folder / name).symlink_to(shutil.which(name))
    told = f'echo "$@" >> {folder}/calls; {apt_get}'
    programs = {"id": f"echo {user}", "apt-get": told if apt_get else ""}
    for name, line in programs.items():
        if line:
            (folder / name).write_text(f"#!{shutil.which('bash')}\n{line}\n")
            (folder / name).chmod(0o755)
    script, bash = str(TOOLS / "set_up_browser.sh"), str(folder / "bash")
    done = shell(f"{bash} {script}", {"PATH": str(folder)}, bash)
    assert done.returncode == 0
    calls = folder / "calls"
    return done.stdout + done.stderr, calls.read_text() if calls.exists() else ""


def test_root_on_debian_gets_a_browser_in_one_line(tmp_path):
    said, calls = set_up_browser(tmp_path, user="0", apt_get="true")
    assert said == "ik_solver_ros: installing chromium for the browser tests\n"
    assert calls.split("chromium")[0] == "install -y -q --no-install-recommends "


@pytest.mark.parametrize(("user", "apt_get"), [("1000", "true"), ("0", "")])
def test_others_are_told_what_to_install(tmp_path, user, apt_get):
    said, calls = set_up_browser(tmp_path, user, apt_get)
    assert said.count("\n") == 1
    assert "apt-get install chromium" in said
    assert calls == ""


def test_without_a_network_the_reason_is_told_and_the_tests_go_on(tmp_path):
    said, calls = set_up_browser(tmp_path, user="0", apt_get='echo "E: no route"; exit 100')
    assert "(E: no route)" in said
    assert "skipped" in said
    assert "update" in calls
