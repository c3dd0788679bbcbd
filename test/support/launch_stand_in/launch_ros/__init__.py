# SPDX-License-Identifier: Apache-2.0
"""Stand-in for the package launch_ros."""
