# SPDX-License-Identifier: Apache-2.0
"""The package as a thing that is built, installed and shipped."""

import ast
import importlib.metadata
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
from ament_index_python.packages import get_package_prefix, get_package_share_directory

from ik_solver_ros import Status

ROOT = Path(__file__).resolve().parents[1]
SCRIPTS = sorted((ROOT / "scripts").iterdir())
SRV_FILES = sorted((ROOT / "srv").glob("*.srv"))
REQUIREMENTS = sorted((ROOT / "requirements").glob("*.txt"))

# Made by tools, not shipped.
NOT_SOURCES = re.compile(
    r"^(\..*cache|\.git|\.hypothesis|\.venv.*|\.colcon|\.pip-build|__pycache__)$"
)
NOT_SOURCES_AT_ROOT = {"build", "install", "log", "venv-on-ros"}


def source_files() -> list[Path]:
    files = []
    for folder, folders, names in os.walk(ROOT):
        hidden = NOT_SOURCES_AT_ROOT if Path(folder) == ROOT else set()
        folders[:] = [
            name
            for name in folders
            if not NOT_SOURCES.match(name) and name not in hidden and not name.endswith(".egg-info")
        ]
        files += [Path(folder, name) for name in names]
    return sorted(files)


def relative(path: Path) -> str:
    return str(path.relative_to(ROOT))


def python_files(*folders: str) -> list[Path]:
    return sorted(path for folder in folders for path in (ROOT / folder).rglob("*.py"))


def imported_packages(file: Path) -> set[str]:
    names = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            names.add(node.module.split(".")[0])
    return names


# --- one truth per fact ---


