# SPDX-License-Identifier: Apache-2.0
"""What is sent, by number: the same number of the same seed is the same act, in every process."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any, NamedTuple

import numpy as np
from geometry_msgs.msg import PoseStamped
from rclpy.serialization import serialize_message
from sensor_msgs.msg import JointState
from std_msgs.msg import String

from ik_solver_ros.srv import ComputeFK, SolveIK, SolveIKBatch
from support.poses import xyz_quat_from_transform
from support.robots import DEMO_ARM, robot_urdf
from support.ros_harness import joint_state, set_pose
from support.urdf_fk import UrdfKinematics

from . import parameters, values
from .descriptions import description

URDF = robot_urdf(DEMO_ARM.name)
REAL = (URDF, *(robot_urdf(name) for name in ("panda", "ur5", "kinova")))
ARM = UrdfKinematics(URDF)
JOINTS = tuple(ARM.chain_joints(DEMO_ARM.base, DEMO_ARM.tip))
KNOWN = (*ARM.links, *JOINTS, "panda_hand_tcp", "panda_joint1", "world", "map")
MANY = 100_000  # targets
WRONG_TYPES = {
    "robot_description": JointState,
    "joint_states": PoseStamped,
    "ik_solver/target_pose": JointState,
}
_BATCH_LIMIT_NS = 200_000_000  # for batches that nobody would wait for
_MOST_UNLIMITED_ROWS = 500


class Act(NamedTuple):
    """One thing that is sent.

    Attributes:
        number: of the act.
        channel: service or topic.
        what: a few words for people.
        messages: what goes there, in this order; bytes are sent as they are.
    """

    number: int
    channel: str
    what: str
    messages: tuple[Any, ...]


def act(seed: int, number: int) -> Act:
    """The act of this number."""
    rng = Random(f"{seed}/{number}")
    channel = rng.choices(tuple(_MAKERS), [weight for weight, _ in _MAKERS.values()])[0]
    return _MAKERS[channel][1](rng, number)


def random_positions(rng: Random) -> dict[str, float]:
    """Some configuration of the arm inside its limits."""
    return {name: rng.uniform(*ARM.limits(name)) for name in JOINTS}


def _pose_numbers(rng: Random) -> Any:
    """Seven numbers of a pose that can be reached."""
    T_base_tip = ARM.relative(random_positions(rng), DEMO_ARM.base, DEMO_ARM.tip)
    return xyz_quat_from_transform(T_base_tip)


def _harm(rng: Random, message: Any) -> str:
    """Corrupt a message in up to three places; one in five stays as it is."""
    times = rng.choice((0, 1, 1, 2, 3))
    spoilt = values.corrupt(rng, message, KNOWN, times)
    if rng.random() < values.RARE and hasattr(message, "seed"):
        message.seed = _ten_thousand_names(rng)
    return f"with other {spoilt}" if times else "unharmed"


def _ten_thousand_names(rng: Random) -> JointState:
    names = [f"joint_{i}" for i in range(10_000)]
    if rng.random() < 0.5:
        names[-1] = names[0]
    return JointState(name=names, position=[0.1] * len(names))


def _solve_ik(rng: Random, number: int) -> Act:
    request = SolveIK.Request(dry_run=rng.random() < 0.5)
    set_pose(request.target.pose, _pose_numbers(rng))
    request.max_solutions = rng.choice((0, 0, 1, 3))
    if rng.random() < 0.7:
        request.seed = joint_state(random_positions(rng))
    return Act(number, "solve_ik", _harm(rng, request), (request,))


def _solve_ik_batch(rng: Random, number: int) -> Act:
    request = SolveIKBatch.Request()
    rows = [_pose_numbers(rng) for _ in range(rng.randint(1, 8))]
    request.seed = joint_state(random_positions(rng))
    request.skip_diagnosis = rng.random() < 0.5
    if rng.random() < values.RARE:
        rows = [rows[0]] * MANY
    targets = np.array(rows).ravel()
    for _ in range(rng.choice((0, 0, 1, 3))):
        targets[rng.randrange(len(targets))] = values.number(rng)
    request.targets = targets.tolist()
    what = _harm(rng, request)
    if len(request.targets) > 7 * _MOST_UNLIMITED_ROWS:
        request.timeout.sec, request.timeout.nanosec = 0, _BATCH_LIMIT_NS
    return Act(number, "solve_ik_batch", f"{len(request.targets)} numbers, {what}", (request,))


def _compute_fk(rng: Random, number: int) -> Act:
    request = ComputeFK.Request(frames=rng.sample(ARM.links, rng.randint(0, 3)))
    request.joint_state = joint_state(random_positions(rng))
    return Act(number, "compute_fk", _harm(rng, request), (request,))


def _joint_states(rng: Random, number: int) -> Act:
    message = joint_state(random_positions(rng))
    if rng.random() < values.RARE:
        message = _ten_thousand_names(rng)
    what = _harm(rng, message)
    return Act(number, "joint_states", what, (_perhaps_cut(rng, message),))


def _target_pose(rng: Random, number: int) -> Act:
    """A target after a joint state, without which no stream starts."""
    positions = random_positions(rng)
    near = {name: position + rng.uniform(-0.05, 0.05) for name, position in positions.items()}
    target = PoseStamped()
    T_base_tip = ARM.relative(near, DEMO_ARM.base, DEMO_ARM.tip)
    set_pose(target.pose, xyz_quat_from_transform(T_base_tip))
    what = _harm(rng, target)
    messages = joint_state(positions), _perhaps_cut(rng, target)
    return Act(number, "target_pose", what, messages)


def _robot_description(rng: Random, number: int) -> Act:
    """One description, or several in quick succession."""
    several = [description(rng, REAL) for _ in range(rng.choice((1, 1, 1, 4)))]
    messages = tuple(_perhaps_cut(rng, String(data=text)) for text, _ in several)
    return Act(number, "robot_description", ", ".join(kind for _, kind in several), messages)


def _parameters(rng: Random, number: int) -> Act:
    service, request = parameters.request(rng, KNOWN, REAL)
    asked = getattr(request, "names", None) or [
        parameter.name for parameter in getattr(request, "parameters", ())
    ]
    return Act(number, service, ", ".join(asked)[:80], (request,))


def _wrong_type(rng: Random, number: int) -> Act:
    """A message of another type on one of the node's topics."""
    topic = rng.choice(tuple(WRONG_TYPES))
    message = WRONG_TYPES[topic]()
    what = values.corrupt(rng, message, KNOWN, 1)
    return Act(number, "wrong_type", f"{topic} with {what}", (topic, message))


def _perhaps_cut(rng: Random, message: Any) -> Any:
    """At times its serialised form instead, cut off or with bytes that were changed."""
    if rng.random() > 0.1:
        return message
    raw = bytearray(serialize_message(message))
    if rng.random() < 0.5:
        return bytes(raw[: rng.randrange(len(raw))])
    for _ in range(rng.randint(1, 8)):
        raw[rng.randrange(4, len(raw))] = rng.randrange(256)
    return bytes(raw)


_MAKERS: dict[str, tuple[float, Callable[[Random, int], Act]]] = {
    "solve_ik": (30, _solve_ik),
    "solve_ik_batch": (10, _solve_ik_batch),
    "compute_fk": (14, _compute_fk),
    "joint_states": (14, _joint_states),
    "target_pose": (12, _target_pose),
    "robot_description": (5, _robot_description),
    "parameters": (12, _parameters),
    "wrong_type": (3, _wrong_type),
}
