# SPDX-License-Identifier: Apache-2.0
"""`ik batch`: every row comes back with its answer or its reason, also after an interruption."""

from __future__ import annotations

import contextlib
import csv
import fcntl
import io
import math
import os
import pty
import signal
import struct
import subprocess
import sys
import termios

import numpy as np
import pytest

from ik_solver_ros import IKSolver, RobotModel
from ik_solver_ros.cli import batch_run
from ik_solver_ros.cli.batch_columns import TargetColumns
from ik_solver_ros.core.batch_targets import quat_xyzw_from_rpy_rows
from support.command import ik
from support.poses import rotation_from_quat_xyzw, rotation_from_rpy
from support.robots import REPOSITORY
from support.ros_harness import wait_until

DEMO_ARM = REPOSITORY / "urdf" / "demo_arm.urdf"
ROBOT = RobotModel.from_urdf_file(DEMO_ARM)
JOINTS = list(ROBOT.joint_names)
HEADER = "id,x,y,z,qx,qy,qz,qw,note\n"
GOOD = "0.4,0.2,0.6,1,0,0,0"
FAR = "4,2,6,1,0,0,0"


def table(text, delimiter=","):
    return list(csv.DictReader(io.StringIO(text), delimiter=delimiter))


def reachable(count, seed=0):
    """Rows x y z qx qy qz qw that the demo arm reaches."""
    rng = np.random.default_rng(seed)
    rows = []
    for _ in range(count):
        q = {j.name: rng.uniform(j.lower, j.upper) for j in ROBOT.joints.values()}
        pose = ROBOT.forward_kinematics(q, "tool0")
        rows.append([*pose[:3, 3], *quaternion(pose[:3, :3])])
    return rows


def quaternion(rotation):
    """For rotations by less than half a turn, which random ones are."""
    w = 0.5 * math.sqrt(1.0 + np.trace(rotation))
    r = rotation
    return [
        (r[2, 1] - r[1, 2]) / 4 / w,
        (r[0, 2] - r[2, 0]) / 4 / w,
        (r[1, 0] - r[0, 1]) / 4 / w,
        w,
    ]


@pytest.fixture
def targets(tmp_path):
    """A CSV file of 60 targets, two of them out of reach."""
    path = tmp_path / "targets.csv"
    rows = [
        ",".join([str(i), *map(repr, map(float, row)), "n"]) for i, row in enumerate(reachable(60))
    ]
    rows[7] = f"7,{FAR},far"
    rows[41] = f"41,{FAR},far"
    path.write_text(HEADER + "\n".join(rows) + "\n", encoding="utf-8")
    return path


@pytest.fixture
def small_slices(monkeypatch):
    monkeypatch.setattr(batch_run, "ROWS_PER_SLICE", 10)


# --- what comes out ---


def test_answers_reach_their_targets_and_other_columns_are_kept(targets):
    run = ik("batch", DEMO_ARM, targets)
    rows = table(run.out)
    assert run.code == 1  # not all are solved
    assert [row["id"] for row in rows] == [str(i) for i in range(60)]
    for row in rows:
        if row["status"] == "SOLVED":
            pose = ROBOT.forward_kinematics({name: float(row[name]) for name in JOINTS}, "tool0")
            wanted = rotation_from_quat_xyzw([float(row[c]) for c in ("qx", "qy", "qz", "qw")])
            assert pose[:3, 3] == pytest.approx([float(row[c]) for c in "xyz"], abs=1e-4)
            assert pose[:3, :3] == pytest.approx(wanted, abs=2e-3)
            assert row["message"] == ""
    failed = [row for row in rows if row["status"] != "SOLVED"]
    assert [(row["id"], row["note"], row["status"]) for row in failed] == [
        ("7", "far", "UNREACHABLE"), ("41", "far", "UNREACHABLE"),
    ]  # fmt: skip
    assert all("out of reach" in row["message"] for row in failed)
    assert all(row[name] == "" for row in failed for name in (*JOINTS, "position_error_m"))
    assert "60 targets" in run.err
    assert "58  SOLVED" in run.err
    assert "2  UNREACHABLE" in run.err


def test_slices_change_nothing(targets, monkeypatch):
    whole = ik("batch", DEMO_ARM, targets).out
    path = ik("batch", DEMO_ARM, targets, "--chain-seeds").out
    monkeypatch.setattr(batch_run, "ROWS_PER_SLICE", 7)
    assert ik("batch", DEMO_ARM, targets).out == whole
    assert ik("batch", DEMO_ARM, targets, "--chain-seeds").out == path
    assert path != whole


