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


def test_a_limit_that_is_not_reached_changes_nothing():
    assert ddsrta.analyze(two_threads(), time_limit=600) == ddsrta.analyze(two_threads())


@pytest.mark.parametrize("limit", ["0", "-1", "nan", "inf", "soon"])
def test_a_limit_is_a_positive_number_of_seconds(limit, tmp_path, capsys):
    assert main(["analyze", "x.yaml", f"--time-limit={limit}"]) == 2
    assert f"'{limit}' is not a number of seconds such as 10" in capsys.readouterr().err
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
