"""The short form of `make bench`: same bounds as the peers, costs that grow with the size only.

Limits are ratios of processor time far from what is measured: a busy machine does not fail them.
"""

from __future__ import annotations

import doctest
import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"


@pytest.fixture(scope="module")
def figures() -> dict[str, Any]:
    """One short run."""
    path = os.pathsep.join(entry for entry in sys.path if entry)
    done = subprocess.run(
        [sys.executable, str(BENCHMARKS / "run.py"), "--short", "--json"],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.fixture
def systems(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The generator."""
    return _module("systems", monkeypatch)


def _module(name: str, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    return __import__(name)


@pytest.mark.parametrize("peer", ["rust", "pyrta"])
def test_plain_bounds_are_those_of_the_peers(figures: dict[str, Any], peer: str) -> None:
    compared = figures["peers"]
    if peer in compared["missing"]:
        pytest.skip(compared["missing"][peer])
    assert compared[f"{peer}_equal"]


def test_bounds_of_the_crate_are_those_of_these_tasks_and_of_this_program(
    systems: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    peers, tasks = _module("peers", monkeypatch), tmp_path / "tasks.txt"
    tasks.write_text(systems.to_lines(systems.generate(1_000)))
    assert peers.kept(tasks), "python benchmarks/peers.py keeps them anew"
    tasks.write_text(systems.to_lines(systems.generate(999)))
    assert peers.kept(tasks) is None


def test_candidates_have_the_same_figures_for_less(figures: dict[str, Any]) -> None:
    found = figures["candidates"]
    assert found["equal"]
    if not figures["peers"]["compiled"]:
        pytest.skip("the compiled kernel was not built")
    assert 4 * found["one"]["each_ns"] < found["each_ns"]


def test_refined_bounds_are_lower_or_the_same(figures: dict[str, Any]) -> None:
    compared = figures["peers"]
    assert compared["kernel_above"] == 0
    assert compared["kernel_below"] > 0


def test_bounds_are_never_above_the_sum_of_local_ones(figures: dict[str, Any]) -> None:
    compared = figures["peers"]
    if "rust" in compared["missing"]:
        pytest.skip(compared["missing"]["rust"])
    assert compared["rust_local_below"] == 0
    assert compared["rust_local_above"] > 0


def test_the_kernel_agrees_where_it_is_interpreted_and_is_compiled_for_a_reason(
    figures: dict[str, Any],
) -> None:
    compared = figures["peers"]
    assert compared["interpreted_equal"]
    if not compared["compiled"]:
        pytest.skip("the compiled kernel was not built")
    assert compared["interpreted_ns"] > 20 * compared["plain_ns"]


def test_the_reference_system_is_analysed_in_six_sizes(figures: dict[str, Any]) -> None:
    kernel, slow = (
        figures["reference"][key]["configurations"] for key in ("kernel", "interpreted")
    )
    sizes = [(5, 26), (6, 28), (10, 29), (15, 32), (21, 35), (24, 36)]
    assert [(one["chains"], one["entities"]) for one in kernel] == sizes
    if not figures["reference"]["kernel"]["compiled"]:
        pytest.skip("the compiled kernel was not built")
    assert all(a["solve_ns"] < b["solve_ns"] for a, b in zip(kernel, slow, strict=True))
    assert kernel[-1]["solve_ns"] < 100 * kernel[0]["solve_ns"]


def test_a_check_decides_and_its_work_grows_with_the_size_only(figures: dict[str, Any]) -> None:
    small, *larger = figures["checking"]
    for one in (small, *larger):
        assert one["status"] == "confirmed"
        assert one["work"] / one["tasks"] < 5 * small["work"] / small["tasks"]


def test_large_systems_on_few_cores_are_confirmed(figures: dict[str, Any]) -> None:
    assert {one["shape"] for one in figures["large"]} == {"hops", "pairs", "fan"}
    assert all(one["status"] == "confirmed" for one in figures["large"])


@pytest.mark.parametrize("cost", ["solve_ns", "compile_ns", "windows"])
@pytest.mark.parametrize("sizes", ["sizes", "plain"])
def test_cost_of_a_task_does_not_grow_with_the_system(
    figures: dict[str, Any], sizes: str, cost: str
) -> None:
    first, *larger = figures[sizes]
    for one in larger:
        assert one[cost] / one["tasks"] < 20 * first[cost] / first["tasks"]


def test_memory_of_100_000_tasks_stays_below_1_gib(figures: dict[str, Any]) -> None:
    """From two sizes, what each further task takes."""
    small, large = figures["sizes"][0], figures["sizes"][-1]
    a_task = (large["peak_bytes"] - small["peak_bytes"]) / (large["tasks"] - small["tasks"])
    assert 0 < small["peak_bytes"] + 100_000 * a_task < 1 << 30


def test_simulator_is_fast_and_its_memory_does_not_grow(figures: dict[str, Any]) -> None:
    """Two million events a second are asked for; here the ratio to the interpreted engine, of
    processor time."""
    compiled, interpreted = (figures["simulator"][key] for key in ("compiled", "interpreted"))
    assert not interpreted["compiled"]
    assert max(one["grown_bytes"] for one in (compiled, interpreted)) < 1 << 20
    if not compiled["compiled"]:
        pytest.skip("the compiled engine was not built")
    assert interpreted["event_ns"] > 5 * compiled["event_ns"]


def test_generated_systems_are_what_they_are_said_to_be(systems: ModuleType) -> None:
    tasks = systems.generate(200, seed=7)
    assert tasks == systems.generate(200, seed=7) != systems.generate(200, seed=8)
    assert set(Counter(task.core for task in tasks).values()) == {10}
    assert len({(task.core, task.priority) for task in tasks}) == 200
    for core in range(20):
        load = sum(task.wcet / task.period for task in tasks if task.core == core)
        assert load == pytest.approx(0.6, abs=1e-4)
    assert doctest.testmod(systems).failed == 0


def test_same_system_in_all_forms(systems: ModuleType) -> None:
    from ddsrta import analyze, loads

    tasks = systems.generate(36)
    direct, read = systems.to_system(tasks), loads(systems.to_yaml(tasks))
    assert analyze(direct).threads == analyze(read).threads
    assert json.loads(systems.to_json(tasks))["tasks"][3]["wcet"] == direct.threads["t3"].wcet


def test_a_peer_that_is_missing_is_left_out_with_the_reason(
    monkeypatch: pytest.MonkeyPatch, figures: dict[str, Any], tmp_path: Path
) -> None:
    peers, tables = _module("peers", monkeypatch), _module("tables", monkeypatch)
    monkeypatch.setenv("PATH", str(tmp_path))
    missing = peers.rust(tmp_path / "none.json", 0.1)
    assert missing == (None, "cargo is not installed")
    kept = {k: v for k, v in figures["peers"].items() if not k.startswith("rust")}
    compared = {**kept, "missing": {"rust": missing.missing}}
    text = tables.report({**figures, "peers": compared})
    assert "Left out: response-time-analysis 0.3.2 (Rust); cargo is not installed." in text
