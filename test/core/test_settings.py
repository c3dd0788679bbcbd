# SPDX-License-Identifier: Apache-2.0
"""Settings: each has a unit, bounds and a description, and nothing out of them is taken."""

from __future__ import annotations

import dataclasses
import math
from fractions import Fraction

import numpy as np
import pytest

from ik_solver_ros import SettingsError, SolverSettings
from ik_solver_ros.core import settings
from support.judging import assert_sentence

FIELDS = {item.name: item for item in dataclasses.fields(SolverSettings)}
NUMBERS = [name for name, item in FIELDS.items() if "lower" in item.metadata]
WHOLE = [name for name in NUMBERS if isinstance(FIELDS[name].default, int)]
REAL = [name for name in NUMBERS if name not in WHOLE]


@dataclasses.dataclass(frozen=True)
class Row:
    """A settings class of another part, with a row of numbers and a free text."""

    offset: tuple[float, ...] = settings.numbers((0.0, 0.0), "m", -2.0, 2.0, "an offset")
    topic: str = settings.text("", "a topic")

    def __post_init__(self):
        settings.check_fields(self)


def refuse(name, value, *parts, of=SolverSettings):
    with pytest.raises(SettingsError) as info:
        of(**{name: value})
    item = next(item for item in dataclasses.fields(of) if item.name == name)
    assert info.value.field == settings.parameter_name(item)
    assert_sentence(info.value, settings.parameter_name(item), *parts)


@pytest.mark.parametrize("item", FIELDS.values(), ids=FIELDS)
def test_every_setting_says_what_it_is(item):
    assert item.metadata["description"]
    assert "unit" in item.metadata
    if item.name in REAL:
        assert item.metadata["unit"]
    assert not item.metadata["read_only"]


@pytest.mark.parametrize("item", FIELDS.values(), ids=FIELDS)
def test_defaults_are_allowed(item):
    settings.check_field(item, item.default)


def test_the_documented_defaults():
    assert SolverSettings() == SolverSettings(
        position_tolerance=1e-4, orientation_tolerance=1e-3, timeout_s=0.05, solver="auto"
    )


def test_ros_knows_the_time_limit_as_timeout():
    assert dict(settings.settings_fields(SolverSettings))["timeout"].name == "timeout_s"


@pytest.mark.parametrize("name", NUMBERS)
def test_both_bounds_belong_to_the_allowed_values(name):
    for bound in ("lower", "upper"):
        value = FIELDS[name].metadata[bound]
        assert getattr(SolverSettings(**{name: value}), name) == value


@pytest.mark.parametrize("name", REAL)
def test_the_next_number_outside_a_bound_is_refused(name):
    lower, upper = FIELDS[name].metadata["lower"], FIELDS[name].metadata["upper"]
    for value in (math.nextafter(lower, -math.inf), math.nextafter(upper, math.inf)):
        refuse(name, value, "is not between", repr(value))


@pytest.mark.parametrize("name", WHOLE)
def test_the_next_whole_number_outside_a_bound_is_refused(name):
    lower, upper = FIELDS[name].metadata["lower"], FIELDS[name].metadata["upper"]
    for value in (lower - 1, upper + 1, -(10**400), 10**400):
        refuse(name, value, "is not between")


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, np.float64("nan")])
@pytest.mark.parametrize("name", REAL)
def test_numbers_that_are_not_finite_are_refused(name, value):
    refuse(name, value, "is not between", "nan" if math.isnan(value) else "inf")


@pytest.mark.parametrize("value", [True, "1", b"1", None, [1], (1,), {}, 1j, np.ones(1)], ids=repr)
@pytest.mark.parametrize("name", NUMBERS)
def test_what_is_no_number_is_refused(name, value):
    refuse(name, value, "is not a whole number" if name in WHOLE else "is not a number")


@pytest.mark.parametrize("value", [2.0, 2.5, math.nan, math.inf, Fraction(5, 2)])
@pytest.mark.parametrize("name", WHOLE)
def test_counts_are_whole_numbers(name, value):
    refuse(name, value, "is not a whole number")


@pytest.mark.parametrize("value", [2, np.int64(2), np.uint8(2)])
@pytest.mark.parametrize("name", WHOLE)
def test_every_kind_of_whole_number_is_a_count(name, value):
    assert getattr(SolverSettings(**{name: value}), name) == 2


@pytest.mark.parametrize("value", [1, np.float32(1), np.int64(1), Fraction(1, 2)])
@pytest.mark.parametrize("name", REAL)
def test_every_kind_of_real_number_is_a_number(name, value):
    assert getattr(SolverSettings(**{name: value}), name) == value


@pytest.mark.parametrize("value", ["", "AUTO", "auto ", "kdl", None, 1, b"auto", "x" * 1000])
def test_an_unknown_solver_is_refused_with_those_there_are(value):
    parts = ["is not one of", "auto", "reference"] if isinstance(value, str) else ["is not a text"]
    refuse("solver", value, *parts)


@pytest.mark.parametrize("value", [None, 0.0, (0.0,), (0.0, 0.0, 0.0), "00", [0.0, 0.0]], ids=repr)
def test_a_row_has_its_count_of_numbers(value):
    refuse("offset", value, "is not a row of 2 numbers", of=Row)


@pytest.mark.parametrize("value", [(0.0, math.nan), (2.1, 0.0), (0.0, "1"), (True, 0.0)], ids=repr)
def test_each_number_of_a_row_is_checked(value):
    refuse("offset", value, of=Row)


def test_a_row_and_a_free_text_are_taken():
    assert Row((2.0, -2.0), "any/topic").offset == (2.0, -2.0)
    refuse("topic", 5, "is not a text", of=Row)


def test_settings_are_frozen_and_by_keyword_only():
    with pytest.raises(dataclasses.FrozenInstanceError):
        SolverSettings().max_attempts = 5
    with pytest.raises(TypeError):
        SolverSettings(1e-4)
    with pytest.raises(TypeError, match="max_attempt"):
        SolverSettings(max_attempt=5)
