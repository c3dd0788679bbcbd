# SPDX-License-Identifier: Apache-2.0
"""What the tests of the node need: the real executables as processes, and the world around them.

Waits are conditions with deadlines. Every process belongs to a session of its own, so that a signal
reaches it and nobody else, and is gone when its ``with`` block is left.
"""

from __future__ import annotations

import fcntl
import itertools
import json
import os
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any

import rclpy
from ament_index_python.packages import get_package_prefix
from geometry_msgs.msg import Pose, TransformStamped
from rcl_interfaces.srv import DescribeParameters, GetParameters, ListParameters, SetParameters
from rclpy.executors import ExternalShutdownException, SingleThreadedExecutor
from rclpy.parameter import Parameter, parameter_value_to_python
from rclpy.qos import DurabilityPolicy, QoSProfile, ReliabilityPolicy
from sensor_msgs.msg import JointState
from std_msgs.msg import String

from ik_solver_ros.srv import SolveIK
from support.poses import Matrix, xyz_quat_from_transform

DEADLINE_S = 30.0  # for a machine that does much else; nothing waits so long when all is well
LATCHED = QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL)
# Domains above 101 would meet the ports that Linux gives to clients. Each test takes the next one:
# who has just died in a domain is still believed to be there for some seconds.
_domains = itertools.islice(itertools.cycle(range(1, 102)), os.getpid() % 101, None)


@contextmanager
def own_domain() -> Iterator[int]:
    """A ROS domain that no other test uses meanwhile, be it of another run on this machine."""
    for domain in _domains:
        with Path(tempfile.gettempdir(), f"ros_domain_{domain}.lock").open("w") as lock:
            if _is_ours(lock):
                yield domain
                return


def _is_ours(lock: IO[str]) -> bool:
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def wait_until(condition: Callable[[], Any], what: str, deadline_s: float = DEADLINE_S) -> Any:
    """Wait for a condition to hold and return its value; fail with `what` at the deadline."""
    end_s = time.monotonic() + deadline_s
    pause = threading.Event()
    while not (value := condition()):
        if time.monotonic() > end_s:
            raise AssertionError(f"{deadline_s:g} s passed without this: {what}")
        pause.wait(0.005)
    return value


class Program:
    """An installed executable of this package that runs as a process."""

    def __init__(
        self,
        folder: Path,
        executable: str,
        domain: int,
        parameters: Mapping[str, Any] | None = None,
        arguments: Iterable[str] = (),
        environment: Mapping[str, str] | None = None,
    ) -> None:
        """Start it; `parameters` go in by a file, since URDF texts do not fit a command line."""
        command = Path(get_package_prefix("ik_solver_ros"), "lib", "ik_solver_ros", executable)
        file = folder / f"{executable}.{domain}.{id(self)}"
        arguments = list(arguments)
        if parameters is not None:
            # JSON is YAML, with an escape for everything.
            content = {"/**": {"ros__parameters": dict(parameters)}}
            file.with_suffix(".yaml").write_text(json.dumps(content), encoding="utf-8")
            arguments += ["--ros-args", "--params-file", str(file.with_suffix(".yaml"))]
        self._out, self._err = file.with_suffix(".out"), file.with_suffix(".err")
        with self._out.open("wb") as out, self._err.open("wb") as err:
            self._process = subprocess.Popen(
                [str(command), *arguments],
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=err,
                env=isolated(domain) | dict(environment or {}),
                start_new_session=True,
            )

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def stdout(self) -> str:
        return self._out.read_text(encoding="utf-8", errors="replace")

    @property
    def stderr(self) -> str:
        return self._err.read_text(encoding="utf-8", errors="replace")

    @property
    def log(self) -> str:
        """Both streams, for words to wait for and for messages of failed tests."""
        return self.stdout + self.stderr

    def is_running(self) -> bool:
        return self._process.poll() is None

    def wait_until(self, condition: Callable[[], Any], what: str) -> Any:
        """Wait for a condition that this program brings about; fail at once if it ends instead."""

        def holds() -> Any:
            was_running = self.is_running()
            value = condition()
            assert value or was_running, f"it ended without {what}:\n{self.log}"
            return value

        return wait_until(holds, what)

    def wait_for(self, words: str) -> None:
        """Wait until it has printed some words."""
        self.wait_until(lambda: words in self.log, f"'{words}' in the output")

    def send(self, number: int) -> None:
        """Send a signal."""
        os.killpg(self._process.pid, number)

    def exit_code(self, deadline_s: float = DEADLINE_S) -> int:
        """Wait for its end."""
        return self._process.wait(deadline_s)

    def end(self, number: int = signal.SIGINT) -> int:
        """Ask it to end, and wait for that."""
        self.send(number)
        return self.exit_code()

    def __enter__(self) -> Program:
        return self

    def __exit__(self, *_: object) -> None:
        if self.is_running():
            self.send(signal.SIGTERM)
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(10.0)
        if self.is_running():
            self.send(signal.SIGKILL)
            self.exit_code()


