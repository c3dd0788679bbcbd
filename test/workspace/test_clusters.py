# SPDX-License-Identifier: Apache-2.0
"""Maps computed by clusters of two local workers have the numbers of this process."""

from __future__ import annotations

import os
import secrets
import subprocess
import sys
import tempfile
from contextlib import contextmanager

import distributed
import numpy as np
import pytest

from ik_solver_ros.cli.main import main
from ik_solver_ros.core.errors import BackendError
from ik_solver_ros.core.solvers.reference import ReferenceSolver
from ik_solver_ros.workspace import OrientationSet, ReachabilityMap, cells, map_workspace
from ik_solver_ros.workspace.cells import MapJob
from ik_solver_ros.workspace.on_dask import Dask
from ik_solver_ros.workspace.on_ray import Ray
from support.robots import robot_urdf, robot_urdf_path

URDF = robot_urdf("demo_arm")
QUESTION = {"cell_m": 0.15, "orientations": OrientationSet.even(4)}
ARRAYS = ("reached", "out_of_reach", "blocked", "manipulability", "limit_margin")
# Lives until its stdin is closed; tells its address on stdout.
RAY = """
import sys, ray
context = ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, _temp_dir=sys.argv[1],
                   object_store_memory=80_000_000)
print(context.address_info["gcs_address"], flush=True)
sys.stdin.read()
ray.shutdown()
"""
# Ray listens on the loopback interface only where it takes clusters for impossible.
RAY_ENVIRONMENT = os.environ | {
    "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0",
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_AUTH_MODE": "token",
    "RAY_AUTH_TOKEN": secrets.token_hex(32),  # nobody else may use this cluster
}


@pytest.fixture(scope="module")
def local():
    return map_workspace(URDF, **QUESTION)


@contextmanager
def ray_cluster():
    # A folder of a short name: Ray puts Unix sockets into it, whose paths may have 107 characters.
    with tempfile.TemporaryDirectory(prefix="ray") as folder:
        cluster = subprocess.Popen(
            [sys.executable, "-c", RAY, folder],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=RAY_ENVIRONMENT,
        )  # fmt: skip
        try:
            yield cluster.stdout.readline().strip()
        finally:
            cluster.communicate(timeout=60)  # closes its stdin


def assert_same(reachable, local):
    for name in ARRAYS:
        assert getattr(reachable, name).tobytes() == getattr(local, name).tobytes(), name


def test_dask(local, tmp_path):
    told = []
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None,
        host="127.0.0.1", worker_dashboard_address=None,
    ) as cluster:  # fmt: skip
        address = cluster.scheduler_address
        backend = Dask(address)
        reachable = map_workspace(
            URDF, **QUESTION, backend=backend, progress=lambda *done: told.append(done)
        )
        out = tmp_path / "map.npz"
        where = ["--backend", "dask", "--address", address, "--out", str(out)]
        robot = str(robot_urdf_path("demo_arm"))
        assert main(["reach", robot, "--cell", "0.15", "--orientations", "4", *where]) == 0
    assert_same(reachable, local)
    assert_same(ReachabilityMap.load(out), local)
    assert told[-1][0] == told[-1][1]


def test_ray(local, tmp_path):
    out = tmp_path / "map.npz"
    command = ["ik", "reach", str(robot_urdf_path("demo_arm")), "--cell", "0.15"]
    command += ["--orientations", "4", "--backend", "ray", "--out", str(out), "--address"]
    with ray_cluster() as address:
        assert address.startswith("127.0.0.1:")
        reach = subprocess.run(
            [*command, address],
            env=RAY_ENVIRONMENT,
            cwd=tmp_path,  # Ray's workers look there first, and the sources hold no kernel
            capture_output=True,
            text=True,
            timeout=120,
        )
    assert reach.returncode == 0, reach.stderr
    assert_same(ReachabilityMap.load(out), local)


def test_a_worker_without_the_kernel_is_refused_instead_of_having_numbers_of_its_own(monkeypatch):
    def no_kernel(name):
        return ReferenceSolver()

    job = MapJob(URDF, "", "", None, OrientationSet.any(), 20, "numeric")
    monkeypatch.setattr(cells, "solver_called", no_kernel)
    with pytest.raises(BackendError, match="the C\\+\\+ kernel is not built"):
        cells.evaluate(job, np.zeros((1, 3)))


@pytest.mark.parametrize("backend", ["dask", "ray"])
def test_a_cluster_that_is_not_there_is_one_sentence(backend, capsys):
    where = ["--backend", backend, "--address", "127.0.0.1:1"]
    assert main(["reach", str(robot_urdf_path("demo_arm")), *where]) == 2
    err = capsys.readouterr().err
    assert f"no {backend.capitalize()}" in err
    assert "127.0.0.1:1" in err


@pytest.mark.parametrize(("module", "backend"), [("distributed", Dask), ("ray", Ray)])
def test_a_missing_package_is_a_sentence_with_what_to_install(monkeypatch, module, backend):
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(ImportError, match=r"pip install 'ik_solver_ros\["):
        backend("address")
