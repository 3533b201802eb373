"""The short form of the pipeline: a part of an array of pairs of features, at all its stations."""

from __future__ import annotations

from functools import partial
from itertools import chain, count
from pathlib import Path
from types import SimpleNamespace

import pytest

import ddsrta
from ddsrta_simulator import simulator
from tests.effort import draws
from tests.soundness import shrink
from tests.soundness.pipeline import run, stations
from tests.soundness.pipeline.campaigns import Campaign, told
from tests.soundness.pipeline.counts import Counts
from tests.soundness.pipeline.drawn import drawn, rows
from tests.soundness.pipeline.recognise import missing
from tests.soundness.pipeline.relations import bounds, not_below, relations
from tests.soundness.pipeline.stations import through
from tests.soundness.version import rotation

RUNS = 4  # of an attack
PARTS = 4
SHARE = 16 // draws(1, of=16)  # one row of so many
STEP = SHARE * PARTS
EACH = 4  # one of so many is compared with its relatives


@pytest.mark.parametrize("part", range(PARTS))
def test_no_system_falls_and_each_has_the_features_of_its_row(part):
    """The array, and which part of it, changes with whatever bounds are computed by, and with
    nothing else."""
    array = rotation()
    for number in range(SHARE * part + array % SHARE, len(rows(array)), STEP):
        one = drawn(array, number)
        assert not missing(one.row, one.system), one.seed
        without = one.row["refinement"]
        turn = (number // STEP + array) % EACH
        seen = through(
            one.system, number, None if without == "all" else without, RUNS,
            solution=one.solution, both=turn == 1,
        )  # fmt: skip
        failures = list(seen.failures)
        if turn == 0:
            failures += relations(one, seen, moves=1)
        assert not failures, f"system {one.seed}: {failures[0]}"


@pytest.fixture(scope="module")
def one():
    """A system with a bound that runs come to."""
    return drawn(1, 6)


def test_a_run_above_a_bound_is_noticed(one, monkeypatch):
    honest = stations.bounds_of
    monkeypatch.setattr(
        stations, "bounds_of", lambda *of: [b - b // 3 if b > 2 else b for b in honest(*of)]
    )
    systems = chain([one.system], (drawn(1, number).system for number in range(6, 12)))
    kinds = (f.kind for system in systems for f in through(system, 1, runs=4).failures)
    assert any(kind.startswith("above") for kind in kinds)


def test_a_refuted_certificate_is_noticed(one, monkeypatch):
    honest = stations.certified

    def lower(solution, result):
        document = honest(solution, result)
        for stage in document["stages"]:
            stage["response"] = stage["response"] and stage["response"] // 2
        return document

    monkeypatch.setattr(stations, "certified", lower)
    seen = through(one.system, 1, runs=1)
    assert seen.status == ["refuted"] and seen.failures[0].kind == "refuted"


def test_engines_that_differ_are_noticed(one, monkeypatch):
    honest = simulator.Engine.worst
    monkeypatch.setattr(simulator.Engine, "worst", lambda self: [each + 1 for each in honest(self)])
    assert any(f.kind == "engines" for f in through(one.system, 1, runs=1).failures)


def test_a_bound_that_falls_for_a_harder_system_is_noticed(one):
    known = bounds(one.system)
    lower = {key: bound and bound - 1 for key, bound in known.items()}
    assert next(not_below("a move", lower, known, one.system)).kind == "lower: a move"
    assert not list(not_below("a move", known, known, one.system))


def options(*more):
    return run.parser().parse_args(
        ["--most", "1", "--runs", "1", "--jobs", "1", "--no-relations", *more]
    )


def test_a_killed_run_goes_on_and_adds_up(tmp_path, monkeypatch):
    file = str(tmp_path / "state.json")
    whole = run.campaign(options("--arrays", "2")).counts
    asked = options("--arrays", "2", "--checkpoint", file)
    honest = run.run_array

    def killed(chosen, array):
        if array == 2:
            raise KeyboardInterrupt
        return honest(chosen, array)

    monkeypatch.setattr(run, "run_array", killed)
    with pytest.raises(KeyboardInterrupt):
        run.campaign(asked)
    monkeypatch.setattr(run, "run_array", honest)
    done = run.campaign(asked)
    counts = done.counts
    assert {**counts.to_dict(), "seconds": 0} == {**whole.to_dict(), "seconds": 0}
    assert counts.systems == 2 and not counts.failures
    assert "| systems | 2 |" in done.page
    assert Campaign.read(Path(file)) == done._replace(wall=Campaign.read(Path(file)).wall)


def test_a_campaign_goes_on_with_more_arrays(tmp_path):
    file = tmp_path / "state.json"
    run.campaign(options("--checkpoint", str(file)))
    more = run.campaign(options("--arrays", "2", "--checkpoint", str(file)))
    assert more.arrays == [1, 2] and more.counts.systems == 2


def test_campaigns_add_up_in_a_page():
    marks = "".join(
        f"<!-- {name} -->\n<!-- end of {name} -->\n" for name in ("pairs", "campaigns of pairs")
    )
    failures = [{"seed": "7.1", "kind": kind, "what": ""} for kind in ("above thread", "engines")]
    some = Counts(arrays=1, systems=1000, confirmed=3, compared={"thread": 4}, failures=failures)
    first = Campaign({"analysis": "a"}, [7], some, 1.0)
    text = told(told(marks, first), first)  # one campaign is one line
    text = told(text, Campaign({"analysis": "b"}, [9], Counts(arrays=2, systems=30), 1.0))
    assert "\n| 7 | 1 | 1,000 | 3 | 0 | 0 | 0 | 4 | 1 | 1 | `a` |\n| 9 | 2 | 30 |" in text
    assert text.count("\n| all | 3 | 1,030 | 3 |") == 1 and text.count("\n| 7 |") == 1
    assert "| covering arrays | 2, from 9 on |" in text


def test_what_fails_is_shrunk_and_kept(one, tmp_path, monkeypatch):
    monkeypatch.setattr(
        stations, "check", lambda _: SimpleNamespace(status="refuted", failure="it")
    )
    ticks = SimpleNamespace(monotonic=partial(next, count()))  # it counts, however busy it is here
    monkeypatch.setattr(shrink, "time", ticks)
    asked = options("--failures", str(tmp_path), "--shrink", "12")
    (failure,) = run.examined(one, asked).failures
    text = (tmp_path / failure["file"]).read_text(encoding="utf-8")
    assert failure["kind"] == "refuted" and text.startswith("# refuted: it.")
    assert len(ddsrta.loads(text).threads) < len(one.system.threads)
