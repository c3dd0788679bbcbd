# SPDX-License-Identifier: Apache-2.0
"""Robot descriptions with one fault each, and what a person must be told about it."""

from support.broken_urdfs.case import GOOD_URDF, BrokenUrdf
from support.broken_urdfs.documents import NOT_A_URDF, NOT_XML
from support.broken_urdfs.joints import JOINT_PARTS
from support.broken_urdfs.odd import ODD_BUT_USABLE
from support.broken_urdfs.structure import STRUCTURE
from support.broken_urdfs.texts import LEFTOVER_OUTSIDE_KINEMATICS, NUMBERS, XACRO

UNUSABLE = (*NOT_XML, *NOT_A_URDF, *XACRO, *NUMBERS, *JOINT_PARTS, *STRUCTURE)
USABLE = (*ODD_BUT_USABLE, LEFTOVER_OUTSIDE_KINEMATICS)

__all__ = ["GOOD_URDF", "UNUSABLE", "USABLE", "BrokenUrdf"]