def test_threads_change_nothing(targets):
    assert ik("batch", DEMO_ARM, targets, "--threads", 2).out == ik("batch", DEMO_ARM, targets).out


def test_stdin_and_stdout(targets):
    assert (
        ik("batch", DEMO_ARM, "-", stdin=targets.read_text()).out
        == ik("batch", DEMO_ARM, targets).out
    )


def test_roll_pitch_yaw_degrees_and_other_delimiters():
    quats = ik("batch", DEMO_ARM, "-", stdin=f"x,y,z,qx,qy,qz,qw\n{GOOD}\n")
    turned = ik(
        "batch", DEMO_ARM, "-", "--degrees", stdin="x;y;z;roll;pitch;yaw\n0.4;0.2;0.6;180;0;0\n"
    )
    (by_quat,), (by_rpy,) = table(quats.out), table(turned.out, ";")
    for name in JOINTS:
        assert math.radians(float(by_rpy[name])) == pytest.approx(float(by_quat[name]), abs=1e-6)
    assert quats.code == turned.code == 0


def test_a_table_as_excel_writes_it_in_half_of_europe(tmp_path):
    """BOM, semicolons, decimal commas, CRLF, rows of nothing, no newline at the end."""
    plain = tmp_path / "plain.csv"
    plain.write_text("note;x;y;z;qx;qy;qz;qw\nv1.2;0;0.1;0.6;1;0;0;0\nb;0.4;0.2;0.6;1;0;0;0\n")
    excel = tmp_path / "excel.csv"
    rows = ["note;x;y;z;qx;qy;qz;qw", "v1.2;0;0,1;0,6;1;0;0;0", "", ";;;;;;;"]
    excel.write_bytes(("\ufeff" + "\r\n".join([*rows, "b;0,4;0,2;0,6;1;0;0;0"])).encode())
    dots, commas = ik("batch", DEMO_ARM, plain), ik("batch", DEMO_ARM, excel)
    for with_dots, with_commas in zip(table(dots.out, ";"), table(commas.out, ";"), strict=True):
        for name in ("x", *JOINTS, "position_error_m"):
            assert with_commas[name] == with_dots[name].replace(".", ",")
        assert with_commas["note"] == with_dots["note"]
        assert with_commas["message"] == with_dots["message"]


def test_degrees_without_the_option_are_remarked():
    text = "x;y;z;roll;pitch;yaw\n0.4;0.2;0.6;180;0;0\n"
    assert "add --degrees" in ik("batch", DEMO_ARM, "-", stdin=text).err
    assert "add --degrees" not in ik("batch", DEMO_ARM, "-", "--degrees", stdin=text).err


def test_roll_pitch_yaw_rows_are_the_rotations_of_urdf():
    rpy = np.random.default_rng(3).uniform(-4.0, 4.0, (50, 3))
    for angles, quat_xyzw in zip(rpy, quat_xyzw_from_rpy_rows(rpy)):
        assert rotation_from_quat_xyzw(quat_xyzw) == pytest.approx(
            rotation_from_rpy(angles), abs=1e-12
        )


def test_a_position_is_enough_where_the_orientation_is_free():
    run = ik("batch", DEMO_ARM, "-", "--free-axes", "orientation", stdin="z,y,x\n0.6,0.2,0.4\n")
    (row,) = table(run.out)
    pose = ROBOT.forward_kinematics({name: float(row[name]) for name in JOINTS}, "tool0")
    assert pose[:3, 3] == pytest.approx([0.4, 0.2, 0.6], abs=1e-4)


def test_seed_tolerances_and_jump_hold_for_all_rows():
    text = f"x,y,z,qx,qy,qz,qw\n{GOOD}\n"
    near = ik(
        "batch", DEMO_ARM, "-", "--seed", *["joint_4=3", "joint_5=-3", "joint_6=-3"], stdin=text
    )
    assert abs(float(table(near.out)[0]["joint_4"]) - 3.0) < 0.5
    jump = ik("batch", DEMO_ARM, "-", "--max-jump", 0.01, stdin=text)
    assert table(jump.out)[0]["status"] == "JOINT_JUMP"


def test_skip_diagnosis_finds_no_reason():
    run = ik("batch", DEMO_ARM, "-", "--skip-diagnosis", stdin=f"x,y,z,qx,qy,qz,qw\n{FAR}\n")
    assert table(run.out)[0]["status"] == "NOT_CONVERGED"


