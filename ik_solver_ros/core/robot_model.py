# SPDX-License-Identifier: Apache-2.0
"""A robot: URDF text, checked, and its complete Pinocchio model, addressed by joint and link name.

Every moving joint is one number under its name: continuous joints are one angle (not the pair
cos, sin that Pinocchio keeps), mimic joints follow their master, planar and floating joints stay at
their neutral pose.
"""

from __future__ import annotations

import math
import numbers
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .errors import (
    InvalidRequestError,
    RobotModelError,
    UnknownFrameError,
    listed,
    near_matches,
    quoted,
    shown,
)
from .pinocchio_import import pin
from .rows import finite_numbers
from .urdf.encoding import not_utf8
from .urdf_check import Fault, UrdfJoint, UrdfTree, read_urdf, to_pinocchio_xml

MOVING_TYPES = ("revolute", "prismatic", "continuous")
_UNBOUNDED = (
    1e3  # a limit this large (rad or m) is no limit: exporters write 1e3 or 1e16 for "none"
)
_LARGEST_FILE_BYTES = 100_000_000


@dataclass(frozen=True)
class Joint:
    """One moving joint as callers see it: one number, in rad or m.

    Attributes:
        name: name in the URDF.
        kind: "revolute", "continuous" or "prismatic".
        lower, upper: limits in rad or m; -inf and inf where there are none.
        velocity: speed limit in rad/s or m/s; inf where there is none.
        master: the joint this one mimics, or None; then value = multiplier * master + offset.
        parent, child: the links it connects.
    """

    name: str
    kind: str
    lower: float
    upper: float
    velocity: float
    master: str | None
    multiplier: float
    offset: float
    parent: str
    child: str

    @property
    def is_prismatic(self) -> bool:
        """Whether its unit is the metre."""
        return self.kind == "prismatic"

    @property
    def unit(self) -> str:
        """Unit of its position."""
        return "m" if self.is_prismatic else "rad"

    @property
    def is_held(self) -> bool:
        """Whether its limits leave no motion."""
        return self.lower == self.upper


