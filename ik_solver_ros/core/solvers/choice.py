# SPDX-License-Identifier: Apache-2.0
"""The solvers there are, by the name that the setting ``solver`` takes."""

from __future__ import annotations

from .base import Solver
from .reference import ReferenceSolver

_IN_ORDER_OF_PREFERENCE: tuple[Solver, ...] = (ReferenceSolver(),)


def solver_called(name: str) -> Solver:
    """The solver of that name; for "auto" the preferred one."""
    named = {solver.name: solver for solver in _IN_ORDER_OF_PREFERENCE}
    return named.get(name, _IN_ORDER_OF_PREFERENCE[0])
