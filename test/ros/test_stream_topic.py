# SPDX-License-Identifier: Apache-2.0
"""Streams through the real node, with a robot that follows."""

from __future__ import annotations

import signal
from contextlib import contextmanager

import numpy as np
import pytest
from geometry_msgs.msg import PoseStamped
from rclpy.qos import QoSProfile

from support.poses import (
    orientation_error_rad,
    position_error_m,
    rotation_about,
    transform,
    xyz_quat_from_transform,
)
from support.ros_harness import (
    Cell,
    Program,
    joint_state,
    positions_of,
    repeating,
    request_for,
    set_pose,
    wait_until,
)

RATE_HZ = 100.0
PAUSE_S = 1.0  # so that a busy machine is no fault
SPEED_RAD_S = dict(
    zip((f"joint_{i}" for i in range(1, 7)), (2.6, 2.4, 2.8, 4.5, 4.5, 6.5), strict=True)
)


class Robot:
    """Goes at once where it is told; its joint states can be cut off."""

    def __init__(self, cell, start):
        self.cell, self.start = cell, start
        self.tells, self.pushed = True, {}

    @property
    def at(self):
        told = positions_of(self.cell.targets[-1]) if self.cell.targets else self.start
        return {j: p + self.pushed.get(j, 0.0) for j, p in told.items()}

    def tell(self):
        if self.tells:
            self.cell.joint_states.publish(joint_state(self.at))


class Hand:
    """Leads the arm: publishes one target again and again, until told otherwise."""

    def __init__(self, cell):
        self.publisher = cell.node.create_publisher(
            PoseStamped, "ik_solver/target_pose", QoSProfile(depth=1)
        )
        self.target = None

    def lead(self, T_base_target):
        message = PoseStamped()
        set_pose(message.pose, xyz_quat_from_transform(T_base_target))
        self.target = message

    def let_go(self):
        self.target = None

    def publish(self):
        target = self.target
        if target is not None:
            self.publisher.publish(target)


@pytest.fixture
def stage(tmp_path, domain, arm):
    @contextmanager
    def opened(**parameters):
        patient = {"timeout": 5.0, "stream_timeout": PAUSE_S}
        parameters = {"robot_description": arm.urdf} | patient | parameters
        with Program(tmp_path, "ik_node", domain, parameters) as node, Cell(domain) as cell:
            cell.find_service()
            cell.hear_targets()
            robot, hand = Robot(cell, arm.start), Hand(cell)
            with repeating(robot.tell, RATE_HZ), repeating(hand.publish, 50.0):
                yield node, cell, robot, hand

    return opened


def assert_bounded(arm, commands, scale=0.25):
    """Each command is inside the limits and no farther from the one before than allowed."""
    assert len(commands) > 10
    before = None
    for message in commands:
        positions = positions_of(message)
        arm.assert_within_limits(positions)
        for joint, position in positions.items():
            if before is not None:
                largest = SPEED_RAD_S[joint] * scale / RATE_HZ
                assert abs(position - before[joint]) <= largest * (1 + 1e-9)
        before = positions


def is_at(arm, robot, T):
    T_reached = arm.pose(robot.at)
    return position_error_m(T, T_reached) <= 1e-4 and orientation_error_rad(T, T_reached) <= 1e-3


def test_the_arm_is_led_and_holds_when_it_is_let_go(stage, arm):
    with stage() as (node, cell, robot, hand):
        for target in (arm.pose(arm.near), arm.pose(arm.start)):
            hand.lead(target)
            wait_until(lambda T=target: is_at(arm, robot, T), "the target is reached")
        first = positions_of(cell.targets[0])
        assert max(abs(first[j] - arm.start[j]) for j in arm.joints) < 0.02

        hand.lead(transform(np.eye(3), [9.0, 0.0, 0.0]))
        node.wait_for("stream holds: the target is out of reach")
        hand.lead(arm.pose(arm.near))
        wait_until(lambda: is_at(arm, robot, arm.pose(arm.near)), "it goes on")
        hand.let_go()
        node.wait_for("stream ended: no target for")
        assert_bounded(arm, cell.targets)
        assert node.end() == 0
        assert "Traceback" not in node.log


def test_joint_states_that_stop_and_a_push_stop_the_arm(stage, arm):
    with stage() as (node, cell, robot, hand):
        for fault, undo, words in (
            (lambda: setattr(robot, "tells", False), lambda: setattr(robot, "tells", True), "ago"),
            (lambda: robot.pushed.update(joint_2=0.5), robot.pushed.clear, "stream_max_deviation"),
        ):
            hand.lead(arm.pose(arm.near))
            wait_until(lambda: is_at(arm, robot, arm.pose(arm.near)), "the first target is reached")
            stops = node.log.count("stream stopped")
            fault()
            wait_until(lambda n=stops: node.log.count("stream stopped") > n, "it stops")
            assert words in node.log
            undo()
            started = node.log.count("stream started")
            cell.call(request_for(arm.pose(arm.start), dry_run=True))
            assert node.log.count("stream started") == started  # whatever the hand wants
            hand.let_go()
            wait_until_paused(node, hand, arm)
        assert_bounded(arm, cell.targets)


def wait_until_paused(node, hand, arm):
    """Lead again as soon as the pause has been long enough."""
    started = node.log.count("stream started")

    def lead_and_look():
        return node.log.count("stream started") > started

    # Targets that come too soon prolong the pause, so they come seldom.
    with repeating(lambda: hand.publisher.publish(pose_message(arm.pose(arm.near))), 0.7 / PAUSE_S):
        wait_until(lead_and_look, "a new stream starts")


def pose_message(T):
    message = PoseStamped()
    set_pose(message.pose, xyz_quat_from_transform(T))
    return message


def test_a_new_description_and_a_service_call_stop_the_arm(stage, arm):
    with stage(robot_description="") as (node, cell, robot, hand):
        cell.describe(arm.urdf)
        target = arm.pose(arm.start) @ transform(rotation_about([0, 0, 1], 1.0), np.zeros(3))
        hand.lead(target)
        wait_until(lambda: is_at(arm, robot, target), "the target is reached")
        cell.describe(arm.urdf.replace("demo_arm", "other_arm"))
        node.wait_for("stream stopped: the robot description was replaced")
        hand.let_go()
        wait_until_paused(node, hand, arm)
        hand.lead(target)
        wait_until(lambda: is_at(arm, robot, target), "the new robot is led")
        cell.call(request_for(target))
        node.wait_for("stream stopped: a service call has published")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_the_end_of_the_node_in_the_middle_of_a_stream_is_quiet(stage, arm, number):
    with stage() as (node, cell, _, hand):
        hand.lead(arm.pose(arm.near))
        wait_until(lambda: len(cell.targets) > 10, "the arm moves")
        said = node.stderr
        assert node.end(number) == 0
        assert node.stderr == said
