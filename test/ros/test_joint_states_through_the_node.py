# SPDX-License-Identifier: Apache-2.0
"""Joint states as drivers send them: late, in parts, by any quality of service, old, malformed."""

from __future__ import annotations

import pytest
from builtin_interfaces.msg import Time
from rclpy.qos import QoSProfile
from rosgraph_msgs.msg import Clock
from sensor_msgs.msg import JointState

from ik_solver_ros import Status
from support.ros_harness import (
    best_effort,
    joint_state,
    node_in_cell,
    positions_of,
    repeating,
    request_for,
    wait_until,
)

QOS = {"best_effort": best_effort(), "reliable": QoSProfile(depth=10)}


@pytest.fixture
def demo(tmp_path, domain, arm):
    """Opens a cell with the node in it, for given parameters."""

    def opened(**parameters):
        parameters = {"robot_description": arm.urdf, "timeout": 5.0} | parameters
        return node_in_cell(tmp_path, domain, parameters)

    return opened


def dry(arm, **fields):
    return request_for(arm.pose(arm.near), dry_run=True, **fields)


def split(positions):
    names = list(positions)
    return [{n: positions[n] for n in names[:4]}, {n: positions[n] for n in names[4:]}]


def test_what_was_never_heard_is_named_and_the_parts_are_merged(demo, arm):
    with demo(max_joint_state_age=0.0) as (_, cell):
        refused = cell.call(dry(arm))
        assert refused.status == Status.NO_JOINT_STATE
        assert all(joint in refused.message for joint in arm.joints)
        assert cell.call(dry(arm, seed=arm.start)).success

        first, second = split(arm.start)
        missing = "no joint state of 'joint_5', 'joint_6'; heard so far: 'gripper', 'wheel'"
        cell.move_joints(
            {"gripper": 0.1, "wheel": 2.0} | first, lambda: missing in cell.call(dry(arm)).message
        )
        assert cell.call(dry(arm)).status == Status.NO_JOINT_STATE
        rest = cell.call(dry(arm, seed=second))
        assert (rest.success, rest.seed_source) == (True, "request+joint_states")

        cell.move_joints(second, lambda: cell.call(dry(arm)).success)
        answer = cell.call(dry(arm))
        jumps = {j: abs(p - arm.start[j]) for j, p in positions_of(answer.solution).items()}
        assert answer.max_joint_jump == pytest.approx(max(jumps.values()))


def test_the_order_within_a_message_does_not_matter(demo, arm):
    with demo(max_joint_state_age=0.0) as (_, cell):
        request = request_for(arm.pose(arm.start), dry_run=True)
        cell.move_joints(dict(reversed(arm.start.items())), lambda: cell.call(request).success)
        assert cell.call(request).max_joint_jump <= 1e-6


@pytest.mark.parametrize("reliability", QOS)
def test_a_publisher_of_either_reliability_is_heard(demo, arm, reliability):
    with demo() as (_, cell):
        publisher = cell.node.create_publisher(JointState, "joint_states", QOS[reliability])
        with repeating(lambda: publisher.publish(joint_state(arm.start)), 50.0):
            wait_until(lambda: cell.call(dry(arm)).success, f"{reliability} joint states are heard")


def test_the_quality_of_service_can_be_overridden(demo, arm):
    override = {"qos_overrides./joint_states.subscription.reliability": "reliable"}
    with demo(**override) as (_, cell):
        names = cell.list_parameters()
        assert "qos_overrides./joint_states.subscription.depth" in names
        assert "qos_overrides./robot_description.subscription.reliability" in names
        assert "qos_overrides./ik_solver/joint_targets.publisher.reliability" in names
        (endpoint,) = cell.node.get_subscriptions_info_by_topic("/joint_states")
        assert endpoint.qos_profile.reliability == QoSProfile(depth=1).reliability  # reliable


def test_a_joint_state_that_is_no_longer_sent_is_not_used(demo, arm):
    with demo(max_joint_state_age=0.3) as (_, cell):
        with cell.moving_joints(arm.start):
            wait_until(lambda: cell.call(dry(arm)).success, "fresh joint states are used")
        wait_until(lambda: not cell.call(dry(arm)).success, "old joint states are refused")
        refused = cell.call(dry(arm))
        assert refused.status == Status.NO_JOINT_STATE
        assert "s ago" in refused.message
        assert "'joint_1'" in refused.message
        assert cell.call(dry(arm, seed=arm.start)).seed_source == "request"

        moving = request_for(arm.pose(arm.near, base="elbow_link"), seed=arm.start, dry_run=True)
        moving.target.header.frame_id = "elbow_link"
        assert cell.call(moving).status == Status.NO_JOINT_STATE


def test_an_old_stamp_is_not_used_however_fresh_its_message(demo, arm):
    with demo() as (_, cell):
        message = joint_state(arm.start)
        message.header.stamp = Time(sec=12)  # of a simulator, say
        with repeating(lambda: cell.joint_states.publish(message), 50.0):
            wait_until(lambda: "use_sim_time" in cell.call(dry(arm)).message, "the clocks differ")
        with cell.moving_joints(arm.start, stamped=True):
            wait_until(lambda: cell.call(dry(arm)).success, "stamps of now are used")


def test_under_simulated_time_stamps_are_compared_with_the_simulated_clock(demo, arm):
    with demo(use_sim_time=True) as (_, cell):
        clock = cell.node.create_publisher(Clock, "/clock", 10)
        stamped = joint_state(arm.start)

        def tick():
            clock.publish(Clock(clock=Time(sec=100)))  # and it stands still
            cell.joint_states.publish(stamped)

        with repeating(tick, 50.0):
            stamped.header.stamp = Time(sec=100)
            wait_until(lambda: cell.call(dry(arm)).success, "stamps of the simulated now are used")
            stamped.header.stamp = Time(sec=90)
            wait_until(
                lambda: "stamp is 10 s old" in cell.call(dry(arm)).message, "old stamps are refused"
            )


def test_malformed_messages_are_skipped_with_one_warning(demo, arm):
    with demo(max_joint_state_age=0.0) as (node, cell):
        cell.move_joints(arm.start, lambda: cell.call(dry(arm)).success)
        ragged, twice = joint_state(arm.near), joint_state(arm.near)
        ragged.position.pop()
        twice.name[1] = twice.name[0]
        for _ in range(50):
            for message in (ragged, twice, JointState(name=arm.joints)):
                cell.joint_states.publish(message)
        node.wait_for("message skipped")

        at_start = request_for(arm.pose(arm.start), dry_run=True)
        assert cell.call(at_start).max_joint_jump <= 1e-6  # the last good state stays
        assert node.log.count("message skipped") == 1
