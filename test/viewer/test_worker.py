# SPDX-License-Identifier: Apache-2.0
"""One thread for all wishes, of which only the newest of a kind counts."""

from __future__ import annotations

import threading

from ik_solver_ros.viewer.worker import Worker

DEADLINE_S = 10.0


def test_the_newest_of_a_kind_is_done_and_every_press_of_a_button():
    done, go, shown = [], threading.Event(), []
    worker = Worker(lambda: shown.append(len(done)), done.append)
    finished = threading.Event()
    started = threading.Event()

    def hold():
        started.set()
        assert go.wait(DEADLINE_S)

    worker.post(hold)
    assert started.wait(DEADLINE_S)
    for i in range(100):
        worker.post(lambda i=i: done.append(f"drag {i}"), "target")
    worker.post(lambda: done.append("press"))
    worker.post(lambda: done.append("press"))
    worker.post(lambda: done.append("drag last"), "target")
    worker.post(finished.set)
    go.set()
    assert finished.wait(DEADLINE_S)
    worker.close()
    assert done == ["press", "press", "drag last"]
    assert shown[0] == 0


def test_a_wish_that_fails_is_told_and_the_next_one_is_done(capsys):
    told, finished = [], threading.Event()
    worker = Worker(lambda: None, told.append)

    def fail():
        raise ZeroDivisionError("by chance")

    worker.post(fail)
    worker.post(finished.set)
    assert finished.wait(DEADLINE_S)
    worker.close()
    assert told == ["internal error, please report it: ZeroDivisionError: by chance"]
    assert "Traceback" in capsys.readouterr().err