def isolated(domain: int) -> dict[str, str]:
    """Environment of a process that meets only its own test."""
    return os.environ | {
        "ROS_DOMAIN_ID": str(domain),
        "ROS_AUTOMATIC_DISCOVERY_RANGE": "LOCALHOST",
        "ROS_PYTHON_CHECK_FIELDS": "1",
        "RCUTILS_COLORIZED_OUTPUT": "0",
    }


class Cell:
    """The world around the node under test: a caller, a robot that tells its joints, a listener."""

    def __init__(self, domain: int, namespace: str = "", use_sim_time: bool = False) -> None:
        self._context = rclpy.Context()
        rclpy.init(args=[], context=self._context, domain_id=domain)
        self.node = rclpy.create_node(
            "cell",
            context=self._context,
            namespace=namespace,
            parameter_overrides=[Parameter("use_sim_time", value=use_sim_time)],
        )
        self.targets: list[JointState] = []
        self.client = self.node.create_client(SolveIK, "ik_solver/solve_ik")
        every = QoSProfile(depth=10_000)
        self.node.create_subscription(
            JointState, "ik_solver/joint_targets", self.targets.append, every
        )
        self.joint_states = self.node.create_publisher(JointState, "joint_states", 10)
        self._descriptions = self.node.create_publisher(String, "robot_description", LATCHED)
        self._parameter_clients: dict[type, Any] = {}
        self._executor = SingleThreadedExecutor(context=self._context)
        self._executor.add_node(self.node)
        # Spinning in the background: spin_until_future_complete gets slower with every call.
        self._thread = threading.Thread(target=self._spin, daemon=True)
        self._thread.start()

    def _spin(self) -> None:
        try:
            while self._context.ok():
                self._executor.spin_once()
        except ExternalShutdownException:
            pass

    def __enter__(self) -> Cell:
        return self

    def __exit__(self, *_: object) -> None:
        self._context.try_shutdown()
        self._thread.join(DEADLINE_S)
        self._executor.shutdown()
        self.node.destroy_node()
        self._context.destroy()

    def find_service(self) -> None:
        """Wait for the node under test."""
        assert self.client.wait_for_service(DEADLINE_S), "no service solve_ik"

    def hear_targets(self) -> None:
        """Wait until every published target will be heard."""
        wait_until(
            lambda: self.node.count_publishers("ik_solver/joint_targets"), "a publisher of targets"
        )

    def call(self, request: SolveIK.Request, deadline_s: float = DEADLINE_S) -> SolveIK.Response:
        """Call solve_ik."""
        return _result(self.client.call_async(request), deadline_s)

    def start_call(self, request: SolveIK.Request) -> Any:
        """Call solve_ik and go on; returns the future of the response."""
        return self.client.call_async(request)

    def describe(self, urdf_text: str) -> None:
        """Publish a robot description."""
        self._descriptions.publish(String(data=urdf_text))

    def move_joints(
        self, positions: Mapping[str, float], until: Callable[[], Any], what: str = "joints known"
    ) -> None:
        """Publish a joint state until a condition shows that the node has heard it.

        Once is not enough: a best-effort reader may find the writer later than the other way round.
        """

        def publish_and_look() -> Any:
            self.joint_states.publish(joint_state(positions))
            return until()

        wait_until(publish_and_look, what)

    def joint_state(self, positions: Mapping[str, float], stamped: bool = False) -> JointState:
        message = joint_state(positions)
        if stamped:
            message.header.stamp = self.node.get_clock().now().to_msg()
        return message

    @contextmanager
    def moving_joints(
        self, positions: Mapping[str, float], rate_hz: float = 50.0, stamped: bool = False
    ) -> Iterator[None]:
        """Publish a joint state again and again while the block runs."""

        def publish() -> None:
            self.joint_states.publish(self.joint_state(positions, stamped))

        with repeating(publish, rate_hz):
            yield

    def set_parameters(self, **values: Any) -> list[Any]:
        """Set parameters of the node, one after the other; returns the results."""
        parameters = [Parameter(name, value=value) for name, value in values.items()]
        request = SetParameters.Request(parameters=[p.to_parameter_msg() for p in parameters])
        return self.ask("set_parameters", SetParameters, request).results

    def get_parameters(self, *names: str) -> list[Any]:
        """Values of parameters of the node."""
        request = GetParameters.Request(names=list(names))
        values = self.ask("get_parameters", GetParameters, request).values
        return [parameter_value_to_python(value) for value in values]

    def list_parameters(self) -> list[str]:
        """Names of all parameters of the node."""
        return self.ask("list_parameters", ListParameters, ListParameters.Request()).result.names

    def describe_parameters(self, *names: str) -> list[Any]:
        """Descriptors of parameters of the node."""
        request = DescribeParameters.Request(names=list(names))
        return self.ask("describe_parameters", DescribeParameters, request).descriptors

    def ask(
        self, service: str, service_type: type, request: Any, deadline_s: float = DEADLINE_S
    ) -> Any:
        """Call another service of the node under test."""
        if service_type not in self._parameter_clients:
            client = self.node.create_client(service_type, f"ik_solver/{service}")
            self._parameter_clients[service_type] = client
        client = self._parameter_clients[service_type]
        assert client.wait_for_service(DEADLINE_S), f"no service {service}"
        return _result(client.call_async(request), deadline_s)


