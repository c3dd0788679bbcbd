# SPDX-License-Identifier: Apache-2.0
"""Physics: the robot as rigid bodies with position drives. The one module that knows MuJoCo.

The drives hold their setpoints as those of robot arms do: gravity and friction are compensated, the
force is bounded by the URDF's effort, and all joints answer with the same bandwidth. Nothing bounds
their speed, so that a command that is too fast can be seen. Bodies do not collide.
"""

from __future__ import annotations

import math
import xml.etree.ElementTree as ElementTree
from typing import Any

import numpy as np

from ..core.errors import MissingDependencyError
from ..core.limits import Floats
from ..core.robot_model import RobotModel

STEP_S = 0.002
BANDWIDTH_RAD_S = 2.0 * math.pi * 10.0
#: How far a drive stays behind a setpoint that moves evenly, in seconds of its motion: a spring k
#: with critical damping 2 k / w needs an error of 2 v / w to push as hard as a speed v is braked.
DRIVE_LAG_S = 2.0 / BANDWIDTH_RAD_S

_SHAPES = ("visual", "collision")
_LIGHTEST = {"boundmass": "1e-6", "boundinertia": "1e-9"}  # MuJoCo refuses bodies without inertia
_SATURATED = 0.999  # of the largest force
_SAME_M = 1e-9  # of two forward kinematics


class World:
    """One robot, moved by its drives.

    Args:
        urdf_text: its description.
        robot: the same, as read by us.
        start: positions (k,) of ``robot.joint_names`` in rad or m, at rest.

    Attributes:
        time_s: simulated time.
        peak_velocity: (k,) largest speed of each joint in any step, in rad/s or m/s.
        saturated_steps: (k,) how often each drive was at its largest force.
        steps: how many there were.

    Raises:
        MissingDependencyError: MuJoCo is not installed.
        RuntimeError: MuJoCo cannot load the robot, or has another idea of its kinematics.
    """

    def __init__(self, urdf_text: str, robot: RobotModel, start: Floats) -> None:
        self._mujoco = mujoco = _mujoco()
        try:
            spec = mujoco.MjSpec.from_string(_plain_urdf(urdf_text))
            _prepare(mujoco, spec)
            model = spec.compile()
            address = [model.joint(name).qposadr[0] for name in robot.joint_names]
            inertia = _inertia(mujoco, model, address, start)
            for name, kg_m2 in zip(robot.joint_names, inertia):
                _add_drive(mujoco, spec, name, kg_m2, robot.tree.joint_by_name(name).effort)
            self._model = spec.compile()
        except (ValueError, KeyError) as error:
            reason = " ".join(str(error).split())
            raise RuntimeError(f"MuJoCo cannot load this robot: {reason}") from error
        self._robot = robot
        self._data = mujoco.MjData(self._model)
        # Moving joints have one coordinate each, so positions and velocities are in one order.
        self._address = np.array(address)
        self._largest_force = self._model.actuator_forcerange[:, 1] * _SATURATED
        self._largest_force[self._model.actuator_forcelimited == 0] = np.inf
        self.peak_velocity = np.zeros(len(address))
        self.saturated_steps = np.zeros(len(address), dtype=int)
        self.steps = 0
        self._require_same_kinematics(start)
        self._put(start)
        self._data.ctrl[:] = start

    @property
    def time_s(self) -> float:
        """Simulated time since the start."""
        return self.steps * STEP_S

    @property
    def positions(self) -> Floats:
        """Joint positions (k,) in rad or m."""
        return self._data.qpos[self._address].copy()

    @property
    def velocities(self) -> Floats:
        """Joint velocities (k,) in rad/s or m/s."""
        return self._data.qvel[self._address].copy()

    def step(self, setpoints: Floats) -> None:
        """Let one step of time pass while the drives aim at setpoints (k,)."""
        self._data.ctrl[:] = setpoints
        self._mujoco.mj_step(self._model, self._data)
        self.steps += 1
        np.maximum(self.peak_velocity, np.abs(self.velocities), out=self.peak_velocity)
        self.saturated_steps += np.abs(self._data.actuator_force) >= self._largest_force

    def pose(self, link: str, base: str) -> Floats:
        """T_base_link (4, 4) by MuJoCo's forward kinematics."""
        self._mujoco.mj_kinematics(self._model, self._data)
        return np.asarray(np.linalg.inv(self._T_world(base)) @ self._T_world(link))

    def _T_world(self, link: str) -> Floats:
        T_world_link = np.eye(4)
        # A root link that is called "world" is MuJoCo's own world.
        body = self._data.body(link)
        T_world_link[:3, :3], T_world_link[:3, 3] = body.xmat.reshape(3, 3), body.xpos
        return T_world_link

    def _put(self, positions: Floats) -> None:
        self._data.qpos[self._address] = positions

    def _require_same_kinematics(self, start: Floats) -> None:
        rng = np.random.default_rng(0)
        for positions in (start, *(start + rng.uniform(-1.0, 1.0, (3, len(start))))):
            self._put(positions)
            by_name = dict(zip(self._robot.joint_names, positions.tolist()))
            for link in self._robot.link_names:
                ours = self._robot.forward_kinematics(by_name, link)
                theirs = self.pose(link, self._robot.root_link)
                if not np.abs(ours - theirs).max() <= _SAME_M:
                    raise RuntimeError(f"MuJoCo has another idea of where link '{link}' is")


