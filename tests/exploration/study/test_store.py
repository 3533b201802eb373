"""A study that was killed at any instant goes on where it was, and ends the same."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

import ddsrta
from ddsrta.__main__ import main
from ddsrta.exploration.study.grammar import Sampler
from ddsrta.exploration.study.judge import Judge, Outcome
from ddsrta.exploration.study.run import Searched, search
from ddsrta.exploration.study.setup import Setup, read_setup
from ddsrta.exploration.study.space import Point
from ddsrta.exploration.study.store import BATCH, MANIFEST, Store
from tests.cli.faults import files, killed
from tests.docs.console import ROOT
from tests.exploration.study.cases import BOTH, ORDER, TEXT, system

pytest.importorskip("pyarrow", reason="the parquet extra is not installed")
STUDY = {
    "study": 1,
    "base": "three.yaml",
    "parameters": {
        "order": ORDER,
        "core": {"place": "threads/logger/core", "values": ["m/c", "m/d"]},
    },
    "objectives": BOTH,
    "sampler": {"kind": "local", "batch": 3, "seed": 1},
}


@pytest.fixture(scope="module")
def setup() -> Setup:
    return read_setup(STUDY, system())


@pytest.fixture(scope="module")
def plain(setup: Setup) -> Searched:
    return search(setup, Judge(setup).outcomes)


def stored(folder: Path, setup: Setup, resume: bool = True) -> Searched:
    return search(setup, Judge(setup).outcomes, Store(folder, setup, resume))


def never(points: Sequence[Point]) -> list[Outcome]:
    raise AssertionError("nothing is left to be looked at")


def test_a_store_tells_the_search_once_more(tmp_path: Path, setup: Setup, plain: Searched) -> None:
    assert stored(tmp_path, setup) == plain
    store = Store(tmp_path, setup, True)
    assert search(setup, never, store) == plain
    assert store.resumed == len(list(tmp_path.glob("*.parquet"))) > 3


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_kill_at_any_step_of_writing_loses_nothing(
    tmp_path: Path, setup: Setup, plain: Searched
) -> None:
    grid = replace(setup, sampler=Sampler("grid", batch=4))
    found = dict.fromkeys(setup.space.every(), plain.tried[0].outcome)
    found |= {each.point: each.outcome for each in plain.tried}
    plain = search(grid, lambda points: [found[point] for point in points])

    def kept(folder: Path) -> Searched:
        return search(grid, lambda points: [found[p] for p in points], Store(folder, grid, True))

    whole = tmp_path / "whole"
    kept(whole)
    for at in range(1000):
        folder = tmp_path / str(at)
        if not killed(at, partial(kept, folder)):
            break
        assert kept(folder) == plain, at
        assert files(folder) == files(whole), at
    assert at > 5 * len(list(whole.iterdir()))


def test_more_candidates_go_on_where_fewer_ended(tmp_path: Path) -> None:
    path = tmp_path / "store"
    whole = ddsrta.explore(STUDY, base=system())
    for count in (2, 6, 5, len(whole.tried)):
        some = ddsrta.explore(STUDY, base=system(), store=path, candidates=count, resume=True)
        assert some.tried == whole.tried[:count]
    assert some.front == whole.front


def test_another_study_does_not_go_on_there(tmp_path: Path, setup: Setup) -> None:
    stored(tmp_path, setup)
    with pytest.raises(ddsrta.InputError, match="holds a study already; add --resume"):
        stored(tmp_path, setup, resume=False)
    other = {**STUDY, "objectives": BOTH[:1]}
    with pytest.raises(ddsrta.InputError, match="study changed: objectives"):
        stored(tmp_path, read_setup(other, system()))
    slower = system().replace("threads", "filter", wcet="3100 us")
    with pytest.raises(ddsrta.InputError, match="base changed, bounds changed"):
        stored(tmp_path, read_setup(STUDY, slower))
    (tmp_path / MANIFEST).write_text("{}")
    with pytest.raises(ddsrta.InputError, match="format changed, version changed"):
        stored(tmp_path, setup)
    (tmp_path / MANIFEST).write_text("[")
    with pytest.raises(ddsrta.InputError, match="it is no manifest"):
        stored(tmp_path, setup)
    (tmp_path / MANIFEST).unlink()
    with pytest.raises(ddsrta.InputError, match="holds something else"):
        stored(tmp_path, setup)


def test_a_damaged_batch_is_named(tmp_path: Path, setup: Setup, plain: Searched) -> None:
    stored(tmp_path, setup)
    first, second = (tmp_path / BATCH.format(number) for number in (0, 1))
    kept = second.read_bytes()
    for damage, why in ((kept[: len(kept) // 2], "cannot be read"), (first.read_bytes(), "points")):
        second.write_bytes(damage)
        with pytest.raises(ddsrta.InputError, match=f"batch-000001.*{why}.*remove the file"):
            stored(tmp_path, setup)
    second.unlink()
    assert stored(tmp_path, setup) == plain


def test_a_killed_command_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Killed for good as soon as the third batch is there."""
    (tmp_path / "three.yaml").write_text(TEXT)
    (tmp_path / "study.yaml").write_text(json.dumps(STUDY))
    path = os.pathsep.join([str(ROOT), str(ROOT / "cython_ext")])
    call = [sys.executable, "-m", "ddsrta", "explore", "study.yaml", "--format", "json"]
    options = {"cwd": tmp_path, "env": {**os.environ, "PYTHONPATH": path}}
    process = subprocess.Popen([*call, "--store", "kept"], stdout=subprocess.DEVNULL, **options)
    while process.poll() is None and not (tmp_path / "kept" / BATCH.format(2)).exists():
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    process.wait()
    monkeypatch.chdir(tmp_path)
    ends = []
    for more in ((), ("--store", "kept", "--resume")):
        assert main([*call[3:], *more]) == 0
        ends.append(capsys.readouterr().out)
    assert ends[0] == ends[1]
