# SPDX-License-Identifier: Apache-2.0
"""Parameters: the settings' metadata is what tools see and what decides about values."""

from __future__ import annotations

import dataclasses
import math
from pathlib import Path

import pytest
import rclpy
import yaml
from rcl_interfaces.msg import Parameter as MessageOfParameter
from rcl_interfaces.msg import ParameterValue
from rcl_interfaces.srv import SetParameters, SetParametersAtomically
from rclpy.parameter import Parameter

from ik_solver_ros import SettingsError
from ik_solver_ros.core.settings import number, text
from ik_solver_ros.ros.parameter_services import AnsweringParameterService
from ik_solver_ros.ros.parameters import (
    NodeParameters,
    NodeSettings,
    declared_fields,
    descriptor,
    settings_from,
)
from support.ros_harness import own_domain

DEFAULTS = {name: item.default for name, item in declared_fields()}
CONFIG = Path(__file__).resolve().parents[2] / "config" / "ik_solver.yaml"
NUMBERS = [name for name, value in DEFAULTS.items() if type(value) in (int, float)]


@pytest.fixture(scope="module")
def context():
    context = rclpy.Context()
    with own_domain() as domain:
        rclpy.init(args=[], context=context, domain_id=domain)
        yield context
        context.try_shutdown()


@pytest.fixture
def make_node(context):
    nodes = []

    def make(**start_values):
        overrides = [Parameter(name, value=value) for name, value in start_values.items()]
        nodes.append(
            rclpy.create_node("parameters", context=context, parameter_overrides=overrides)
        )
        return nodes[-1]

    yield make
    for node in nodes:
        node.destroy_node()


class Listener:
    """Takes every change, or refuses it."""

    def __init__(self):
        self.applied, self.refusal = [], None

    def check(self, settings):
        if self.refusal:
            raise self.refusal

    def apply(self, settings):
        self.applied.append(settings)


@pytest.fixture
def live(make_node):
    node, listener = make_node(), Listener()
    parameters = NodeParameters(node)
    parameters.follow(node, listener.check, listener.apply)
    return node, parameters, listener


def set_one(node, name, value):
    (result,) = node.set_parameters([Parameter(name, value=value)])
    return result


def test_the_configuration_file_lists_every_parameter_with_its_default():
    ((section, content),) = yaml.safe_load(CONFIG.read_text(encoding="utf-8")).items()
    listed = content["ros__parameters"]
    rows = {name: list(v) if isinstance(v, tuple) else v for name, v in DEFAULTS.items()}
    assert section == "/**"
    assert listed == rows
    assert list(listed) == list(rows)
    assert {name: type(value) for name, value in listed.items()} == {
        name: type(value) for name, value in rows.items()
    }


def test_without_any_start_value_the_settings_are_the_defaults(make_node):
    assert NodeParameters(make_node()).settings == NodeSettings()


def test_descriptors_say_unit_and_range(live):
    node, _, _ = live
    for name, item in declared_fields():
        told = node.describe_parameter(name)
        assert told.description
        assert item.metadata["unit"] in told.description
        assert told.read_only is item.metadata["read_only"]
        assert not told.dynamic_typing
    (span,) = node.describe_parameter("timeout").floating_point_range
    assert (span.from_value, span.to_value) == (1e-4, 60.0)
    (count,) = node.describe_parameter("max_attempts").integer_range
    assert (count.from_value, count.to_value) == (1, 100_000)
    assert "reference" in node.describe_parameter("solver").additional_constraints
    assert node.describe_parameter("tcp_offset").additional_constraints.startswith("6 numbers")


def test_a_read_only_field_makes_a_read_only_parameter():
    @dataclasses.dataclass
    class Settings:
        fixed: str = text("", "", read_only=True)
        free: float = number(1.0, "m", 0.0, 2.0, "")

    fixed, free = dataclasses.fields(Settings)
    assert descriptor(fixed).read_only
    assert not descriptor(free).read_only


@pytest.mark.parametrize("name", [n for n in NUMBERS if isinstance(DEFAULTS[n], float)])
def test_a_whole_number_is_a_number(make_node, live, name):
    expected = settings_from(DEFAULTS | {name: 1.0})
    assert NodeParameters(make_node(**{name: 1})).settings == expected

    node, parameters, _ = live
    assert set_one(node, name, 1).successful
    assert parameters.settings == expected
    assert node.get_parameter(name).type_ == Parameter.Type.DOUBLE


@pytest.mark.parametrize(
    ("row", "numbers"),
    [
        ([0, 0, 1, 0, 0, 0], (0.0, 0.0, 1.0, 0.0, 0.0, 0.0)),
        ("[0, 0, 0.1, 0, 0, 0]", (0.0, 0.0, 0.1, 0.0, 0.0, 0.0)),  # as `ros2 param set` sends it
    ],
)
def test_a_row_of_whole_numbers_is_a_row_of_numbers(make_node, live, row, numbers):
    assert NodeParameters(make_node(tcp_offset=row)).settings.tcp_offset == numbers

    node, parameters, _ = live
    assert set_one(node, "tcp_offset", row).successful
    assert parameters.settings.tcp_offset == numbers
    assert node.get_parameter("tcp_offset").type_ == Parameter.Type.DOUBLE_ARRAY


