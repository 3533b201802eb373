"""What an attack prints."""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace

import pytest

from ddsrta.base.diagnostics import InputError
from ddsrta.cli import simulate_attack
from ddsrta.examples import two_threads


def options(*arguments, **others):
    parser = ArgumentParser()
    simulate_attack.arguments(parser)
    parsed = vars(parser.parse_args(["--runs", "30", *arguments]))
    defaults = {"seed": None, "format": "text", "output": None, "profile": "busy-window"}
    return Namespace(**{**defaults, **parsed, **others})


def test_each_target_has_a_line_with_bound_found_and_tightness(capsys):
    assert simulate_attack.run(two_threads(), options("--attack")) == 0
    out = capsys.readouterr().out
    assert "control loop" in out
    assert "sensor" in out
    assert "tightness" in out
    assert "--seed 1 --runs" in out


def test_an_error_that_takes_the_bounds_away_is_said(capsys):
    livelock = two_threads().replace("flow_controllers", "F", priority=90)
    assert simulate_attack.run(livelock, options("--attack")) == 1
    lines = capsys.readouterr().out.splitlines()
    assert any(line.endswith("[livelock]") for line in lines)
    assert lines[-1] == "no bound is sure: 1 error above"


def test_only_what_was_named_is_attacked(capsys):
    named = options("--attack", "sensor -> speed -> control", format="json", seed=3)
    assert simulate_attack.run(two_threads(), named) == 0
    document = json.loads(capsys.readouterr().out)
    (one,) = document["attacked"]
    assert one["name"] == "sensor → speed → control"
    assert one["end"] - one["begin"] == one["found"] <= one["bound"]
    assert one["seed"] == 3


def test_the_output_depends_on_the_seed_alone(capsys):
    texts = []
    for _ in range(2):
        simulate_attack.run(two_threads(), options("--attack", "speed"))
        texts.append(capsys.readouterr().out)
    assert texts[0] == texts[1]


def test_an_unknown_name_is_refused_with_advice():
    with pytest.raises(InputError, match="control loop"):
        simulate_attack.run(two_threads(), options("--attack", "control lop"))


def test_a_run_above_the_bound_is_a_defect(monkeypatch, capsys):
    from ddsrta.exploration import targets

    def flattering(name, chain, number):
        return targets.Target(name, "latency", number[targets.Measure("latency", chain.path)], 10)

    monkeypatch.setattr(targets, "_of_chain", flattering)
    assert simulate_attack.run(two_threads(), options("--attack", "control loop")) == 3
    captured = capsys.readouterr()
    assert "longer than a bound" in captured.out
    assert "defect" in captured.err


def test_the_longest_instance_is_drawn(tmp_path, capsys):
    picture = tmp_path / "worst.svg"
    simulate_attack.run(two_threads(), options("--attack", "--svg", str(picture)))
    drawn = picture.read_text(encoding="utf-8")
    assert "<title>latency sensor → speed → control: 3.286 ms</title>" in drawn
    assert "no run" not in capsys.readouterr().err


def test_ctrl_c_ends_the_attack_and_shows_what_it_found(capsys, monkeypatch):
    asked = iter([False] * 3 + [True] * 9)
    monkeypatch.setattr("ddsrta.cli.progress.Interrupts.came", lambda _: next(asked))
    assert simulate_attack.run(two_threads(), options("--attack", "speed")) == 130
    out = capsys.readouterr().out
    assert "sensor → speed → control" in out and "interrupted: the last line" in out
