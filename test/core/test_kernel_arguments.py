# SPDX-License-Identifier: Apache-2.0
"""Whatever Python hands to the kernel: an answer or a sentence, never a crash."""

from __future__ import annotations

import gc
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support import hand_robots, strategies
from support.kernel import INF, KernelArm, _kernel, search
from support.robots import robot, robot_urdf

NAN = math.nan


@pytest.fixture
def arm():
    return KernelArm.of("panda")


def changed(array, index, value):
    array = np.array(array)
    array[index] = value
    return array


def refused(call, *parts):
    """Expect one sentence with these parts."""
    with pytest.raises(ValueError, match=r"^[^\n]{10,200}$") as caught:
        call()
    for part in parts:
        assert part in str(caught.value)


# --- the chain ---


CHAIN_FAULTS = [
    ("placements", np.zeros((7, 4, 4)), "placements has shape (7, 4, 4), not (n, 3, 4)"),
    ("placements", np.zeros((7, 3, 4)), "placements[0]: the left 3 x 3 is no rotation"),
    ("placements", "rubbish", "placements is not an array of numbers"),
    ("prismatic", np.zeros(6, bool), "prismatic has shape (6,)"),
    ("variable", np.arange(8), "variable has shape (8,)"),
    ("variable", np.arange(1, 8), "variable[6] is 7, but there are 7 variables"),
    ("variable", np.arange(7) - 1, "variable[0] is -1"),
    ("multiplier", np.full(7, NAN), "multiplier[0]"),
    ("multiplier", np.full(7, INF), "multiplier[0]"),
    ("multiplier", np.full(7, 1e7), "multiplier[0]"),
    ("offset", np.full(7, INF), "offset[0]"),
    ("offset", np.ones((7, 1)), "offset has shape (7, 1)"),
    ("T_last_tip", np.eye(4), "T_last_tip has shape (4, 4), not (3, 4)"),
    ("T_last_tip", np.full((3, 4), NAN), "T_last_tip"),
    ("T_last_tip", np.eye(3, 4) * [1, 1, -1, 1], "T_last_tip: the left 3 x 3 is no rotation"),
    ("T_last_tip", changed(np.eye(3, 4), (0, 3), 1e9), "T_last_tip: the origin is not within"),
    ("periodic", np.zeros((7, 1), bool), "periodic has shape (7, 1)"),
    ("periodic", np.zeros(0, bool), "at least one moving joint"),
]


@pytest.mark.parametrize(("name", "value", "sentence"), CHAIN_FAULTS)
def test_a_wrong_chain_is_refused(arm, name, value, sentence):
    refused(lambda: _kernel.Chain(**(arm.flat | {name: value})), sentence)


def test_no_joints(arm):
    nothing = {name: np.array(arm.flat[name])[:0] for name in arm.flat if name != "T_last_tip"}
    refused(lambda: _kernel.Chain(**(arm.flat | nothing)), "at least one moving joint")


@pytest.mark.parametrize("count", [65, 1000, 100_000])
def test_too_many_joints(count):
    flat = {
        "placements": np.tile(np.eye(3, 4), (count, 1, 1)),
        "prismatic": np.zeros(count, bool),
        "variable": np.arange(count),
        "multiplier": np.ones(count),
        "offset": np.zeros(count),
        "T_last_tip": np.eye(3, 4),
        "periodic": np.zeros(count, bool),
    }
    refused(lambda: _kernel.Chain(**flat), "at most 64 moving joints", str(count))


def test_variables_that_move_nothing_keep_their_place():
    flat = KernelArm.made(hand_robots.one_revolute()).flat | {
        "variable": np.array([1]),
        "periodic": np.ones(3, bool),
    }
    chain = _kernel.Chain(**flat)
    assert chain.jacobian([0.3, 0.4, 0.5])[:, [0, 2]].tolist() == np.zeros((6, 2)).tolist()
    target = chain.forward([0.3, 0.4, 0.5])
    bounds = np.full(3, 2.0)
    find = chain.prepare_search(-bounds, bounds, [0] * 3, [0] * 3, 1e-6, 1e-6, False, 1, True, 9)
    candidates, *_ = find(target, [0.1, 0.2, 0.3], 1)
    assert candidates[0] == pytest.approx([0.1, 0.4, 0.3], abs=1e-6)


# --- a search ---


