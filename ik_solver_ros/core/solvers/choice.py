# SPDX-License-Identifier: Apache-2.0
"""The solvers there are, by the name that the setting ``solver`` takes."""

from __future__ import annotations

from collections.abc import Callable

from ..errors import MissingDependencyError
from ..limits import Floats
from .analytic import AnalyticSolver
from .base import BatchOutcome, Outcome, Problem, Solver
from .reference import ReferenceSolver

try:
    from .numeric import NumericSolver
except ImportError as error:
    #: Why the kernel cannot be used; empty where it can.
    KERNEL_FAULT = str(error)
else:
    KERNEL_FAULT = ""


def solver_called(name: str) -> Solver:
    """A new solver of that name; the reference takes over where the kernel was not built.

    Raises:
        MissingDependencyError: for "analytic" where EAIK is not installed.
    """
    return _SOLVERS[name]()


class _AutoSolver:
    """Analytic, where it can, for every branch; numeric for anything less."""

    name = "auto"

    def __init__(self) -> None:
        self._one = _numeric()
        try:
            self._all: Solver = AnalyticSolver(completion=self._one)
        except MissingDependencyError:
            self._all = self._one

    def search(self, problem: Problem) -> Outcome:
        """See ``Solver.search``."""
        return (self._all if problem.every_branch else self._one).search(problem)

    def search_batch(
        self,
        problem: Problem,
        T_base_targets: Floats,
        seeds: Floats,
        *,
        chain_seeds: bool,
        threads: int,
    ) -> BatchOutcome:
        """See ``Solver.search_batch``."""
        return self._one.search_batch(
            problem, T_base_targets, seeds, chain_seeds=chain_seeds, threads=threads
        )


def _numeric() -> Solver:
    return ReferenceSolver() if KERNEL_FAULT else NumericSolver()


_SOLVERS: dict[str, Callable[[], Solver]] = {
    "auto": _AutoSolver,
    "numeric": _numeric,
    "analytic": lambda: AnalyticSolver(completion=_numeric()),
    "reference": ReferenceSolver,
}
