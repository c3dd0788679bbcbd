# SPDX-License-Identifier: Apache-2.0
"""Commands for controllers through the real node, judged by what ros2_control documents."""

from __future__ import annotations

from contextlib import ExitStack

import pytest
from geometry_msgs.msg import PoseStamped
from sensor_msgs.msg import JointState
from std_msgs.msg import Float64MultiArray
from trajectory_msgs.msg import JointTrajectory

from ik_solver_ros import IKSolver, RobotModel, SettingsError, Status
from ik_solver_ros.ros.command_joints import command_joints
from ik_solver_ros.ros.commands import shortest_duration_s
from ik_solver_ros.ros.parameters import NodeSettings
from support.poses import transform, xyz_quat_from_transform
from support.robots import robot_urdf
from support.ros_harness import (
    Cell,
    Program,
    own_domain,
    positions_of,
    repeating,
    request_for,
    set_pose,
    wait_until,
)
from support.urdf_fk import Mimic, UrdfKinematics
from support.urdf_writer import JointSpec, urdf_text

URDF = robot_urdf("demo_arm")
TOPIC = "controller/commands"
TYPES = {
    "joint_state": JointState,
    "joint_trajectory": JointTrajectory,
    "position_array": Float64MultiArray,
}
SHUFFLED = ["joint_3", "joint_1", "joint_2", "joint_6", "joint_5", "joint_4"]
# A seventh joint that the controller has and the arm to tool0 does not.
WITH_GRIPPER = URDF.replace(
    "</robot>",
    """<link name="finger"/>
    <joint name="grip" type="prismatic"><parent link="tool0"/><child link="finger"/>
    <axis xyz="1 0 0"/><limit lower="0" upper="0.05" velocity="0.1" effort="1"/></joint></robot>""",
)


class Controller:
    """A node with a command topic, and what is heard there."""

    def __init__(self, folder, arm, command_type, urdf=URDF, **parameters):
        self.arm, self.heard, self._parts = arm, [], ExitStack()
        domain = self._parts.enter_context(own_domain())
        parameters = {
            "robot_description": urdf,
            "tip_frame": "tool0",
            "max_joint_state_age": 0,
            "timeout": 5.0,
            "command_type": command_type,
            "command_topic": TOPIC,
        } | parameters
        self.node = self._parts.enter_context(Program(folder, "ik_node", domain, parameters))
        self.cell = self._parts.enter_context(Cell(domain))
        self.cell.node.create_subscription(TYPES[command_type], TOPIC, self.heard.append, 100)

    def __enter__(self):
        self.cell.find_service()
        self.cell.hear_targets()
        wait_until(lambda: self.cell.node.count_publishers(TOPIC), "a publisher of commands")
        return self

    def __exit__(self, *error):
        log = self.node.log
        self._parts.__exit__(*error)
        assert "Traceback" not in log

    def rest_at(self, positions):
        probe = request_for(self.arm.pose(self.arm.start), dry_run=True)
        self.cell.move_joints(positions, lambda: self.cell.call(probe).success)

    def call(self, **fields):
        """Ask for a pose near the start, and return the answer and the one command it made."""
        before = len(self.heard)
        answer = self.cell.call(request_for(self.arm.pose(self.arm.near), **fields))
        assert answer.success, answer.message
        wait_until(lambda: len(self.heard) > before, "a command")
        (command,) = self.heard[before:]
        return answer, command


@pytest.fixture(scope="module")
def start(tmp_path_factory, arm):
    """Starts nodes for the tests of this module, one for each command type."""
    running = {}

    def started(command_type):
        if command_type not in running:
            folder = tmp_path_factory.mktemp("node")
            running[command_type] = controller = Controller(
                folder, arm, command_type, command_joints=SHUFFLED
            )
            controller.__enter__()
            controller.rest_at(arm.start)
        return running[command_type]

    yield started
    for controller in running.values():
        controller.__exit__(None, None, None)