SEARCH_FAULTS = [
    ("seed", np.zeros(6), "seed has shape (6,), not (m,)"),
    ("seed", np.zeros((7, 1)), "seed has shape (7, 1)"),
    ("seed", changed(np.zeros(7), 3, NAN), "seed[3] is not within 1e6"),
    ("seed", changed(np.zeros(7), 3, -INF), "seed[3] is not within 1e6"),
    ("seed", changed(np.zeros(7), 3, 1e308), "seed[3] is not within 1e6"),
    ("seed", ["a"] * 7, "seed is not an array of numbers"),
    ("seed", None, "seed"),
    ("lower", np.zeros(8), "lower has shape (8,)"),
    ("lower", np.full(7, NAN), "limits of variable 0: lower is not below or equal to upper"),
    ("lower", np.full(7, INF), "limits of variable 0: lower is not below or equal to upper"),
    ("upper", np.full(7, -9.0), "limits of variable 0: lower is not below or equal to upper"),
    ("upper", np.full(7, NAN), "limits of variable 0: lower is not below or equal to upper"),
    ("position_tolerance", np.zeros(2), "position_tolerance has shape (2,), not (3,)"),
    ("position_tolerance", [0, -1.0, 0], "position_tolerance[1] is negative or not a number"),
    ("rotation_tolerance", [0, 0, NAN], "rotation_tolerance[2] is negative or not a number"),
    ("position_norm", 0.0, "position_norm has to be positive and finite"),
    ("position_norm", NAN, "position_norm has to be positive and finite"),
    ("rotation_norm", INF, "rotation_norm has to be positive and finite"),
    ("rotation_norm", -1.0, "rotation_norm has to be positive and finite"),
    ("wanted", 0, "wanted has to be at least 1"),
    ("max_attempts", -1, "max_attempts has to be at least 1"),
    ("time_limit_s", NAN, "time_limit_s is negative or not a number"),
    ("time_limit_s", -0.1, "time_limit_s is negative or not a number"),
    ("lanes", 5, "5 lanes"),
    ("lanes", -1, "-1 lanes"),
]


@pytest.mark.parametrize(("name", "value", "sentence"), SEARCH_FAULTS)
def test_a_wrong_search_is_refused(arm, name, value, sentence):
    T_base_target = arm.forward(arm.middle)
    if name == "seed":
        refused(lambda: arm.search(T_base_target, value if value is not None else "x"), sentence)
    else:
        refused(lambda: arm.search(T_base_target, arm.middle, **{name: value}), sentence)


TARGET_FAULTS = [
    (np.zeros((3, 3)), "T_base_target has shape (3, 3), not (3, 4)"),
    (np.zeros((3, 4)), "the left 3 x 3 is no rotation"),
    (np.full((3, 4), NAN), "the left 3 x 3 is no rotation"),
    (changed(np.eye(3, 4), (0, 3), NAN), "the origin is not within 1e6 m"),
    (changed(np.eye(3, 4), (0, 3), 1e308), "the origin is not within 1e6 m"),
    (changed(np.eye(3, 4), (0, 0), -1.0), "the left 3 x 3 is no rotation"),
    (np.eye(3, 4) * 1.001, "the left 3 x 3 is no rotation"),
]


@pytest.mark.parametrize(("target", "sentence"), TARGET_FAULTS)
def test_a_wrong_target_is_refused(arm, target, sentence):
    refused(lambda: arm.search(target, arm.middle), sentence)
    if np.shape(target) == (3, 4):
        refused(lambda: arm.batch(np.array([np.eye(3, 4), target]), arm.middle), sentence, "[1]")


def test_everything_free_is_refused(arm):
    free = np.full(3, INF)
    refused(
        lambda: arm.search(
            arm.forward(arm.middle), position_tolerance=free, rotation_tolerance=free
        ),
        "every axis is free",
    )


def test_a_wrong_type_is_a_type_error(arm):
    for name, value in [("wanted", 1.5), ("use_slack", "yes"), ("time_limit_s", "soon")]:
        with pytest.raises(TypeError):
            arm.search(arm.forward(arm.middle), **{name: value})


def test_a_search_takes_its_arguments_by_place(arm):
    prepared = arm.prepared()
    target = arm.forward(arm.middle)[:3]
    for arguments in [(), (target,), (target, arm.middle), (target, arm.middle, 1.0, 0)]:
        with pytest.raises(TypeError, match=f"seed and time_limit_s, not {len(arguments)} arg"):
            prepared(*arguments)
    with pytest.raises(TypeError, match="keyword"):
        prepared(target, arm.middle, time_limit_s=1.0)
    for time_limit_s in [None, "soon", [1.0], 10**400]:
        with pytest.raises((TypeError, OverflowError)):
            prepared(target, arm.middle, time_limit_s)


