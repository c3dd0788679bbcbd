# SPDX-License-Identifier: Apache-2.0
"""Who may import whom, and what no file of the package may hold; read from the sources by AST."""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterable
from pathlib import Path

import pytest

from support.robots import OWN_PACKAGE, REPOSITORY

PACKAGE = REPOSITORY / OWN_PACKAGE
FILES = sorted(path for path in PACKAGE.rglob("*.py") if "__pycache__" not in path.parts)

# All of them know core, core knows none.
PARTS = ("ros", "viewer", "planning", "workspace", "sim", "cli")
INTERFACES = ("srv", "msg", "action")  # generated beside our modules
ROS_PACKAGES = (
    "ament_index_python", "builtin_interfaces", "diagnostic_msgs", "geometry_msgs",
    "interactive_markers", "launch", "launch_ros", "rcl_interfaces", "rclpy", "sensor_msgs",
    "std_msgs", "std_srvs", "tf2_geometry_msgs", "tf2_msgs", "tf2_py", "tf2_ros",
    "tf_transformations", "trajectory_msgs", "visualization_msgs",
)  # fmt: skip
#: The one module that may import each optional package.
ONLY_IMPORTER = {
    "_kernel": "core/solvers/numeric.py",
    "argcomplete": "cli/completion.py",
    "coal": "planning/collision.py",
    "dask": "workspace/on_dask.py",
    "distributed": "workspace/on_dask.py",
    "eaik": "core/solvers/analytic.py",
    "eigenpy": "core/pinocchio_import.py",
    "hppfcl": "planning/collision.py",
    "interactive_markers": "ros/interactive_server.py",
    "matplotlib": "plotting.py",
    "mujoco": "sim/world.py",
    "ompl": "planning/path.py",
    "pyarrow": "cli/parquet.py",
    "pinocchio": "core/pinocchio_import.py",
    "ray": "workspace/on_ray.py",
    "ruckig": "core/limiter.py",
    "tf2_geometry_msgs": "ros/frames.py",
    "tf2_msgs": "ros/frames.py",
    "tf2_py": "ros/frames.py",
    "tf2_ros": "ros/frames.py",
    "tf_transformations": "ros/rotations.py",
    "transforms3d": "ros/rotations.py",
    "trimesh": "viewer/solids.py",
    "viser": "viewer/web.py",
}
PRESENT = ("eaik", "eigenpy", "pinocchio", "ruckig", "tf2_ros", "trimesh", "viser")
#: Beside the solvers: what they share, and the list of them.
SHARED_BY_SOLVERS = ("base.py", "chain_model.py", "error_rows.py", "starts.py")
NOT_A_SOLVER = {"__init__.py", *SHARED_BY_SOLVERS, "choice.py"}
LONGEST = 220
LONGER_FOR_A_REASON = {
    "core/chain.py": 280,  # the flat arrays, their making, and the refusals of what is no chain
    "core/robot_model.py": 300,  # the whole face of a robot, half of it documentation
}


def name_of(path: Path) -> str:
    return path.relative_to(PACKAGE).as_posix()


def file(name: str) -> Path:
    return PACKAGE / name


def files_below(*folders: str) -> list[Path]:
    return [path for path in FILES if name_of(path).split("/")[0] in folders]


@functools.cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), str(path))


@functools.cache
def imports_of(path: Path) -> frozenset[str]:
    """Absolute names of everything a file imports, wherever in it, for types only or not."""
    package = [OWN_PACKAGE, *path.relative_to(PACKAGE).parts[:-1]]
    found = set()
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else []
            module = ".".join([*above, *([node.module] if node.module else [])])
            found |= {module, *(f"{module}.{alias.name}" for alias in node.names)}
    return frozenset(found)


def imports_any(path: Path, names: Iterable[str]) -> list[str]:
    """What a file imports of these modules or packages, or of what is below them."""
    return sorted(
        found
        for found in imports_of(path)
        for name in names
        if found == name or found.startswith(f"{name}.")
    )


def own(*names: str) -> list[str]:
    return [f"{OWN_PACKAGE}.{name}" for name in names]


def calls(path: Path) -> set[str]:
    """Names of the functions that a file calls, `module.function` where written so."""
    return {
        ast.unparse(node.func) for node in ast.walk(tree_of(path)) if isinstance(node, ast.Call)
    }


# --- the reader itself ---


def test_imports_are_seen_wherever_they_stand(tmp_path, monkeypatch):
    monkeypatch.setitem(globals(), "PACKAGE", tmp_path)
    path = tmp_path / "core" / "solvers" / "x.py"
    path.parent.mkdir(parents=True)
    path.write_text(
        "import a.b\nfrom ..limits import Limits\nfrom ... import _kernel\n"
        "def f():\n    from .base import Solver\n    import c\n"
    )
    assert imports_of(path) >= {
        "a.b", "c", "ik_solver_ros.core.limits", "ik_solver_ros.core.limits.Limits",
        "ik_solver_ros._kernel", "ik_solver_ros.core.solvers.base",
    }  # fmt: skip
    assert imports_any(path, ["a"]) == ["a.b"]
    assert imports_any(path, own("core.lim")) == []