def test_a_joint_state_has_the_joints_of_the_controller(start):
    answer, command = start("joint_state").call()
    assert list(command.name) == SHUFFLED
    assert positions_of(command) == positions_of(answer.solution)
    assert command.header.stamp == answer.solution.header.stamp


def test_an_array_has_the_order_of_the_controller(start):
    answer, command = start("position_array").call()
    solved = positions_of(answer.solution)
    assert list(command.data) == [solved[name] for name in SHUFFLED]


def test_a_trajectory_is_what_the_controller_accepts(start, arm):
    answer, command = start("joint_trajectory").call()
    assert sorted(command.joint_names) == sorted(arm.joints)  # all of them, no partial goal
    assert (command.header.stamp.sec, command.header.stamp.nanosec) == (0, 0)  # start now
    (point,) = command.points
    assert dict(zip(command.joint_names, point.positions)) == positions_of(answer.solution)
    assert list(point.velocities) == [0.0] * 6  # at the end it stands
    assert len(point.accelerations) == len(point.effort) == 0


def duration_s(command):
    told = command.points[0].time_from_start
    return told.sec + told.nanosec * 1e-9


def largest_share(arm, goal, start):
    """Seconds that the joint takes that takes longest at its velocity limit."""
    robot = RobotModel.from_urdf(URDF)
    return max(abs(goal[j] - start[j]) / robot.joints[j].velocity for j in arm.joints)


def test_no_joint_of_a_trajectory_exceeds_its_velocity_limit(start, arm):
    answer, command = start("joint_trajectory").call()
    least_s = largest_share(arm, positions_of(answer.solution), arm.start)
    assert least_s > 0.1
    assert duration_s(command) == pytest.approx(1.5 * least_s, rel=1e-6)


def test_the_motion_is_measured_from_the_robot_and_not_from_the_seed(start, arm):
    controller = start("joint_trajectory")
    answer, command = controller.call(seed=arm.near)
    assert answer.max_joint_jump < 1e-3
    least_s = largest_share(arm, positions_of(answer.solution), arm.start)
    assert duration_s(command) == pytest.approx(1.5 * least_s, rel=1e-6)


def test_a_way_of_more_than_an_hour_is_not_commanded(start, arm):
    controller = start("joint_trajectory")
    cell, request = controller.cell, request_for(arm.pose(arm.near), seed=arm.start)
    try:
        cell.move_joints(arm.start | {"joint_1": 9e5}, lambda: not cell.call(request).success)
        heard, refused = len(controller.heard), cell.call(request)
        assert refused.status == Status.INVALID_REQUEST
        assert "command_duration" in refused.message
        assert len(refused.solution.name) == 0
    finally:
        controller.rest_at(arm.start)
    cell.call(request)
    wait_until(lambda: len(controller.heard) > heard, "a command")
    assert len(controller.heard) == heard + 1


def test_a_given_duration_is_taken_and_can_change_while_running(start):
    controller = start("joint_trajectory")
    (accepted,) = controller.cell.set_parameters(command_duration=2.25)
    assert accepted.successful, accepted.reason
    try:
        assert duration_s(controller.call()[1]) == 2.25
    finally:
        controller.cell.set_parameters(command_duration=0.0)


def test_a_stream_is_commanded_step_by_step_without_a_stop_in_between(start, arm):
    controller = start("joint_trajectory")
    cell, before = controller.cell, len(controller.heard)
    target = PoseStamped()
    set_pose(target.pose, xyz_quat_from_transform(arm.pose(arm.near)))
    publisher = cell.node.create_publisher(PoseStamped, "ik_solver/target_pose", 10)
    with (
        cell.moving_joints(arm.start, rate_hz=100.0),
        repeating(lambda: publisher.publish(target), 50.0),
    ):
        wait_until(lambda: len(controller.heard) >= before + 5, "five steps of a stream")
    for command in controller.heard[before:]:
        assert sorted(command.joint_names) == sorted(arm.joints)
        (point,) = command.points
        assert list(point.velocities) == []
        assert duration_s(command) == pytest.approx(0.01)
    wait_until(
        lambda: "stream stopped" in controller.node.log or "stream ended" in controller.node.log,
        "the end of the stream",
    )


