# SPDX-License-Identifier: Apache-2.0
"""One arm of one robot: the chain that solvers see, and the verifier that judges their answers."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import ArrayLike

from .batch_verification import BatchVerifier
from .chain import Chain, build_chain
from .errors import InvalidRequestError, listed
from .limits import TWO_PI, Floats, Limits
from .pinocchio_import import pin
from .pose_error import PoseError
from .reach import Reach
from .request import LARGEST_POSITION, Seed
from .robot_model import RobotModel
from .solvers.base import Problem
from .verification import Rejection, VerifiedSolution, Verifier


class Arm:
    """Base to tool centre point of a robot.

    Args:
        robot: the complete robot.
        base_frame, tip_frame: links.
        T_tip_tcp: tool centre point in the tip frame; None = the tip itself.

    Raises:
        UnknownFrameError, NoChainError, RobotModelError: see ``build_chain``.
    """

    def __init__(
        self, robot: RobotModel, base_frame: str, tip_frame: str, T_tip_tcp: pin.SE3 | None
    ) -> None:
        chain = build_chain(robot, base_frame, tip_frame)
        # Arms are kept by their tool, and callers can write to a pin.SE3.
        T_tip_tcp = None if T_tip_tcp is None else T_tip_tcp.copy()
        self.robot = robot
        self.chain: Chain = chain if T_tip_tcp is None else chain.with_tcp(T_tip_tcp)
        self.reach = Reach(self.chain)
        self._T_tip_tcp = T_tip_tcp
        self._verifier = Verifier(robot, base_frame, tip_frame, chain.joint_names)
        self.batch_verifier = BatchVerifier(
            robot, base_frame, tip_frame, chain.joint_names, T_tip_tcp
        )
        self._default_seed = _middle(chain.limits)
        self._default_seed.setflags(write=False)
        self._default_by_name = dict(zip(chain.variable_names, self._default_seed.tolist()))
        self._known = frozenset(robot.joints)

    def verify(self, q: Floats, problem: Problem) -> VerifiedSolution | Rejection:
        """Judge variables ``q`` (m,) by the complete model."""
        chain = self.chain
        seed = chain.report(problem.seed).tolist()
        return self._verifier.verify(
            chain.report(q), problem.T_base_target, problem.tolerance, seed, self._T_tip_tcp
        )

    def measure(self, q: Floats, problem: Problem) -> PoseError:
        """Pose error of variables ``q`` (m,) by the complete model."""
        return self._verifier.measure(
            self.chain.report(q), problem.T_base_target, problem.tolerance, self._T_tip_tcp
        )

    def pose(self, q: Floats) -> pin.SE3:
        """T_base_tcp of variables ``q`` (m,), by the complete model."""
        chain = self.chain
        positions = dict(zip(chain.joint_names, chain.report(q).tolist()))
        T_base_tip = self.robot.pose(positions, chain.tip_frame, chain.base_frame)
        return T_base_tip if self._T_tip_tcp is None else T_base_tip * self._T_tip_tcp

    def seed(self, seed: Seed) -> Floats:
        """Variables (m,) to start from.

        Raises:
            InvalidRequestError: for a joint that the robot does not have, or a wrong count.
        """
        if seed is None:
            return self._default_seed
        names = self.chain.joint_names
        if type(seed) is tuple and len(seed) == len(names) and not self.chain.has_followers:
            return np.array(seed)
        if not isinstance(seed, Mapping):
            if len(seed) != len(names):
                raise InvalidRequestError(
                    "seed", f"{len(names)} numbers expected for {listed(names)}, not {len(seed)}"
                )
            seed = dict(zip(names, seed))
        return self._by_name(seed)

    def seed_rows(self, seeds: ArrayLike, n: int) -> Floats:
        """Variables (n, m) out of n rows of joint positions in ``joint_names`` order.

        Raises:
            InvalidRequestError: for a wrong shape or a number that is not finite.
        """
        chain, rows = self.chain, np.asarray(seeds, dtype=float)
        if rows.shape != (n, len(chain.joint_names)):
            raise InvalidRequestError(
                "seed",
                f"one row of {len(chain.joint_names)} joint positions for each of {n} targets "
                f"expected, not an array of shape {rows.shape}",
            )
        if not (np.abs(rows) <= LARGEST_POSITION).all():
            row, i = map(int, np.argwhere(~(np.abs(rows) <= LARGEST_POSITION))[0])
            told = f"{chain.joint_names[i]} = {rows[row, i]:g} in row {row} is not a joint position"
            raise InvalidRequestError("seed", told)
        return rows[:, [chain.joint_names.index(name) for name in chain.variable_names]]

    def _by_name(self, seed: Mapping[str, float]) -> Floats:
        if not self._known.issuperset(seed):
            unknown = next(name for name in seed if name not in self._known)
            raise InvalidRequestError("seed", self.robot.no_such_joint(unknown))
        defaults = self._default_by_name
        if self.chain.has_followers:
            defaults = {n: self._from_follower(n, seed, q) for n, q in defaults.items()}
        return np.array([seed.get(name, default) for name, default in defaults.items()])

    def _from_follower(self, master: str, seed: Mapping[str, float], default: float) -> float:
        for name in self.chain.joint_names:
            joint = self.robot.joints[name]
            if joint.master == master and name in seed and joint.multiplier != 0.0:
                position = (seed[name] - joint.offset) / joint.multiplier
                if abs(position) <= LARGEST_POSITION:
                    return position
                told = (
                    f"{name} = {seed[name]:g} means {position:g} for '{master}', which it follows"
                )
                raise InvalidRequestError("seed", f"{told}; that is not a joint position")
        return default


def _middle(limits: Limits) -> Floats:
    """Mid-range; 0 for joints that turn all the way or have no limits, if 0 is inside."""
    span = limits.upper - limits.lower
    wide = ~np.isfinite(span) | (~limits.prismatic & (span >= TWO_PI))
    with np.errstate(invalid="ignore"):
        middle = np.where(wide, 0.0, 0.5 * (limits.lower + limits.upper))
    return middle.clip(limits.lower, limits.upper)
