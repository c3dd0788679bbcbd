# SPDX-License-Identifier: Apache-2.0
"""The server's side of the viewer, without a browser."""

from __future__ import annotations

import asyncio
import socket
import sys
from types import SimpleNamespace

import pytest

from ik_solver_ros import MissingDependencyError
from ik_solver_ros.viewer.controls import by_user, write
from ik_solver_ros.viewer.scene import Tone
from ik_solver_ros.viewer.web import HOST, require_viser
from support.viewing import moved, session_of, viewer_of

DEADLINE_S = 20.0


@pytest.fixture
def viewer():
    opened = viewer_of(session_of("panda"), "panda")
    try:
        yield opened
    finally:
        opened.close()


def test_without_viser_the_sentence_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "viser", None)
    with pytest.raises(MissingDependencyError, match=r"pip install 'ik_solver_ros\[viewer\]'"):
        require_viser()


def test_what_the_server_writes_is_no_wish_of_the_user():
    heard = []
    callback = by_user(heard.append)
    for client in (None, "somebody"):
        asyncio.run(callback(SimpleNamespace(client=client)))
    assert [event.client for event in heard] == ["somebody"]


def test_only_changes_are_written():
    class Handle:
        written = 0
        _value = 1.0

        @property
        def value(self):
            return self._value

        @value.setter
        def value(self, value):
            self.written, self._value = self.written + 1, value

    handle = Handle()
    for value in (1.0, 2.0, 2.0):
        write(handle, "value", value)
    assert (handle.written, handle.value) == (1, 2.0)


def test_a_wish_is_solved_and_shown_by_handle_and_controls(viewer):
    session = viewer.session
    target = moved(viewer.view.T_base_target, z=0.05)
    viewer.worker.post(lambda: session.move_target(target), "target")
    assert viewer.wait_for(lambda view: view.T_base_target == target, DEADLINE_S)
    assert viewer.view.tone is Tone.SOLVED
    assert viewer.handle_pose().isApprox(target, 1e-9)


def test_a_port_in_use_is_passed_over(viewer):
    with socket.create_connection((HOST, viewer.port), timeout=DEADLINE_S):
        other = viewer_of(session_of("demo_arm"), "demo_arm", port=viewer.port)
    try:
        assert other.port != viewer.port
        assert other.address == f"http://127.0.0.1:{other.port}"
    finally:
        other.close()
