# SPDX-License-Identifier: Apache-2.0
"""A robot of physics in a closed loop with the real node, over the real topics.

::

    figure ─target_pose─▶ ik_node ─joint_trajectory─▶ controller ─setpoints─▶ world (MuJoCo)
                             ▲                                                   │
                             └──────────────── joint_states ─────────────────────┘
"""
