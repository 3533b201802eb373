"""ddsrta lf simulate as a user calls it: output, exit status, files, errors."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ddsrta.__main__ import main
from ddsrta.lf.program.examples import CENTRALIZED, TWO_FEDERATES
from ddsrta.lf.run.simulation import compare

Output = pytest.CaptureFixture[str]


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "f.yaml"
    path.write_text(TWO_FEDERATES)
    return path


def call(*arguments: str) -> int:
    try:
        return main(["lf", "simulate", "--runs", "4", *arguments])
    except SystemExit as stop:
        return int(str(stop.code))


def test_what_was_seen_stands_beside_the_bounds(file: Path, capsys: Output) -> None:
    assert call("f.yaml") == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == (
        "OK  two federates: no tardy message in 5 runs of 500 ms, nothing above its bound"
    )
    assert any(
        line.split()[:6] == ["control", "1.85", "ms", "1.85", "ms", "100.0"] for line in lines
    )
    assert any("source.out → sink.in" in line and "100.0 %" in line for line in lines)


def test_tardy_messages_and_missed_deadlines_end_with_1(file: Path, capsys: Output) -> None:
    file.write_text(
        TWO_FEDERATES.replace("    inputs: [in]\n", "    inputs: [in]\n    maxwait: 1ms\n")
    )
    assert call("f.yaml") == 1
    assert "tardy messages in 5 runs" in capsys.readouterr().out
    file.write_text(TWO_FEDERATES.replace("deadline: 10ms", "deadline: 1ms"))
    assert call("f.yaml") == 1
    assert "times" in capsys.readouterr().out


def test_a_centralized_one_is_simulated_with_its_rti(file: Path, capsys: Output) -> None:
    file.write_text(CENTRALIZED)
    assert call("f.yaml") == 0
    output = capsys.readouterr().out
    assert "messages with the RTI" in output
    assert any(line.split()[:4] == ["sink", "760", "us", "870"] for line in output.splitlines())


def test_the_same_call_gives_the_same_numbers(file: Path, capsys: Output) -> None:
    documents = []
    for seed in ("3", "3", "4"):
        assert call("f.yaml", "--format", "json", "--seed", seed, "--horizon", "50ms") == 0
        documents.append(json.loads(capsys.readouterr().out))
    assert documents[0] == documents[1] != documents[2]
    assert documents[0]["horizon"] == 50_000_000
    [row] = [r for r in documents[0]["observations"] if r["kind"] == "arrival"]
    assert (row["seen"], row["bound"]) == (1_650_000, 1_650_000)


def test_what_is_not_given_is_said(file: Path, capsys: Output) -> None:
    file.write_text(TWO_FEDERATES.replace(", wcet: 500us", ""))
    assert call("f.yaml") == 1
    output = capsys.readouterr().out
    assert "taken as 0: wcet of source.produce" in output
    assert "sink has no offset: it is simulated with maxwait 0" in output


def test_a_run_above_a_bound_ends_with_3(
    file: Path, capsys: Output, monkeypatch: pytest.MonkeyPatch
) -> None:
    honest = compare._row

    def optimistic(kind: str, name: str, most: object, bound: int | None) -> compare.Row:
        return honest(kind, name, most, None if bound is None else bound - 1)  # type: ignore[arg-type]

    monkeypatch.setattr(compare, "_row", optimistic)
    assert call("f.yaml") == 3
    captured = capsys.readouterr()
    assert captured.out.startswith("VIOLATION")
    assert "defect in ddsrta" in captured.err


@pytest.mark.parametrize(
    "arguments",
    [("nothing.yaml",), ("f.yaml", "--runs", "0"), ("f.yaml", "--horizon", "5")],
)
def test_wrong_calls_end_with_2(file: Path, capsys: Output, arguments: tuple[str, ...]) -> None:
    assert call(*arguments) == 2
    assert capsys.readouterr().err


def test_too_many_events_are_an_error(
    file: Path, capsys: Output, monkeypatch: pytest.MonkeyPatch
) -> None:
    file.write_text(
        TWO_FEDERATES.replace("period: 5ms}}\n    outputs", "period: 1ns}}\n    outputs")
    )
    monkeypatch.setattr("ddsrta.lf.run.simulation.agenda.MOST_EVENTS", 1000)
    assert call("f.yaml", "--horizon", "1s") == 2
    assert "take a shorter --horizon" in capsys.readouterr().err