def test_the_summary_as_json(targets, tmp_path):
    run = ik("batch", DEMO_ARM, targets, "-o", tmp_path / "out.csv", "--json")
    assert run.json["rows"] == 60
    assert run.json["by_status"] == {"SOLVED": 58, "UNREACHABLE": 2}
    assert run.json["output"] == str(tmp_path / "out.csv")
    assert run.err == ""


def test_no_rows_are_no_trouble():
    run = ik("batch", DEMO_ARM, "-", stdin="x,y,z,qx,qy,qz,qw\n")
    assert run.code == 0
    assert table(run.out) == []


# --- malformed input ---

MALFORMED = [
    ("0.4,abc,0.6,1,0,0,0", "column 'y': 'abc' is not a number"),
    ("0.4,nan,0.6,1,0,0,0", "column 'y': 'nan' is not a finite number"),
    ("0.4,,0.6,1,0,0,0", "column 'y': it is empty"),
    ("0.4,0.2,0.6,inf,0,0,0", "column 'qx': 'inf' is not a finite number"),
    ("0.4,0.2", "column 'z': there are 2 columns where the header has 7"),
    ("0.4,0.2,0.6,1,0,0,0,9", "there are 8 columns where the header has 7"),
    ("0.4,0.2,0.6,0,0,0,0", "has no direction"),
    ("1e9,0.2,0.6,1,0,0,0", "beyond"),
]


@pytest.mark.parametrize(("row", "reason"), MALFORMED)
def test_a_malformed_row_ends_the_run_with_its_place(row, reason):
    run = ik("batch", DEMO_ARM, "-", stdin=f"x,y,z,qx,qy,qz,qw\n{GOOD}\n\n{row}\n{GOOD}\n")
    assert run.code == 2
    assert "row 2 (line 4)" in run.sentence
    assert reason in run.sentence
    assert [r["status"] for r in table(run.out)] == ["SOLVED"]


@pytest.mark.parametrize(("row", "reason"), MALFORMED)
def test_keep_going_marks_a_malformed_row(row, reason):
    text = f"x,y,z,qx,qy,qz,qw\n{GOOD}\n{row}\n{GOOD}\n"
    run = ik("batch", DEMO_ARM, "-", "--keep-going", stdin=text)
    rows = table(run.out)
    assert [r["status"] for r in rows] == ["SOLVED", "INVALID_REQUEST", "SOLVED"]
    assert reason in rows[1]["message"]
    assert {rows[1][name] for name in JOINTS} == {""}
    assert run.code == 1


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "is empty; a header is expected"),
        (
            "x,y\n",
            "no 'z', 'qx', 'qy', 'qz' and no 'qw' (or roll, pitch, yaw); the table has 'x', 'y'",
        ),
        ("x,y,z,qx,qy,qz\n", "there is no 'qw'"),
        ("x,y,z,qx,qy,qz,qw,roll\n", "both quaternions and roll, pitch, yaw"),
        ("x,x,y,z,qx,qy,qz,qw\n", "there are several 'x'"),
        ("x,y,z,qx,qy,qz,qw,joint_1\n", "'joint_1' would be added, and the table has it"),
        ("x\0y", "is not text"),
        (
            'x,y,z,qx,qy,qz,qw\n"0,4",0,0,0,0,0,1\n',
            "'0,4' is not a number; with decimal commas, separate the columns by ';'",
        ),
        ('x,y,z,qx,qy,qz,qw\n0,"a\n', "line 2 of stdin is not CSV"),
    ],
)
def test_a_table_that_cannot_be_used_is_refused(text, words):
    run = ik("batch", DEMO_ARM, "-", stdin=text)
    assert run.code == 2
    assert words in run.sentence


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["nowhere.csv"], "nowhere.csv: No such file"),
        ([REPOSITORY], "Is a directory"),
        ([DEMO_ARM, "-o", DEMO_ARM], "write another file"),
        (["-", "--json"], "give --output FILE"),
        (["-", "--resume"], "give --output FILE"),
        (["-", "--resume", "-o", "x.parquet"], "only a CSV output can go on"),
        (["-", "-o", "/nowhere/x.csv"], "/nowhere/x.csv"),
        (["-", "--threads", "0"], "not a whole number above 0"),
    ],
)
def test_arguments_that_do_not_fit_are_refused(arguments, words):
    run = ik("batch", DEMO_ARM, *arguments, stdin="x,y,z,qx,qy,qz,qw\n")
    assert run.code == 2
    assert words in (run.err or run.json["error"]["message"])


