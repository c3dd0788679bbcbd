# SPDX-License-Identifier: Apache-2.0
"""The robots the tests run on: data, not code. Another robot is another line here.

The URDFs come from data packages on PyPI and are read where pip put them; a package that is not
installed fails the test that needs it with the name of what to install.
"""

from __future__ import annotations

import functools
import sys
import sysconfig
from dataclasses import dataclass
from pathlib import Path

OWN_PACKAGE = "ik_solver_ros"
REPOSITORY = Path(__file__).resolve().parents[2]
# Where each pip package keeps its robots, relative to the directory that pip installs into.
DATA_FOLDERS = {
    "example-robot-data": Path("cmeel.prefix/share/example-robot-data/robots"),
    "rtb-data": Path("rtbdata/xacro"),
}


@dataclass(frozen=True)
class Robot:
    """One chain of one robot.

    Attributes:
        name: what tests call it.
        package: the pip package that carries the URDF, or our own.
        path: the URDF below that package's robot folder.
        base: the chain's first link.
        tip: the chain's last link.
        joint_count: moving joints from base to tip.
        notes: what makes it worth testing.
    """

    name: str
    package: str
    path: str
    base: str
    tip: str
    joint_count: int
    notes: str

    def __str__(self) -> str:
        """Return the name, so that pytest can use it as the parameter's id."""
        return self.name


def _example(name: str, path: str, base: str, tip: str, joint_count: int, notes: str = "") -> Robot:
    return Robot(name, "example-robot-data", path, base, tip, joint_count, notes)


def _rtb(name: str, path: str, base: str, tip: str, joint_count: int, notes: str = "") -> Robot:
    return Robot(name, "rtb-data", path, base, tip, joint_count, notes)


_UR = "ur_description/urdf"

DEMO_ARM = Robot(
    "demo_arm", OWN_PACKAGE, "urdf/demo_arm.urdf", "base_link", "tool0", 6, "spherical wrist"
)

ROBOTS: tuple[Robot, ...] = (
    DEMO_ARM,
    _example(
        "panda",
        "panda_description/urdf/panda.urdf",
        "panda_link0",
        "panda_hand_tcp",
        7,
        "redundant; the second finger, beside the chain, mimics the first",
    ),
    _example("ur3", f"{_UR}/ur3_robot.urdf", "base_link", "tool0", 6, "limits ±2π"),
    _example("ur5", f"{_UR}/ur5_robot.urdf", "base_link", "tool0", 6, "limits ±2π, elbow ±π"),
    _example("ur10", f"{_UR}/ur10_robot.urdf", "base_link", "tool0", 6, "limits ±2π"),
    _example(
        "ur3_limited", f"{_UR}/ur3_joint_limited_robot.urdf", "base_link", "tool0", 6, "limits ±π"
    ),
    _example(
        "ur5_limited", f"{_UR}/ur5_joint_limited_robot.urdf", "base_link", "tool0", 6, "limits ±π"
    ),
    _example(
        "ur10_limited", f"{_UR}/ur10_joint_limited_robot.urdf", "base_link", "tool0", 6, "limits ±π"
    ),
    _example("xarm7", "xarm_description/urdf/xarm7.urdf", "link_base", "link_eef", 7, "redundant"),
    _example(
        "kinova",
        "kinova_description/robots/kinova.urdf",
        "base",
        "j2s6s200_end_effector",
        6,
        "joints 1, 4 and 6 continuous, with limits in the file that do not count",
    ),
    _example(
        "z1",
        "z1_description/urdf/z1.urdf",
        "link00",
        "gripperStator",
        6,
        "the tip link and the joint above it share their name",
    ),
    _example(
        "so100",
        "so_arm_description/urdf/so100.urdf",
        "base",
        "gripper",
        5,
        "5 joints: no full pose",
    ),
    _example(
        "so101",
        "so_arm_description/urdf/so101.urdf",
        "base_link",
        "gripper_frame_link",
        5,
        "5 joints: no full pose",
    ),
    _example(
        "tiago",
        "tiago_description/robots/tiago.urdf",
        "base_link",
        "hand_grasping_frame",
        8,
        "prismatic torso; wheels, head and a hand beside the chain",
    ),
    _example(
        "talos",
        "talos_data/robots/talos_reduced.urdf",
        "torso_2_link",
        "gripper_left_base_link",
        7,
        "base in the middle of a humanoid",
    ),
    _example(
        "talos_torso",
        "talos_data/robots/talos_reduced.urdf",
        "base_link",
        "gripper_right_base_link",
        9,
        "two torso joints and a right arm",
    ),
    _example(
        "baxter",
        "baxter_description/urdf/baxter.urdf",
        "torso",
        "left_gripper",
        7,
        "one of two arms, mimic fingers beside the chain",
    ),
    _example(
        "pr2",
        "pr2_description/urdf/pr2.urdf",
        "base_link",
        "r_gripper_tool_frame",
        8,
        "prismatic torso, two continuous joints",
    ),
    _example(
        "romeo", "romeo_description/urdf/romeo.urdf", "torso", "l_gripper", 7, "tight wrist limits"
    ),
    _rtb(
        "iiwa14",
        "kuka_description/kuka_lbr_iiwa/urdf/lbr_iiwa_14_r820.urdf",
        "base_link",
        "tool0",
        7,
        "redundant",
    ),
    _rtb("kr16", "kuka_description/kuka_kr16/urdf/kr16_2.urdf", "base_link", "tool0", 6),
    _rtb("irb140", "abb_irb140_description/urdf/irb140.urdf", "base_link", "tool0", 6),
    _rtb(
        "puma560",
        "unimation_puma560_description/urdf/puma560_robot.urdf",
        "link1",
        "link7",
        6,
        "links named by number only",
    ),
)

_BY_NAME = {robot.name: robot for robot in ROBOTS}


def robot(name: str) -> Robot:
    """Return a robot of the list by name."""
    if name not in _BY_NAME:
        raise KeyError(f"no test robot '{name}'; there are: {sorted(_BY_NAME)}")
    return _BY_NAME[name]


# What the integration test starts the real node with.
REQUIRED: tuple[Robot, ...] = tuple(map(robot, ("panda", "ur5", "kinova", "tiago", "pr2")))
# Chains that can reach full poses: 5 joints cannot.
FULL_POSE: tuple[Robot, ...] = tuple(entry for entry in ROBOTS if entry.joint_count >= 6)


def robot_urdf_path(name: str) -> Path:
    """Return the path of a robot's URDF file.

    Raises:
        FileNotFoundError: the data package is not installed; the message names it.
    """
    entry = robot(name)
    if entry.package == OWN_PACKAGE:
        return REPOSITORY / entry.path
    for folder in _data_folders(entry.package):
        if (folder / entry.path).is_file():
            return folder / entry.path
    raise FileNotFoundError(
        f"robot '{name}' needs '{entry.path}' from the data package '{entry.package}': "
        f"pip install {entry.package}"
    )


@functools.cache
def robot_urdf(name: str) -> str:
    """Return the text of a robot's URDF."""
    return robot_urdf_path(name).read_text(encoding="utf-8")


def _data_folders(package: str) -> list[Path]:
    sites = [sysconfig.get_path("purelib"), sysconfig.get_path("platlib"), *sys.path]
    folders = dict.fromkeys(Path(site) / DATA_FOLDERS[package] for site in sites if site)
    return [folder for folder in folders if folder.is_dir()]