WRONG = [
    *[(name, value) for name in NUMBERS for value in (math.nan, -1.0, 1e7, "much", True)],
    *[(name, 2.5) for name in NUMBERS if isinstance(DEFAULTS[name], int)],
    ("timeout", math.inf),
    ("tcp_offset", [0.0] * 5),
    ("tcp_offset", [0.0] * 7),
    ("tcp_offset", [0.0, 0.0, math.nan, 0.0, 0.0, 0.0]),
    ("tcp_offset", [0.0, 0.0, 1e3, 0.0, 0.0, 0.0]),
    ("tcp_offset", 0.1),
    ("tcp_offset", ["a"] * 6),
    ("tcp_offset", "0, 0, 0.1"),
    ("tcp_offset", '{"x": 1}'),
    ("tcp_offset", '["a", 0, 0, 0, 0, 0]'),
    ("tcp_offset", "[" * 100_000),
    ("solver", "magic"),
    ("tip_frame", 3),
    ("base_frame", ["base_link"]),
    ("command_type", "twist"),
    ("command_joints", "joint_1"),
    ("command_joints", [1.0, 2.0]),
    ("command_joints", ["joint_1", ""]),
    ("publish_markers", 1),
    ("publish_markers", "yes"),
]


@pytest.mark.parametrize(("name", "value"), WRONG)
def test_a_wrong_value_is_refused_at_start_up_and_at_run_time(make_node, live, name, value):
    with pytest.raises(SettingsError) as refusal:
        NodeParameters(make_node(**{name: value}))
    assert str(refusal.value).startswith(f"{name}: ")

    node, parameters, listener = live
    result = set_one(node, name, value)
    assert not result.successful
    assert result.reason
    assert parameters.settings == NodeSettings()
    assert listener.applied == []


def test_a_change_is_applied_once_as_a_new_snapshot(live):
    node, parameters, listener = live
    before = parameters.settings
    assert set_one(node, "timeout", 0.2).successful

    assert listener.applied == [parameters.settings]
    assert parameters.settings.solver_settings.timeout_s == 0.2
    assert before == NodeSettings()


def test_parameters_set_together_take_effect_together(live):
    node, _, listener = live
    together = [Parameter("base_frame", value="a"), Parameter("tip_frame", value="b")]
    assert node.set_parameters_atomically(together).successful

    (settings,) = listener.applied
    assert (settings.base_frame, settings.tip_frame) == ("a", "b")


def test_one_wrong_value_keeps_all_that_were_set_together_from_effect(live):
    node, parameters, listener = live
    together = [Parameter("timeout", value=0.2), Parameter("solver", value="magic")]
    assert not node.set_parameters_atomically(together).successful

    assert listener.applied == []
    assert parameters.settings == NodeSettings()
    assert node.get_parameter("timeout").value == 0.05


def test_what_the_listener_refuses_is_refused_with_its_sentence(live):
    node, parameters, listener = live
    listener.refusal = SettingsError("tip_frame", "no such link")
    result = set_one(node, "tip_frame", "hand")

    assert (result.successful, result.reason) == (False, "tip_frame: no such link")
    assert parameters.settings == NodeSettings()


def test_parameters_that_are_not_ours_are_none_of_our_business(live):
    node, _, listener = live
    listener.refusal = SettingsError("x", "everything is refused")
    assert set_one(node, "use_sim_time", True).successful
    assert listener.applied == []


def test_a_parameter_cannot_be_deleted(live):
    node, _, _ = live
    (result,) = node.set_parameters([Parameter("timeout")])
    assert not result.successful
    assert node.get_parameter("timeout").value == 0.05


def test_settings_are_made_of_values_by_parameter_name():
    settings = settings_from(DEFAULTS | {"solver": "reference", "max_joint_state_age": 3.0})
    assert settings.solver_settings.solver == "reference"
    assert settings.max_joint_state_age_s == 3.0


# --- values that no client of good will sends, through the services ---


@pytest.fixture
def answered(make_node):
    """Calls the callbacks of the parameter services of a node, as the executor does."""
    node = make_node()
    NodeParameters(node).follow(node, lambda _: None, lambda _: None)
    service = AnsweringParameterService(node)

    def set_all(*parameters):
        request = SetParameters.Request(parameters=parameters)
        alone = service._set_parameters_callback(request, SetParameters.Response()).results
        request = SetParametersAtomically.Request(parameters=parameters)
        together = service._set_parameters_atomically_callback(
            request, SetParametersAtomically.Response()
        )
        return alone, together.result

    return set_all


@pytest.mark.parametrize(
    "name", [*DEFAULTS, "use_sim_time", "nonsense", "x" * 100_000, "a\x1b[31m"]
)
@pytest.mark.parametrize("kind", [*range(10), 10, 200])
def test_every_type_of_value_is_answered_in_a_sentence(answered, name, kind):
    value = ParameterValue(type=kind, integer_array_value=[3], string_value="\u202e" * 5000)
    alone, together = answered(MessageOfParameter(name=name, value=value))
    for result in (*alone, together):
        assert result.successful or result.reason
        assert len(result.reason) <= 1000
        assert result.reason.isprintable()


def test_one_value_of_no_type_does_not_spoil_the_others(answered):
    good = Parameter("timeout", value=0.2).to_parameter_msg()
    bad = MessageOfParameter(name="candidates", value=ParameterValue(type=99))
    (first, second), together = answered(good, bad)
    assert (first.successful, second.successful, together.successful) == (True, False, False)
    assert "'candidates'" in second.reason
    assert "99" in second.reason