def _mujoco() -> Any:
    try:
        import mujoco
    except ImportError as error:
        raise MissingDependencyError(
            "MuJoCo", "the simulator", "pip install 'mujoco>=3.3'"
        ) from error
    return mujoco


def _plain_urdf(urdf_text: str) -> str:
    """The URDF without shapes, so that no mesh is looked for, and without what drives compensate.

    Planar and floating joints are fixed, as everywhere here, and followers have drives of their
    own. Inertias that no body can have are left out.
    """
    robot = ElementTree.fromstring(urdf_text)
    for link in robot.iter("link"):
        for part in [part for part in link if part.tag in _SHAPES or _is_impossible(part)]:
            link.remove(part)
    for joint in robot.iter("joint"):
        if joint.get("type") in ("planar", "floating"):
            joint.set("type", "fixed")
        for part in [part for part in joint if part.tag in ("dynamics", "mimic")]:
            joint.remove(part)
    for extension in robot.findall("mujoco"):
        robot.remove(extension)
    # Fixed links stay links, the tool among them.
    options = {"fusestatic": "false", "balanceinertia": "true", **_LIGHTEST}
    ElementTree.SubElement(ElementTree.SubElement(robot, "mujoco"), "compiler", options)
    return ElementTree.tostring(robot, encoding="unicode")


def _is_impossible(part: ElementTree.Element) -> bool:
    if part.tag != "inertial":
        return False
    moments = part.find("inertia")
    try:
        xx, xy, xz, yy, yz, zz = (
            float(moments.get(name, "0")) if moments is not None else 0.0
            for name in ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")
        )
        smallest = np.linalg.eigvalsh([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])[0]
    except (ValueError, np.linalg.LinAlgError):
        return True
    return not smallest > 0.0


def _prepare(mujoco: Any, spec: Any) -> None:
    spec.option.timestep = STEP_S
    spec.option.integrator = mujoco.mjtIntegrator.mjINT_IMPLICITFAST
    spec.option.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONTACT
    for body in spec.bodies:
        body.gravcomp = 1.0


def _inertia(mujoco: Any, model: Any, address: list[int], start: Floats) -> Floats:
    """What each drive (k,) has to move at the start, in kg m² or kg."""
    data, inertia = mujoco.MjData(model), np.empty(len(start))
    data.qpos[address] = start
    mujoco.mj_forward(model, data)
    for i, unit in enumerate(np.eye(model.nv)[address]):
        needed = np.empty(model.nv)
        mujoco.mj_mulM(model, data, needed, unit)
        inertia[i] = needed[address[i]]
    return inertia


def _add_drive(mujoco: Any, spec: Any, name: str, inertia: float, effort: float | None) -> None:
    drive = spec.add_actuator(name=name, target=name, trntype=mujoco.mjtTrn.mjTRN_JOINT)
    stiffness = inertia * BANDWIDTH_RAD_S**2
    drive.set_to_position(kp=stiffness, kv=stiffness * DRIVE_LAG_S)
    if effort:  # 0 is what exporters write for "unknown"
        drive.forcelimited = True
        drive.forcerange = [-effort, effort]
