"""How far each value can go: at the limit all deadlines hold, one nanosecond further they do not."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from functools import cache
from typing import Any
from xml.etree import ElementTree

import pytest

import ddsrta
from ddsrta.__main__ import main
from ddsrta.examples import TWO_THREADS, two_threads
from ddsrta.exploration.farthest import Tried
from ddsrta.exploration.parameters import least_times, parameters, with_values
from ddsrta.exploration.sensitivity import PARTS, Margin, Sensitivity, margin, sensitivity
from ddsrta.report.sensitivity import sensitivity_text, tornado_svg
from ddsrta.report.style import Style

ALONE = """\
ddsrta: 1
machines: {m: {cores: [c]}}
threads:
  high: {core: m/c, priority: 20, wcet: 2ms, arrival: {period: 10ms, jitter: 1ms}}
  low: {core: m/c, priority: 10, wcet: 3ms, period: 20ms}
chains:
  high: {path: [high], deadline: 4ms}
  low: {path: [low], deadline: 8ms}
"""


@cache
def searched(text: str) -> Sensitivity:
    """What takes a search, once for each file."""
    return sensitivity(ddsrta.loads(text, "alone.yaml"))


@pytest.fixture
def found() -> Sensitivity:
    return searched(ALONE)


def test_limits_by_hand(found: Sensitivity) -> None:
    """`high` may need all of its deadline; `low` has 8 − 2 ms."""
    limits = {each.parameter.name: each.limit for each in found.margins}
    assert limits["low: wcet"] == 6_000_000
    assert limits["high: wcet"] == 4_000_000
    falls = {each.parameter.name: each.falls for each in found.margins}
    assert falls["low: wcet"] == ("low",) and falls["high: wcet"] == ("high",)


def test_the_narrowest_comes_first_and_costs_have_one_factor(found: Sensitivity) -> None:
    shares = [each.share for each in found.margins if each.share is not None]
    assert shares == sorted(shares)
    assert found.factor == Fraction(1600, PARTS)  # 8 ms of 5 ms
    assert found.factor_falls == ("low",)


def test_a_priority_has_places_among_those_of_its_core(found: Sensitivity) -> None:
    """Below `low`, `high` waits 3 ms, and 3 + 2 ms are too late."""
    high, low = found.priorities
    assert [(p.least, p.most, p.is_met) for p in high.places] == [
        (1, 9, False), (10, 10, False), (11, 99, True),
    ]  # fmt: skip
    assert [(p.least, p.most) for p in low.places if p.is_met] == [(1, 19)]


@pytest.mark.parametrize("text", [TWO_THREADS, ALONE])
def test_at_the_limit_all_is_met_and_beyond_it_is_not(text: str) -> None:
    system = ddsrta.loads(text)
    for each in searched(text).margins:
        if each.beyond is None or each.limit is None:
            continue
        met = ddsrta.analyze(with_values(system, {each.parameter: each.limit}))
        assert (met.verdict == "met") == each.is_checked
        beyond = ddsrta.analyze(with_values(system, {each.parameter: each.beyond}), check=False)
        assert beyond.verdict != "met" and abs(each.limit - each.beyond) == 1


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[Tried]:
    """Whatever is tried."""
    found: list[Tried] = []

    class Kept(Tried):
        def __init__(self, *arguments: Any) -> None:
            super().__init__(*arguments)
            found.append(self)

    monkeypatch.setattr("ddsrta.exploration.sensitivity.Tried", Kept)
    return found


def margin_of(text: str, name: str) -> Margin:
    system = ddsrta.loads(text)
    parameter = next(each for each in parameters(system) if each.name == name)
    return margin(system, ddsrta.analyze(system), parameter)


def test_what_grows_in_proportion_takes_few_analyses(made: list[Tried]) -> None:
    """Once 31 of each value, by bisection from a thousand times as much."""
    assert margin_of(ALONE, "low: wcet").limit == 6_000_000
    assert len(made[0].known) <= 5


def test_a_deadline_that_falls_where_a_core_is_full_takes_few_analyses(made: list[Tried]) -> None:
    """No bound foretold it: once 33 of `low: wcet`, most of them where windows are longest."""
    text = re.sub("deadline: .ms", "deadline: 10s", ALONE).replace(", jitter: 1ms", "")
    for name, limit in (("low: wcet", 16_000_000), ("high: wcet", 8_500_000)):
        found = margin_of(text, name)
        assert (found.limit, found.beyond, found.falls) == (limit, limit + 1, ("low",))
        assert len(made.pop().known) <= 12


def test_what_only_loses_its_bound_is_not_looked_for_to_the_nanosecond() -> None:
    """Once it was: minutes for each value of a system without deadlines, as windows become long
    where a core becomes full."""
    system = ddsrta.loads(ALONE.replace(", deadline: 4ms", "").replace(", deadline: 8ms", ""))
    wcet = next(each for each in parameters(system) if each.name == "low: wcet")
    found = margin(system, ddsrta.analyze(system), wcet)
    assert found.limit is not None and found.beyond is not None
    assert 14_000_000 < found.limit < 16_000_000 < found.beyond < 1.1 * found.limit
    assert found.falls == ("the verdict is unbounded",) and found.is_checked


def test_what_no_factor_repairs_says_so() -> None:
    """Once 'all costs × 0.000 would be in time', which nobody had tried."""
    text = ALONE + "  far: {path: [high, last], deadline: 1ms}\n"
    last = "  last: {core: m/c, priority: 5, wcet: 1us, follows: {threads: [high], delay: 5ms}}\n"
    found = sensitivity(ddsrta.loads(text.replace("chains:\n", f"{last}chains:\n")))
    assert found.factor == 0
    assert sensitivity_text(found).startswith(
        "late: no factor of all costs (wcet and δ) helps, even then not: far"
    )


def test_best_cases_shrink_with_all_costs() -> None:
    """Once 'no factor helps, even then not: this cannot be: the best case is above the worst'."""
    text = ALONE.replace("deadline: 8ms", "deadline: 2ms").replace(
        "wcet: 3ms", "wcet: 3ms, bcet: 2ms"
    )
    assert sensitivity(ddsrta.loads(text)).factor == Fraction(400, PARTS)
    system = ddsrta.loads(
        TWO_THREADS.replace("deadline: 8ms", "deadline: 1ms")
        .replace("flow_controller: F}", "flow_controller: F, earliest: 900us}")
        .replace("listener: {1kB: 224us}", "listener: {1kB: {worst: 224us, best: 200us}}")
    )
    costs = [each for each in parameters(system) if each.kind in ("wcet", "delta")]
    names = [each.name for each in least_times(system, costs)]
    assert names == ["delay listener: 1kB best", "sensor: publishes 1 earliest"]
    found = sensitivity(system).factor
    assert found is not None and 0 < found < 1


def test_priorities_of_topics_are_among_those_of_topics() -> None:
    """Once left out, and those of services taken for those of threads."""
    text = TWO_THREADS.replace("priority: 80}", "priority: 80, policy: HIGH_PRIORITY}")
    rows = {each.parameter.name: each for each in sensitivity(ddsrta.loads(text)).priorities}
    assert [(p.least, p.most) for p in rows["topic speed: priority"].places] == [(-10, 10)]


def test_what_is_late_has_no_margin_but_a_factor() -> None:
    late = sensitivity(ddsrta.loads(ALONE.replace("deadline: 8ms", "deadline: 4ms")))
    assert late.factor == Fraction(800, PARTS)
    assert all(each.limit is None for each in late.margins)
    text = sensitivity_text(late)
    assert text.startswith("late: all costs (wcet and δ) × 0.800 would be in time")


def test_what_is_late_has_for_each_value_what_repairs_it_alone() -> None:
    """`low` takes 2 + 3 ms and has 4 ms, however rarely one of both is released."""
    late = sensitivity(ddsrta.loads(ALONE.replace("deadline: 8ms", "deadline: 4ms")))
    found = {row.parameter.name: row.repair for row in late.margins if row.repair is not None}
    assert found == {"low: wcet": 2_000_000, "high: wcet": 1_000_000}
    assert [each.parameter.name for each in late.margins][:2] == [*found]
    text = sensitivity_text(late)
    assert "low: wcet   3 ms → 2 ms  −33.4 %, in time" in text
    assert "no value of these alone was found to be in time: high: " in text
    assert "none of these alone: high: priority, low: priority" in text
    narrow = sensitivity_text(late, Style(columns=40)).splitlines()
    assert "no value of these alone was found to" in narrow


def test_a_shorter_period_repairs_what_samples_too_rarely() -> None:
    """The age of what `eye` saw is 1 + 10 + 1 ms: its period, and both jobs."""
    text = """\
