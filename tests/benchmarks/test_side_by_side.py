"""Peers side by side: who is not at hand is a dash, and what MAST writes is read."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks import side_by_side
from benchmarks.peers import Peer
from ddsrta.examples import TWO_THREADS
from ddsrta.formats.tasks.of_system import tasks_of
from ddsrta.models.reader import loads
from tests.formats.tasks.systems import DISTRIBUTED

RESULTS = """\
Transaction (Name => x_t_sensor, Results => ((Type => Timing_Result, Event_Name => o_t_sensor,
 Worst_Global_Response_Times => ((Referenced_Event => e_t_sensor, Time_Value => 1000000.00)),
 Best_Global_Response_Times => ((Referenced_Event => e_t_sensor, Time_Value => 1.000))),
(Type => Timing_Result, Event_Name => o_t_control, Worst_Blocking_Time => 0.000,
 Worst_Global_Response_Times => ((Referenced_Event => e_t_sensor, Time_Value => {}))));
"""


@pytest.fixture
def system(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A system, and no peer."""
    monkeypatch.delenv("MAST_ANALYSIS", raising=False)
    monkeypatch.setattr(side_by_side.shutil, "which", lambda name: None)
    monkeypatch.setattr(side_by_side, "find_spec", lambda name: None)
    for peer in ("pyrta", "rust"):
        monkeypatch.setattr(side_by_side, peer, lambda path, seconds: Peer(None, "not here"))
    (tmp_path / "system.yaml").write_text(TWO_THREADS)
    return str(tmp_path / "system.yaml")


def test_who_is_not_at_hand_is_a_dash(system: str) -> None:
    assert side_by_side.compare(system) == [["two threads: control loop", "3.286ms", *"–––––"]]


@pytest.mark.parametrize(("figure", "shown"), [("4510000.00", "4.51ms"), ("1.0E+100", "unbounded")])
def test_figures_of_mast_are_read(
    figure: str, shown: str, system: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "results").write_text(RESULTS.format(figure))
    program = tmp_path / "mast_analysis"
    program.write_text(f'#!/bin/sh\ncp {tmp_path}/results "$3"\ntouch left_there\n')
    program.chmod(0o755)
    monkeypatch.setenv("MAST_ANALYSIS", str(program))
    monkeypatch.chdir(tmp_path)
    assert side_by_side.compare(system)[0][3:5] == [shown, shown]
    assert not (tmp_path / "left_there").exists()


def test_what_mast_does_not_analyse_is_a_dash(
    system: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MAST_ANALYSIS", "/bin/true")
    assert side_by_side.compare(system)[0][3:5] == ["–", "–"]


def test_chains_with_delays_or_forks_are_not_for_the_plain_iteration() -> None:
    def peer(path: Path, seconds: float) -> Peer:
        raise AssertionError("it must not be asked")

    assert side_by_side.of_rta(tasks_of(loads(DISTRIBUTED)), peer) is None


def test_the_plain_iteration_gets_the_tasks(tmp_path: Path) -> None:
    def peer(path: Path, seconds: float) -> Peer:
        assert '"period": 10000000, "after": 2}' in path.read_text()
        return Peer({"latency": [1, 2, 3, 4]})

    assert side_by_side.of_rta(tasks_of(loads(TWO_THREADS)), peer) == {"control loop": 4}