class RobotModel:
    """An immutable robot; safe to share between threads.

    Attributes:
        name: robot name in the URDF.
        joints: moving joints by name, in the order of the URDF.
        joint_names: their names, in the same order.
        link_names: all links, in the order of the URDF.
        root_link: the link without a parent.
        warnings: what is odd but usable in the description (``urdf_check.Fault``).
        tree: the URDF as read.
        model: the complete Pinocchio model. Treat it as read-only: its arrays are live views.
    """

    def __init__(self, tree: UrdfTree, model: pin.Model, warnings: Sequence[Fault] = ()) -> None:
        self.tree = tree
        self.model = model
        self.name = tree.name
        self.root_link = tree.root_link
        self.link_names = tuple(tree.links)
        self.joints: Mapping[str, Joint] = MappingProxyType(
            {j.name: _joint(j) for j in tree.joints if j.type in MOVING_TYPES}
        )
        self.joint_names = tuple(self.joints)
        self.warnings = tuple(warnings)
        self._links = frozenset(self.link_names)
        self._frame_ids = {
            link: model.getFrameId(link, pin.FrameType.BODY) for link in self.link_names
        }
        self._slots = {
            name: (model.joints[model.getJointId(name)].idx_q, joint.kind == "continuous")
            for name, joint in self.joints.items()
        }
        self._neutral = pin.neutral(model)
        self._per_thread = threading.local()

    @classmethod
    def from_urdf(cls, urdf_text: str) -> RobotModel:
        """Read a robot from URDF text.

        Raises:
            RobotModelError: naming the joint or link at fault; all faults are in ``.faults``.
        """
        if not isinstance(urdf_text, str):
            raise RobotModelError(f"URDF text expected, not {type(urdf_text).__name__}")
        tree, faults = read_urdf(urdf_text)
        try:
            model = pin.buildModelFromXML(to_pinocchio_xml(tree))
        except Exception as error:
            raise RobotModelError(f"Pinocchio cannot load this URDF: {error}", faults) from error
        return cls(tree, model, faults)

    @classmethod
    def from_urdf_file(cls, path: str | Path) -> RobotModel:
        """Read a robot from a URDF file; for xacro files run xacro first.

        Raises:
            RobotModelError: if it cannot be read, is not text, or has a fault.
        """
        return cls.from_urdf(read_urdf_file(path))

    def joint(self, name: str) -> Joint:
        """A moving joint by name; raises InvalidRequestError with near matches."""
        try:
            return self.joints[name]
        except KeyError:
            raise InvalidRequestError("joint", self.no_such_joint(name)) from None

    def frame_id(self, link: str, role: str = "frame") -> int:
        """Pinocchio's id of a link's frame.

        Raises:
            UnknownFrameError: with near matches (Pinocchio itself would return a wrong id).
        """
        try:
            return self._frame_ids[link]
        except KeyError:
            hint = ""
            if any(joint.name == link for joint in self.tree.joints):
                hint = f" (it is a joint; its link is '{self.tree.joint_by_name(link).child}')"
            raise UnknownFrameError(link, role, self.link_names, hint) from None

    def has_link(self, name: str) -> bool:
        """Whether the robot has such a link."""
        return name in self._links

    def slot(self, joint: str) -> tuple[int, bool]:
        """Where a joint lives in Pinocchio's q: (index, is stored as cos and sin)."""
        return self._slots[joint]

    def data(self) -> pin.Data:
        """Pinocchio's work space for this model, one per thread."""
        try:
            return self._per_thread.data
        except AttributeError:
            self._per_thread.data = self.model.createData()
            return self._per_thread.data

    def configuration(self, positions: Mapping[str, float]) -> NDArray[np.float64]:
        """Pinocchio's full q for joint positions by name.

        Joints that are not named are neutral, followers that are not named follow their master.

        Args:
            positions: joint name to rad or m.

        Raises:
            InvalidRequestError: for an unknown joint or a number that is not finite.
        """
        q = self._neutral.copy()
        for name, value in positions.items():
            if name not in self.joints:
                raise InvalidRequestError("joint", self.no_such_joint(name))
            if not isinstance(value, numbers.Real) or not math.isfinite(value):
                raise InvalidRequestError(
                    "joint", f"{name} = {shown(value)} is not a finite number"
                )
            self._put(q, name, value)
        for joint in self.joints.values():
            if joint.master is not None and joint.name not in positions:
                master = float(positions.get(joint.master, 0.0))
                self._put(q, joint.name, joint.multiplier * master + joint.offset)
        return q

    def _put(self, q: NDArray[np.float64], name: str, value: float) -> None:
        index, as_cos_sin = self._slots[name]
        if as_cos_sin:
            q[index], q[index + 1] = math.cos(value), math.sin(value)
        else:
            q[index] = value

    def forward_kinematics(
        self,
        q: Mapping[str, float] | ArrayLike,
        frame: str,
        base_frame: str = "",
    ) -> NDArray[np.float64]:
        """Pose of a link.

        Args:
            q: joint positions in rad or m: by name, or as numbers in ``joint_names`` order.
            frame: the link.
            base_frame: the link it is expressed in; empty = ``root_link``.

        Returns:
            T_base_frame, shape (4, 4).

        Raises:
            UnknownFrameError: for an unknown link.
            InvalidRequestError: for an unknown joint, a wrong count or a number that is not finite.
        """
        positions = self._by_name(q)
        return np.array(self.pose(positions, frame, base_frame).homogeneous)

    def pose(self, positions: Mapping[str, float], frame: str, base_frame: str = "") -> pin.SE3:
        """Like :meth:`forward_kinematics`, as ``pin.SE3``."""
        tip, base = self.frame_id(frame), self.frame_id(base_frame or self.root_link, "base_frame")
        data = self.data()
        pin.forwardKinematics(self.model, data, self.configuration(positions))
        T_world_tip = pin.updateFramePlacement(self.model, data, tip)
        T_world_base = pin.updateFramePlacement(self.model, data, base)
        return T_world_base.actInv(T_world_tip)

    def _by_name(self, q: Mapping[str, float] | ArrayLike) -> Mapping[str, float]:
        if isinstance(q, Mapping):
            return q
        names = self.joint_names
        meaning = f"a number for each of {listed(names)} (or a mapping by joint name)"
        return dict(zip(names, finite_numbers(q, len(names), "q", meaning)))

    def no_such_joint(self, name: str) -> str:
        """A sentence for a name that is no moving joint's, with near matches."""
        near = near_matches(name, self.joint_names)
        found = (
            f"did you mean {listed(near, last=' or ')}?"
            if near
            else f"it has {listed(self.joint_names)}"
        )
        return f"this robot has no moving joint {quoted(name)}; {found}"

    def __repr__(self) -> str:
        joints, links = len(self.joints), len(self.link_names)
        return f"RobotModel('{self.name}', {joints} moving joints, {links} links)"


def read_urdf_file(path: str | Path) -> str:
    """Text of a URDF file; raises RobotModelError with the reason."""
    path = Path(path)
    try:
        if path.is_dir():
            raise RobotModelError(f"{path} is a folder, not a URDF file")
        if path.stat().st_size > _LARGEST_FILE_BYTES:
            raise RobotModelError(
                f"{path} is larger than {_LARGEST_FILE_BYTES // 10**6} MB; is it a URDF?"
            )
        return path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise RobotModelError(f"cannot read {path}: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise RobotModelError(f"{path} {not_utf8(error)}") from error


def _joint(joint: UrdfJoint) -> Joint:
    return Joint(
        name=joint.name,
        kind=joint.type,
        lower=-math.inf if joint.lower is None else joint.lower,
        upper=math.inf if joint.upper is None else joint.upper,
        velocity=joint.velocity or math.inf,
        master=joint.mimic_joint,
        multiplier=joint.mimic_multiplier,
        offset=joint.mimic_offset,
        parent=joint.parent,
        child=joint.child,
    )
