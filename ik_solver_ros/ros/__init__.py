# SPDX-License-Identifier: Apache-2.0
"""The ROS 2 node and the executables around it; the only part that knows ROS."""
