# SPDX-License-Identifier: Apache-2.0
"""Starts the IK node for one robot and, when asked, what a robot would otherwise bring along.

By default only the IK node starts: nothing is published that a running robot publishes as well,
neither joint states nor TF nor a description. Without a robot, `joint_states:=fake` stands in.
"""

import os
import shlex
import shutil
import subprocess
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from ament_index_python.packages import (
    PackageNotFoundError,
    get_package_prefix,
    get_package_share_directory,
)
from launch import LaunchContext, LaunchDescription
from launch.actions import DeclareLaunchArgument, OpaqueFunction
from launch.logging import get_logger
from launch.substitutions import PathJoinSubstitution
from launch_ros.actions import Node
from launch_ros.parameter_descriptions import ParameterValue
from launch_ros.substitutions import FindPackageShare

PACKAGE = "ik_solver_ros"
FROM_TOPIC = "topic"
# What RViz reads, writes and calls, by config/ik.rviz.
_SHOWN = (
    "robot_description",
    "ik_solver/markers",
    "ik_solver/interactive/get_interactive_markers",
    "ik_solver/interactive/update",
    "ik_solver/interactive/feedback",
)
_IK_NODE = "ik_solver"

Parameters = dict[str, bool | str | ParameterValue]


def generate_launch_description() -> LaunchDescription:
    """The arguments, and the nodes that follow from them at launch time."""
    return LaunchDescription([*_arguments(), OpaqueFunction(function=_nodes)])


def _arguments() -> list[DeclareLaunchArgument]:
    on_or_off = ["true", "false"]
    return [
        DeclareLaunchArgument(
            "urdf",
            default_value=PathJoinSubstitution(
                [FindPackageShare(PACKAGE), "urdf", "demo_arm.urdf"]
            ),
            description="URDF file, or xacro file (its name ends in .xacro), of the robot. "
            f"'{FROM_TOPIC}': no file; the node waits for the robot_description topic.",
        ),
        DeclareLaunchArgument(
            "xacro_args",
            default_value="",
            description="Arguments for a xacro file, as one text: 'name:=ur ur_type:=ur5e'.",
        ),
        DeclareLaunchArgument(
            "params_file",
            default_value="",
            description="YAML file with the parameters that differ from config/ik_solver.yaml. "
            "Empty: none.",
        ),
        DeclareLaunchArgument(
            "tip_frame",
            default_value="",
            description="Link that is brought to the target. Empty: as the parameters say.",
        ),
        DeclareLaunchArgument(
            "namespace",
            default_value="",
            description="Namespace of every node, topic and service started here.",
        ),
        DeclareLaunchArgument(
            "use_sim_time",
            default_value="false",
            choices=on_or_off,
            description="'true': every node takes its time from /clock, as under a simulator. "
            "'false': as the parameters say, else the system's clock.",
        ),
        DeclareLaunchArgument(
            "joint_states",
            default_value="real",
            choices=["real", "fake"],
            description="'real': the robot or its simulator publishes joint_states. "
            "'fake': one stands in that goes where ~/joint_targets says; never beside a robot.",
        ),
        DeclareLaunchArgument(
            "robot_state_publisher",
            default_value="auto",
            choices=["auto", *on_or_off],
            description="Whether to publish TF and robot_description for this urdf. "
            "'auto': only with joint_states:=fake, because a real robot has its own publisher "
            "and two of them fight over TF.",
        ),
        DeclareLaunchArgument(
            "rviz",
            default_value="false",
            choices=on_or_off,
            description="Whether to open RViz with config/ik.rviz.",
        ),
        DeclareLaunchArgument(
            "viewer",
            default_value="false",
            choices=on_or_off,
            description="Whether to show the robot in the browser; the address is printed. "
            "Dragging its tool asks the IK node, nothing moves before 'send' is pressed.",
        ),
    ]


def _nodes(context: LaunchContext) -> list[Node]:
    given = context.launch_configurations
    description = _read_description(given["urdf"], given["xacro_args"])
    nodes = [_ik_node(given, description)]
    if given["joint_states"] == "fake":
        arguments = _common(given, description) | {"follow": f"{_IK_NODE}/joint_targets"}
        nodes.append(_node(given, PACKAGE, "fake_joint_states", [arguments]))
    if _wants_robot_state_publisher(given, description):
        name = "robot_state_publisher"
        nodes += _if_installed(
            _node(given, name, name, [_common(given, description)]),
            "nobody publishes TF and robot_description; the IK node does without",
        )
    if given["rviz"] == "true":
        rviz = _if_installed(_rviz(given, description), "RViz does not open")
        nodes += [*rviz, *(_marker(given) for _ in rviz)]
    if given["viewer"] == "true":
        nodes.append(_viewer(given))
    return nodes


def _ik_node(given: dict[str, str], description: str) -> Node:
    arguments = _common(given, description)
    if given["tip_frame"]:
        arguments["tip_frame"] = ParameterValue(given["tip_frame"], value_type=str)
    files = [str(_share() / "config" / "ik_solver.yaml"), *_params_file(given["params_file"])]
    return _node(given, PACKAGE, "ik_node", [*files, arguments], name=_IK_NODE)


def _rviz(given: dict[str, str], description: str) -> Node:
    root = _root_link(description)
    return _node(
        given,
        "rviz2",
        "rviz2",
        [_clock(given)],
        arguments=["-d", str(_share() / "config" / "ik.rviz"), *(["-f", root] if root else [])],
        # The configuration names topics absolutely; this brings them into the namespace.
        remappings=[(f"/{name}", name) for name in _SHOWN],
    )


