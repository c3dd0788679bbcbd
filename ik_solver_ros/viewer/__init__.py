# SPDX-License-Identifier: Apache-2.0
"""The viewer: a robot in the browser whose tool can be dragged; only ``web`` knows viser."""
