# SPDX-License-Identifier: Apache-2.0
"""A node whose services have our types and do nothing: the least that a call can cost.

It is spun as rclpy does by default, with the default quality of service, like ours.
"""

from __future__ import annotations

from array import array
from contextlib import suppress

import rclpy
from rclpy.executors import ExternalShutdownException

from ik_solver_ros.srv import SolveIK, SolveIKBatch

NAMES = [f"joint_{i}" for i in range(1, 7)]
POSITIONS = [0.5, -0.1, -1.0, 0.2, -1.2, 0.9]
ROWS = 1000
# Made beforehand: nothing but the transport of the arrays shall cost time.
ROW_POSITIONS = array("d", POSITIONS * ROWS)
ROW_ERRORS = array("d", [1e-9] * ROWS)
ROW_STATUS = array("B", [SolveIK.Response.SOLVED] * ROWS)


def main() -> None:
    """Serve until SIGTERM."""
    rclpy.init()
    node = rclpy.create_node("echo")
    node.create_service(SolveIK, "~/solve_ik", answer)
    node.create_service(SolveIKBatch, "~/solve_ik_batch", answer_batch)
    with suppress(KeyboardInterrupt, ExternalShutdownException):
        rclpy.spin(node)


def answer(_request: SolveIK.Request, response: SolveIK.Response) -> SolveIK.Response:
    """Return what the node returns for a target that it reached."""
    response.status, response.success = SolveIK.Response.SOLVED, True
    response.message = "solved: off by 1.5e-08 m and 7.7e-08 rad"
    response.seed_source = "joint_states"
    response.solution.name, response.solution.position = NAMES, POSITIONS
    return response


def answer_batch(
    _request: SolveIKBatch.Request, response: SolveIKBatch.Response
) -> SolveIKBatch.Response:
    """Return arrays as long as those of the node for ``ROWS`` targets."""
    response.batch_status, response.success = SolveIK.Response.SOLVED, True
    response.message = f"{ROWS} of {ROWS} targets solved"
    response.joint_names, response.positions = NAMES, ROW_POSITIONS
    response.position_error = response.orientation_error = ROW_ERRORS
    response.status = ROW_STATUS
    return response


if __name__ == "__main__":
    main()