def test_the_package_is_found():
    assert {"__init__.py", "core/solver.py", "core/verification.py"} <= set(map(name_of, FILES))


# --- arrows point inwards ---


@pytest.mark.parametrize("path", files_below("core"), ids=name_of)
def test_core_knows_nothing_around_it(path):
    assert imports_any(path, [*ROS_PACKAGES, *own(*PARTS, *INTERFACES)]) == []
    assert OWN_PACKAGE not in imports_of(path)  # nor the list of exports, which imports core


def test_the_public_names_come_without_ros():
    assert imports_any(file("__init__.py"), [*ROS_PACKAGES, *own(*PARTS, *INTERFACES)]) == []


@pytest.mark.parametrize("path", files_below(*PARTS), ids=name_of)
def test_parts_do_not_know_each_other(path):
    part = name_of(path).split("/")[0]
    # The command starts the others, the simulation drives the node.
    known = {"cli": PARTS, "sim": (part, "ros")}.get(part, (part,))
    if name_of(path) == "ros/viewer_node.py":  # the viewer beside a running node
        known = (*known, "viewer")
    assert imports_any(path, own(*(other for other in PARTS if other not in known))) == []


def test_what_verifies_imports_nothing_that_solves():
    seen, todo = set(), [file("core/verification.py")]
    while todo:
        path = todo.pop()
        seen.add(name_of(path))
        todo += [
            other
            for other in files_below("core")
            if name_of(other) not in seen and imports_any(path, [module_of(other)])
        ]
    assert "core/pose_error.py" in seen  # the walk works
    assert not [name for name in seen if name.startswith("core/solvers")]
    assert not seen & {"core/arm.py", "core/chain.py", "core/run.py", "core/solver.py"}


def module_of(path: Path) -> str:
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    return ".".join([OWN_PACKAGE, *parts]).removesuffix(".__init__")


SOLVERS = [
    path for path in FILES if path.parent.name == "solvers" and path.name not in NOT_A_SOLVER
]


@pytest.mark.parametrize("path", SOLVERS, ids=name_of)
def test_a_solver_knows_no_other_solver_and_not_its_judge(path):
    others = [module_of(other) for other in SOLVERS if other != path]
    assert imports_any(path, [*others, *own("core.solvers.choice")]) == []
    assert imports_any(path, own("core.verification", "core.arm", "core.run", "core.solver")) == []


def test_what_solvers_share_knows_no_solver():
    for name in SHARED_BY_SOLVERS:
        assert (
            imports_any(file(f"core/solvers/{name}"), [module_of(path) for path in SOLVERS]) == []
        )


# --- who knows which package ---


@pytest.mark.parametrize("package", ONLY_IMPORTER)
def test_a_package_that_may_be_missing_is_imported_in_one_module(package):
    names = [package, *own(package)]
    importers = {name_of(path) for path in FILES if imports_any(path, names)}
    assert importers <= {ONLY_IMPORTER[package]}
    if package in PRESENT:
        assert importers, f"nobody imports {package}; is the rule out of date?"


@pytest.mark.parametrize(
    "path", [path for path in FILES if path.name in ("node.py", "ik_node.py")], ids=name_of
)
def test_the_node_is_wiring(path):
    assert imports_any(path, ["numpy", "pinocchio", *own("core.pinocchio_import")]) == []


def test_no_module_takes_a_name_of_the_generated_interfaces():
    names = {part for path in FILES for part in path.relative_to(PACKAGE).with_suffix("").parts}
    assert not names & set(INTERFACES)


# --- what no file holds ---


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_a_file_says_its_licence_and_what_it_is_for(path):
    assert path.read_text(encoding="utf-8").startswith("# SPDX-License-Identifier: Apache-2.0\n")
    assert ast.get_docstring(tree_of(path)), "no docstring"


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_nothing_is_validated_by_assert(path):
    asserts = [node.lineno for node in ast.walk(tree_of(path)) if isinstance(node, ast.Assert)]
    assert asserts == []


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_deadlines_use_steady_clocks(path):
    assert not calls(path) & {"time.time", "datetime.now", "datetime.datetime.now"}
    assert "time.time" not in imports_of(path)  # from time import time


@pytest.mark.parametrize("path", files_below("core"), ids=name_of)
def test_the_library_does_not_print(path):
    assert not calls(path) & {"print", "pprint", "sys.stdout.write", "sys.stderr.write"}


@pytest.mark.parametrize("path", files_below("core"), ids=name_of)
def test_no_random_state_is_global(path):
    assert imports_any(path, ["random", "numpy.random", "secrets"]) == []
    assert not [call for call in calls(path) if call.startswith(("np.random.", "numpy.random."))]


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_a_file_holds_one_idea(path):
    lines = len(path.read_text(encoding="utf-8").splitlines())
    assert lines <= LONGER_FOR_A_REASON.get(name_of(path), LONGEST)


@pytest.mark.parametrize("name", LONGER_FOR_A_REASON)
def test_an_exception_for_length_is_still_needed(name):
    assert len(file(name).read_text(encoding="utf-8").splitlines()) > LONGEST
