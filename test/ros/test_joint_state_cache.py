# SPDX-License-Identifier: Apache-2.0
"""Joint states: merged by name, each joint with its own age, nonsense left out."""

from __future__ import annotations

import math
import threading

import pytest

from ik_solver_ros import JointStateError
from ik_solver_ros.ros.joint_state_cache import JointStateCache


class Clocks:
    """ROS time and steady time that stand still until told otherwise."""

    def __init__(self):
        self.ros_s, self.steady_s = 1000.0, 5.0

    def go_on(self, seconds):
        self.ros_s += seconds
        self.steady_s += seconds


@pytest.fixture
def clocks():
    return Clocks()


@pytest.fixture
def cache(clocks):
    return JointStateCache(lambda: clocks.ros_s, lambda: clocks.steady_s)


def test_parts_that_arrive_apart_are_merged_by_name(cache):
    assert cache.hear(["b", "a"], [2.0, 1.0], 0.0) == ""
    assert cache.hear(["finger"], [0.04], 0.0) == ""
    assert cache.hear(["a"], [1.5], 0.0) == ""

    assert cache.positions(["a", "b", "finger"], 1.0) == {"a": 1.5, "b": 2.0, "finger": 0.04}


def test_a_missing_joint_is_named_and_so_are_those_that_were_heard(cache):
    cache.hear(["gripper"], [0.0], 0.0)
    with pytest.raises(JointStateError, match=r"no joint state of 'a', 'b'.*'gripper'") as refusal:
        cache.positions(["gripper", "a", "b"], 1.0)
    assert refusal.value.joints == ("a", "b")


def test_an_empty_cache_says_that_nothing_has_arrived(cache):
    with pytest.raises(JointStateError, match="no joint state has arrived yet"):
        cache.positions(["a"], 0.0)


def test_each_joint_has_its_own_age_by_arrival(cache, clocks):
    cache.hear(["a", "b"], [1.0, 2.0], 0.0)
    clocks.go_on(2.0)
    cache.hear(["a"], [1.1], 0.0)

    assert cache.positions(["a"], 1.0) == {"a": 1.1}
    with pytest.raises(JointStateError, match=r"'b' arrived 2 s ago.*allowed 1 s") as refusal:
        cache.positions(["a", "b"], 1.0)
    assert refusal.value.joints == ("b",)


@pytest.mark.parametrize(("age_s", "is_used"), [(0.0, True), (0.999, True), (1.001, False)])
def test_the_age_limit_has_two_sides(cache, clocks, age_s, is_used):
    cache.hear(["a"], [1.0], 0.0)
    clocks.go_on(age_s)
    if is_used:
        assert cache.positions(["a"], 1.0) == {"a": 1.0}
    else:
        with pytest.raises(JointStateError):
            cache.positions(["a"], 1.0)


def test_zero_allows_any_age(cache, clocks):
    cache.hear(["a"], [1.0], 1.0)
    clocks.go_on(1e6)
    assert cache.positions(["a"], 0.0) == {"a": 1.0}


def test_an_old_stamp_counts_even_if_the_message_arrived_just_now(cache, clocks):
    cache.hear(["a", "b"], [1.0, 2.0], clocks.ros_s - 60.0)
    with pytest.raises(JointStateError, match=r"stamp is 60 s old.*use_sim_time") as refusal:
        cache.positions(["a", "b"], 1.0)
    assert refusal.value.joints == ("a", "b")


def test_stamp_zero_means_no_stamp(cache):
    cache.hear(["a"], [1.0], 0.0)
    assert cache.positions(["a"], 1.0) == {"a": 1.0}


def test_a_stamp_ahead_of_our_clock_is_not_old(cache, clocks):
    cache.hear(["a"], [1.0], clocks.ros_s + 3.0)
    assert cache.positions(["a"], 1.0) == {"a": 1.0}


def test_a_clock_that_stands_still_does_not_hide_that_nothing_arrives(cache, clocks):
    cache.hear(["a"], [1.0], clocks.ros_s)
    clocks.steady_s += 2.0  # a paused /clock
    with pytest.raises(JointStateError, match="arrived 2 s ago"):
        cache.positions(["a"], 1.0)


@pytest.mark.parametrize(
    ("names", "positions", "fault"),
    [
        (["a", "b"], [9.0], "2 names but 1 positions"),
        (["a"], [], "1 names but 0 positions"),
        ([], [9.0], "0 names but 1 positions"),
        (["a"], [9.0, 9.0], "1 names but 2 positions"),
        (["a", "b", "a"], [9.0, 9.0, 9.0], "'a' appears more than once"),
        (["a", "b", "a"], [9.0, 9.0, math.nan], "'a' appears more than once"),
    ],
)
def test_a_message_that_does_not_pair_up_changes_nothing(cache, names, positions, fault):
    cache.hear(["a", "b"], [1.0, 2.0], 0.0)

    assert fault in cache.hear(names, positions, 0.0)
    assert cache.positions(["a", "b"], 1.0) == {"a": 1.0, "b": 2.0}


@pytest.mark.parametrize("unknown", [math.nan, math.inf, -math.inf, 1e300, -1.1e6])
def test_a_joint_without_a_position_is_left_out_and_the_others_count(cache, clocks, unknown):
    cache.hear(["a", "wheel"], [1.0, 0.5], 0.0)
    clocks.go_on(2.0)

    assert "'wheel'" in cache.hear(["a", "wheel"], [1.1, unknown], 0.0)
    assert cache.positions(["a"], 1.0) == {"a": 1.1}
    with pytest.raises(JointStateError, match="'wheel' arrived 2 s ago"):
        cache.positions(["wheel"], 1.0)


def test_an_empty_message_is_nothing_to_complain_about(cache):
    assert cache.hear([], [], 0.0) == ""


def test_endless_new_names_do_not_fill_the_memory(cache):
    cache.hear(["a"], [1.0], 0.0)
    faults = [cache.hear([f"{i}_{k}" for k in range(1000)], [0.0] * 1000, 0.0) for i in range(12)]
    assert "more than 10000" in faults[-1]
    assert cache.hear(["a"], [2.0], 0.0) == ""
    assert cache.positions(["a"], 1.0) == {"a": 2.0}


def test_readers_never_see_half_of_a_message():
    cache = JointStateCache(lambda: 0.0)
    cache.hear(["a", "b"], [0.0, 0.0], 0.0)
    end = threading.Event()

    def write():
        value = 0.0
        while not end.is_set():
            value += 1.0
            cache.hear(["a", "b"], [value, value], 0.0)

    writer = threading.Thread(target=write)
    writer.start()
    try:
        seen = [cache.positions(["a", "b"], 0.0) for _ in range(5000)]
    finally:
        end.set()
        writer.join()
    assert all(state["a"] == state["b"] for state in seen)
    assert seen[-1]["a"] > 0.0
