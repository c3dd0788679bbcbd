# SPDX-License-Identifier: Apache-2.0
"""The run: act after act, and after each block the question whether all is well."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from process_watch import Sample, look_at, resources
from rcl_interfaces.srv import SetParametersAtomically
from rclpy.parameter import Parameter

from support.poses import orientation_error_rad, position_error_m
from support.robots import DEMO_ARM
from support.ros_harness import (
    Cell,
    Program,
    own_domain,
    positions_of,
    request_for,
)

from . import acts
from .judge import Judge
from .parameters import FIELDS
from .world import COMMAND_TOPIC, World, world_around

PARAMETERS = {"command_type": "joint_trajectory", "command_topic": COMMAND_TOPIC}
_MOST_FAULTS = 50  # a node that is broken need not be asked twenty thousand times
_LONGEST_LINE = 1500  # characters of the log
# Messages of megabytes come at random, and the middleware keeps room for the largest it saw in
# every place of its queues: memory fills up to that, and has to stay there.
_SETTLED = 1.15
_FEWEST_SAMPLES = 25  # to tell growth from the first arrival of large messages
_PROBES = tuple(
    dict(zip(acts.JOINTS, positions))
    for positions in ((0.5, -0.1, -1.0, 0.2, -1.2, 0.9), (-0.7, 0.2, -0.6, -0.3, -0.8, -1.0))
)
_SEED = dict(zip(acts.JOINTS, (0.2, -0.3, -0.8, 0.4, -1.0, 0.5)))


class Fault(NamedTuple):
    """Something that must not be."""

    number: int
    channel: str
    what: str
    fault: str


def trial(
    folder: Path,
    seed: int,
    first: int,
    count: int,
    block: int,
    say: Callable[[str], None] = lambda _: None,
) -> dict[str, Any]:
    """Send acts `first` to `first + count` of a seed to a fresh node; returns what came of it."""
    values = {name: item.default for name, item in FIELDS.items()} | PARAMETERS
    judge = Judge(acts.URDF, values)
    started_s = time.monotonic()
    with ExitStack() as stack:
        domain = stack.enter_context(own_domain())
        node = stack.enter_context(Program(folder, "ik_node", domain, PARAMETERS))
        node.wait_for("serving")
        cell = stack.enter_context(Cell(domain))
        cell.find_service()
        world = stack.enter_context(world_around(cell, node, domain, judge))
        run = _Run(node, cell, world, judge, values, say)
        run.probe(first)
        for start in range(first, first + count, block):
            run.block(seed, start, min(block, first + count - start))
            sent = min(start + block - first, count)
            say(f"{sent} of {count} messages")
            if len(run.faults) > _MOST_FAULTS or not node.is_running():
                break
        if node.is_running() and node.end() != 0:
            run.add(first + count, "end", "", "the node did not end in peace")
    return run.result(node.log) | {
        "seed": seed,
        "first": first,
        "block": block,
        "took_s": time.monotonic() - started_s,
    }


class _Run:
    """A node under abuse, and what was found so far."""

    def __init__(
        self,
        node: Program,
        cell: Cell,
        world: World,
        judge: Judge,
        values: dict[str, Any],
        say: Callable[[str], None],
    ) -> None:
        self._node, self._cell, self._world, self._judge = node, cell, world, judge
        self._values, self._say = values, say
        self.faults: list[Fault] = []
        self.samples: list[Sample] = []
        self._sent: Counter[str] = Counter()
        self._probes = 0

    def block(self, seed: int, first: int, count: int) -> None:
        """Some acts, and the question whether all is well."""
        for number in range(first, first + count):
            act = acts.act(seed, number)
            self._sent[act.channel] += 1
            for fault in self._world.perform(act):
                self.add(number, act.channel, act.what, fault)
            if len(self.faults) > _MOST_FAULTS or not self._node.is_running():
                return
        self.probe(first + count - 1)

    def probe(self, number: int) -> None:
        """Set everything back, as a client can, and ask what has a known answer."""
        for fault in self._wrong_now():
            self.add(number, "probe", "", fault)
        self.samples.append(look_at(self._node.pid))

    def result(self, log: str) -> dict[str, Any]:
        """All that was found."""
        last = sum(self._sent.values())
        if "Traceback" in log or "internal error" in log:
            where = max(log.find("Traceback"), 0)
            self.add(last, "log", "", f"a traceback: {log[where : where + 3000]}")
        if (longest := max(map(len, log.splitlines()))) > _LONGEST_LINE:
            self.add(last, "log", "", f"a line of {longest} characters")
        quarters_mb = _quarters_mb(self.samples)
        if len(self.samples) >= _FEWEST_SAMPLES and quarters_mb[3] > _SETTLED * quarters_mb[2]:
            self.add(last, "memory", "", f"it does not settle: {quarters_mb} MB, by quarters")
        return {
            "sent": dict(self._sent),
            "probes": self._probes,
            "answers": dict(self._world.statuses),
            "published": self._world.published,
            "slowest_s": self._world.slowest_s,
            "faults": [fault._asdict() for fault in self.faults],
            "log_lines": log.count("\n"),
            "quarters_mb": quarters_mb,
            "resources": resources(self.samples),
        }

    def add(self, number: int, channel: str, what: str, fault: str) -> None:
        """Note a fault."""
        self._say(f"{number}, {channel} {what[:80]}: {fault[:1000]}")
        self.faults.append(Fault(number, channel, what, fault))

    def _wrong_now(self) -> Iterator[str]:
        settings = [
            Parameter(name, value=list(value) if isinstance(value, tuple) else value)
            for name, value in self._values.items()
            if not FIELDS[name].metadata["read_only"] and value != ()
        ]
        settings.append(Parameter("use_sim_time", value=False))
        request = SetParametersAtomically.Request(
            parameters=[setting.to_parameter_msg() for setting in settings]
        )
        # First, since a setting has to fit the robot.
        self._cell.describe(acts.URDF)
        self._cell.get_parameters("timeout")  # waits its turn behind the description
        result = self._cell.ask("set_parameters_atomically", SetParametersAtomically, request)
        if not result.result.successful:
            yield f"parameters cannot be set back: {result.result.reason}"
        try:
            self._cell.describe(acts.URDF)
            self._cell.move_joints(_SEED, self._is_itself, "the first robot again")
        except AssertionError as silence:
            yield str(silence)
            return
        self._judge.reset()
        for positions in _PROBES:
            self._probes += 1
            answer = self._cell.call(request_for(_pose(positions), dry_run=True))
            if not (answer.success and _reaches(answer, positions)):
                yield f"a wrong answer to a plain question: {answer.status} {answer.message}"

    def _is_itself(self) -> bool:
        """Whether the node solves for the robot of the start, from the joint state it was told."""
        answer = self._cell.call(request_for(_pose(_SEED), dry_run=True))
        return answer.success and answer.max_joint_jump < 1e-3 and _reaches(answer, _SEED)


def _quarters_mb(samples: Sequence[Sample]) -> list[float]:
    """Median of the memory in each quarter of a run."""
    quarters = np.array_split([sample.memory_mb for sample in samples], 4)
    return [float(np.median(quarter)) for quarter in quarters if len(quarter)]


def _pose(positions: dict[str, float]) -> Any:
    return acts.ARM.relative(positions, DEMO_ARM.base, DEMO_ARM.tip)


def _reaches(answer: Any, positions: dict[str, float]) -> bool:
    wanted, reached = _pose(positions), _pose(positions_of(answer.solution))
    return bool(
        position_error_m(wanted, reached) <= 1e-4 and orientation_error_rad(wanted, reached) <= 1e-3
    )
