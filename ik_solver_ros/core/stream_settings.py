# SPDX-License-Identifier: Apache-2.0
"""The settings of a stream, with the same metadata as those of the solver."""

from __future__ import annotations

from dataclasses import dataclass

from .settings import check_fields, number


@dataclass(frozen=True, kw_only=True)
class StreamSettings:
    """How a stream of targets becomes motion.

    Raises:
        SettingsError: for a value of the wrong type or out of its bounds.
    """

    rate_hz: float = number(
        100.0, "Hz", 1.0, 1000.0, "commands per second of a stream", parameter="stream_rate"
    )
    max_velocity_scale: float = number(
        0.25,
        "",
        0.001,
        1.0,
        "share of the URDF's joint velocity limits that a stream may use",
        parameter="stream_max_velocity_scale",
    )
    max_acceleration: float = number(
        5.0,
        "rad/s² or m/s²",
        0.0,
        1e4,
        "largest acceleration of each joint in a stream, which needs Ruckig; 0 is no bound",
        parameter="stream_max_acceleration",
    )
    timeout_s: float = number(
        0.25,
        "s",
        0.01,
        10.0,
        "longest silence in a stream: of targets, then it holds and ends; of joint states, then "
        "it stops",
        parameter="stream_timeout",
    )
    max_deviation: float = number(
        0.2,
        "rad or m",
        1e-3,
        1e3,
        "how far a joint may be from everything commanded in the last 0.5 s before a stream stops",
        parameter="stream_max_deviation",
    )

    def __post_init__(self) -> None:
        check_fields(self)

    @property
    def period_s(self) -> float:
        """Time from one command to the next."""
        return 1.0 / self.rate_hz
