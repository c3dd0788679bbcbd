# SPDX-License-Identifier: Apache-2.0
"""One chain as a Pinocchio model, for solvers in Python."""

from __future__ import annotations

import numpy as np

from ..chain import Chain
from ..limits import Floats
from ..pinocchio_import import pin
from ..transforms import se3_from_rows


class ChainModel:
    """A Pinocchio model of nothing but the chain, one plain angle or length per column."""

    def __init__(self, chain: Chain) -> None:
        self.chain = chain
        self.model = pin.Model()
        parent = 0
        for i, rows in enumerate(chain.placements):
            joint = pin.JointModelPZ() if chain.prismatic[i] else pin.JointModelRZ()
            parent = self.model.addJoint(parent, joint, se3_from_rows(rows), f"column_{i}")
        tcp = pin.Frame("tcp", parent, se3_from_rows(chain.T_last_tcp), pin.FrameType.OP_FRAME)
        self.tcp = self.model.addFrame(tcp)
        self.data = self.model.createData()
        self._T_base_first = se3_from_rows(chain.placements[0])
        columns, variables = len(chain.variable), len(chain.variable_names)
        self._spread = np.zeros((columns, variables))
        self._spread[np.arange(columns), chain.variable] = chain.multiplier
        self._is_direct = not chain.has_followers

    def look_from(self, T_base_target: pin.SE3) -> None:
        """Let the world be the target frame: poses and Jacobians then are what the error needs."""
        self.model.jointPlacements[1] = T_base_target.inverse() * self._T_base_first

    def pose(self, q: Floats) -> pin.SE3:
        """T_target_tcp at the variables q; :meth:`jacobian` then is for the same q."""
        columns = q if self._is_direct else self._spread @ q + self.chain.offset
        pin.computeJointJacobians(self.model, self.data, columns)
        return pin.updateFramePlacement(self.model, self.data, self.tcp)

    def jacobian(self) -> Floats:
        """(6, m): linear and angular velocity of the tcp, in the target frame, per variable."""
        jacobian: Floats = pin.getFrameJacobian(
            self.model, self.data, self.tcp, pin.LOCAL_WORLD_ALIGNED
        ).reshape(6, -1)  # one column comes back flat
        return jacobian if self._is_direct else jacobian @ self._spread