def test_a_search_outlives_its_chain_and_the_arrays_it_was_made_from():
    arm = KernelArm(robot_urdf("panda"), robot("panda").base, robot("panda").tip)
    prepared, T_base_target = arm.prepared(), arm.forward(arm.middle)[:3]
    middle, expected = arm.middle, arm.search(T_base_target).closest.tolist()
    arm.lower[:] = arm.upper[:] = 0.0
    del arm
    gc.collect()
    assert prepared(T_base_target, middle, INF)[2].tolist() == expected


# --- a batch, kinematics ---


BATCH_FAULTS = [
    ({"seeds": np.zeros((4, 7))}, "seeds has shape (4, 7), not (m,) or (n, m)"),
    ({"seeds": np.zeros((5, 6))}, "seeds has shape (5, 6)"),
    ({"seeds": np.zeros(5)}, "seeds has shape (5,)"),
    ({"seeds": np.float64(0.0)}, "seeds has shape ()"),
    ({"seeds": changed(np.zeros((5, 7)), (2, 3), NAN)}, "seeds[17] is not within 1e6"),
    ({"seeds": np.zeros((5, 7)), "chain_seeds": True}, "one seed of shape (m,)"),
    ({"targets": np.eye(3, 4)}, "T_base_targets has shape (3, 4), not (n, 3, 4)"),
    ({"max_attempts": 0}, "max_attempts has to be at least 1"),
    ({"threads": 0}, "threads has to be at least 1"),
]


@pytest.mark.parametrize(("changes", "sentence"), BATCH_FAULTS)
def test_a_wrong_batch_is_refused(arm, changes, sentence):
    changes = dict(changes)
    targets = changes.pop("targets", np.tile(np.eye(3, 4), (5, 1, 1)))
    arguments = arm._task() | {"chain_seeds": False, "threads": 1, "seeds": arm.middle} | changes
    refused(lambda: arm.chain.solve_batch(targets, **arguments), sentence)


@pytest.mark.parametrize("q", [np.zeros(6), np.full(7, NAN), np.full(7, 2e6), [["a"]], 0.0])
def test_a_wrong_configuration_is_refused(arm, q):
    refused(lambda: arm.chain.forward(q), "q")
    refused(lambda: arm.chain.jacobian(q), "q")


def test_arrays_of_other_kinds_are_converted(arm):
    q = np.linspace(0.1, 0.5, 7)
    for other in (
        q.tolist(),
        tuple(q),
        np.repeat(q, 2)[::2],
        q.astype(">f8"),
        np.asfortranarray(np.tile(q[:, None], 3))[:, 1],
    ):
        assert arm.chain.forward(other).tolist() == arm.chain.forward(q).tolist()
    assert arm.chain.forward([0] * 7).tolist() == arm.chain.forward(np.zeros(7)).tolist()
    T_base_target = arm.forward(q)
    expected = arm.search(T_base_target).closest.tolist()
    assert arm.search(np.asfortranarray(T_base_target)).closest.tolist() == expected
    assert arm.search(T_base_target, arm.middle.tolist()).closest.tolist() == expected


def test_answers_are_the_callers_own(arm):
    """They share no memory with the arguments or with other answers."""
    seed = arm.middle.copy()
    T_base_target = arm.forward(seed)
    first, second = arm.search(T_base_target, seed), arm.search(T_base_target, seed)
    first.closest[:] = 9.0
    assert second.closest.tolist() == seed.tolist()
    assert seed.tolist() == arm.middle.tolist()


# --- fuzz ---

ANY_NUMBER = st.one_of(
    st.floats(allow_subnormal=True),
    st.floats(-4.0, 4.0),
    st.sampled_from([0.0, -0.0, NAN, INF, -INF, 1e308, 5e-324, 1e6, math.pi, 2 * math.pi]),
)


def any_array(*shape):
    size = int(np.prod(shape))
    return st.lists(ANY_NUMBER, min_size=size, max_size=size).map(
        lambda numbers: np.array(numbers).reshape(shape)
    )


def maybe(usual, odd):
    """Mostly what makes sense, so that the other arguments are looked at as well."""
    return st.one_of(st.just(usual), st.just(usual), st.just(usual), odd)


