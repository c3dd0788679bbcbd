# SPDX-License-Identifier: Apache-2.0
"""Much at once, and for a long time: clients, streams, joint states, other robots, parameters."""
