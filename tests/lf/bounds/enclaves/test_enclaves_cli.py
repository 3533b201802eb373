"""ddsrta lf enclaves as a user calls it: output, exit status, files, errors."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ddsrta.__main__ import main
from ddsrta.lf.bounds.unbounded import NO_WCET
from ddsrta.lf.program.examples import ENCLAVES

Output = pytest.CaptureFixture[str]


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "f.yaml"
    path.write_text(ENCLAVES)
    return path


def call(*arguments: str) -> int:
    try:
        return main(["lf", "enclaves", *arguments])
    except SystemExit as stop:
        return int(str(stop.code))


def test_enclaves_deadlines_and_chains_are_shown(file: Path, capsys: Output) -> None:
    assert call("f.yaml") == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == (
        "MET  a radio: 2 enclaves, 3 workers, tags done at most 4.2 ms after their time"
    )
    assert (
        "  radio.decoding          2        2  200 us    4 ms  4.2 ms  radio → radio.decoding"
        in lines
    )
    assert "  decoded   4.2 ms    5 ms  200 us  4 ms  met" in lines


@pytest.mark.parametrize(
    ("old", "new", "rule"),
    [
        ("latency: 5ms", "latency: 4ms", "late-chain"),
        ("wcet: 1ms}", "wcet: 1ms, deadline: 1ms}", "late-start"),
    ],
)
def test_what_is_late_ends_with_1_and_says_why(
    file: Path, capsys: Output, old: str, new: str, rule: str
) -> None:
    file.write_text(ENCLAVES.replace(old, new))
    assert call("f.yaml") == 1
    output = capsys.readouterr().out
    assert output.startswith("MISSED")
    assert f"[{rule}]" in output
    assert "200 us waiting for enclaves upstream" in output


def test_json_has_integers_and_null(file: Path, capsys: Output) -> None:
    assert call("f.yaml", "--format", "json", "--output", "out.json") == 0
    assert capsys.readouterr().out == ""
    document = json.loads((file.parent / "out.json").read_text())
    assert document["enclaves"]["radio.decoding"] == {
        "federate": "radio",
        "enclave": "decoding",
        "reactions": 2,
        "workers": 2,
        "waits": 200_000,
        "tag_barrier": 0,
        "work": 4_000_000,
        "level_barrier": 0,
        "others": 0,
        "done": 4_200_000,
        "path": ["radio"],
        "unbounded_because": None,
    }
    assert "search" not in document
    file.write_text(ENCLAVES.replace(", wcet: 3ms", ""))
    assert call("f.yaml", "--format", "json") == 1
    document = json.loads(capsys.readouterr().out)
    assert document["verdict"] == "unbounded"
    assert document["enclaves"]["radio.decoding"]["done"] is None
    because = NO_WCET.of(reaction="radio.decoding.decode")
    assert document["chains"]["decoded"]["unbounded_because"] == because


def test_what_a_search_finds_can_be_pasted(file: Path, capsys: Output) -> None:
    assert call("f.yaml", "--search", "--budget", "9", "--seed", "3") == 0
    output = capsys.readouterr().out
    assert "partitions tried, seed 3" in output
    assert "  as it is: MET, 2 enclaves" in output
    assert "  federates:\n    radio:\n      workers: " in output
    assert call("f.yaml", "--search", "--budget", "9", "--seed", "3", "--format", "json") == 0
    document = json.loads(capsys.readouterr().out)
    assert document["search"]["after"]["verdict"] == "met"
    assert 1 <= document["search"]["tried"] <= 9


def test_a_terminal_sees_how_the_search_gets_on(
    file: Path, capsys: Output, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    assert call("f.yaml", "--search", "--budget", "9") == 0
    assert "1: MET, 1 enclave" in capsys.readouterr().err


@pytest.mark.parametrize("arguments", [["--budget", "-1"], ["--budget", "x"], ["--seed", "1.5"]])
def test_wrong_calls_end_with_2(file: Path, capsys: Output, arguments: list[str]) -> None:
    assert call("f.yaml", "--search", *arguments) == 2
    assert "expected a whole number" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("target: Cpp", "target: C++", "f.yaml:4:9"),
        ("reactors: [decoder]", "reactors: [decodr]", "did you mean 'decoder'"),
        ("workers: 2", "workers: 0", "f.yaml:19:48: 0 is not within 1"),
        ("workers: 2", "worker: 2", "did you mean 'workers'"),
        ("- {from: samples, to: decoder.in}", "- {from: samples, to: decoder.in}\n      - {from: decoder.bits, to: decoder.in, after: 1ms}",
         "'decoder.in' is already the end of a connection; enclaves need one: where several modes feed it,"),
    ],
)  # fmt: skip
def test_wrong_input_ends_with_2(file: Path, capsys: Output, old: str, new: str, said: str) -> None:
    file.write_text(ENCLAVES.replace(old, new))
    assert call("f.yaml") == 2
    assert said in capsys.readouterr().err


def test_a_missing_file_ends_with_2(capsys: Output) -> None:
    assert call("nothing.yaml") == 2
