# SPDX-License-Identifier: Apache-2.0
"""ikpy: SciPy's least squares over a chain in Python."""

from __future__ import annotations

import warnings

import numpy as np
from harness import lean_urdf
from harness.arm import Arm
from harness.goal import Goal
from ikpy.chain import Chain

from support.poses import Matrix, Vector

from .base import Peer


class Ikpy(Peer):
    """Its default optimizer, for the full pose."""

    name = "ikpy"
    distribution = "ikpy"
    settings = (
        "default optimizer, orientation_mode=all; limits honoured; no tolerance, no time limit; "
        "it always returns an answer and never says whether it is one"
    )
    share = 0.1

    def __init__(self, arm: Arm, goal: Goal) -> None:
        super().__init__(arm, goal)
        with lean_urdf.lean_urdf_file(arm) as path, warnings.catch_warnings():
            warnings.simplefilter("ignore")
            chain = Chain.from_urdf_file(str(path), base_elements=[lean_urdf.BASE])
        names = [link.name for link in chain.links]
        self._slots = [names.index(name) for name in arm.joint_names]
        chain.active_links_mask = np.isin(np.arange(len(names)), self._slots)
        self._chain = chain

    def seed(self, q: Vector) -> Vector:
        """Return the positions of all of ikpy's links."""
        full = np.zeros(len(self._chain.links))
        full[self._slots] = q
        return full

    def solve(self, target: Matrix, seed: Vector) -> Vector:
        """Return positions of all of ikpy's links."""
        return self._chain.inverse_kinematics_frame(
            target, initial_position=seed, orientation_mode="all"
        )

    def joints(self, raw: Vector) -> Vector | None:
        """Return the moving ones."""
        return raw[self._slots]


PEERS = (Ikpy,)
