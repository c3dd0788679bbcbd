# SPDX-License-Identifier: Apache-2.0
"""The executable ``ik_demo``: the real node, a robot that follows, one call, and its answer.

Starts ``ik_node`` and ``fake_joint_states`` as processes of their own, publishes the robot
description, calls the service as any client would, and serves until Ctrl-C.
"""

from __future__ import annotations

import argparse
import importlib.util
import io
import json
import shutil
import sys
from pathlib import Path

from .children import Children
from .program import Ending, run

_POLL_S = 0.2
_ROS = ["--ros-args", "--log-level", "warn"]


def main() -> int:
    """Serve until SIGINT or SIGTERM; returns the exit code."""
    parser = argparse.ArgumentParser(
        prog="ik_demo", description="Start the IK node for a robot, call it once, keep serving."
    )
    parser.add_argument("--urdf", metavar="FILE", help="URDF of the robot; default: the demo arm")
    parser.add_argument("--tip", metavar="LINK", default="", help="link that carries the tool")
    parser.add_argument("--viewer", action="store_true", help="show the robot in the browser, too")
    options = parser.parse_args()
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # the drawing needs Unicode, its reader does not
    return run("ik_demo", lambda ending: _serve(ending, options))


def _serve(ending: Ending, options: argparse.Namespace) -> None:
    # Imported late: see ``node.py``.
    import rclpy
    from ament_index_python.packages import get_package_prefix, get_package_share_directory
    from rclpy.signals import SignalHandlerOptions

    from ..core.robot_model import RobotModel, read_urdf_file
    from .demo_client import SERVICE, DemoClient, reachable_request, solver_for
    from .demo_report import call_it_yourself, report
    from .lanes import Lanes

    share = Path(get_package_share_directory("ik_solver_ros"))
    urdf_file = Path(options.urdf or share / "urdf" / "demo_arm.urdf")
    urdf_text = read_urdf_file(urdf_file)
    robot = RobotModel.from_urdf(urdf_text)
    solver = solver_for(robot, options.tip)
    request = reachable_request(solver)

    rclpy.init(args=[], signal_handler_options=SignalHandlerOptions.NO)
    node = rclpy.create_node("ik_demo")
    # A tip may be called "yes" or "7": in quotes it stays a text.
    tip = ["-p", f"tip_frame:={json.dumps(solver.tip_frame)}"]
    executables = Path(get_package_prefix("ik_solver_ros"), "lib", "ik_solver_ros")
    commands = [
        [str(executables / "ik_node"), *_ROS, *tip],
        [str(executables / "fake_joint_states"), *_ROS, "-p", "follow:=ik_solver/joint_targets"],
    ]
    with Lanes(node, []), Children(commands) as children:
        client = DemoClient(node, lambda: children.all_run() and not ending.wait(0.0))
        client.describe(urdf_text)
        count = len(solver.joint_names)
        print(f"robot     {robot.name}: {count} joints, {solver.base_frame} to {solver.tip_frame}")
        if asked := client.ask(request):
            print(report(request, *asked, robot.joints))
            if node.count_services(SERVICE) > 1:
                print("note      several nodes serve this here; any of them may have answered")
            print(f"\n{SERVICE} goes on serving; Ctrl-C ends it. In another shell:\n")
            print(call_it_yourself(request, SERVICE, shutil.which("ros2") is not None), flush=True)
        with Children(_viewer(executables, urdf_file) if options.viewer else []):
            while children.all_run() and not ending.wait(_POLL_S):
                pass
        if not ending.is_wished:
            raise RuntimeError(f"{children.ended()} has ended; its reason is above")


def _viewer(executables: Path, urdf_file: Path) -> list[list[str]]:
    """How to start the viewer; nothing where its package is missing, which is told."""
    if importlib.util.find_spec("viser") is None:
        print("\nno picture in the browser: viser is not installed (pip install viser)", flush=True)
        return []
    file = f"urdf_file:={json.dumps(str(urdf_file.resolve()))}"
    print("\nThe robot in the browser, to drag its tool:", flush=True)
    return [[str(executables / "ik_viewer"), *_ROS, "-p", file]]