def assert_finite_and_inside(q, lower, upper):
    assert np.isfinite(q).all()
    assert np.all((lower <= q) & (q <= upper))


@settings(max_examples=300)
@given(st.data())
def test_any_numbers_give_an_answer_inside_the_limits_or_a_sentence(data):
    made = hand_robots.planar_2r() if data.draw(st.booleans()) else hand_robots.ur_like_6r()
    arm = KernelArm.made(made)
    m = len(arm.names)
    pose = strategies.poses().map(lambda T: T[:3])
    arguments = {
        "T_base_target": data.draw(st.one_of(pose, pose, any_array(3, 4))),
        "seed": data.draw(maybe(arm.middle, any_array(m))),
        "lower": data.draw(maybe(arm.lower, any_array(m))),
        "upper": data.draw(maybe(arm.upper, any_array(m))),
        "position_tolerance": data.draw(maybe(np.zeros(3), any_array(3))),
        "rotation_tolerance": data.draw(maybe(np.zeros(3), any_array(3))),
        "position_norm": data.draw(maybe(1e-4, ANY_NUMBER)),
        "rotation_norm": data.draw(maybe(1e-3, ANY_NUMBER)),
        "use_slack": data.draw(st.booleans()),
        "wanted": data.draw(st.sampled_from([1, 2, 50])),
        "seed_suffices": data.draw(st.booleans()),
        "max_attempts": data.draw(st.sampled_from([1, 3, 20])),
        "time_limit_s": data.draw(maybe(INF, ANY_NUMBER)),
    }
    try:
        candidates, _, closest, *_ = search(arm.chain, **arguments)
    except ValueError:
        return
    for q in (*candidates, closest):
        assert_finite_and_inside(q, arguments["lower"], arguments["upper"])


@settings(max_examples=100)
@given(st.data())
def test_any_chain_is_made_or_refused(data):
    n, m = data.draw(st.integers(0, 4)), data.draw(st.integers(0, 4))
    pose = strategies.poses().map(lambda T: T[:3])
    placement = st.one_of(pose, pose, pose, any_array(3, 4))
    flat = {
        "placements": np.array([data.draw(placement) for _ in range(n)]).reshape(n, 3, 4),
        "prismatic": np.array(data.draw(st.lists(st.booleans(), min_size=n, max_size=n)), bool),
        "variable": np.array(
            data.draw(st.lists(st.integers(-1, max(m, 1)), min_size=n, max_size=n)), np.int64
        ),
        "multiplier": data.draw(maybe(np.ones(n), any_array(n))),
        "offset": data.draw(maybe(np.zeros(n), any_array(n))),
        "T_last_tip": data.draw(placement),
        "periodic": np.array(data.draw(st.lists(st.booleans(), min_size=m, max_size=m)), bool),
    }
    try:
        chain = _kernel.Chain(**flat)
    except ValueError:
        return
    q = np.full(m, 0.3)
    try:
        target = chain.forward(q)
    except ValueError:  # a column would be beyond 1.5e6
        return
    assert np.isfinite(target).all()
    bounds = np.full(m, data.draw(st.sampled_from([1.0, 4.0, INF])))
    tolerance = np.zeros(3), np.zeros(3), 1e-6, 1e-6
    find = chain.prepare_search(-bounds, bounds, *tolerance, False, 1, True, 5)
    candidates, _, closest, *_ = find(target, q + 0.1, INF)
    for answer in (*candidates, closest):
        assert_finite_and_inside(answer, -bounds, bounds)


@settings(max_examples=100)
@given(st.data())
def test_arrays_of_any_shape_are_refused_or_fit(data):
    arm = KernelArm.made(hand_robots.planar_2r())
    shape = data.draw(st.lists(st.integers(0, 5), max_size=4))
    odd = np.zeros(shape)
    arguments = arm._task() | {"wanted": 1, "seed_suffices": True, "time_limit_s": INF}
    arguments |= {"T_base_target": np.eye(3, 4), "seed": np.zeros(2)}
    name = data.draw(
        st.sampled_from(
            ["T_base_target", "seed", "lower", "upper", "position_tolerance", "rotation_tolerance"]
        )
    )
    fits = odd.shape == np.shape(arguments[name])
    arguments |= {name: odd, "max_attempts": 2}
    if fits and name != "T_base_target":
        search(arm.chain, **arguments)
    else:
        refused(lambda: search(arm.chain, **arguments), name)