ddsrta: 1
machines: {m: {cores: [c, d]}}
threads:
  eye: {core: m/c, priority: 5, wcet: 1ms, period: 10ms}
  hand: {core: m/d, priority: 5, wcet: 1ms, period: 10ms, follows: {threads: [eye]}}
chains:
  seen: {path: [eye, hand], deadline: 9ms, constraint: data_age}
"""
    late = sensitivity(ddsrta.loads(text))
    repairs = {row.parameter.name: row.repair for row in late.margins}
    eye = repairs.pop("eye: period")
    assert eye is not None and 6_999_000 < eye <= 7_000_000 and repairs["eye: wcet"] is None


def test_parameters_are_times_and_priorities_of_the_file() -> None:
    names = [each.name for each in parameters(two_threads())]
    assert names == [
        "delay flow_controller: 1kB", "delay listener: 1kB", "delay publisher: 1kB",
        "flow controller F: priority", "listener L: priority", "sensor: priority", "sensor: wcet",
        "sensor: period", "control: priority", "control: wcet",
    ]  # fmt: skip


def test_table_drawing_and_json(tmp_path, monkeypatch, capsys) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "s.yaml").write_text(ALONE)
    once = cache(lambda: sensitivity(ddsrta.load("s.yaml")))
    monkeypatch.setattr("ddsrta.exploration.sensitivity.sensitivity", lambda *_, **__: once())
    assert main(["sensitivity", "s.yaml", "--svg", "t.svg"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("slack: all costs (wcet and δ) × 1.600 are in time, then not: low\n")
    assert re.search(r"low: wcet +3 ms → 6 ms  \+100.0 %", out)
    assert "  high: priority 20: 11 … 99" in out
    ElementTree.parse("t.svg")
    main(["sensitivity", "s.yaml", "--format", "json"])
    document = json.loads(capsys.readouterr().out)
    row = next(each for each in document["margins"] if each["name"] == "low: wcet")
    assert (row["value"], row["limit"], row["beyond"]) == (3_000_000, 6_000_000, 6_000_001)
    assert (row["file"], row["line"]) == ("s.yaml", 5)


def test_a_long_name_stands_on_one_line() -> None:
    name = "/planning/" + "behavior_path_planner/" * 8 + "wait-for-it"
    system = ddsrta.loads(
        ALONE.replace("  low: {core", f"  {name}: {{core").replace("[low]", f"[{name}]")
    )
    found = sensitivity(system, time_limit=1e-9)
    assert any(f"{name}: wcet" in line for line in sensitivity_text(found).splitlines())


def test_the_drawing_has_a_bar_for_each_margin(found: Sensitivity) -> None:
    rows = [each for each in found.margins if each.share is not None]
    assert tornado_svg(found).count("<rect") == len(rows)


ENDLESS = """\
ddsrta: 1
machines: {m: {cores: [a, b]}}
threads:
  s: {core: m/a, priority: 5, wcet: 1ms, period: 10ms}
  t: {core: m/b, priority: 5, wcet: 2ms, follows: {threads: [s]}}
