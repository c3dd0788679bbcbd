# SPDX-License-Identifier: Apache-2.0
"""Two robots that share all names; one has an upper arm that is 3 mm longer."""

from __future__ import annotations

import numpy as np

from support.edited_urdf import edited, moved_origin
from support.robots import DEMO_ARM, robot_urdf
from support.urdf_fk import UrdfKinematics

BASE, TIP = DEMO_ARM.base, DEMO_ARM.tip
MOVING_FRAME = "forearm_link"  # behind the joint that is moved, before the tip
LONGER_M = 0.003
URDFS = (
    robot_urdf(DEMO_ARM.name),
    edited(robot_urdf(DEMO_ARM.name), moved_origin("joint_3", np.array([0.0, 0.0, LONGER_M]))),
)
MODELS = tuple(map(UrdfKinematics, URDFS))
JOINTS = tuple(MODELS[0].chain_joints(BASE, TIP))