# --- interrupted and resumed ---


@pytest.fixture
def interrupted(targets, tmp_path, monkeypatch, small_slices):
    """A run that was interrupted after 30 rows; returns the arguments to go on."""
    arguments = ["batch", DEMO_ARM, targets, "-o", tmp_path / "out.csv"]
    solve, calls = IKSolver.solve_batch, []

    def interrupt_the_fourth(*given, **options):
        calls.append(1)
        if len(calls) == 4:
            raise KeyboardInterrupt
        return solve(*given, **options)

    with monkeypatch.context() as patch:
        patch.setattr(IKSolver, "solve_batch", interrupt_the_fourth)
        run = ik(*arguments)
    assert run.code == 130
    assert run.sentence == "interrupted after 30 rows; the same command with --resume goes on"
    return arguments


@pytest.mark.parametrize("torn", [b"", b"31,0.4,0.2", b"half a slice\n" * 5])
def test_a_resumed_run_ends_like_one_that_was_never_interrupted(interrupted, tmp_path, torn):
    out = tmp_path / "out.csv"
    with out.open("ab") as file:  # what a crash may leave behind the last slice
        file.write(torn)
    run = ik(*interrupted, "--resume")
    whole = ik(*interrupted[:-1], tmp_path / "whole.csv")
    assert out.read_bytes() == (tmp_path / "whole.csv").read_bytes()
    assert run.err.splitlines()[1:] == whole.err.splitlines()[1:]  # the summary
    assert sorted(os.listdir(tmp_path)) == ["out.csv", "targets.csv", "whole.csv"]


def test_an_unfinished_run_is_not_overwritten(interrupted):
    run = ik(*interrupted)
    assert run.code == 2
    assert "holds an unfinished run; --resume goes on with it" in run.sentence


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda a, folder: [*a, "--max-jump", 1], "other arguments"),
        (lambda a, folder: [*a, "--seed", "joint_1=1"], "other arguments"),
        (lambda a, folder: [a[0], robot_file(folder), *a[2:]], "another robot"),
        (lambda a, folder: changed_targets(a, "id,x", "name,x"), "other columns"),
        (lambda a, folder: changed_targets(a, "far", "fur"), "other targets (among the first 30)"),
    ],
)
def test_another_run_is_not_resumed(interrupted, tmp_path, change, words):
    run = ik(*change(interrupted, tmp_path), "--resume")
    assert run.code == 2
    assert words in run.sentence


def robot_file(folder):
    path = folder / "other.urdf"
    path.write_text(DEMO_ARM.read_text().replace('name="demo_arm"', 'name="other"'))
    return path


def changed_targets(arguments, old, new):
    arguments[2].write_text(arguments[2].read_text().replace(old, new, 1))
    return arguments


def test_other_threads_and_places_are_the_same_run(interrupted, tmp_path):
    (tmp_path / "moved").mkdir()
    moved = interrupted[2].rename(tmp_path / "moved" / "t.csv")
    assert ik(*interrupted[:2], moved, *interrupted[3:], "--resume", "--threads", 2).code == 1


def test_a_path_goes_on_from_its_last_answer(targets, tmp_path, monkeypatch, small_slices):
    out = tmp_path / "out.csv"
    text = targets.read_text()
    targets.write_text(text.replace("\n30,", "\n30,x", 1))  # stops the run in the middle of a slice
    stopped = ik("batch", DEMO_ARM, targets, "-o", out, "--chain-seeds")
    assert "row 31 (line 32)" in stopped.sentence
    targets.write_text(text)
    ik("batch", DEMO_ARM, targets, "-o", out, "--chain-seeds", "--resume")
    assert out.read_text() == ik("batch", DEMO_ARM, targets, "--chain-seeds").out


def test_without_an_unfinished_run_there_is_nothing_to_resume(targets, tmp_path):
    out = tmp_path / "out.csv"
    assert ik("batch", DEMO_ARM, targets, "-o", out, "--resume").code == 1  # begins it
    run = ik("batch", DEMO_ARM, targets, "-o", out, "--resume")
    assert "there is no unfinished run" in run.sentence


def test_a_damaged_journal_is_named(interrupted, tmp_path):
    (tmp_path / "out.csv.unfinished").write_text("{")
    assert "out.csv.unfinished is damaged" in ik(*interrupted, "--resume").sentence


