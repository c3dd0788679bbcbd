# SPDX-License-Identifier: Apache-2.0
"""All branches of an arm at once, by EAIK; the only module that knows it.

EAIK decomposes arms of turning joints into known geometric subproblems (Ostermeier, Külz, Althoff,
"Automatic geometric decomposition for analytical inverse kinematics", 2025). It has no limits, no
seed and no turns: those are added here. At singular poses it misses branches, so a numeric solver
always stands behind it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..chain import Chain
from ..errors import MissingDependencyError
from ..limits import HAIR, TWO_PI, Floats, Limits
from .base import DISTINCT, OneByOne, Outcome, Problem, Solver

_MOST_TURNING_JOINTS = 6  # that EAIK decomposes
_MOST_CHAINS = 64  # to remember
_SAMPLES = 24  # positions of the locked joint of an arm with one joint more
_COMPLETING_ATTEMPTS = 32  # starts that look for branches EAIK has missed
_EXACT = 1e-6  # m and entries of the rotation; what is further off was a least-squares guess


class AnalyticSolver(OneByOne):
    """Finds every branch of arms that decompose; leaves the rest to ``completion``.

    Raises:
        MissingDependencyError: if EAIK is not installed.
    """

    name = "analytic"

    def __init__(self, completion: Solver) -> None:
        self._completion = completion
        self._decompositions = _Decompositions()

    def search(self, problem: Problem) -> Outcome:
        """See ``Solver.search``; the candidates are the branches, nearest to the seed or not."""
        branches = self._branches(problem)
        if not branches:
            return self._completion.search(problem)
        # At a singular pose the branch of the seed is the first one to be missed.
        attempts = 1 if problem.seed_suffices else _COMPLETING_ATTEMPTS
        rest = self._completion.search(
            problem._replace(max_attempts=min(problem.max_attempts, attempts))
        )
        merged = _distinct([*branches, *rest.candidates], problem.limits)
        return rest._replace(
            candidates=tuple(merged), seed_converged=False, closest=branches[0], solver=self.name
        )

    def _branches(self, problem: Problem) -> list[Floats]:
        if problem.tolerance.constraints != 6:
            return []
        limits, T_base_target = problem.limits, np.array(problem.T_base_target.homogeneous)
        inside = []
        for robot in self._decompositions.of(problem.chain, problem.seed):
            for angles in robot.calculate_IK(T_base_target).Q:
                q = limits.least_outside(np.asarray(angles, dtype=float), problem.seed)
                if not limits.excess(q).max() <= HAIR:  # NaN fails, too
                    continue
                q = q.clip(limits.lower, limits.upper)
                if np.abs(robot.fwdkin(q) - T_base_target).max() <= _EXACT:
                    inside.append(q)
        return _distinct(inside, limits)


def decomposition(chain: Chain) -> str | None:
    """What EAIK makes of an arm: the family it belongs to, or None where it knows no decomposition.

    Raises:
        MissingDependencyError: if EAIK is not installed.
    """
    joint, robots = _Decompositions().sampled(chain)
    if not robots:
        return None
    family = str(robots[0].get_kinematic_family()).strip()
    if joint is None:
        return family
    return f"{family} with '{chain.variable_names[joint]}' sampled"


class _Decompositions:
    """EAIK's robots by chain; none where it knows no decomposition."""

    def __init__(self) -> None:
        try:
            from eaik.pybindings import EAIK
        except ImportError:
            raise MissingDependencyError(
                "EAIK",
                "the analytic solver",
                "pip install 'ik_solver_ros[analytic]', or pip install eaik",
            ) from None
        self._robot = EAIK.Robot
        self._known: dict[Chain, tuple[int | None, list[Any]]] = {}

    def of(self, chain: Chain, seed: Floats) -> list[Any]:
        """Robots whose branches together are those of the chain, the seed's own first."""
        if chain not in self._known:
            self._known = {} if len(self._known) >= _MOST_CHAINS else self._known
            self._known[chain] = self.sampled(chain)
        joint, robots = self._known[chain]
        if joint is None:
            return robots
        return [self._locked(chain, joint, float(seed[joint])), *robots]

    def sampled(self, chain: Chain) -> tuple[int | None, list[Any]]:
        """The locked joint, if any, and robots for positions all over its range."""
        columns = len(chain.variable)
        if chain.prismatic.any() or chain.has_followers or columns > _MOST_TURNING_JOINTS + 1:
            return None, []
        if columns <= _MOST_TURNING_JOINTS:
            robot = self._locked(chain)
            return None, [robot] if robot.has_known_decomposition() else []
        for joint in range(columns):
            robots = []
            for position in _positions_all_over(chain, joint):
                robot = self._locked(chain, joint, position)
                if not robot.has_known_decomposition():
                    break  # at once: EAIK writes a line to stderr for each of them
                robots.append(robot)
            else:
                return joint, robots
        return None, []

    def _locked(self, chain: Chain, joint: int | None = None, position: float = 0.0) -> Any:
        axes, offsets, R_base_tcp = _axes_and_offsets(chain)
        fixed = [] if joint is None else [(joint, position)]
        return self._robot(axes, offsets, R_base_tcp, fixed, True)


def _positions_all_over(chain: Chain, joint: int) -> Floats:
    low, high = float(chain.limits.lower[joint]), float(chain.limits.upper[joint])
    if not high - low < TWO_PI:
        low, high = -np.pi, np.pi
    return low + (np.arange(_SAMPLES) + 0.5) * (high - low) / _SAMPLES


def _axes_and_offsets(chain: Chain) -> tuple[Floats, Floats, Floats]:
    """Joint axes (3, n), steps between joints (3, n + 1) and tool rotation, all joints at 0."""
    T, axes, points = np.eye(4), [], [np.zeros(3)]
    for rows in (*chain.placements, chain.T_last_tcp):
        T = T @ np.vstack((rows, (0.0, 0.0, 0.0, 1.0)))
        axes.append(T[:3, 2])
        points.append(T[:3, 3])
    return np.array(axes[:-1]).T, np.diff(points, axis=0).T, T[:3, :3]


def _distinct(configurations: list[Floats], limits: Limits) -> list[Floats]:
    found: list[Floats] = []
    for q in configurations:
        if all(limits.apart(q, other) > DISTINCT for other in found):
            found.append(q)
    return found
