# SPDX-License-Identifier: Apache-2.0
"""A stream at its rate: how many commands come late, at their origin and where they are heard."""

from __future__ import annotations

import math
import time
from typing import Any

import numpy as np
from geometry_msgs.msg import PoseStamped
from sensor_msgs.msg import JointState

from support.poses import xyz_quat_from_transform
from support.ros_harness import Cell, best_effort, repeating, request_for, set_pose, wait_until

from .world import BASE, KINEMATICS, POSTURE, TIP, cell_with

_START = KINEMATICS.relative(POSTURE, BASE, TIP)
_RADIUS_M, _TURN_S = 0.03, 4.0
_TARGET_RATE_HZ = 100.0
_LATE = 0.75  # of a period; the rest is for those that come a bit early
_SETTLING_S = 1.0  # in which everybody finds everybody


def measure(rate_hz: float, duration_s: float) -> dict[str, Any]:
    """Return how late the commands of a stream are, as shares and in seconds.

    Args:
        rate_hz: commands a second.
        duration_s: how long to listen.
    """
    stamps_s: list[float] = []
    heard_s: list[float] = []

    def hear(command: JointState) -> None:
        heard_s.append(time.perf_counter())
        stamps_s.append(command.header.stamp.sec + command.header.stamp.nanosec * 1e-9)

    with cell_with(joint_state_rate_hz=rate_hz, stream_rate=rate_hz) as cell:
        _go_to_start(cell)
        cell.node.create_subscription(JointState, "ik_solver/joint_targets", hear, 1000)
        target_of = cell.node.create_publisher(PoseStamped, "ik_solver/target_pose", best_effort(1))
        began_s = time.perf_counter()

        def lead() -> None:
            target_of.publish(_target(time.perf_counter() - began_s))

        with repeating(lead, _TARGET_RATE_HZ):
            wait_until(lambda: heard_s, "a command")
            first_s = heard_s[0] + _SETTLING_S
            wait_until(
                lambda: heard_s[-1] > first_s + duration_s, "the end", 3.0 * (duration_s + 10.0)
            )
    counted = [first_s <= at <= first_s + duration_s for at in heard_s]
    return {
        "rate_hz": rate_hz,
        "duration_s": duration_s,
        "target_rate_hz": _TARGET_RATE_HZ,
        "sent": lateness([at for at, counts in zip(stamps_s, counted) if counts], rate_hz),
        "heard": lateness([at for at, counts in zip(heard_s, counted) if counts], rate_hz),
    }


def lateness(times_s: list[float], rate_hz: float) -> dict[str, float]:
    """How punctual commands are, against the grid of due times that fits them best.

    Args:
        times_s: when they came, in order.
        rate_hz: commands a second.

    Returns:
        ``due``: how many there should be; ``late``: share of due times with none from a quarter of
        a period before until three quarters after; ``median_s`` and ``p99_s``: how far from their
        due times commands came.
    """
    at = np.array(times_s) * rate_hz  # in periods
    at -= np.angle(np.mean(np.exp(2j * np.pi * at))) / (2.0 * np.pi)
    slots = np.ceil(at - _LATE)
    due = int(slots.max() - slots.min()) + 1
    median_s, p99_s = (np.percentile(np.abs(at - slots), (50, 99)) / rate_hz).tolist()
    late = 1.0 - len(np.unique(slots)) / due
    return {"due": due, "late": late, "median_s": median_s, "p99_s": p99_s}


def _go_to_start(cell: Cell) -> None:
    """Have the robot where the circle begins, and the node know it."""
    request = request_for(_START, seed=POSTURE)
    wait_until(lambda: cell.call(request).success, "an answer")
    here = request_for(_START)
    wait_until(lambda: cell.call(here).max_joint_jump < 1e-3, "the robot at the answer")


def _target(after_s: float) -> PoseStamped:
    """On a circle that begins where the robot is."""
    angle = 2.0 * math.pi * after_s / _TURN_S
    pose = _START.copy()
    pose[1, 3] += _RADIUS_M * math.sin(angle)
    pose[2, 3] -= _RADIUS_M * (1.0 - math.cos(angle))
    message = PoseStamped()
    set_pose(message.pose, xyz_quat_from_transform(pose))
    return message
