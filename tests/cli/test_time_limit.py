"""Analyses that are ended, by a limit or from outside, and what a terminal shows meanwhile."""

import json
from threading import Event

import pytest

import ddsrta
from ddsrta.__main__ import main
from ddsrta.cli import waiting
from ddsrta.examples import TWO_THREADS, two_threads

ENDED = "the time limit ended the analysis"


def test_what_is_not_finished_is_unbounded_because_of_the_limit(tmp_path, capsys):
    path = tmp_path / "system.yaml"
    path.write_text(TWO_THREADS)
    assert main(["analyze", str(path), "--time-limit", "1e-9", "--format", "json"]) == 1
    result = json.loads(capsys.readouterr().out)
    assert result["verdict"] == "unbounded" and result["check"]["status"] == "unchecked"
    # the closed window needs nothing of the rest (lemma closed-window)
    assert result["chains"]["control loop"]["latency"] == 3_286_000
    assert ENDED in result["threads"]["control"]["unbounded_because"]
    assert main(["check", str(path), "--time-limit", "1e-9"]) == 1
    assert ENDED in capsys.readouterr().out


# Who is more urgent comes at another time; the window that is looked at first does not know that.
SOON = """
ddsrta: 1
machines: {m: {cores: [a]}}
threads:
  low: {core: m/a, priority: 5, wcet: 2ms, arrival: {period: 10ms, offset: 0ms}}
  high: {core: m/a, priority: 9, wcet: 3ms, arrival: {period: 10ms, offset: 5ms}}
chains: {way: {path: [low], deadline: 3ms}}
"""


@pytest.fixture
def soon(tmp_path):
    """A system that is in time; what is known of it at once is not."""
    path = tmp_path / "soon.yaml"
    path.write_text(SOON)
    assert ddsrta.analyze(ddsrta.load(path)).verdict == "met"
    return path


@pytest.mark.parametrize("command", ["analyze", "check", "explain", "report", "improve"])
def test_what_is_not_finished_is_not_late(command, soon, capsys):
    assert main([command, str(soon), "--time-limit", "1e-9"]) == 1
    said = capsys.readouterr().out
    assert "not finished" in said
    assert not any(word in said for word in ("MISS", ">missed<", "1 missed", "late by", "late  "))


def test_a_check_says_what_there_is_so_far(soon, capsys):
    assert main(["check", str(soon), "--time-limit", "1e-9"]) == 1
    first, *_, last = capsys.readouterr().out.splitlines()
    assert first == "????  way  latency not finished, 5 ms so far, deadline 3 ms"
    assert last.startswith("failed: 0 of 1 deadline met, 1 not finished; ")


def test_documents_say_that_it_is_not_finished(soon, tmp_path, capsys):
    junit, sarif = tmp_path / "junit.xml", tmp_path / "sarif.json"
    written = ["--junit", str(junit), "--sarif", str(sarif)]
    assert main(["check", str(soon), "--time-limit", "1e-9", *written]) == 1
    assert '<failure type="unfinished"' in junit.read_text()
    found = json.loads(sarif.read_text())["runs"][0]["results"]
    rules = {each["ruleId"] for each in found}
    assert "deadline-unfinished" in rules and "deadline-missed" not in rules
    capsys.readouterr()
    assert main(["analyze", str(soon), "--time-limit", "1e-9", "--format", "json"]) == 1
    said = capsys.readouterr().out
    document = json.loads(said)
    assert document["verdict"] == "unbounded"
    assert document["chains"]["way"]["met"] is None
    (tmp_path / "result.json").write_text(said)
    assert main(["verify", str(tmp_path / "result.json")]) == 0
    assert "confirmed" in capsys.readouterr().out


def test_a_limit_that_is_not_reached_changes_nothing():
    assert ddsrta.analyze(two_threads(), time_limit=600) == ddsrta.analyze(two_threads())


@pytest.mark.parametrize("limit", ["0", "-1", "nan", "inf", "soon"])
def test_a_limit_is_a_positive_number_of_seconds(limit, tmp_path, capsys):
    assert main(["analyze", "x.yaml", f"--time-limit={limit}"]) == 2
    assert f"'{limit}' is not a " in capsys.readouterr().err
    with pytest.raises(ValueError, match="time limit"):
        ddsrta.analyze(two_threads(), time_limit=float("nan"))


def test_a_terminal_shows_how_long_it_takes(monkeypatch):
    shown, said = Event(), []

    def say(text, end="\n"):
        said.append(text + end)
        shown.set()

    monkeypatch.setattr(waiting, "PATIENCE", 0)
    monkeypatch.setattr(waiting, "REFRESH", 0)
    monkeypatch.setattr(waiting, "on_terminal", lambda: True)
    monkeypatch.setattr(waiting, "say", say)
    with waiting.Progress():
        assert shown.wait(300)
    assert said[0].startswith("\ranalysing for 0 s") and said[-1] == "\r\x1b[K"


@pytest.mark.parametrize("command", ["analyze", "check"])
def test_the_published_analysis_refuses_a_limit(command, tmp_path, capsys):
    path = tmp_path / "system.yaml"
    path.write_text(TWO_THREADS)
    assert main([command, str(path), "--profile", "published", "--time-limit", "5"]) == 2
    assert "cannot end at a time limit; leave it out" in capsys.readouterr().err
