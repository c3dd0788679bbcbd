# SPDX-License-Identifier: Apache-2.0
"""Small robots whose kinematics a person can check on paper, and two arms of common shape."""

from __future__ import annotations

import math
from functools import partial

from support.urdf_writer import JointSpec, MadeRobot, serial_robot

QUARTER_TURN = math.pi / 2


def one_revolute(lower: float = -3.0, upper: float = 3.0, length_m: float = 0.5) -> MadeRobot:
    """Return a crank: one joint about z, the tip `length_m` out along x."""
    return serial_robot(
        "one_revolute",
        [
            JointSpec("crank", "revolute", "base", "arm", lower=lower, upper=upper),
            JointSpec("arm_end", "fixed", "arm", "tip", xyz_m=(length_m, 0, 0)),
        ],
    )


def one_prismatic(lower: float = -0.2, upper: float = 0.6) -> MadeRobot:
    """Return a slide along x; the tip is 0.1 m above it."""
    return serial_robot(
        "one_prismatic",
        [
            JointSpec(
                "slide", "prismatic", "base", "carriage", axis=(1, 0, 0), lower=lower, upper=upper
            ),
            JointSpec("mast", "fixed", "carriage", "tip", xyz_m=(0, 0, 0.1)),
        ],
    )


def planar_2r(upper_arm_m: float = 0.5, forearm_m: float = 0.3) -> MadeRobot:
    """Return two links in the x-y plane, both joints about z."""
    return serial_robot(
        "planar_2r",
        [
            JointSpec("shoulder", "revolute", "base", "upper_arm"),
            JointSpec("elbow", "revolute", "upper_arm", "forearm", xyz_m=(upper_arm_m, 0, 0)),
            JointSpec("forearm_end", "fixed", "forearm", "tip", xyz_m=(forearm_m, 0, 0)),
        ],
    )


def planar_2r_angles(
    x_m: float, y_m: float, upper_arm_m: float = 0.5, forearm_m: float = 0.3
) -> list[tuple[float, float]]:
    """Return both (shoulder, elbow) answers of `planar_2r`, by the law of cosines.

    The first has the elbow angle in [0, π], the second mirrors it; none if out of reach.
    """
    cosine = (x_m**2 + y_m**2 - upper_arm_m**2 - forearm_m**2) / (2 * upper_arm_m * forearm_m)
    if not -1.0 <= cosine <= 1.0:
        return []
    answers = []
    for elbow in (math.acos(cosine), -math.acos(cosine)):
        towards_tip = math.atan2(
            forearm_m * math.sin(elbow), upper_arm_m + forearm_m * math.cos(elbow)
        )
        shoulder = math.remainder(math.atan2(y_m, x_m) - towards_tip, 2 * math.pi)
        answers.append((shoulder, elbow))
    return answers


def ur_like_6r() -> MadeRobot:
    """Return six joints, the second to fourth parallel, no spherical wrist, all limits ±2π."""
    turn = partial(JointSpec, kind="revolute", lower=-2 * math.pi, upper=2 * math.pi)
    y = (0, 1, 0)
    return serial_robot(
        "ur_like_6r",
        [
            turn("pan", parent="base", child="shoulder", xyz_m=(0, 0, 0.15)),
            turn("lift", parent="shoulder", child="upper_arm", xyz_m=(0, 0.12, 0), axis=y),
            turn("elbow", parent="upper_arm", child="forearm", xyz_m=(0.42, 0, 0), axis=y),
            turn("wrist_1", parent="forearm", child="w1", xyz_m=(0.38, 0, 0), axis=y),
            turn("wrist_2", parent="w1", child="w2", xyz_m=(0, 0.1, 0), axis=(0, 0, 1)),
            turn("wrist_3", parent="w2", child="w3", xyz_m=(0, 0, -0.09), axis=y),
            JointSpec("tool", "fixed", "w3", "tip", (0, 0.08, 0), (-QUARTER_TURN, 0, 0)),
        ],
    )


def continuous_7r() -> MadeRobot:
    """Return seven joints, alternately rolling and bending; the rolls have no limits."""
    bend = partial(JointSpec, kind="revolute", axis=(0, 1, 0), lower=-2.2, upper=2.2)
    roll = partial(JointSpec, kind="continuous", axis=(0, 0, 1))
    return serial_robot(
        "continuous_7r",
        [
            roll("roll_1", parent="base", child="l1", xyz_m=(0, 0, 0.2)),
            bend("bend_2", parent="l1", child="l2", xyz_m=(0, 0, 0.12)),
            roll("roll_3", parent="l2", child="l3", xyz_m=(0, 0, 0.2)),
            bend("bend_4", parent="l3", child="l4", xyz_m=(0, 0, 0.2)),
            roll("roll_5", parent="l4", child="l5", xyz_m=(0, 0, 0.2)),
            bend("bend_6", parent="l5", child="l6", xyz_m=(0, 0, 0.2)),
            roll("roll_7", parent="l6", child="l7", xyz_m=(0, 0, 0.06)),
            JointSpec("tool", "fixed", "l7", "tip", (0, 0, 0.1)),
        ],
    )
