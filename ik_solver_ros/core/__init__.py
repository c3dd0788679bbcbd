# SPDX-License-Identifier: Apache-2.0
"""Inverse kinematics without ROS; the public names are those of ``ik_solver_ros``."""
