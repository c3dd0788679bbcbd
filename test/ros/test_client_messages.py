# SPDX-License-Identifier: Apache-2.0
"""Messages of callers say what the request says: what is read out of them is what was written."""

from __future__ import annotations

import math

import numpy as np
import pytest

from ik_solver_ros import IKRequest
from ik_solver_ros.ros.client_messages import solve_message
from ik_solver_ros.ros.inputs import read_request, target_pose, tcp_offset

XYZ, QUAT_XYZW = [0.4, 0.2, 0.6], [0.5, 0.5, -0.5, 0.5]


def read(message, seed):
    return read_request(message, target_pose(message), tcp_offset(message, "tool0"), seed)


def test_a_request_arrives_as_it_was_sent():
    request = IKRequest.from_xyz_quat(
        XYZ,
        QUAT_XYZW,
        tip_frame="tool0",
        tcp_offset=([0.0, 0.1, 0.2], [0.0, 0.6, 0.0, 0.8]),
        position_tolerance=(0.0, 1e-3, math.inf),
        orientation_tolerance=(0.0, 0.0, math.inf),
        seed={"joint_1": 0.3},
        max_joint_jump=0.5,
        max_solutions=7,
        allow_relaxed=True,
        timeout_s=1.25,
    )
    message = solve_message(request, "base_link", dry_run=True)
    assert message.target.header.frame_id == "base_link"
    assert message.dry_run
    assert (list(message.seed.name), list(message.seed.position)) == (["joint_1"], [0.3])
    arrived = read(message, {"joint_1": 0.3})
    for name in (
        "tip_frame", "position_tolerance", "orientation_tolerance", "seed", "max_joint_jump",
        "max_solutions", "allow_relaxed", "timeout_s",
    ):  # fmt: skip
        assert getattr(arrived, name) == getattr(request, name)
    assert arrived.T_base_target.isApprox(request.T_base_target, 1e-12)
    assert arrived.T_tip_tcp.isApprox(request.T_tip_tcp, 1e-12)


@pytest.mark.parametrize("timeout_s", [0.0, 1e-9, 0.05, 0.9999999999, 1.9999999996, 3600.0])
def test_no_part_of_a_duration_is_a_whole_second(timeout_s):
    request = IKRequest.from_xyz_quat(XYZ, QUAT_XYZW, timeout_s=timeout_s)
    message = solve_message(request, "", dry_run=False)
    assert 0 <= message.timeout.nanosec < 1_000_000_000
    assert read(message, {}).timeout_s == pytest.approx(timeout_s, abs=1e-9)


def test_numbers_of_other_types_fit_their_fields():
    request = IKRequest.from_xyz_quat(
        XYZ,
        QUAT_XYZW,
        max_joint_jump=1,
        max_solutions=np.int64(2),
        allow_relaxed=np.True_,
        timeout_s=2,
    )
    arrived = read(solve_message(request, "", dry_run=False), {})
    assert (arrived.max_joint_jump, arrived.max_solutions) == (1.0, 2)
    assert (arrived.allow_relaxed, arrived.timeout_s) == (True, 2.0)
