# SPDX-License-Identifier: Apache-2.0
"""The executable ``ik_viewer``: the browser viewer beside a running IK node.

The robot, its base, tip and tool are those of the node; the arm follows ``joint_states`` until the
tool is dragged. Then the node is asked, by dry runs; nothing moves before "send" is pressed. This
is the one module of this part that knows the viewer.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from .program import Ending, run

if TYPE_CHECKING:
    from ..core.request import IKRequest
    from ..viewer.backend import Answer
    from ..viewer.mesh_files import MeshFiles
    from ..viewer.session import Session
    from ..viewer.web import WebViewer
    from .arm_of_node import NodeArm
    from .solve_client import SolveClient

_STILL = 1e-6  # rad or m


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
    from .arm_of_node import ArmOfNode
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
    of_node = ArmOfNode(node, client)
    with Lanes(node, []):
        arm = of_node.wait(ending)
        while arm is not None:
            viewer = _open(arm, client, port, files)
            listener = JointStateListener(viewer, viewer.session.kinematics.joint_names)
            states = node.create_subscription(
                JointState, "joint_states", listener.hear, qos_profile_sensor_data
            )
            try:
                for note in viewer.notes:
                    print(note)
                print(f"{viewer.address}  shows the robot of {client.service}", flush=True)
                arm = of_node.wait_for_another(ending, arm)
            finally:
                node.destroy_subscription(states)
                viewer.close()


def _open(arm: NodeArm, client: SolveClient, port: int, files: MeshFiles) -> WebViewer:
    from ..viewer.kinematics import ArmKinematics
    from ..viewer.session import Session
    from ..viewer.shapes import look_of
    from ..viewer.web import WebViewer
    from .arm_of_node import solver_of

    solver = solver_of(arm)
    robot, kinematics = solver.robot, ArmKinematics(solver)
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
