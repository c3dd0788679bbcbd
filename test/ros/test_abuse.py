# SPDX-License-Identifier: Apache-2.0
"""Messages of no sense: the node answers or ignores them, and stays right."""

from __future__ import annotations

import sys

import pytest

from support.robots import REPOSITORY

sys.path.insert(0, str(REPOSITORY / "reliability"))

from abuse.acts import act
from abuse.trial import trial
from report import abuse as section

MESSAGES, BLOCK = 1500, 125


def test_the_node_survives_abuse_and_publishes_nothing_wrong(tmp_path):
    found = trial(tmp_path, seed=2, first=0, count=MESSAGES, block=BLOCK)
    assert found["faults"] == []
    assert sum(found["sent"].values()) == MESSAGES
    assert found["probes"] == 2 * (MESSAGES // BLOCK + 1)
    assert found["published"] > 100
    assert {"SOLVED", "INVALID_REQUEST", "UNKNOWN_FRAME", "NO_JOINT_STATE"} <= set(found["answers"])
    assert "No fault was found" in section.render(found)


@pytest.mark.parametrize("number", range(0, 400, 7))
def test_a_message_is_the_same_whenever_it_is_asked_for(number):
    assert repr(act(1, number)) == repr(act(1, number))
    assert repr(act(1, number)) != repr(act(2, number))