@pytest.mark.parametrize("name", ["command_type", "command_topic", "command_joints"])
def test_where_commands_go_is_fixed_at_start_up(start, name):
    controller = start("joint_state")
    value = ["joint_1"] if name == "command_joints" else "none"
    (result,) = controller.cell.set_parameters(**{name: value})
    assert not result.successful
    assert "read-only" in result.reason
    controller.call()


def test_nothing_is_sent_for_failures_and_dry_runs(start, arm):
    controller = start("position_array")
    before, cell = len(controller.heard), controller.cell
    assert cell.call(request_for(arm.pose(arm.near), dry_run=True)).success
    assert not cell.call(request_for(arm.pose(arm.beyond), seed=arm.start)).success
    assert not cell.call(
        request_for(transform([[1, 0, 0], [0, 1, 0], [0, 0, 1]], (9, 0, 0)))
    ).success
    bad = request_for(arm.pose(arm.near))
    bad.target.pose.position.x = float("nan")
    assert not cell.call(bad).success
    controller.call()
    assert len(controller.heard) == before + 1


def test_a_joint_that_the_arm_does_not_move_stays_where_it_is(tmp_path, arm):
    joints = [*SHUFFLED[:2], "grip", *SHUFFLED[2:]]
    with Controller(
        tmp_path, arm, "position_array", WITH_GRIPPER, command_joints=joints
    ) as controller:
        controller.rest_at(arm.start)
        cell, before = controller.cell, len(controller.cell.targets)
        refused = cell.call(request_for(arm.pose(arm.near)))
        assert (refused.status, refused.success) == (Status.NO_JOINT_STATE, False)
        assert "'grip'" in refused.message
        assert list(refused.solution.name) == []

        controller.rest_at(arm.start | {"grip": 0.02})
        wait_until(
            lambda: cell.call(request_for(arm.pose(arm.near))).success, "the gripper's joint state"
        )
        answer, command = controller.call()
        solved = positions_of(answer.solution) | {"grip": 0.02}
        assert list(command.data) == [solved[name] for name in joints]
        # Where the command was refused, nobody else got the target either.
        wait_until(lambda: len(cell.targets) >= before + 2, "both targets")
        assert len(cell.targets) == before + len(controller.heard)


def test_joints_that_the_controller_does_not_have_are_not_moved(tmp_path, arm):
    urdf, joints = WITH_GRIPPER, list(arm.joints)
    with Controller(tmp_path, arm, "position_array", urdf, command_joints=joints) as controller:
        state = arm.start | {"grip": 0.02}
        controller.rest_at(state)
        T_base_finger = UrdfKinematics(urdf).relative(state, "base_link", "finger")
        request = request_for(T_base_finger, tip_frame="finger", seed=state)
        answer = controller.cell.call(request)
        assert (answer.status, answer.success) == (Status.INVALID_REQUEST, False)
        assert "'grip'" in answer.message
        request.dry_run = True
        assert controller.cell.call(request).success
        controller.call()
        assert len(controller.heard) == 1


def test_a_description_that_the_controller_does_not_fit_never_moves_it(tmp_path, arm):
    parameters = {"robot_description": ""}
    with Controller(
        tmp_path, arm, "position_array", command_joints=list(arm.joints), **parameters
    ) as controller:
        cell = controller.cell
        cell.describe(URDF.replace('"joint_4"', '"joint_four"'))
        controller.node.wait_for("no moving joint 'joint_4'")
        answer = cell.call(request_for(arm.pose(arm.near), seed=arm.start))
        assert (answer.status, answer.success) == (Status.NO_ROBOT_MODEL, False)
        assert "'joint_4'" in answer.message
        cell.describe(URDF)
        controller.rest_at(arm.start)
        controller.call()
        assert len(controller.heard) == 1