def _viewer(given: dict[str, str]) -> Node:
    parameters = _clock(given)
    if given["urdf"] not in ("", FROM_TOPIC):  # the folders above it may hold the meshes
        path = str(Path(given["urdf"]).expanduser().absolute())
        parameters["urdf_file"] = ParameterValue(path, value_type=str)
    return _node(given, PACKAGE, "ik_viewer", [parameters])


def _marker(given: dict[str, str]) -> Node:
    """What is dragged in RViz."""
    return _node(given, PACKAGE, "ik_interactive_marker", [_clock(given)])


def _node(
    given: dict[str, str],
    package: str,
    executable: str,
    parameters: list[str | Parameters],
    name: str | None = None,
    **details: Any,
) -> Node:
    return Node(
        package=package,
        executable=executable,
        name=name or executable,
        # Always given, so that `parameters` are written under the node's full name: a section with
        # the full name beats the '/**' section of a parameter file, whatever the order.
        namespace=given["namespace"],
        parameters=parameters,
        output="screen",
        **details,
    )


def _common(given: dict[str, str], description: str) -> Parameters:
    parameters = _clock(given)
    if description:
        # As a string value: launch reads other texts as YAML, and URDFs have colons in comments.
        parameters["robot_description"] = ParameterValue(description, value_type=str)
    return parameters


def _clock(given: dict[str, str]) -> Parameters:
    # 'false' is left unsaid: it must not overrule params_file or an including file's SetUseSimTime.
    return {"use_sim_time": True} if given["use_sim_time"] == "true" else {}


def _wants_robot_state_publisher(given: dict[str, str], description: str) -> bool:
    wish = given["robot_state_publisher"]
    if wish == "auto":
        return given["joint_states"] == "fake" and bool(description)
    if wish == "true" and not description:
        raise RuntimeError(
            f"robot_state_publisher:=true needs a file in urdf; with urdf:={FROM_TOPIC} the "
            "description comes from a publisher that runs already."
        )
    return wish == "true"


def _if_installed(node: Node, consequence: str) -> list[Node]:
    """The node, or a warning: the IK node is what this file is for, it starts with or without."""
    package = node.node_package
    try:
        get_package_prefix(package)
    except PackageNotFoundError:
        get_logger("ik.launch").warning(
            f"{package} is not installed, so {consequence}: {_install(package)}"
        )
        return []
    return [node]


def _params_file(params_file: str) -> list[str]:
    if not params_file:
        return []
    path = Path(params_file).expanduser()
    if not path.is_file():
        # launch would only warn, and the robot would be solved for with the wrong parameters.
        bundled = ", ".join(map(str, sorted((_share() / "config" / "robots").glob("*.yaml"))))
        raise RuntimeError(
            f"params_file: there is no file {path.absolute()}. The package brings {bundled}."
        )
    return [str(path)]


def _read_description(urdf: str, xacro_args: str) -> str:
    """The URDF text; empty when it comes from the topic."""
    # `ros2 launch` refuses an empty value, hence the word; an including file may give either.
    if urdf in ("", FROM_TOPIC):
        return ""
    path = Path(urdf).expanduser()
    if path.is_dir():
        raise RuntimeError(f"urdf: {path} is a directory, not a file.{_robot_files_in(path)}")
    if not path.is_file():
        near = _robot_files_in(path.parent)
        raise RuntimeError(f"urdf: there is no file {path.absolute()}.{near}")
    if path.suffix == ".xacro":
        description = _expand_xacro(path, xacro_args)
    elif xacro_args:
        raise RuntimeError(f"xacro_args: {path} is no xacro file; its name does not end in .xacro.")
    else:
        description = _read_text(path)
    if not description.strip():
        raise RuntimeError(f"urdf: {path} is empty.")
    return description


def _read_text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise RuntimeError(f"urdf: {path} cannot be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise RuntimeError(f"urdf: {path} is not UTF-8 text ({error.reason}).") from error


def _expand_xacro(path: Path, xacro_args: str) -> str:
    command = shutil.which("xacro")
    if command is None:
        raise RuntimeError(f"urdf: {path} needs xacro, which is not installed: {_install('xacro')}")
    try:
        arguments = shlex.split(xacro_args)
    except ValueError as error:
        raise RuntimeError(f"xacro_args: {error} in {xacro_args}") from error
    expansion = subprocess.run(
        [command, str(path), *arguments],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    complaints = "; ".join(line.strip() for line in expansion.stderr.splitlines() if line.strip())
    if expansion.returncode != 0:
        raise RuntimeError(f"urdf: xacro cannot expand {path}: {complaints}")
    if complaints:
        get_logger("ik.launch").warning(f"xacro, about {path}: {complaints}")
    return expansion.stdout


def _root_link(description: str) -> str | None:
    """The link that is no joint's child; None where the text is no robot, as the node will say."""
    try:
        robot = ElementTree.fromstring(description)
    except ElementTree.ParseError:
        return None
    children = {child.get("link") for child in robot.iterfind("joint/child")}
    links = [link.get("name") for link in robot.iterfind("link")]
    return next((name for name in links if name not in children), None)


def _install(package: str) -> str:
    distribution = os.environ.get("ROS_DISTRO", "<distribution>")
    return f"sudo apt install ros-{distribution}-{package.replace('_', '-')}"


def _robot_files_in(directory: Path) -> str:
    if not directory.is_dir():
        return ""
    names = sorted(path.name for path in directory.iterdir() if path.suffix in (".urdf", ".xacro"))
    return f" {directory.absolute()} has {', '.join(names)}." if names else ""


def _share() -> Path:
    return Path(get_package_share_directory(PACKAGE))
