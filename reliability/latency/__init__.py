# SPDX-License-Identifier: Apache-2.0
"""What the topics and services of the node cost beside those that do nothing."""
