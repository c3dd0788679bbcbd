# SPDX-License-Identifier: Apache-2.0
"""The executable ``ik_interactive_marker``: a marker at the tool that is dragged in RViz.

A process of its own, like any other client of the IK node: what it does, a script could do.
"""

from __future__ import annotations

from .program import Ending, run

#: Of the service and the topics between RViz and the marker.
NAMESPACE = "ik_solver/interactive"
_LOOK_EVERY_S = 0.5  # for a node that knows robot and joints


def main() -> int:
    """Serve until SIGINT or SIGTERM; returns the exit code."""
    return run("ik_interactive_marker", _serve)


def _serve(ending: Ending) -> None:
    # Imported late: see ``node.py``.
    import rclpy
    from rclpy.clock import Clock, ClockType
    from rclpy.signals import SignalHandlerOptions

    from ik_solver_ros.srv import ComputeFK, SolveIK

    from .interactive_server import interactive_server
    from .interactive_target import InteractiveTarget
    from .lanes import Lanes

    rclpy.init(signal_handler_options=SignalHandlerOptions.NO)
    node = rclpy.create_node("ik_interactive_marker")
    target = InteractiveTarget(
        node.create_client(SolveIK, "ik_solver/solve_ik"),
        node.create_client(ComputeFK, "ik_solver/compute_fk"),
        lambda marker: server.show(marker),
    )
    server = interactive_server(node, NAMESPACE, target.hear)

    def look() -> None:
        if not target.is_placed:
            target.place()

    node.get_logger().info(
        f"RViz finds the marker under {node.resolve_service_name(NAMESPACE)}, once the IK node "
        "knows robot and joints"
    )
    node.create_timer(_LOOK_EVERY_S, look, clock=Clock(clock_type=ClockType.STEADY_TIME))
    with Lanes(node, []):
        ending.wait()
