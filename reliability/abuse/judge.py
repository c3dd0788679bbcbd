# SPDX-License-Identifier: Apache-2.0
"""Whether an answer may be given, judged by a forward kinematics that is not the package's.

The judge follows what the node was told: which parameters were accepted, and which robot
descriptions it may be using. An answer has to fit one of them in everything.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

import numpy as np

from support.poses import (
    Matrix,
    orientation_error_rad,
    position_error_m,
    rotation_from_rpy,
    transform,
    transform_from_xyz_quat,
)
from support.urdf_fk import UrdfKinematics

SOLVED, RELAXED, INTERNAL_ERROR = 1, 2, 30
STATUSES = (SOLVED, RELAXED, 10, 11, 12, 13, 14, 20, 21, 22, 23, 24, 25, INTERNAL_ERROR)
LONGEST_SENTENCE = 1000  # characters; more is no answer for a person
_ROUNDING = 1e-9
_MOST_MODELS = 40


class Arm(NamedTuple):
    """What the node may be solving for."""

    model: UrdfKinematics
    base: str
    tip: str
    T_tip_tcp: Matrix


class Judge:
    """Follows what a node is told, and says what is wrong with its answers.

    Args:
        urdf: the robot at the start.
        parameters: values at the start, by name.
    """

    def __init__(self, urdf: str, parameters: Mapping[str, Any]) -> None:
        self._urdf, self._at_start = urdf, dict(parameters)
        self.reset()

    def reset(self) -> None:
        """The node is as it was at the start."""
        self.parameters = dict(self._at_start)
        self._models = [UrdfKinematics(self._urdf)]

    def heard_description(self, text: str) -> None:
        """From now on the node may use another robot, too."""
        try:
            model = UrdfKinematics(text)
        except Exception:  # noqa: BLE001  # whatever that text is, it is no robot for this judge
            return
        if _is_tree(model):
            self._models = [model, *self._models][:_MOST_MODELS]

    def accepted_parameter(self, name: str, value: Any) -> None:
        """The node has said yes to a parameter."""
        self.parameters[name] = as_received(value) if isinstance(value, str) else value
        if name == "robot_description" and value:
            self.heard_description(value)

    def words(self, status: int, success: bool, message: str) -> Iterator[str]:
        """What is wrong with how an answer is told."""
        if status not in STATUSES:
            yield f"status {status} is none"
        if status == INTERNAL_ERROR:
            yield f"an internal error: {message}"
        if success != (status in (SOLVED, RELAXED)):
            yield f"success is {success} with status {status}"
        yield from self.sentence(message)

    def sentence(self, message: str) -> Iterator[str]:
        """What is wrong with a sentence for a person."""
        if not message:
            yield "no sentence"
        if len(message) > LONGEST_SENTENCE:
            yield f"a sentence of {len(message)} characters"
        if not message.isprintable():
            yield f"a sentence with control characters: {message[:200]!r}"

    def solved(self, request: Any, answer: Any) -> Iterator[str]:
        """What is wrong with an answer of ``solve_ik``, the words apart."""
        solutions = [answer.solution, *answer.alternatives]
        if not answer.success:
            if any(solution.name or solution.position for solution in solutions):
                yield "a solution with a failure"
            return
        for solution in solutions:
            named = dict(zip(solution.name, solution.position))
            if not len(named) == len(solution.name) == len(solution.position):
                yield "names and positions that do not pair up"
                return
            fault = self._against_models(
                request, list(named), lambda arm, named=named: self._solution(arm, request, named)
            )
            if fault:
                yield fault
        if not self._error_is_one_of(request, answer):
            yield f"a position error of {answer.position_error!r} that forward kinematics denies"

    def solved_batch(self, request: Any, answer: Any) -> Iterator[str]:
        """What is wrong with an answer of ``solve_ik_batch``, the words apart."""
        names, status = list(answer.joint_names), np.frombuffer(answer.status, dtype=np.uint8)
        if not len(names):
            if len(status) or len(answer.positions):
                yield "rows without joint names"
            return
        positions = np.array(answer.positions).reshape(len(status), len(names))
        good = np.isin(status, (SOLVED, RELAXED))
        if 7 * len(status) != len(request.targets) or not np.isin(status, STATUSES).all():
            yield "rows without a status"
        if np.isfinite(positions[~good]).any() or not np.isfinite(positions[good]).all():
            yield "positions in rows that failed, or none in rows that did not"
        if answer.success != bool(good.all()):
            yield f"success is {answer.success}, but {np.count_nonzero(~good)} rows failed"
        for row in np.flatnonzero(good)[:20]:
            named = dict(zip(names, positions[row].tolist()))
            target = np.array(request.targets[7 * row : 7 * row + 7])
            fault = self._against_models(
                request,
                names,
                lambda arm, named=named, target=target: self._reach(
                    arm, request, named, request.frame_id, target
                ),
            )
            if fault:
                yield f"row {row}: {fault}"

    def commanded(self, names: Sequence[str], positions: Sequence[float]) -> str:
        """What is wrong with joint positions that were published for a robot; empty if nothing."""
        named = dict(zip(names, positions))
        if not names or not len(named) == len(names) == len(positions):
            return f"{len(names)} names and {len(positions)} positions were published"
        outside = "no robot has these joints"
        for model in self._models:
            if set(named) <= set(model.moving_joints):
                outside = _outside(model, named)
                if not outside:
                    return ""
        return f"published for a robot: {outside}"

    def _against_models(self, request: Any, names: list[str], check: Callable[[Arm], str]) -> str:
        """What is wrong by the robot that comes nearest; empty if all is right for one of them."""
        fault = f"no robot has an arm of the joints {names}"
        for model in self._models:
            arm = self._arm(model, request)
            if arm is None or model.chain_joints(arm.base, arm.tip) != names:
                continue
            try:
                fault = check(arm)
            except ValueError as error:  # of forward kinematics: then this is not the robot in use
                fault = str(error)
            if not fault:
                return ""
        return fault

    def _arm(self, model: UrdfKinematics, request: Any) -> Arm | None:
        base, parent_links = self.parameters["base_frame"] or model.root, set()
        for joint in model.joints.values():
            parent_links.add(joint.parent)
        ends = [link for link in model.links if link not in parent_links]
        default_tip = self.parameters["tip_frame"] or (ends[0] if len(ends) == 1 else "")
        tip = as_received(request.tip_frame) or default_tip
        try:
            model.chain_joints(base, tip)
        except (KeyError, ValueError):
            return None
        T_tip_tcp = _tool(request.tcp_offset)
        if T_tip_tcp is None:
            own = self.parameters["tcp_offset"] if tip == default_tip else (0.0,) * 6
            T_tip_tcp = transform(rotation_from_rpy(own[3:]), own[:3])
        return Arm(model, base, tip, T_tip_tcp)

    def _solution(self, arm: Arm, request: Any, named: dict[str, float]) -> str:
        at, turned = request.target.pose.position, request.target.pose.orientation
        target = np.array([at.x, at.y, at.z, turned.x, turned.y, turned.z, turned.w])
        return self._reach(arm, request, named, request.target.header.frame_id, target)

    def _reach(
        self, arm: Arm, request: Any, named: dict[str, float], frame: str, target: Matrix
    ) -> str:
        if outside := _outside(arm.model, named):
            return outside
        if as_received(frame) not in ("", arm.base):
            return ""  # where that is depends on the joint state of another moment
        T_base_tcp = arm.model.relative(named, arm.base, arm.tip) @ arm.T_tip_tcp
        off_m = target[:3] - T_base_tcp[:3, 3]
        allowed = _axes(request.position_tolerance)
        if (turn := _rotation(target[3:])) is not None:
            off_m = turn.T @ off_m
        if not self._within(off_m, allowed, "position", request.allow_relaxed):
            return f"{np.linalg.norm(off_m):.3g} m off"
        if any(map(math.isinf, _axes(request.orientation_tolerance))):
            return ""
        if turn is None:
            return "solved for a quaternion that is no rotation"
        angle_rad = float(orientation_error_rad(turn, T_base_tcp))
        turns = _axes(request.orientation_tolerance)
        most = max(math.sqrt(3.0) * max(turns), self._default("orientation", request.allow_relaxed))
        return "" if angle_rad <= most + _ROUNDING else f"{angle_rad:.3g} rad off"

    def _within(
        self, off: Matrix, allowed: tuple[float, ...], kind: str, allow_relaxed: bool
    ) -> bool:
        """Whether an error keeps its tolerances: given ones axis by axis, the default as a norm."""
        relaxed = self.parameters[f"relaxed_{kind}_tolerance"] if allow_relaxed else 0.0
        for error, most in zip(off, allowed):
            if most > 0.0 and not abs(error) <= max(most, relaxed) + _ROUNDING:
                return False
        by_default = [error for error, most in zip(off, allowed) if most == 0.0]
        most = self._default(kind, allow_relaxed)
        return bool(np.linalg.norm(by_default) <= most + _ROUNDING) if by_default else True

    def _default(self, kind: str, allow_relaxed: bool) -> float:
        strict = self.parameters[f"{kind}_tolerance"]
        return max(strict, self.parameters[f"relaxed_{kind}_tolerance"] if allow_relaxed else 0.0)

    def _error_is_one_of(self, request: Any, answer: Any) -> bool:
        """Whether the reported error is what forward kinematics says, by one of the robots."""
        free = any(map(math.isinf, _axes(request.position_tolerance)))
        if as_received(request.target.header.frame_id) or free:
            return True
        named = dict(zip(answer.solution.name, answer.solution.position))
        at = request.target.pose.position
        for model in self._models:
            arm = self._arm(model, request)
            if arm is None or model.chain_joints(arm.base, arm.tip) != list(named):
                continue
            with suppress(ValueError):
                T_base_tcp = model.relative(named, arm.base, arm.tip) @ arm.T_tip_tcp
                off_m = position_error_m(transform(np.eye(3), [at.x, at.y, at.z]), T_base_tcp)
                if abs(off_m - answer.position_error) <= _ROUNDING:
                    return True
        return False


def _is_tree(model: UrdfKinematics) -> bool:
    """Whether every link hangs on the root: climbing a loop of links would never end."""
    hanging, below = {model.root}, [model.root]
    children: dict[str, list[str]] = {}
    for joint in model.joints.values():
        children.setdefault(joint.parent, []).append(joint.child)
    while below:
        new = [child for child in children.get(below.pop(), ()) if child not in hanging]
        hanging.update(new)
        below += new
    one_parent_each = len({joint.child for joint in model.joints.values()}) == len(model.joints)
    return one_parent_each and hanging == set(model.links)


def as_received(text: str) -> str:
    """A string after its way through DDS, where it ends at the first zero byte."""
    return text.partition("\0")[0]


def _outside(model: UrdfKinematics, named: Mapping[str, float]) -> str:
    for name, position in named.items():
        lower, upper = model.limits(name)
        if not (math.isfinite(position) and lower <= position <= upper):
            return f"joint '{name}' at {position!r}, outside {lower} … {upper}"
    return ""


def _axes(vector: Any) -> tuple[float, float, float]:
    return vector.x, vector.y, vector.z


def _rotation(quat_xyzw: Matrix) -> Matrix | None:
    largest = np.abs(quat_xyzw).max()
    if not 0.0 < largest < math.inf:
        return None
    return transform_from_xyz_quat((0.0, 0.0, 0.0), quat_xyzw / largest)[:3, :3]


def _tool(offset: Any) -> Matrix | None:
    """T_tip_tcp of a request; None where it was not given."""
    at, turned = offset.position, offset.orientation
    if not any((at.x, at.y, at.z, turned.x, turned.y, turned.z)):
        return None
    return transform(_rotation(np.array([turned.x, turned.y, turned.z, turned.w])), _axes(at))
