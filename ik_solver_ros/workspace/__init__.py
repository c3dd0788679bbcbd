# SPDX-License-Identifier: Apache-2.0
"""Where an arm can work: reachability maps, computed on this machine or on a cluster."""

from .map import ReachabilityMap
from .mapping import map_workspace
from .orientations import OrientationSet

__all__ = ["OrientationSet", "ReachabilityMap", "map_workspace"]
