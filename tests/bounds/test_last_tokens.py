"""Paths through joins by number, by the way of the last token (lemmas last-token and
due-at-joins)."""

from __future__ import annotations

import copy
from dataclasses import replace

import pytest

import ddsrta
from ddsrta.bounds.terms.explain import explain
from ddsrta.checker import check

WITHOUT = replace(ddsrta.Refinements(), last_tokens=False)
MS = 1_000_000

# Two joins in a row, each thread on a core of its own.
ROW = """
ddsrta: 1
machines: {m: {cores: [a, b, c, d, e]}}
threads:
  left: {core: m/a, priority: 1, wcet: 2ms, LEFT}
  right: {core: m/b, priority: 1, wcet: 8ms, period: 20ms}
  both: {core: m/c, priority: 1, wcet: 1ms, follows: {threads: [left, right], activation: and}}
  late: {core: m/d, priority: 1, wcet: 5ms, period: 20ms}
  last: {core: m/e, priority: 1, wcet: 3ms, follows: {threads: [both, late], activation: and}}
chains:
  way: {path: [left, both, last], constraint: latency}
  short: {path: [late, last]}
"""


def row(left="period: 20ms", **changes):
    """The system with another source, or other words."""
    text = ROW.replace("LEFT", left)
    for old, new in changes.items():
        text = text.replace(old, new)
    return ddsrta.loads(text)


def test_two_joins_wait_for_the_same_number():
    # From left: right is released 20 later at most, takes 8, then 1 and 3; late: 20 + 5 + 3. From
    # late: 20 + 8 + 1 + 3. The runs of 20 before the start are the same for all: no sum of waits.
    result = ddsrta.analyze(row())
    assert [c.latency for c in result.chains.values()] == [32 * MS, 32 * MS]
    assert result.check.status == "confirmed"
    before = ddsrta.analyze(row(), refinements=WITHOUT).chains["way"].latency
    assert before > 50 * MS


def test_a_chain_a_nanosecond_less_is_not_confirmed():
    claims = ddsrta.analyze(row()).certificate
    assert check(claims).ok
    for name in ("way", "short"):
        claims["chains"][name]["latency"] -= 1
        assert check(claims).status == "refuted"
        claims["chains"][name]["latency"] += 1


def test_the_jitter_of_the_other_source_counts_and_its_own_does_not():
    # Jitter of left: it is released no earlier than 6 before its period, so right's is 26 later;
    # what left itself brings is done 2 + 1 + 3 after its release, were it not for that.
    own = ddsrta.analyze(row("arrival: {period: 20ms, jitter: 6ms}"))
    assert own.chains["way"].latency == 38 * MS
    assert own.chains["short"].latency == 32 * MS
    assert own.check.status == "confirmed"


@pytest.mark.parametrize(
    "left",
    ["period: 10ms", "arrival: {curve: [0ms, 20ms]}"],
)
def test_a_source_that_is_faster_or_unknown_has_no_bound(left):
    result = ddsrta.analyze(row(left))
    assert result.chains["way"].latency is None


def test_a_path_that_begins_at_the_only_source_pays_for_no_phase():
    # A fork that joins again: the way by the other branch begins at the path's own release.
    text = """
ddsrta: 1
machines: {m: {cores: [a, b, c]}}
threads:
  s: {core: m/a, priority: 9, wcet: 1ms, period: 20ms}
  left: {core: m/a, priority: 1, wcet: 2ms, follows: {threads: [s]}}
  right: {core: m/b, priority: 1, wcet: 8ms, follows: {threads: [s]}}
  both: {core: m/c, priority: 1, wcet: 1ms, follows: {threads: [left, right], activation: and}}
chains: {way: {path: [s, left, both]}}
"""
    result = ddsrta.analyze(ddsrta.loads(text))
    assert (result.chains["way"].latency, result.check.status) == (10 * MS, "confirmed")


def test_nothing_is_said_behind_an_or():
    # The n-th of `any` is not of the n-th of left: numbers say nothing from there on.
    text = ROW.replace("LEFT", "period: 20ms").replace(
        "[left, right], activation: and", "[left, right]"
    )
    with_it, without = (
        ddsrta.analyze(ddsrta.loads(text), refinements=some) for some in (None, WITHOUT)
    )
    assert with_it.chains["way"].latency == without.chains["way"].latency is None


def test_no_run_is_above_and_one_comes_close():
    system = row()
    found = ddsrta.simulate(system, horizon="1s", seeds=30).chains["way"]
    assert 0.9 * 32 * MS < found.latency.max <= 32 * MS


@pytest.mark.parametrize("cores", [5, 1])
def test_an_explanation_of_it_adds_up(cores):
    text = ROW.replace("LEFT", "period: 20ms")
    if cores == 1:  # one window for all, by the way of right
        for core in "bcde":
            text = text.replace(f"m/{core},", "m/a,")
        text = text.replace("20ms", "100ms")
    explanation = explain(ddsrta.loads(text), "way")
    assert sum(stage.total for stage in explanation.stages) == explanation.bound
    assert all(sum(t.time for t in stage.terms) == stage.total for stage in explanation.stages)
    assert explanation.bound == (32 * MS if cores == 5 else 119 * MS)
    first = explanation.stages[0].terms[0].label
    assert first == ("own work" if cores == 5 else "until thread right is released")


BEHIND = """
ddsrta: 1
machines: {m: {cores: [a, b, c, d]}}
threads:
  left: {core: m/a, priority: 1, wcet: 1ms, period: 90ms}
  right: {core: m/b, priority: 1, wcet: 1ms, period: 90ms}
  both: {core: m/c, priority: 1, wcet: 10ms, bcet: 10ms, follows: {threads: [left, right], activation: and}}
  side: {core: m/d, priority: 1, wcet: 20ms, bcet: 20ms, follows: {threads: [both]}}
  end: {core: m/a, priority: 2, wcet: 1ms, follows: {threads: [both, side], activation: and}}
chains: {way: {path: [left, both, end]}}
"""


def test_a_join_behind_a_join_has_its_tokens_later_than_that():
    result = ddsrta.analyze(ddsrta.loads(BEHIND))
    assert result.check.status == "confirmed" and result.check.without == ()
    # right may be released 90 ms - 1 ns later; its token passes both, and side
    assert result.chains["way"].latency >= (90 + 1 + 10 + 20 + 1) * 1_000_000 - 1
    certificate = result.certificate
    less = copy.deepcopy(certificate)
    less["chains"]["way"]["latency"] = (90 + 1 + 1 + 10) * 1_000_000
    less["hops"]["way"][-1]["latency"] = less["chains"]["way"]["latency"]
    assert not check(less).ok
