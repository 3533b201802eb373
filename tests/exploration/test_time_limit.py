"""What a time limit leaves of searches and comparisons: less, and nothing that is not so."""

import pytest

import ddsrta
from ddsrta.__main__ import main
from ddsrta.base import watch
from ddsrta.base.watch import OverError, Watch
from ddsrta.bounds.quick import Quick
from ddsrta.examples import TWO_THREADS, two_threads
from ddsrta.exploration.comparison import compare
from ddsrta.exploration.difference.difference import difference
from ddsrta.exploration.evaluation import Evaluator, Measure
from ddsrta.exploration.sensitivity import ALL_COSTS
from tests.bounds.test_time_limit import Clock
from tests.exploration.test_sensitivity import ALONE

pytestmark = pytest.mark.usefixtures("soon_over")

SHORT = 1e-9
CASES = [
    ("diff", "old.yaml", "new.yaml"),
    ("sensitivity", "small.yaml"),
    ("explain", "old.yaml"),
    ("improve", "late.yaml"),
    ("report", "small.yaml", "--sensitivity", "--baseline", "less.yaml", "--runs", "0"),
    ("check", "new.yaml", "--baseline", "old.yaml", "--fail-on-worse"),
]


@pytest.fixture
def clock(monkeypatch):
    made = Clock()
    monkeypatch.setattr(watch, "monotonic", made)
    return made


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, old, new in (
        ("old", "wcet: 2ms", "wcet: 2ms"),
        ("new", "wcet: 2ms", "wcet: 1ms"),
        ("late", "deadline: 8ms", "deadline: 3ms"),
    ):
        (tmp_path / f"{name}.yaml").write_text(TWO_THREADS.replace(old, new))
    (tmp_path / "small.yaml").write_text(ALONE)  # of which each search takes less
    (tmp_path / "less.yaml").write_text(ALONE.replace("wcet: 2ms", "wcet: 1ms"))


@pytest.mark.parametrize("call", CASES, ids=lambda call: call[0])
def test_each_command_says_that_its_time_was_up_and_fails(call, files, capsys):
    assert main([*call, "--time-limit", str(SHORT)]) == 1
    said = capsys.readouterr().out
    assert "the time limit ended" in said
    assert not any(
        word in said for word in ("better", "no bound moved", "moves no bound", "slack:")
    )


@pytest.mark.parametrize("call", CASES, ids=lambda call: call[0])
def test_a_limit_that_is_not_reached_changes_nothing(call, files, capsys):
    status = main([*call])
    said = capsys.readouterr().out
    assert main([*call, "--time-limit", "600"]) == status
    assert capsys.readouterr().out == said


def test_bounds_are_compared_if_both_analyses_are_through(clock):
    old = two_threads()
    new = old.replace("threads", "sensor", wcet="2 ms")
    whole = difference(old, new, time_limit=1)
    assert whole == difference(old, new)
    seen = set()
    for last in range(1, clock.looks):
        clock.looks, clock.last = 0, last
        found = difference(old, new, time_limit=1)
        assert found.ended and found.changes == whole.changes
        assert found.comparison in (whole.comparison, compare(found.old, found.new))
        assert found.is_cut == (found.old.is_ended or found.new.is_ended)
        assert not found.better and (not found.worse) == found.is_cut
        seen.add(found.is_cut)
    assert seen == {True, False}


def test_margins_that_were_found_are_those_of_the_whole_and_others_are_named(clock):
    system = ddsrta.loads(ALONE)
    whole = ddsrta.sensitivity(system, time_limit=1)
    assert whole == ddsrta.sensitivity(system) and not whole.left
    looks = clock.looks
    for last in (*range(1, looks, 1 + looks // 5), looks - 1):
        clock.looks, clock.last = 0, last
        found = ddsrta.sensitivity(system, time_limit=1)
        assert found.left[0] == ALL_COSTS and found.factor is None
        assert set(found.margins) <= set(whole.margins)
        assert set(found.priorities) <= set(whole.priorities)
        rows = (*found.margins, *found.priorities)
        named = {row.parameter.name for row in rows} | set(found.left)
        assert named == {r.parameter.name for r in (*whole.margins, *whole.priorities)} | {
            ALL_COSTS
        }


@pytest.mark.parametrize("alone", [True, False])
def test_what_there_is_no_time_to_find_is_not_taken_for_a_fault(alone, clock, monkeypatch):
    system, rows = two_threads(), [["1.1 ms"], ["60 ms"]]
    asked = system, [("threads", "sensor", "wcet")], [Measure("verdict", "met")]
    whole = Evaluator(*asked)(rows)
    assert whole == [(1,), (0,)]
    if not alone:  # the kernel cannot tell by itself
        monkeypatch.setattr(Quick, "fits", staticmethod(lambda _: False))
    clock.looks = 0
    assert Evaluator(*asked, watch=Watch(1))(rows) == whole
    for last in range(1, looks := clock.looks):
        clock.looks, clock.last = 0, last
        with pytest.raises(OverError):
            Evaluator(*asked, watch=Watch(1))(rows)
    assert looks > 3


def test_a_baseline_that_is_not_whole_makes_nothing_better(files, capsys):
    written = ["--format", "json", "--output", "before.json"]
    assert main(["analyze", "old.yaml", "--time-limit", str(SHORT), *written]) == 1
    assert main(["check", "new.yaml", "--baseline", "before.json"]) == 2
    assert "no bound can be compared; make the baseline with more time" in capsys.readouterr().err
