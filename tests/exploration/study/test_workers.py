"""Whoever looks at candidates, the search is the same: also where a worker is killed on the way."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import Any

import pytest

import ddsrta
from ddsrta.exploration.study.run import Heard
from ddsrta.exploration.study.setup import read_setup
from ddsrta.exploration.study.workers import _Pool, looking
from tests.docs.console import ROOT
from tests.exploration.study.cases import BOTH, ORDER, system

STUDY: dict[str, Any] = {
    "study": 1,
    "base": "three.yaml",
    "parameters": {"order": ORDER, "all": {"kind": "cores"}},
    "objectives": BOTH,
    "sampler": {"kind": "local", "batch": 16, "candidates": 24},
}


@pytest.fixture(autouse=True)
def _path(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(ROOT), str(ROOT / "cython_ext")]))


@pytest.fixture(scope="module")
def alone() -> ddsrta.Study:
    return ddsrta.explore(STUDY, base=system())


def test_processes_find_the_same_also_where_one_is_killed(
    alone: ddsrta.Study, monkeypatch: pytest.MonkeyPatch
) -> None:
    look, pids = _Pool.look, []

    def looked(pool: _Pool, points: Any) -> Any:
        found = look(pool, points)
        if not pids:
            pids.extend(process.pid for process in pool.workers.values())
            os.kill(pids[0], signal.SIGKILL)
        return found

    monkeypatch.setattr(_Pool, "look", looked)
    found = ddsrta.explore(STUDY, base=system(), jobs=2)
    assert pids
    assert found.tried == alone.tried and found.front == alone.front


@pytest.mark.filterwarnings("ignore")
def test_a_cluster_finds_the_same_also_where_a_worker_is_killed(
    alone: ddsrta.Study, tmp_path: Path
) -> None:
    distributed = pytest.importorskip("distributed", reason="the dask extra is not installed")
    heard: list[Heard] = []
    with distributed.LocalCluster(
        n_workers=2,
        threads_per_worker=1,
        processes=True,
        dashboard_address=None,
        local_directory=str(tmp_path),
    ) as cluster:

        def hear(now: Heard) -> None:
            heard.append(now)
            if len(heard) == 1:
                os.kill(next(iter(cluster.workers.values())).pid, signal.SIGKILL)

        found = ddsrta.explore(STUDY, base=system(), scheduler=cluster.scheduler_address, hear=hear)
    assert len(heard) > 3
    assert found.tried == alone.tried and found.front == alone.front


@pytest.mark.filterwarnings("ignore")
def test_a_scheduler_that_does_not_answer_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    distributed = pytest.importorskip("distributed", reason="the dask extra is not installed")

    def nobody(*_: Any, **__: Any) -> Any:
        raise OSError("nobody is there")

    monkeypatch.setattr(distributed, "Client", nobody)
    with (
        pytest.raises(ddsrta.InputError, match="no scheduler answers at 'tcp://localhost:1'"),
        looking(read_setup(STUDY, system()), 1, "tcp://localhost:1"),
    ):
        pass
