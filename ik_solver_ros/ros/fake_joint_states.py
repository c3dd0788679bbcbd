# SPDX-License-Identifier: Apache-2.0
"""The executable ``fake_joint_states``: stands in for a robot, for trying things out without one.

Publishes ``joint_states`` for the parameter ``robot_description``, or for the latched topic of that
name where the parameter is empty, ``rate`` times a second. The robot rests, or goes where the topic
``follow`` tells it to. Beside a real robot it would hide from everybody where that is, so it ends
as soon as somebody else publishes positions of its joints.
"""

from __future__ import annotations

from .program import Ending, run

_POLL_S = 0.1


def main() -> int:
    """Publish until SIGINT or SIGTERM; returns the exit code."""
    return run("fake_joint_states", _serve)


def _serve(ending: Ending) -> None:
    # Imported late: see ``node.py``.
    import rclpy
    from rclpy.signals import SignalHandlerOptions

    from .fake_robot_node import FakeRobotNode
    from .lanes import Lanes

    rclpy.init(signal_handler_options=SignalHandlerOptions.NO)
    node = FakeRobotNode()
    with Lanes(node, []):
        while not ending.wait(_POLL_S):
            if node.rival:
                raise RuntimeError(node.rival)
