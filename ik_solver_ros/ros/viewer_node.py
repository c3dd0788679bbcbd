# SPDX-License-Identifier: Apache-2.0
"""The executable ``ik_viewer``: the browser viewer beside a running IK node.

The robot, its base, tip and tool are those of the node; the arm follows ``joint_states`` until the
tool is dragged. Then the node is asked, by dry runs; nothing moves before "send" is pressed. This
is the one module of this part that knows the viewer.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .program import Ending, run

if TYPE_CHECKING:
    from ..core.request import IKRequest
    from ..viewer.backend import Answer
    from ..viewer.mesh_files import MeshFiles
    from ..viewer.session import Session
    from ..viewer.web import WebViewer
    from .solve_client import SolveClient

_POLL_S = 0.05
_PATIENCE_S = 3.0  # finding each other takes DDS that long
_STILL = 1e-6  # rad or m
_OF_THE_NODE = ("robot_description", "base_frame", "tip_frame", "tcp_offset")


def main() -> int:
    """Serve until SIGINT or SIGTERM; returns the exit code."""
    return run("ik_viewer", _serve)


class NodeBackend:
    """Has a running node solve.

    Args:
        client: of the node.
        base_frame, tip_frame: the arm that is shown.
    """

    can_send = True

    def __init__(self, client: SolveClient, base_frame: str, tip_frame: str) -> None:
        self._client, self._base, self._tip = client, base_frame, tip_frame

    def solve(self, request: IKRequest) -> Answer:
        """Ask for an answer; nothing is published."""
        return self._ask(request, dry_run=True)

    def send(self, request: IKRequest) -> Answer:
        """Ask for an answer and have it published."""
        return self._ask(request, dry_run=False)

    def _ask(self, request: IKRequest, dry_run: bool) -> Answer:
        from ..core.status import Status
        from ..viewer.backend import Answer
        from .solve_client import NoAnswerError

        try:
            return answer_of(self._client.solve(request, self._base, self._tip, dry_run))
        except NoAnswerError as error:
            return Answer(Status.TIMEOUT, str(error))


def answer_of(response: Any) -> Answer:
    """A ``SolveIK.Response`` as the viewer's plain values."""
    from ..core.status import Status
    from ..viewer.backend import Answer

    found = [response.solution, *response.alternatives] if response.success else []
    error = response.position_error, response.orientation_error
    if not response.success and response.closest.name:
        error = response.closest_position_error, response.closest_orientation_error
    return Answer(
        Status(response.status),
        response.message,
        tuple(_by_name(state) for state in found),
        *error,
        tuple(response.blocking_joints),
        _by_name(response.closest) if response.closest.name else None,
        response.iterations,
        response.attempts,
        response.solve_time,
    )


def _by_name(state: Any) -> dict[str, float]:
    return dict(zip(state.name, state.position))


class JointStateListener:
    """Tells a session where the robot is, as often as it has moved.

    Args:
        viewer: what shows the session.
        names: joints of the arm; before all of them were heard, nothing is told.
    """

    def __init__(self, viewer: WebViewer, names: tuple[str, ...]) -> None:
        self._viewer, self._names = viewer, names
        self._heard: dict[str, float] = {}
        self._told: dict[str, float] = {}

    def hear(self, state: Any) -> None:
        """Take a ``JointState``; from the thread that spins."""
        known = self._viewer.session.kinematics.robot.joints
        for name, position in _by_name(state).items():
            if name in known and abs(position) < 1e6:  # NaN fails, too
                self._heard[name] = position
        if not all(name in self._heard for name in self._names) or self._is_still():
            return
        positions = self._told = dict(self._heard)
        session = self._viewer.session
        self._viewer.worker.post(lambda: session.hear(positions), "joint states")

    def _is_still(self) -> bool:
        return self._told.keys() == self._heard.keys() and all(
            abs(self._told[name] - position) <= _STILL for name, position in self._heard.items()
        )


def _serve(ending: Ending) -> None:
    # Imported late: see ``node.py``.
    import rclpy
    from rclpy.qos import qos_profile_sensor_data
    from rclpy.signals import SignalHandlerOptions
    from sensor_msgs.msg import JointState

    from ..viewer.mesh_files import MeshFiles
    from ..viewer.web import FIRST_PORT, require_viser
    from .lanes import Lanes
    from .solve_client import SolveClient

    require_viser()
    rclpy.init(signal_handler_options=SignalHandlerOptions.NO)
    node = rclpy.create_node("ik_viewer")
    client = SolveClient(node, str(node.declare_parameter("ik_node", "ik_solver").value))
    port = int(node.declare_parameter("port", FIRST_PORT).value)
    folders = [Path(f) for f in node.declare_parameter("package_dirs", [""]).value if f]
    urdf_file = str(node.declare_parameter("urdf_file", "").value)
    files = MeshFiles(Path(urdf_file) if urdf_file else None, folders)
    description = _Description(node)
    with Lanes(node, []):
        arm = _wait_for_arm(ending, client, description)
        if arm is None:
            return
        viewer = _open(arm, client, port, files)
        listener = JointStateListener(viewer, viewer.session.kinematics.joint_names)
        node.create_subscription(JointState, "joint_states", listener.hear, qos_profile_sensor_data)
        try:
            for note in viewer.notes:
                print(note)
            print(f"{viewer.address}  shows the robot of {client.service}", flush=True)
            ending.wait()
        finally:
            viewer.close()


class _Description:
    """The robot description from the latched topic."""

    def __init__(self, node: Any) -> None:
        from rclpy.qos import DurabilityPolicy, QoSProfile
        from std_msgs.msg import String

        self.text = ""
        latched = QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL)
        node.create_subscription(String, "robot_description", self._hear, latched)

    def _hear(self, message: Any) -> None:
        self.text = message.data


def _wait_for_arm(
    ending: Ending, client: SolveClient, description: _Description
) -> Mapping[str, Any] | None:
    """The node's robot and arm as soon as both are known; None when the end comes first."""
    patience = _PATIENCE_S
    while not ending.wait(_POLL_S):
        if not client.is_ready():
            continue
        arm = client.parameters(*_OF_THE_NODE)
        text = arm["robot_description"] or description.text
        if text:
            return {**arm, "robot_description": text}
        patience -= _POLL_S
        if patience <= 0.0 < patience + _POLL_S:
            print("the IK node is there, but no robot description yet", flush=True)
    return None


def _open(arm: Mapping[str, Any], client: SolveClient, port: int, files: MeshFiles) -> WebViewer:
    from ..core.robot_model import RobotModel
    from ..core.solver import IKSolver
    from ..core.transforms import se3_from_xyz_rpy
    from ..viewer.kinematics import ArmKinematics
    from ..viewer.session import Session
    from ..viewer.shapes import look_of
    from ..viewer.web import WebViewer

    robot = RobotModel.from_urdf(arm["robot_description"])
    offset = list(arm["tcp_offset"])
    T_tip_tcp = se3_from_xyz_rpy(offset[:3], offset[3:], "tcp_offset")
    solver = IKSolver(robot, arm["tip_frame"], arm["base_frame"], tcp_offset=T_tip_tcp)
    kinematics = ArmKinematics(solver)
    backend = NodeBackend(client, solver.base_frame, solver.tip_frame)
    session: Session = Session(kinematics, backend)
    look = look_of(robot, arm["robot_description"], files, kinematics.size_m())
    return WebViewer(
        session,
        look,
        port=port,
        title=robot.name,
        urdf_name=str(files.urdf_file or "robot.urdf"),
        service=client.service,
    )