@contextmanager
def node_in_cell(
    folder: Path,
    domain: int,
    parameters: Mapping[str, Any] | None = None,
    arguments: Iterable[str] = (),
    namespace: str = "",
) -> Iterator[tuple[Program, Cell]]:
    """The node, and then the world around it; asserts in the end that the node lived on.

    In this order they find each other at once; the other way round it often takes three seconds.
    """
    with Program(folder, "ik_node", domain, parameters, arguments) as node:
        node.wait_for("serving")
        with Cell(domain, namespace) as cell:
            cell.find_service()
            yield node, cell
            assert node.is_running(), node.log
    assert "Traceback" not in node.log


@contextmanager
def repeating(action: Callable[[], None], rate_hz: float) -> Iterator[None]:
    """Do something in the background, at a rate, while the block runs."""
    end = threading.Event()

    def repeat() -> None:
        while not end.wait(1.0 / rate_hz):
            action()

    thread = threading.Thread(target=repeat, daemon=True)
    thread.start()
    try:
        yield
    finally:
        end.set()
        thread.join(DEADLINE_S)


def joint_state(positions: Mapping[str, float]) -> JointState:
    """A joint state message without a stamp."""
    message = JointState()
    message.name = list(positions)
    message.position = [float(value) for value in positions.values()]
    return message


def request_for(T_base_target: Matrix, **fields: Any) -> SolveIK.Request:
    """A request for a (4, 4) pose; further fields by name, a seed as a mapping."""
    request = SolveIK.Request()
    set_pose(request.target.pose, xyz_quat_from_transform(T_base_target))
    if "seed" in fields:
        request.seed = joint_state(fields.pop("seed"))
    for name, value in fields.items():
        setattr(request, name, value)
    return request


def set_pose(pose: Pose, xyz_quat_xyzw: Iterable[float]) -> Pose:
    """Write seven numbers x, y, z, qx, qy, qz, qw into a pose."""
    x, y, z, qx, qy, qz, qw = map(float, xyz_quat_xyzw)
    pose.position.x, pose.position.y, pose.position.z = x, y, z
    pose.orientation.x, pose.orientation.y = qx, qy
    pose.orientation.z, pose.orientation.w = qz, qw
    return pose


def stamped_transform(parent: str, child: str, T_parent_child: Matrix) -> TransformStamped:
    """A transform as TF sends it, without a stamp."""
    message = TransformStamped()
    message.header.frame_id, message.child_frame_id = parent, child
    pose = set_pose(Pose(), xyz_quat_from_transform(T_parent_child))
    at, message.transform.rotation = message.transform.translation, pose.orientation
    at.x, at.y, at.z = pose.position.x, pose.position.y, pose.position.z
    return message


def positions_of(message: JointState) -> dict[str, float]:
    """Positions by joint name."""
    assert len(set(message.name)) == len(message.name) == len(message.position)
    return dict(zip(message.name, message.position))


def best_effort(depth: int = 10) -> QoSProfile:
    """What most drivers publish joint states with."""
    return QoSProfile(depth=depth, reliability=ReliabilityPolicy.BEST_EFFORT)


def _result(future: Any, deadline_s: float) -> Any:
    done = threading.Event()
    future.add_done_callback(lambda _: done.set())
    assert done.wait(deadline_s), f"no answer within {deadline_s:g} s"
    return future.result()
