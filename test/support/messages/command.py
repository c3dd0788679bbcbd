# SPDX-License-Identifier: Apache-2.0
"""Wrong use of the command `ik`, and wrong input for it."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from unittest import mock

from support.command import ik
from support.messages.provoking import Sentence, not_installed
from support.robots import REPOSITORY, robot_urdf, robot_urdf_path

DEMO_ARM = str(REPOSITORY / "urdf" / "demo_arm.urdf")
XYZ = ("--xyz", 0.4, 0.2, 0.6)
TARGET = (*XYZ, "--quat-xyzw", 1, 0, 0, 0)
OK = ("solve", DEMO_ARM, *TARGET)

#: (arguments, words of the sentence that they are refused with).
WRONG_USE = [
    ((), "the following arguments are required: COMMAND"),
    (("solv",), "there is no command 'solv'; did you mean 'solve'?"),
    (("xyzzy",), "there is no command 'xyzzy'; there are 'check', 'solve'"),
    (("solve",), "the following arguments are required: URDF (see `ik solve --help`)"),
    ((*OK, "--tpi", "tool0"), "there is no argument '--tpi' here; did you mean '--tip'"),
    ((*OK, "--quat", 1), "did you mean '--quat-xyzw'?"),
    ((*OK, "tool0"), "there is no argument 'tool0' here; see `ik solve --help`"),
    ((*OK, "--tip", "tool"), "--tip 'tool' is not a link of this robot; did you mean 'tool0'"),
    ((*OK, "--tip", "joint_6"), "(it is a joint; its link is 'flange')"),
    ((*OK, "--base", "bse_link"), "--base 'bse_link' is not a link"),
    ((*OK, "--base", "tool0"), "no arm from 'tool0': nothing below it moves"),
    ((*OK, "--tip", "base_link"), "there is no moving joint between them"),
    ((*OK, "--seed", "joint_9=1"), "no moving joint 'joint_9'; did you mean 'joint_"),
    ((*OK, "--seed", "joint_1=1", "joint_1=2"), "'joint_1' is given twice"),
    ((*OK, "--seed", "joint_1"), "'joint_1' is not JOINT=VALUE"),
    ((*OK, "--seed", "joint_1=a"), "'a' is not a number"),
    ((*OK, "--seed", "joint_1=nan"), "'nan' is not a finite number"),
    ((*OK, "--seed", "joint_1=1e30"), "is not a joint position"),
    (("solve", DEMO_ARM, "--xyz", "nan", 0, 0, "--rpy", 0, 0, 0), "--xyz: 'nan' is not a finite"),
    (("solve", DEMO_ARM, "--xyz", "-inf", 0, 0, "--rpy", 0, 0, 0), "--xyz: '-inf' is not a finite"),
    (("solve", DEMO_ARM, "--xyz", 1e9, 0, 0, "--rpy", 0, 0, 0), "1e+09 m is beyond"),
    (("solve", DEMO_ARM, "--xyz", 1, 2, "--rpy", 0, 0, 0), "--xyz: expected 3 arguments"),
    (("solve", DEMO_ARM, *XYZ, "--quat-xyzw", 0, 0, 0, 0), "has no direction"),
    (("solve", DEMO_ARM, *XYZ), "--quat-xyzw: give the target's orientation"),
    (("solve", DEMO_ARM, "--rpy", 0, 0, 0), "--xyz: give the target's position"),
    ((*OK, "--rpy", 0, 0, 0), "--rpy: there is --quat-xyzw, too"),
    ((*OK, "--target", "x.json"), "--target: it says everything"),
    (("solve", DEMO_ARM, "--target", "nowhere.json"), "nowhere.json: No such file"),
    ((*OK, "--position-tolerance", -1), "'-1' is not a tolerance"),
    ((*OK, "--position-tolerance", "nan"), "'nan' is not a tolerance"),
    ((*OK, "--position-tolerance", 1, 2), "one number or three expected, not 2"),
    ((*OK, "--position-tolerance", 5), "--position-tolerance: 5.0 m is not between"),
    ((*OK, "--orientation-tolerance", 1e-12, 1, 1), "is finer than can be told"),
    ((*OK, "--free-axes", "q"), "invalid choice: 'q'"),
    ((*OK, "--free-axes", "position", "orientation"), "there is nothing to reach"),
    ((*OK, "--max-jump", 0), "'0' is not above 0"),
    ((*OK, "--timeout-s", -1), "'-1' is not above 0"),
    ((*OK, "--timeout-s", "soon"), "'soon' is not a number"),
    (("reach", DEMO_ARM, "--cell", 0.001), "cubes of 0.001 m are too many for an arm of"),
    (("reach", DEMO_ARM, "--orientations", 20000), "20000 is not a number from 1 to 10000"),
    (("reach", DEMO_ARM, "--out", "map.xlsx"), "'map.xlsx' does not end in .npz or .csv"),
    (("reach", DEMO_ARM, "--threads", 1000), "threads: 1000 is not a number from 1 to 256"),
    (("reach", DEMO_ARM, "--backend", "dask"), "--address: where does the scheduler listen?"),
    (("reach", DEMO_ARM, "--address", "x"), "--address: it is for --backend dask or ray"),
    (("reach", DEMO_ARM, "--backend", "ray", "--threads", 2), "a cluster has its own"),
    ((*OK, "--solutions", 0), "'0' is not a whole number above 0"),
    ((*OK, "--solutions", 1.5), "'1.5' is not a whole number above 0"),
    ((*OK, "--timeout-s", 2e9), "--timeout-s: 2000000000.0 is not between 0 and 1e+09"),
    ((*OK, "--max-jump", 1e10), "--max-jump: 10000000000.0 is not between 0 and 1e+09"),
    ((*OK, "--orientation-tolerance", 0, 0, 1e-12), "--orientation-tolerance.z: 1e-12 is finer"),
    ((*OK, "--solutions", 100000), "--solutions: 100000 is not between 0 and 1000"),
    ((*OK, "--solver", "magic"), "invalid choice: 'magic'"),
    ((*OK, "--tcp-offset", 1, 2), "--tcp-offset: 3, 6 or 7 numbers expected, not 2"),
    ((*OK, "--tcp-offset", 0, 0, 0, 0, 0, 0, 0), "--tcp-offset.orientation: the quaternion"),
    (("fk", DEMO_ARM, "--frames", "toolo"), "frame 'toolo' is not a link of this robot"),
    (("fk", DEMO_ARM, "--joints", "joint_7=0"), "no moving joint 'joint_7'"),
    (("batch", DEMO_ARM, "-", "--threads", "many"), "'many' is not a whole number above 0"),
    (("solve", robot_urdf_path("pr2"), *TARGET), "such as 'r_gripper_tool_frame'; its ends are"),
    (("solve", "nowhere.urdf", *TARGET), "cannot read nowhere.urdf: No such file"),
    (("solve", "/", *TARGET), "/ is a folder"),
    (("solve", "nowhere.xacro", *TARGET), "cannot read nowhere.xacro"),
]  # fmt: skip

#: Sentences of argparse, which are not ours and differ between versions of Python.
_NOT_OURS = ("invalid choice", "expected 3 arguments")
_CALL = "ik_solver_ros.cli.call_session"
_HEADER = "x,y,z,qx,qy,qz,qw\n"
#: (arguments, stdin) of `ik batch` and `ik solve`.
_WRONG_INPUT = [
    (("batch", DEMO_ARM, "-"), ""),
    (("batch", DEMO_ARM, "-"), "x,y\n"),
    (("batch", DEMO_ARM, "-"), "x,x,y,z\n"),
    (("batch", DEMO_ARM, "-"), "x,y,z,qx,qy,qz,qw,yaw\n"),
    (("batch", DEMO_ARM, "-"), "x,y,z,qx,qy,qz,qw,status\n"),
    (("batch", DEMO_ARM, "-"), "x,\0y\n"),
    (("batch", DEMO_ARM, "-"), _HEADER + '0.4,"a\n'),
    (("batch", DEMO_ARM, "-"), _HEADER + "0.4,abc,0.6,1,0,0,0\n"),
    (("batch", DEMO_ARM, "-"), _HEADER + '"0,4",0,0,0,0,0,1\n'),
    (("batch", DEMO_ARM, "-"), _HEADER + "0.4,,0.6,1,0,0,0\n"),
    (("batch", DEMO_ARM, "-"), _HEADER + "0.4,inf,0.6,1,0,0,0\n"),
    (("batch", DEMO_ARM, "-"), _HEADER + "0.4,0.2\n"),
    (("batch", DEMO_ARM, "-"), _HEADER + "0.4,0.2,0.6,0,0,0,0\n"),
    (("batch", DEMO_ARM, "-", "--resume"), ""),
    (("batch", DEMO_ARM, "-", "--resume", "-o", "out.parquet"), ""),
    (("batch", "-", "-"), ""),
    (("batch", DEMO_ARM, DEMO_ARM, "-o", DEMO_ARM), ""),
    (("solve", DEMO_ARM, "--target", "-"), "{"),
    (("solve", DEMO_ARM, "--target", "-"), "[]"),
    (("solve", DEMO_ARM, "--target", "-"), '{"poses": {"a": {}, "b": {}}}'),
    (("solve", "-", "--target", "-"), robot_urdf("demo_arm")),
    (("call", *TARGET, "--position-tolerance", 0.1), ""),
    (("call", *TARGET, "--node", "/no body"), ""),
    (("call", *TARGET, "--fk"), ""),
]  # fmt: skip


def command_sentences() -> Iterator[Sentence]:
    """("exit code 2", sentence)."""
    for words, told in WRONG_USE:
        if told not in _NOT_OURS and not any(own in told for own in _NOT_OURS):
            yield _told(*words)
    for words, stdin in _WRONG_INPUT:
        yield _told(*words, stdin=stdin)
    with tempfile.TemporaryDirectory() as folder:
        for kind, text in _files(Path(folder)):
            yield kind, text.replace(folder, "~")
    yield from _packages()


def _files(folder: Path) -> Iterator[Sentence]:
    """What files can be wrong with."""
    binary, xacro, parquet = folder / "t.json", folder / "a.xacro", folder / "t.parquet"
    binary.write_bytes(b"\xff\xfe\x80")
    xacro.write_text(
        '<robot name="a" xmlns:xacro="http://www.ros.org/wiki/xacro"><xacro:b/></robot>'
    )
    parquet.write_text("x,y,z")
    latin = folder / "t.csv"
    latin.write_bytes("name;x;y;z\nKörper;0;0;1\n".encode("cp1252"))
    yield _told("batch", DEMO_ARM, latin, "--free-axes", "orientation")
    yield _told("solve", DEMO_ARM, "--target", binary)
    yield _told("batch", DEMO_ARM, parquet)
    yield _told("check", xacro)
    with mock.patch("sys.stdin", mock.Mock(buffer=mock.Mock(read=lambda _: b"\xff"))):
        from ik_solver_ros.cli.given import read_stdin

        try:
            read_stdin("the target")
        except ValueError as error:
            yield "exit code 2", f"ik solve: {error}"
    out = folder / "out.csv"
    journal = folder / "out.csv.unfinished"
    out.touch()
    targets = folder / "targets.csv"
    targets.write_text(_HEADER + "0.4,0.2,0.6,1,0,0,0\n")
    run = ("batch", DEMO_ARM, targets, "-o", out)
    yield _told(*run, "--resume")
    journal.write_text("{")
    yield _told(*run)
    yield _told(*run, "--resume")
    journal.write_text('{"asked": {}}')
    yield _told(*run, "--resume")


def _packages() -> Iterator[Sentence]:
    with not_installed("pyarrow", "pyarrow.parquet"):
        yield _told("batch", DEMO_ARM, "targets.parquet")
    with (
        mock.patch("shutil.which", return_value=None),
        mock.patch("importlib.util.find_spec", return_value=None),
    ):
        yield _told("check", REPOSITORY / "README.md", suffix=".xacro")
    with not_installed("rclpy"):
        for name in [n for n in sys.modules if n.startswith(("ik_solver_ros.ros", _CALL))]:
            del sys.modules[name]
        yield _told("call", *TARGET)


def _told(*words: object, stdin: str = "", suffix: str = "") -> Sentence:
    if suffix:
        with tempfile.NamedTemporaryFile(suffix=suffix) as file:
            return _told(words[0], file.name)
    run = ik(*words, stdin=stdin)
    return f"exit code {run.code}", run.sentence.replace(f"{REPOSITORY}/", "")