def test_a_killed_process_is_resumed(tmp_path):
    targets, out = tmp_path / "targets.csv", tmp_path / "out.csv"
    rows = "".join(",".join(map(repr, map(float, row))) + "\n" for row in reachable(200)) * 100
    targets.write_text("x,y,z,qx,qy,qz,qw\n" + rows)
    command = [sys.executable, "-m", "ik_solver_ros.cli", "batch", DEMO_ARM, targets, "-o", out]
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL, cwd=tmp_path)
    wait_until(lambda: out.exists() and out.stat().st_size > 300_000, "some output")
    process.send_signal(signal.SIGKILL)
    assert process.wait(30) == -signal.SIGKILL
    assert ik(*command[3:], "--resume").code == 0
    whole = tmp_path / "whole.csv"
    ik(*command[3:-1], whole)
    assert out.read_bytes() == whole.read_bytes()


def test_ctrl_c_ends_a_process_with_a_sentence(tmp_path):
    command = [sys.executable, "-m", "ik_solver_ros.cli", "batch", DEMO_ARM, "-"]
    process = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=tmp_path
    )
    line = f"{GOOD}\n".encode()
    process.stdin.write(b"x,y,z,qx,qy,qz,qw\n" + line * 2000)
    process.stdin.flush()
    assert process.stdout.readline().startswith(b"x,y,z")  # it waits for more now
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=30)
    assert process.returncode == 130
    assert b"Traceback" not in err
    assert err.decode().startswith("interrupted after")


def test_progress_is_shown_on_a_terminal_only(targets, tmp_path):
    def stderr_of(stream):
        command = [sys.executable, "-m", "ik_solver_ros.cli", "batch", DEMO_ARM, targets]
        subprocess.run(
            [*command, "-o", tmp_path / "o.csv"], stderr=stream, cwd=tmp_path, timeout=60
        )

    controller, terminal = pty.openpty()
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 100, 0, 0))
    stderr_of(terminal)
    os.close(terminal)
    assert "60/60" in everything_on(controller)
    with (tmp_path / "err").open("wb") as file:
        stderr_of(file)
    assert (tmp_path / "err").read_text().startswith("60 targets in ")


def everything_on(controller):
    """What a terminal whose other end is closed has shown."""
    shown = b""
    with contextlib.suppress(OSError), os.fdopen(controller, "rb", buffering=0) as terminal:
        while part := terminal.read(4096):
            shown += part
    return shown.decode()


# --- Parquet ---


def test_parquet_in_and_out_is_the_same_as_csv(targets, tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    first, second = tmp_path / "first.parquet", tmp_path / "second.parquet"
    by_csv = table(ik("batch", DEMO_ARM, targets).out)
    ik("batch", DEMO_ARM, targets, "-o", first)
    rows = parquet.read_table(first).to_pylist()
    assert [row["status"] for row in rows] == [row["status"] for row in by_csv]
    assert [row["joint_1"] for row in rows] == [
        float(row["joint_1"]) if row["joint_1"] else None for row in by_csv
    ]
    inputs = parquet.read_table(first).select(["id", "note", "x", "y", "z", "qx", "qy", "qz", "qw"])
    parquet.write_table(inputs, tmp_path / "inputs.parquet")
    ik("batch", DEMO_ARM, tmp_path / "inputs.parquet", "-o", second)
    assert [row["joint_1"] for row in parquet.read_table(second).to_pylist()] == [
        row["joint_1"] for row in rows
    ]


def test_a_file_that_is_no_parquet_is_refused(tmp_path):
    pytest.importorskip("pyarrow")
    (tmp_path / "t.parquet").write_text("x,y,z\n")
    assert "is not a Parquet file" in ik("batch", DEMO_ARM, tmp_path / "t.parquet").sentence
    assert "No such file" in ik("batch", DEMO_ARM, tmp_path / "no.parquet").sentence


def test_without_pyarrow_the_extra_is_named(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    run = ik("batch", DEMO_ARM, tmp_path / "t.parquet")
    assert run.code == 2
    assert (
        "needs pyarrow, which is not installed: pip install 'ik_solver_ros[parquet]'"
        in run.sentence
    )


def test_a_row_is_never_longer_than_its_header():
    columns = TargetColumns(["x", "y", "z", "qx", "qy", "qz", "qw"], False, False)
    assert columns.fitted([1, 2]) == [1, 2, "", "", "", "", ""]
    assert columns.fitted(range(9)) == [0, 1, 2, 3, 4, 5, 6]
