# SPDX-License-Identifier: Apache-2.0
"""The latest position of every joint that was heard, and how old it is.

Joint states arrive in parts (arm and gripper apart, at their own rates), in any order, with or
without stamps. Positions are kept by joint name, each with its own age.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from ..core.errors import JointStateError, listed, quoted
from ..core.request import LARGEST_POSITION

_MOST_JOINTS = 10_000  # somebody who sends ever new names must not fill the memory


class Arrival(NamedTuple):
    """When a message arrived; one for all of its positions. The older one is the smaller one.

    Attributes:
        measured_s: steady time at which its stamp was the time; where it has none, or one that is
            ahead, that of its arrival.
        arrived_s: steady time of its arrival.
    """

    measured_s: float
    arrived_s: float


Heard = tuple[float, Arrival]  # a position in rad or m, and when it came


class JointStateCache:
    """Merges joint states by name; written and read from different threads.

    Args:
        ros_now_s: ROS time in seconds, to compare stamps with at their arrival.
        steady_now_s: steady time in seconds, to measure the age by arrival.
    """

    def __init__(
        self,
        ros_now_s: Callable[[], float],
        steady_now_s: Callable[[], float] = time.monotonic,
    ) -> None:
        self._ros_now_s, self._steady_now_s = ros_now_s, steady_now_s
        self._heard: dict[str, Heard] = {}
        self._lock = threading.Lock()

    def hear(self, names: Sequence[str], positions: Sequence[float], stamp_s: float) -> str:
        """Take in one message; one that makes no sense changes nothing.

        Returns:
            What is wrong with the message, as a sentence; empty if nothing is.
        """
        if len(names) != len(positions):
            return f"message skipped, it has {len(names)} names but {len(positions)} positions"
        arrival = self._arrival(stamp_s)
        news = {
            name: (position, arrival)
            for name, position in zip(names, positions)
            if abs(position) <= LARGEST_POSITION  # NaN is not
        }
        if len(news) != len(names):
            return self._hear_in_part(names, news)
        return self._merge(news)

    def positions(self, joints: Iterable[str], max_age_s: float) -> dict[str, float]:
        """Positions of the given joints in rad or m, all of them not older than ``max_age_s``.

        Args:
            joints: names.
            max_age_s: largest age, by arrival as well as by stamp; 0 = any age.

        Raises:
            JointStateError: naming the joints that were never heard, or the oldest one's age.
        """
        wanted = list(joints)
        with self._lock:
            found = [self._heard.get(joint) for joint in wanted]
        if None in found:
            missing = [joint for joint, entry in zip(wanted, found) if entry is None]
            raise JointStateError(missing, self._why_missing(missing))
        heard = {joint: entry for joint, entry in zip(wanted, found) if entry is not None}
        if heard and max_age_s > 0.0:
            self._require_fresh(heard, max_age_s)
        return {joint: position for joint, (position, _) in heard.items()}

    def knows(self, joint: str) -> bool:
        """Whether a joint was ever heard."""
        return joint in self._heard

    def never_heard(self, joints: Iterable[str]) -> list[str]:
        """Those joints that were never heard."""
        heard = self._heard
        return [joint for joint in joints if joint not in heard]

    def ages_s(self, joints: Iterable[str]) -> dict[str, float | None]:
        """Seconds since the positions of joints arrived; None where none ever did."""
        with self._lock:
            found = {joint: self._heard.get(joint) for joint in joints}
        now_s = self._steady_now_s()
        return {
            joint: now_s - heard[1].arrived_s if heard else None for joint, heard in found.items()
        }

    def _hear_in_part(self, names: Sequence[str], news: dict[str, Heard]) -> str:
        """Leave out what is no position: drivers write NaN or a huge number for "not known"."""
        if len(set(names)) != len(names):
            twice = next(name for name in names if list(names).count(name) > 1)
            return f"message skipped, joint {quoted(twice)} appears more than once"
        left_out = [name for name in names if name not in news]
        return self._merge(news) or (
            f"no position within {LARGEST_POSITION:g} rad or m for {listed(left_out)}; the other "
            "joints of the message count"
        )

    def _merge(self, news: dict[str, Heard]) -> str:
        with self._lock:
            if len(self._heard) + len(news) <= _MOST_JOINTS or news.keys() <= self._heard.keys():
                self._heard.update(news)
                return ""
        return f"message skipped, there are more than {_MOST_JOINTS} different joint names"

    def _why_missing(self, missing: list[str]) -> str:
        heard = tuple(self._heard)
        so_far = f"; heard so far: {listed(heard)}" if heard else "; no joint state has arrived yet"
        return f"no joint state of {listed(missing)}{so_far}"

    def _arrival(self, stamp_s: float) -> Arrival:
        now_s = self._steady_now_s()
        lag_s = max(0.0, self._ros_now_s() - stamp_s) if stamp_s != 0.0 else 0.0
        return Arrival(now_s - lag_s, now_s)

    def _require_fresh(self, heard: Mapping[str, Heard], max_age_s: float) -> None:
        now_s = self._steady_now_s()
        oldest = min([arrival for _, arrival in heard.values()])
        if not now_s - oldest.measured_s <= max_age_s:
            raise _late(heard, now_s, max_age_s) or _stale(heard, now_s, max_age_s)


def _late(heard: Mapping[str, Heard], now_s: float, max_age_s: float) -> JointStateError | None:
    """Why joint states are too old by their arrival; None if they are not."""
    ages_s = {joint: now_s - arrival.arrived_s for joint, (_, arrival) in heard.items()}
    late = [joint for joint, age_s in ages_s.items() if not age_s <= max_age_s]
    if not late:
        return None
    return JointStateError(
        late,
        f"the joint state of {listed(late)} arrived {max(ages_s.values()):.3g} s ago, more than "
        f"the allowed {max_age_s:g} s (parameter max_joint_state_age); is its publisher still "
        "running?",
    )


def _stale(heard: Mapping[str, Heard], now_s: float, max_age_s: float) -> JointStateError:
    """Why joint states are too old by their stamps."""
    ages_s = {joint: now_s - arrival.measured_s for joint, (_, arrival) in heard.items()}
    stale = [joint for joint, age_s in ages_s.items() if not age_s <= max_age_s]
    return JointStateError(
        stale,
        f"the joint state of {listed(stale)} arrived just now, but its stamp is "
        f"{max(ages_s.values()):.3g} s old, more than the allowed {max_age_s:g} s (parameter "
        "max_joint_state_age); do its publisher and this node use the same clock (use_sim_time, "
        "time synchronisation)?",
    )