STARTS = {
    "unknown joint": ({"command_joints": ["joint_1", "joint_22"]}, "no moving joint 'joint_22'"),
    "no topic": ({"command_topic": ""}, "command_topic"),
    "no such type": ({"command_type": "twist"}, "command_type"),
    "wrong topic": ({"command_topic": "a b"}, "a b"),
}


@pytest.mark.parametrize("fault", STARTS)
def test_what_does_not_fit_is_refused_at_start_up(tmp_path, domain, fault):
    changed, words = STARTS[fault]
    parameters = {
        "robot_description": URDF,
        "command_type": "position_array",
        "command_topic": TOPIC,
    } | changed
    with Program(tmp_path, "ik_node", domain, parameters) as node:
        assert node.exit_code() == 1
        assert words in node.stderr
        assert "Traceback" not in node.log


# --- the same without a node ---

MADE = urdf_text(
    "made",
    [
        JointSpec("turn", "continuous", "base", "arm"),
        JointSpec("bend", "revolute", "arm", "hand", xyz_m=(0.4, 0, 0)),
        JointSpec(
            "same", "revolute", "hand", "tip", xyz_m=(0.3, 0, 0), mimic=Mimic("bend", 2, 0.1)
        ),
    ],
)
for limit in ("2.0", "1.0", "0.5"):  # rad/s of the three, one after the other
    MADE = MADE.replace('velocity="3.0"', f'velocity="{limit}"', 1)


def settings(**values):
    return NodeSettings(command_topic=TOPIC, **{"command_type": "joint_trajectory"} | values)


def joints_of(urdf=MADE, **values):
    return command_joints(IKSolver(RobotModel.from_urdf(urdf)), settings(**values))


def test_without_a_list_a_command_is_for_the_joints_that_the_arm_chooses():
    assert joints_of() == ("turn", "bend")
    assert joints_of(command_joints=("same", "bend", "turn")) == ("same", "bend", "turn")
    assert joints_of(command_type="none", command_joints=("nonsense",)) == ()


@pytest.mark.parametrize(
    ("named", "words"),
    [
        (("turn",), "'bend' missing"),
        (("turn", "bned", "bend"), "no moving joint 'bned'; did you mean 'bend'"),
        (("turn", "bend", "turn"), "'turn' given more than once"),
        (("turn", "bend", "arm"), "no moving joint 'arm'"),
    ],
)
def test_joints_that_do_not_fit_are_named(named, words):
    with pytest.raises(SettingsError, match=words):
        joints_of(command_joints=named)


def test_without_a_velocity_limit_the_time_of_a_trajectory_is_asked_for():
    endless = MADE.replace('velocity="2.0"', 'velocity="0"')
    assert endless != MADE
    with pytest.raises(SettingsError, match="'turn' has no velocity limit"):
        joints_of(endless)
    assert joints_of(endless, command_duration_s=1.0) == ("turn", "bend")
    assert joints_of(endless, command_type="position_array") == ("turn", "bend")


def test_the_slowest_joint_sets_the_time():
    robot, start = RobotModel.from_urdf(MADE), {"turn": 1.0, "bend": 0.5}
    assert shortest_duration_s(robot, {"turn": 5.0, "bend": 0.5}, start) == pytest.approx(3.0)
    assert shortest_duration_s(robot, {"turn": 1.0, "bend": -0.5}, start) == pytest.approx(1.5)
    follower = {"turn": 1.0, "bend": -0.5, "same": -0.9}
    assert shortest_duration_s(robot, follower, start) == pytest.approx(6.0)
    assert shortest_duration_s(robot, start, start) > 0.0