"""


def test_without_deadlines_the_distance_to_overload_is_told_without_analyses_near_it(monkeypatch):
    tried = []
    at = Tried.at
    monkeypatch.setattr(Tried, "at", lambda self, value: tried.append(value) or at(self, value))
    found = sensitivity(ddsrta.loads(ENDLESS))
    margins = {each.parameter.name: each for each in found.margins}
    for name, full in (("s: wcet", 10_000_000), ("t: wcet", 10_000_000), ("s: period", 2_000_000)):
        one = margins[name]
        low, high = sorted((one.limit, one.beyond))
        assert low <= full <= high and (high - low) * 10 <= one.limit
        assert one.falls == ("the verdict is unbounded",) and one.is_checked
        assert one.misses == ()
    assert len(tried) <= 20
    assert found.factor is not None and 4.5 <= found.factor <= 5


def test_a_thread_of_sched_deadline_may_work_until_its_budget_is_used_up():
    """Beyond, it waits for budgets, and other units are looked at than at the value of the file."""
    text = """\
ddsrta: 1
machines: {m: {cores: [a]}}
threads:
  loop: {core: m/a, reservation: {budget: 2ms, period: 10ms}, wcet: 1500us, period: 10ms}
  log: {core: m/a, priority: 5, wcet: 1ms, period: 50ms}
chains: {loop: {path: [loop], deadline: 5ms}}
"""
    found = {each.parameter.name: each for each in sensitivity(ddsrta.loads(text)).margins}
    work, budget = found["loop: wcet"], found["loop: reservation budget"]
    assert (work.limit, work.beyond, work.falls) == (2_000_000, 2_000_001, ("loop",))
    assert (budget.limit, budget.beyond, budget.falls) == (1_500_000, 1_499_999, ("loop",))
    assert work.is_checked and budget.is_checked


def test_ctrl_c_shows_what_was_found(tmp_path, capsys, monkeypatch):
    """The first two values, and that it is not all."""
    path = tmp_path / "system.yaml"
    path.write_text(ALONE, encoding="utf-8")
    asked = iter([False] * 2 + [True] * 9)
    monkeypatch.setattr("ddsrta.cli.progress.Interrupts.came", lambda _: next(asked))
    assert main(["sensitivity", str(path)]) == 130
    out = capsys.readouterr().out
    assert "high: arrival period" in out and "no time to look at them" in out
    assert "interrupted: not looked at: all costs, high: arrival jitter, low: wcet" in out
    asked = iter([False] * 2 + [True] * 9)
    part = sensitivity(ddsrta.loads(ALONE), stop=lambda: next(asked))
    assert part.interrupted and len(part.margins) == 2 and part.factor is None
    assert {each.parameter.name for each in part.margins}.isdisjoint(part.left)
