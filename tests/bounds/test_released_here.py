"""What a core cannot have been at when something on it released a unit (lemma released-here)."""

from __future__ import annotations

import pytest

import ddsrta
from ddsrta.bounds.evidence.certificate import certificate
from ddsrta.bounds.pending_window.terms import BELOW, PENDING
from ddsrta.bounds.terms.explain import explain
from ddsrta.checker import check

MS = 1_000_000
WITHOUT = ddsrta.Refinements(releasing=False)
TEXT = """
ddsrta: 1
machines: {m: {cores: [a, b]}}
delays: {publisher: {1kB: 1ms}, listener: {1kB: 1ms}}
topics: {x: {size: 1kB}, y: {size: 1kB}}
listeners: {L: {core: m/a, priority: LISTENS}}
executors: {E: {core: m/a, priority: 4, kind: fixed_priority}}
threads:
  p: {core: m/b, priority: 2, wcet: 1ms, period: 50ms, publishes: [{topic: x, mode: sync}]}
  q: {core: m/b, priority: 1, wcet: 1ms, period: 70ms, publishes: [{topic: y, mode: sync, count: COUNT}]}
callbacks:
  tick: {executor: E, priority: 1, wcet: 5ms, timer: 60ms}
  one: {executor: E, priority: 1, wcet: 8ms, subscribes: {topics: [x], listener: L}}
  two: {executor: E, priority: 2, wcet: 3ms, subscribes: {topics: [y], listener: L}}
  after: {executor: E, priority: 3, wcet: 2ms, follows: {threads: [two], delay: DELAY}}
chains: {way: {path: [q, y, two]}, last: {path: [after]}}
"""


def drawn(listens=2, count=1, delay="0ms"):
    text = TEXT.replace("LISTENS", str(listens)).replace("COUNT", str(count))
    return ddsrta.loads(text.replace("DELAY", delay))


def found(system, refinements=None):
    result = ddsrta.analyze(system, refinements=refinements)
    assert result.check.status == "confirmed" and result.check.without == ()
    return {name: callback.wcrt for name, callback in result.callbacks.items()}


def test_what_is_released_from_below_finds_nothing_in_progress():
    assert found(drawn()) == {"tick": 13 * MS, "one": 13 * MS, "two": 3 * MS, "after": 2 * MS}
    assert found(drawn(), WITHOUT)["two"] == 8 * MS


@pytest.mark.parametrize("listens", [4, 9])
def test_an_equal_or_more_urgent_thread_that_releases_it_says_nothing(listens):
    with_it, without = found(drawn(listens)), found(drawn(listens), WITHOUT)
    assert with_it["two"] == without["two"] >= 10 * MS
    assert with_it["after"] < without["after"]  # its own thread still does


def test_several_messages_of_one_job_do_not_come_together_from_below():
    # of what the first brought, after may still come: that it is over by then is not known
    assert found(drawn(count=2))["two"] == (3 + 2) * MS


def test_with_a_delay_on_the_way_the_thread_may_be_at_anything():
    late = found(drawn(delay="1ms"))
    assert late["after"] == found(drawn(delay="1ms"), WITHOUT)["after"] > 2 * MS


def test_it_is_explained():
    system = drawn()
    assert explain(system, "last").stages[-1].note == PENDING
    alone = ddsrta.loads(
        TEXT.replace("LISTENS", "2")
        .replace("COUNT", "2")
        .replace("DELAY", "0ms")
        .replace("way: {path: [q, y, two]}", "way: {path: [two]}")
    )
    assert explain(alone, "way").stages[-1].note.startswith(BELOW)


def test_a_nanosecond_less_is_not_confirmed():
    claims = certificate(drawn())
    assert check(claims).ok
    for number, stage in enumerate(claims["stages"]):
        for figure in ("response", "latency") if stage.get("pending") else ():
            less = {**stage, figure: stage[figure] - 1}
            stages = [less if n == number else s for n, s in enumerate(claims["stages"])]
            assert not check({**claims, "stages": stages}).ok
