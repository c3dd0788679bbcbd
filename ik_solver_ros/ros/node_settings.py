# SPDX-License-Identifier: Apache-2.0
"""The node's settings: each parameter once, with unit, bounds and description as field metadata."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import MISSING, Field, dataclass, field
from typing import Any

from ..core.errors import SettingsError
from ..core.settings import (
    SolverSettings,
    check_fields,
    flag,
    number,
    numbers,
    settings_fields,
    text,
    texts,
)
from ..core.stream_settings import StreamSettings


@dataclass(frozen=True, kw_only=True)
class NodeSettings:
    """Everything that the parameters of the node say.

    Raises:
        SettingsError: for a value of the wrong type or out of its bounds.
    """

    robot_description: str = text(
        "", "URDF text of the robot; empty: the latched topic robot_description is used"
    )
    base_frame: str = text("", "link that targets are given in; empty: the root link")
    tip_frame: str = text(
        "", "link that carries the tool; empty: the end of the robot, if it has only one"
    )
    tcp_offset: tuple[float, ...] = numbers(
        (0.0,) * 6,
        "m, rad",
        -100.0,
        100.0,
        "tool centre point in the tip frame: x y z roll pitch yaw, about fixed axes as in URDF",
    )
    frame_prefix: str = text(
        "",
        "what robot_state_publisher puts before this robot's links in TF, by its parameter of the "
        "same name",
    )
    max_joint_state_age_s: float = number(
        1.0,
        "s",
        0.0,
        3600.0,
        "oldest joint state that is used, by arrival and by stamp; 0 is any age",
        parameter="max_joint_state_age",
    )
    command_type: str = text(
        "none",
        "form in which verified solutions go to a controller, too; fixed at start-up",
        choices=("none", "joint_state", "joint_trajectory", "position_array"),
        read_only=True,
    )
    command_topic: str = text(
        "", "topic of the controller's commands; fixed at start-up", read_only=True
    )
    command_joints: tuple[str, ...] = texts(
        (),
        "joints of the controller in its order; empty: those of the arm; fixed at start-up",
        read_only=True,
    )
    command_duration_s: float = number(
        0.0,
        "s",
        0.0,
        3600.0,
        "time that a joint_trajectory takes; 0: as long as the joints' velocity limits ask for",
        parameter="command_duration",
    )
    publish_markers: bool = flag(True, "publish ~/markers for RViz, as long as somebody listens")
    solver_settings: SolverSettings = field(default_factory=SolverSettings)
    stream: StreamSettings = field(default_factory=StreamSettings)

    def __post_init__(self) -> None:
        check_fields(self)
        if self.command_type != "none" and not self.command_topic:
            raise SettingsError(
                "command_topic",
                f"a controller's topic is needed with command_type {self.command_type}, such as "
                "/joint_trajectory_controller/joint_trajectory",
            )


def declared_fields() -> Iterator[tuple[str, Field[Any]]]:
    """Pairs of parameter name and settings field: those of the node, the solver's, the stream's."""
    yield from _own_fields()
    yield from settings_fields(SolverSettings)
    yield from settings_fields(StreamSettings)


def _own_fields() -> Iterator[tuple[str, Field[Any]]]:
    return ((n, item) for n, item in settings_fields(NodeSettings) if item.default is not MISSING)


def settings_from(values: Mapping[str, Any]) -> NodeSettings:
    """Settings from parameter values by name.

    Raises:
        SettingsError: naming the parameter, its value and what is allowed.
    """
    own = {item.name: values[name] for name, item in _own_fields()}
    solver = {item.name: values[name] for name, item in settings_fields(SolverSettings)}
    stream = {item.name: values[name] for name, item in settings_fields(StreamSettings)}
    return NodeSettings(
        solver_settings=SolverSettings(**solver), stream=StreamSettings(**stream), **own
    )