def test_version_and_licence_are_the_same_everywhere():
    manifest = ElementTree.parse(ROOT / "package.xml").getroot()
    pyproject = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    cmake = (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")
    code = (ROOT / "ik_solver_ros" / "__init__.py").read_text(encoding="utf-8")
    versions = {
        "package.xml": manifest.findtext("version"),
        "pyproject.toml": re.search(r'^version = "(.+)"$', pyproject, re.M)[1],
        "CMakeLists.txt": re.search(r"^project\(ik_solver_ros VERSION (\S+)", cmake, re.M)[1],
        "__init__.py": re.search(r'^__version__ = "(.+)"$', code, re.M)[1],
    }
    assert len(set(versions.values())) == 1, versions

    assert manifest.findtext("license") == "Apache-2.0"
    assert 'license = "Apache-2.0"' in pyproject
    licence = (ROOT / "LICENSE").read_text(encoding="utf-8")
    assert "Apache License" in licence
    assert "Version 2.0, January 2004" in licence
    assert "END OF TERMS AND CONDITIONS" in licence


def test_statuses_of_the_service_are_those_of_the_library():
    text = (ROOT / "srv" / "SolveIK.srv").read_text(encoding="utf-8")
    constants = {name: int(value) for name, value in re.findall(r"^uint8 (\w+)=(\d+)", text, re.M)}
    assert constants == {status.name: status.value for status in Status}


# --- requirements ---


@pytest.mark.parametrize("file", REQUIREMENTS, ids=lambda path: path.stem)
def test_every_requirement_is_pinned(file):
    lines = file.read_text(encoding="utf-8").splitlines()
    requirements = [line for line in lines if line and not line.startswith("#")]
    assert requirements
    pin = re.compile(r"^[A-Za-z0-9_.-]+(\[[a-z,]+\])?==[0-9][0-9A-Za-z.]*(; .+)?$")
    assert [line for line in requirements if not pin.match(line)] == []


def test_a_package_in_several_lists_has_one_version():
    versions: dict[str, set[str]] = {}
    for file in REQUIREMENTS:
        if file.stem == "runtime-pin3.8":  # never installed beside runtime.txt
            continue
        for line in file.read_text(encoding="utf-8").splitlines():
            if line and not line.startswith("#") and ";" not in line:
                name, version = line.split("==")
                versions.setdefault(name.lower(), set()).add(version)
    assert {name: found for name, found in versions.items() if len(found) > 1} == {}


def test_both_distributions_get_the_same_ros_packages():
    def names(distro: str) -> set[str]:
        text = (ROOT / "requirements" / f"ros-{distro}.txt").read_text(encoding="utf-8")
        return set(re.findall(rf"^ros-{distro}-([a-z-]+)", text, re.M))

    only_in_jazzy = {"python-cmake-module"}  # retired in Kilted
    only_in_kilted = {"ament-cmake-ros-core"}  # split off in Kilted
    assert names("jazzy") - names("kilted") == only_in_jazzy
    assert names("kilted") - names("jazzy") == only_in_kilted


# --- package.xml ---

# The distribution that rosdep installs for a module, where its name is not the module's.
ROSDEP_NAMES = {
    "argcomplete": "python3-argcomplete",
    "ament_index_python": "ament_index_python",
    "numpy": "python3-numpy",
    "pytest": "python3-pytest",
    "hypothesis": "python3-hypothesis",
    "tf2_ros": "tf2_ros_py",
    "tqdm": "python3-tqdm",
    "yaml": "python3-yaml",
}
# Imported in one guarded place each; from PyPI, by an extra or beside the wheels.
OPTIONAL = {
    "coal",
    "distributed",
    "eaik",
    "example_robot_data",
    "matplotlib",
    "mujoco",
    "ompl",
    "playwright",
    "pyarrow",
    "ray",
    "rtbdata",
    "ruckig",
    "transforms3d",
    "trimesh",
    "viser",
}


def dependencies(*tags: str) -> set[str]:
    root = ElementTree.parse(ROOT / "package.xml").getroot()
    return {element.text for tag in tags for element in root.iter(tag)}


@pytest.mark.parametrize(
    ("folders", "tags"),
    [
        (("ik_solver_ros", "launch"), ("depend", "exec_depend")),
        (("test",), ("depend", "exec_depend", "test_depend")),
    ],
    ids=["package", "tests"],
)
def test_every_import_is_a_declared_dependency(folders, tags):
    places = (".", "test", "benchmarks", "reliability", "tools")
    ours = {path.stem for place in places for path in (ROOT / place).iterdir()}
    ours -= {"launch"}  # as an import, that is the ROS package
    declared = dependencies(*tags)
    missing = {
        f"{relative(file)}: {module}"
        for file in python_files(*folders)
        for module in imported_packages(file) - ours - OPTIONAL - sys.stdlib_module_names
        if ROSDEP_NAMES.get(module, module) not in declared
    }
    assert missing == set()


@pytest.mark.parametrize("package", ["robot_state_publisher", "rviz2", "xacro"])
def test_what_the_launch_files_start_is_a_declared_dependency(package):
    texts = [file.read_text(encoding="utf-8") for file in python_files("launch")]
    assert any(f'"{package}"' in text for text in texts)
    assert package in dependencies("exec_depend")


def test_every_message_package_of_the_services_is_found_by_cmake():
    fields = "".join(file.read_text(encoding="utf-8") for file in SRV_FILES)
    packages = set(re.findall(r"^(\w+)/\w+(?:\[\])? \w+", fields, re.M))
    assert packages == {"builtin_interfaces", "geometry_msgs", "sensor_msgs"}
    assert packages <= dependencies("depend")
    cmake = (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")
    assert packages <= set(re.findall(r"^find_package\((\w+) REQUIRED\)", cmake, re.M))


# --- services ---


def fields_without_unit(file: Path) -> list[str]:
    """Fields of numbers whose own comment, or the comment block above, names no [unit]."""
    faults, comment = [], ""
    for line in file.read_text(encoding="utf-8").splitlines():
        code, _, remark = line.partition("#")
        if not code.strip():
            comment = comment + remark if remark else ""
        elif re.match(r"(float64|u?int\d+|geometry_msgs/|sensor_msgs/|builtin_interfaces/)", code):
            if "=" not in code and not re.search(r"\[[^\]]+\]", comment + remark):
                faults.append(line)
            comment = ""
    return faults


@pytest.mark.parametrize("file", SRV_FILES, ids=lambda path: path.name)
def test_every_number_of_a_service_has_a_unit(file):
    assert fields_without_unit(file) == []


def test_a_field_without_unit_is_noticed(tmp_path):
    file = tmp_path / "Bad.srv"
    file.write_text("# fine [m]\nfloat64 a\n\n# no unit\nfloat64 b\nfloat64 c # [rad]\nuint8 X=1\n")
    assert fields_without_unit(file) == ["float64 b"]


# --- what is installed ---


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_a_script_only_calls_a_main_and_is_installed(script):
    lines = script.read_text(encoding="utf-8").splitlines()
    assert lines[0] == "#!/usr/bin/env python3"
    lines = [line for line in lines if not line.startswith("#")]
    module = re.fullmatch(r"from (ik_solver_ros(?:\.\w+)+) import main", lines[0])[1]
    assert lines[1:] == ["", "raise SystemExit(main())"]
    tree = ast.parse((ROOT / (module.replace(".", "/") + ".py")).read_text(encoding="utf-8"))
    assert "main" in {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}

    installed = Path(get_package_prefix("ik_solver_ros"), "lib", "ik_solver_ros", script.name)
    assert os.access(installed, os.X_OK)
    assert installed.read_text(encoding="utf-8") == script.read_text(encoding="utf-8")


@pytest.mark.parametrize("folder", ["config", "launch", "urdf"])
def test_data_files_are_installed(folder):
    share = Path(get_package_share_directory("ik_solver_ros"), folder)
    wanted = {
        path.relative_to(ROOT / folder) for path in (ROOT / folder).rglob("*") if path.is_file()
    }
    found = {path.relative_to(share) for path in share.rglob("*") if path.is_file()}
    without_caches = {path for path in found if "__pycache__" not in path.parts}
    assert without_caches == {path for path in wanted if "__pycache__" not in path.parts}
    assert without_caches


def installed_modules(package: Path) -> set[str]:
    """The Python files of an installed package that do not come from the interface generator."""
    files = {str(path.relative_to(package)) for path in package.rglob("*.py")}
    return {file for file in files if not file.startswith(("srv/", "msg/"))}


def source_modules() -> set[str]:
    package = ROOT / "ik_solver_ros"
    return {str(path.relative_to(package)) for path in package.rglob("*.py")}


def test_the_tests_see_the_installed_package_and_nothing_else_of_it():
    import ik_solver_ros

    package = Path(ik_solver_ros.__file__).parent
    assert package.is_relative_to(get_package_prefix("ik_solver_ros"))
    assert installed_modules(package) == source_modules()


# --- building it in other ways ---

SOLVES_THE_DEMO_ARM = """
import sys
from pathlib import Path
from ik_solver_ros import IKRequest, IKSolver, RobotModel
robot = RobotModel.from_urdf_file(sys.argv[1])
solver = IKSolver(robot, tip_frame="tool0")
result = solver.solve(IKRequest.from_xyz_quat([0.4, 0.1, 0.4], [0.0, 1.0, 0.0, 0.0]))
assert result.success, result.message
import ik_solver_ros
print(Path(ik_solver_ros.__file__).parent)
"""


def run(command: list[str], cwd: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """The finished command; its whole output is the message when it fails."""
    variables = {**os.environ, **environment}
    done = subprocess.run(
        command, cwd=cwd, env=variables, capture_output=True, text=True, timeout=600
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done


def test_a_plain_colcon_build_without_pybind11_says_so_and_works(tmp_path):
    prefixes = os.environ["AMENT_PREFIX_PATH"].split(os.pathsep)
    below = [path for path in prefixes if path != get_package_prefix("ik_solver_ros")]
    bases = [f"--{name}-base={tmp_path / name}" for name in ("build", "install")]
    without_pybind11 = "-DCMAKE_DISABLE_FIND_PACKAGE_pybind11=ON"
    python = f"-DPython3_EXECUTABLE={sys.executable}"
    command = ["colcon", f"--log-base={tmp_path / 'log'}", "build", f"--paths={ROOT}", *bases]
    command += ["--cmake-args", without_pybind11, python, "-DBUILD_TESTING=OFF"]
    built = run(command, tmp_path, AMENT_PREFIX_PATH=os.pathsep.join(below))
    assert "the C++ kernel is not built" in built.stdout + built.stderr

    prefix = tmp_path / "install" / "ik_solver_ros"
    [package] = prefix.glob("lib/python3*/*-packages/ik_solver_ros")
    assert installed_modules(package) == source_modules()
    assert not [path for path in package.rglob("*.py") if path.is_symlink()]
    urdf = str(prefix / "share/ik_solver_ros/urdf/demo_arm.urdf")
    answer = run(
        [sys.executable, "-c", SOLVES_THE_DEMO_ARM, urdf], tmp_path, PYTHONPATH=str(package.parent)
    )
    assert answer.stdout.split() == [str(package)]
    run(
        [sys.executable, "-c", "from ik_solver_ros.srv import SolveIK; SolveIK.Request()"],
        tmp_path,
        PYTHONPATH=str(package.parent),
        LD_LIBRARY_PATH=f"{prefix / 'lib'}:{os.environ.get('LD_LIBRARY_PATH', '')}",
    )


def test_pip_install_without_a_compiler_says_so_and_works(tmp_path):
    for module in ("pip", "pybind11"):
        if importlib.util.find_spec(module) is None:
            pytest.skip(f"{module} is not installed")
    if int(importlib.metadata.version("setuptools").split(".")[0]) < 77:
        pytest.skip("pip would have to download a newer setuptools")
    tree = tmp_path / "tree"
    for file in source_files():
        copy = tree / file.relative_to(ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(file, copy)
    target = tmp_path / "target"
    no_compiler = shutil.which("false")
    command = [sys.executable, "-m", "pip", "install", "--verbose", f"--target={target}", str(tree)]
    command += ["--no-deps", "--no-build-isolation", "--no-index"]
    installed = run(command, tmp_path, CC=no_compiler, CXX=no_compiler)
    assert "the C++ kernel was not built" in installed.stdout + installed.stderr

    modules = installed_modules(target / "ik_solver_ros")
    needs_ros = ("ros/", "sim/")
    assert modules == {file for file in source_modules() if not file.startswith(needs_ros)}
    assert os.access(target / "bin" / "ik", os.X_OK)
    urdf = str(target / "share/ik_solver_ros/urdf/demo_arm.urdf")
    answer = run(
        [sys.executable, "-c", SOLVES_THE_DEMO_ARM, urdf], tmp_path, PYTHONPATH=str(target)
    )
    assert answer.stdout.split() == [str(target / "ik_solver_ros")]
    for command in (
        [target / "bin" / "ik", "check", urdf],
        [sys.executable, "-m", "ik_solver_ros.cli", "fk", urdf],
    ):
        assert "tool0" in run(command, tmp_path, PYTHONPATH=str(target)).stdout


# --- what is shipped ---

SOURCE_SUFFIXES = {".py", ".pyi", ".sh", ".cpp", ".hpp", ".cmake", ".srv", ".yaml", ".cfg", ".toml"}
SOURCE_NAMES = {"CMakeLists.txt", "Makefile", "run", ".clang-format"}


def test_every_source_file_names_its_licence_first():
    def is_source(path: Path) -> bool:
        return path.suffix in SOURCE_SUFFIXES or path.name in SOURCE_NAMES or path in SCRIPTS

    def first_line(path: Path) -> str:
        lines = path.read_text(encoding="utf-8").splitlines()
        return lines[1] if lines[0].startswith("#!") else lines[0]

    sources = [path for path in source_files() if is_source(path)]
    assert len(sources) > 30
    licences = {"# SPDX-License-Identifier: Apache-2.0", "// SPDX-License-Identifier: Apache-2.0"}
    assert [relative(path) for path in sources if first_line(path) not in licences] == []


def test_no_file_names_a_path_of_someones_machine():
    personal = re.compile(rb"(?<![\w.])/(home|root|Users|work|farm)/[\w.]")
    named = {relative(path) for path in source_files() if personal.search(path.read_bytes())}
    assert named == set()
