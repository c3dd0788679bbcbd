# SPDX-License-Identifier: Apache-2.0
"""What `import ik_solver_ros` gives, what it does not drag in, and how it fails."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

import ik_solver_ros
from ik_solver_ros import IKSolverError, Status
from ik_solver_ros.core import errors

ROS_MODULES = ("rclpy", "tf2_ros", "geometry_msgs", "sensor_msgs", "launch", "ament_index_python")


def run_python(code: str, *first_on_path: Path) -> subprocess.CompletedProcess[str]:
    """Run code in a new interpreter that sees the package this one sees."""
    folders = [*map(str, first_on_path), str(Path(ik_solver_ros.__file__).parents[1])]
    path = os.pathsep.join([*folders, os.environ.get("PYTHONPATH", "")])
    return subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": path},
        cwd=Path(__file__).parent,  # where no package of ours is
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


# --- the names ---


def test_all_lists_exactly_what_type_checkers_see():
    tree = ast.parse(Path(ik_solver_ros.__file__).read_text(encoding="utf-8"))
    seen = [
        alias.asname
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.level
        for alias in node.names
    ]
    assert sorted([*seen, "__version__"]) == sorted(ik_solver_ros.__all__)
    assert len(set(ik_solver_ros.__all__)) == len(ik_solver_ros.__all__)


def test_a_program_can_start_before_pinocchio_is_loaded():
    run = run_python("import sys, ik_solver_ros; print('pinocchio' in sys.modules)")
    assert (run.returncode, run.stdout.strip(), run.stderr) == (0, "False", "")


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'IKSolvr'"):
        ik_solver_ros.IKSolvr  # noqa: B018


def test_a_star_import_gives_every_name_of_all():
    namespace: dict[str, object] = {}
    exec("from ik_solver_ros import *", namespace)
    assert set(ik_solver_ros.__all__) <= set(namespace)


def test_every_error_that_may_be_raised_can_be_caught_by_a_public_name():
    tree = {
        name
        for name, value in vars(errors).items()
        if isinstance(value, type) and issubclass(value, IKSolverError)
    }
    assert tree <= set(ik_solver_ros.__all__)


@pytest.mark.parametrize("name", [name for name in ik_solver_ros.__all__ if name[0] != "_"])
def test_every_public_name_says_what_it_is(name):
    value = getattr(ik_solver_ros, name)
    assert value.__doc__
    assert not value.__doc__.startswith(f"{name}("), "that is what dataclass writes"
    assert value.__module__.startswith("ik_solver_ros.core.")


# --- the error tree ---


def test_the_tree_at_the_head_of_errors_is_the_tree():
    drawn = {}
    stack = []
    for line in errors.__doc__.splitlines():
        branch = line.replace("│", " ").replace("├", "└")
        name, _, rest = branch.strip().lstrip("└─ ").partition(" ")
        if not (name.endswith("Error") and name.isidentifier()):
            continue
        depth = branch.index(name) // 4
        stack[depth - 1 :] = [name]
        builtin = rest.strip().partition(")")[0].strip("(") if rest.strip().startswith("(") else ""
        drawn[name] = (stack[depth - 2] if depth > 1 else "Exception", builtin)
    actual = {
        name: (value.__bases__[0].__name__, ",".join(b.__name__ for b in value.__bases__[1:]))
        for name, value in vars(errors).items()
        if isinstance(value, type) and issubclass(value, IKSolverError)
    }
    assert drawn == actual


def test_the_fault_of_a_caller_is_a_value_error():
    for name in ("InvalidRequestError", "SettingsError", "UnknownFrameError", "NoChainError"):
        assert issubclass(getattr(ik_solver_ros, name), ValueError)


@pytest.mark.parametrize("status", Status)
def test_success_is_exactly_solved_and_solved_relaxed(status):
    assert status.is_success == (status.name in ("SOLVED", "SOLVED_RELAXED"))


def test_zero_is_never_success():
    assert Status(0) is Status.UNKNOWN


# --- what an import brings ---


def test_importing_the_library_loads_no_ros_module():
    code = (
        "import sys, ik_solver_ros, ik_solver_ros.core.solver\n"
        f"print([m for m in {ROS_MODULES} if m in sys.modules])"
    )
    run = run_python(code)
    assert (run.returncode, run.stdout.strip(), run.stderr) == (0, "[]", "")


#: What `import pinocchio` runs into, and what the sentence has to say of it.
BROKEN_PINOCCHIOS = {
    "missing": ("raise ModuleNotFoundError('no pinocchio')", "ModuleNotFoundError: no pinocchio"),
    "torn": ("raise ImportError('libboost.so:\\n  not found')", "libboost.so: not found"),
    "wrong numpy": ("raise RuntimeError('compiled for ABI 9')", "RuntimeError: compiled for ABI 9"),
    "no package but a plugin of that name": ("__version__ = '0.4'", "is another one"),
    "half of it": ("class SE3: pass", "has no buildModelFromXML"),
}


@pytest.mark.parametrize(("text", "reason"), BROKEN_PINOCCHIOS.values(), ids=BROKEN_PINOCCHIOS)
def test_without_a_usable_pinocchio_the_import_ends_in_one_sentence(tmp_path, text, reason):
    (tmp_path / "pinocchio.py").write_text(text, encoding="utf-8")
    (tmp_path / "eigenpy.py").write_text("raise ImportError('no eigenpy')", encoding="utf-8")
    code = (
        "try:\n    from ik_solver_ros import RobotModel\n"
        "except ImportError as error:\n    print(type(error).__name__); print(error)"
    )
    run = run_python(code, tmp_path)
    assert run.returncode == 0, run.stderr
    kind, *sentences = run.stdout.splitlines()
    assert kind == "MissingDependencyError"
    assert len(sentences) == 1
    for part in (reason, "Pinocchio", "pip install", "ros-$ROS_DISTRO-pinocchio"):
        assert part in sentences[0]


def test_a_pinocchio_that_prints_a_traceback_names_ours_last(tmp_path):
    """Whoever does not catch the error still reads our sentence, in the last line."""
    (tmp_path / "pinocchio.py").write_text("raise ImportError('torn')", encoding="utf-8")
    run = run_python("from ik_solver_ros import RobotModel", tmp_path)
    assert run.returncode == 1
    assert "install it with" in run.stderr.splitlines()[-1]
