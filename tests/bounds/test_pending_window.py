"""The window of a unit from its own arrival (lemma pending-window)."""

from __future__ import annotations

import pytest

import ddsrta
from ddsrta.bounds.evidence.certificate import certificate
from ddsrta.bounds.solve import solve
from ddsrta.bounds.terms.explain import explain
from ddsrta.checker import check
from tests.bounds.leads import Leads

WITHOUT = ddsrta.Refinements(pending_windows=False)
MS = 1_000_000
CHAIN = """
ddsrta: 1
machines: {m: {cores: [a, b]}}
delays: {publisher: {1kB: 1ms}, listener: {1kB: 1us}}
topics: {x: {size: 1kB}, y: {size: 1kB}}
listeners: {L: {core: m/a, priority: 5}}
executors: {E: {core: m/b, priority: 1, kind: KIND}}
callbacks:
  first: {executor: E, timer: 40ms, wcet: 3ms, publishes: [{topic: x, mode: sync}]}
  second: {executor: E, wcet: 5ms, subscribes: {topics: [x], listener: L}, publishes: [{topic: y, mode: sync}]}
  third: {executor: E, wcet: 7ms, subscribes: {topics: [y], listener: L}}
MORE
chains: {way: {path: [first, x, second, y, third]}}
"""
KINDS = ("single_threaded", "events", "multi_threaded", "fixed_priority", "rclc")


def of_kind(kind, more="", text=CHAIN):
    text = text.replace("KIND", kind).replace("MORE", more)
    if kind == "fixed_priority":
        text = text.replace("{executor: E,", "{executor: E, priority: 1,")
    return ddsrta.loads(text)


@pytest.mark.parametrize("kind", KINDS)
def test_what_an_event_brings_later_does_not_delay_what_it_brings_first(kind):
    result = ddsrta.analyze(of_kind(kind))
    assert result.check.status == "confirmed" and result.check.without == ()
    responses = [result.callbacks[name].wcrt for name in ("first", "second", "third")]
    # second may come while first sends, and third when second does; first is done by then
    assert responses[0] == 4 * MS
    assert 6 * MS <= responses[1] <= (4 + 6) * MS
    assert 7 * MS <= responses[2] <= (6 + 7) * MS
    plain = ddsrta.analyze(of_kind(kind), refinements=WITHOUT)
    for name in ("first", "second", "third"):
        assert result.callbacks[name].wcrt <= plain.callbacks[name].wcrt


def test_what_is_of_another_event_counts_in_full():
    other = "  other: {executor: E, wcet: 2ms, timer: 50ms}"
    alone = ddsrta.analyze(of_kind("multi_threaded"))
    beside = ddsrta.analyze(of_kind("multi_threaded", other))
    for name in ("first", "second", "third"):
        assert beside.callbacks[name].wcrt - alone.callbacks[name].wcrt == 2 * MS
    assert beside.callbacks["other"].wcrt == (4 + 6 + 7 + 2) * MS


def test_what_led_to_a_unit_is_done_only_where_it_had_to_end_or_its_thread_went_on():
    solution = solve(of_kind("events"))
    leading, number = Leads(solution), solution.number
    first, second = number(("job", "first")), number(("job", "second"))
    message = number(("message", "first", "x", "second"))
    third = number(("job", "third"))
    assert [leading.of(each, first) for each in (first, second, message)] == [None] * 3
    assert [leading.of(each, second) for each in (first, second, message)] == [False, None, True]
    assert [leading.of(each, third) for each in (first, second, message)] == [True, False, True]


def test_earlier_events_count_where_they_may_be_there_still():
    text = CHAIN.replace("timer: 40ms", "arrival: {period: 40ms, jitter: 30ms}")
    result = ddsrta.analyze(of_kind("events", text=text))
    # the event before may be 10 ms old, and what it brings later pending
    assert result.check.status == "confirmed"
    assert result.callbacks["first"].wcrt == (4 + 6 + 7) * MS


@pytest.mark.parametrize("kind", KINDS)
def test_a_nanosecond_less_is_not_confirmed(kind):
    claims = certificate(of_kind(kind))
    assert check(claims).ok
    flagged = [n for n, stage in enumerate(claims["stages"]) if stage.get("pending")]
    assert flagged
    for number in flagged:
        stage = claims["stages"][number]
        for figure in ("response", "latency"):
            less = {**stage, figure: stage[figure] - 1}
            stages = [less if n == number else s for n, s in enumerate(claims["stages"])]
            assert not check({**claims, "stages": stages}).ok


def test_without_the_word_the_certificate_does_not_hold():
    claims = certificate(of_kind("events"))
    stages = [{k: v for k, v in s.items() if k != "pending"} for s in claims["stages"]]
    assert not check({**claims, "stages": stages}).ok


def test_reservations_have_none():
    text = CHAIN.replace(
        "cores: [a, b]", "cores: {a: {}, b: {reservation: {budget: 9ms, period: 10ms}}}"
    )
    solution = solve(of_kind("multi_threaded", text=text))
    served = {solution.compiled.stages[n].server[0] for n in solution.pendings}
    assert "executors" not in served


def test_what_waits_by_its_offsets_or_for_its_deadline_has_none():
    text = """
ddsrta: 1
machines: {m: {cores: [a]}}
threads:
  p: {core: m/a, priority: 3, wcet: 1ms, arrival: {period: 10ms, offset: 0ms}}
  q: {core: m/a, priority: 2, wcet: 2ms, arrival: {period: 20ms, offset: 5ms}}
  d: {core: m/a, reservation: {budget: 3ms, period: 30ms}, wcet: 2ms, period: 30ms}
"""
    solution = solve(ddsrta.loads(text))
    assert solution.pendings == {}


def test_the_explanation_adds_up():
    short = CHAIN.replace("[first, x, second, y, third]", "[first]")
    other = "  other: {executor: E, wcet: 2ms, timer: 50ms}"
    explained = explain(of_kind("events", other, short), "way")
    assert sum(stage.total for stage in explained.stages) == explained.bound
    first = explained.stages[0]
    assert first.note.startswith("seen from its arrival")
    assert first.total == sum(term.time for term in first.terms) == (4 + 2) * MS


def test_it_can_be_left_out():
    assert solve(of_kind("events"), WITHOUT).pendings == {}
