"""ddsrta lf rti as a user calls it: output, exit status, files, errors."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ddsrta.__main__ import main
from ddsrta.lf.bounds.unbounded import NO_SERVICE
from ddsrta.lf.program.examples import CENTRALIZED, TWO_FEDERATES

Output = pytest.CaptureFixture[str]


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "f.yaml"
    path.write_text(CENTRALIZED)
    return path


def call(*arguments: str) -> int:
    try:
        return main(["lf", "rti", *arguments])
    except SystemExit as stop:
        return int(str(stop.code))


def test_lags_price_and_messages_are_shown(file: Path, capsys: Output) -> None:
    assert call("f.yaml") == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "MET  two federates: 2 federates, 1 connection, largest grant lag 870 us"
    assert any(line.split()[:5] == ["sink", "870", "us", "200", "us"] for line in lines)
    assert "  control      1.07 ms   10 ms        1.85 ms  -780 us  met" in lines
    assert "  LTC                up        1  exact" in lines


@pytest.mark.parametrize(
    ("old", "new"),
    [("latency: 10ms", "latency: 900us"), ("deadline: 10ms", "deadline: 700us")],
)
def test_what_is_late_ends_with_1(file: Path, capsys: Output, old: str, new: str) -> None:
    file.write_text(CENTRALIZED.replace(old, new))
    assert call("f.yaml") == 1
    output = capsys.readouterr().out
    assert output.startswith("MISSED")
    assert ("deadline-below-grant" in output) == ("700us" in new)


def test_what_is_missing_is_said_and_ends_with_1(file: Path, capsys: Output) -> None:
    file.write_text(CENTRALIZED.replace("hop: 50us, ", ""))
    assert call("f.yaml") == 1
    output = capsys.readouterr().out
    assert output.startswith("UNBOUNDED")
    assert "unbounded: sink: no hop between source and the RTI is given" in output


def test_json_has_integers_and_null(file: Path, capsys: Output) -> None:
    assert call("f.yaml", "--format", "json", "--output", "out.json") == 0
    assert capsys.readouterr().out == ""
    document = json.loads((file.parent / "out.json").read_text())
    assert document["verdict"] == "met"
    assert document["federates"]["sink"] == {
        "grant_lag": 870_000,
        "tag_takes": 200_000,
        "path": ["source.out → sink.in"],
        "unbounded_because": None,
        "decentralized_wait": 1_650_000,
    }
    assert document["chains"]["control"]["price"] == -780_000
    file.write_text(CENTRALIZED.replace("service: 10us", ""))
    assert call("f.yaml", "--format", "json") == 1
    document = json.loads(capsys.readouterr().out)
    assert document["federates"]["sink"]["grant_lag"] is None
    assert document["grants"][0]["unknown"] == NO_SERVICE.of()


def test_a_decentralized_one_is_told_what_an_rti_would_take(file: Path, capsys: Output) -> None:
    rti = "rti: {hop: 50us, service: 10us}\nfederates:\n  source"
    file.write_text(TWO_FEDERATES.replace("federates:\n  source", rti))
    assert call("f.yaml") == 0
    assert "this is what an RTI would take [decentralized]" in capsys.readouterr().out


def test_wrong_input_ends_with_2(file: Path, capsys: Output) -> None:
    file.write_text(CENTRALIZED.replace("service", "servise"))
    assert call("f.yaml") == 2
    assert "service" in capsys.readouterr().err
    assert call("nothing.yaml") == 2
