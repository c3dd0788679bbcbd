# SPDX-License-Identifier: Apache-2.0
"""Everything at once, for a long time: calls, a stream, other robots, parameters, joint states."""

from __future__ import annotations

import itertools
import math
import time
from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import numpy as np
from geometry_msgs.msg import PoseStamped
from process_watch import growth, leaks, resources
from rcl_interfaces.srv import SetParameters
from rclpy.parameter import Parameter

from support.poses import xyz_quat_from_transform
from support.ros_harness import set_pose

from .questions import SERVICES, question, robots_of
from .robots import BASE, MODELS, TIP
from .surroundings import Surroundings, every, log_faults, surroundings

_SWAP_PERIOD_S = 5.0  # a stream stops with its robot, and has to get somewhere before
_TARGET_PERIOD_S = 0.02
_SETTING_PERIOD_S = 1.0
_STREAM_PERIOD_S, _PAUSE_S = 3.0, 0.6
_SWING_M = 0.05
_EDGE = 0.1  # share of the calls at the start, and at the end, that are compared
_ODD_SETTINGS = (
    ("position_tolerance", -1.0),
    ("timeout", 5.0),
    ("tip_frame", "nowhere"),
    ("candidates", 3),
    ("candidates", 2),
    ("robot_description", "<robot"),
    ("no_such_parameter", 1),
)


def soak(folder: Path, seconds: float, samples: int) -> dict[str, Any]:
    """Keep a node busy for some time, and look at it so often."""
    with (
        surroundings(folder, timeout=5.0, stream_max_deviation=1e3) as around,
        ExitStack() as stack,
    ):
        watched = stack.enter_context(around.watched(seconds / samples))
        swaps = stack.enter_context(around.swapping(_SWAP_PERIOD_S))
        stack.enter_context(every(_TARGET_PERIOD_S, _stream_of(around)))
        answers: list[bool] = []
        stack.enter_context(every(_SETTING_PERIOD_S, _setting_of(around, answers)))
        rate = stack.enter_context(around.rate())
        found = _calls(around, seconds)
        found["joint_state_rate_hz"] = rate()
        found["faults"] += _published_faults(around) + log_faults(around.node.log)
    found["faults"] += leaks(watched)
    if {True, False} != set(answers):
        found["faults"].append("parameters were not both accepted and refused")
    if not found["published"]:
        found["faults"].append("the stream has commanded nothing")
    return found | {
        "seconds": seconds,
        "swaps": len(swaps),
        "settings": len(answers),
        "resources": resources(watched),
        "memory_growth": growth([sample.memory_mb for sample in watched])._asdict(),
    }


def _calls(around: Surroundings, seconds: float) -> dict[str, Any]:
    rng, waits_s, faults = np.random.default_rng(3), [], []
    by_robot, end_s = Counter[int](), time.monotonic() + seconds
    while time.monotonic() < end_s:
        asked = question(rng, around.now)
        if asked.service == "solve_ik":
            asked.request.dry_run = True  # its answer would stop the stream
        started_s = time.perf_counter()
        answer = around.cell.ask(asked.service, SERVICES[asked.service], asked.request)
        waits_s.append(time.perf_counter() - started_s)
        robots = robots_of(asked, answer)
        by_robot.update(robots)
        if len(robots) != 1:
            faults.append(f"{asked.service} fits {len(robots)} robots: {answer.message}")
    edge = max(1, int(_EDGE * len(waits_s)))
    return {
        "answers": len(waits_s),
        "by_robot": [by_robot[0], by_robot[1]],
        "first": _told(waits_s[:edge]),
        "last": _told(waits_s[-edge:]),
        "published": len(around.cell.targets),
        "faults": faults,
    }


def _stream_of(around: Surroundings) -> Callable[[], None]:
    """Publishes a target that swings about where the robot stands."""
    publisher = around.cell.node.create_publisher(PoseStamped, "ik_solver/target_pose", 10)
    T_base_tip = MODELS[0].relative(around.now, BASE, TIP)
    count = itertools.count()

    def publish() -> None:
        target, T_base_target = PoseStamped(), T_base_tip.copy()
        phase = next(count) * _TARGET_PERIOD_S
        if phase % _STREAM_PERIOD_S > _STREAM_PERIOD_S - _PAUSE_S:
            return  # after a swap or a setting has stopped it, a stream starts after a pause
        T_base_target[:3, 3] += _SWING_M * (math.cos(phase) - 1.0), 0.0, -_SWING_M
        set_pose(target.pose, xyz_quat_from_transform(T_base_target))
        publisher.publish(target)

    return publish


def _setting_of(around: Surroundings, answers: list[bool]) -> Callable[[], None]:
    """Sets a parameter, sensible or not, and notes whether it was accepted."""
    settings = itertools.cycle(_ODD_SETTINGS)

    def setting() -> None:
        name, value = next(settings)
        parameter = Parameter(name, value=value).to_parameter_msg()
        request = SetParameters.Request(parameters=[parameter])
        answer = around.cell.ask("set_parameters", SetParameters, request)
        answers.append(answer.results[0].successful)

    return setting


def _published_faults(around: Surroundings) -> list[str]:
    """Targets that no robot may be sent to."""
    outside = Counter[str]()
    for target in around.cell.targets:
        for name, position in zip(target.name, target.position):
            lower, upper = MODELS[0].limits(name)
            if not lower <= position <= upper:
                outside[name] += 1
    return [f"joint '{name}' was sent beyond its limits {n} times" for name, n in outside.items()]


def _told(waits_s: list[float]) -> dict[str, float]:
    median, p99 = np.percentile(waits_s, (50, 99)).tolist()
    return {"median": median, "p99": p99, "largest": max(waits_s)}
