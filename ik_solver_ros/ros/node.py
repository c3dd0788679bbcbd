# SPDX-License-Identifier: Apache-2.0
"""The executable ``ik_node``."""

from __future__ import annotations

from .program import Ending, run


def main() -> int:
    """Serve until SIGINT or SIGTERM; returns the exit code."""
    return run("ik_node", _serve)


def _serve(ending: Ending) -> None:
    # Imported late: loading takes a second, and signals must find us ready.
    import rclpy
    from rclpy.signals import SignalHandlerOptions

    from .ik_node import IKNode
    from .lanes import Lanes

    # rclpy's own signal handlers would interrupt a callback anywhere, with a traceback.
    rclpy.init(signal_handler_options=SignalHandlerOptions.NO)
    node = IKNode()
    with Lanes(node, node.own_lanes):
        ending.wait()
