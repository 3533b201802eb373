"""The latency of a chain is that of every event; what comes last at a join has one of its own."""

from __future__ import annotations

import pytest

import ddsrta
from ddsrta.bounds.evidence.certificate import certificate
from ddsrta.checker.check import check
from ddsrta.report.terminal import result_text

TEXT = """ddsrta: 1
machines: {m: {cores: [c0, c1, c2]}}
topics: {q: {size: 1kB}, r: {size: 1kB}}
listeners: {L: {core: m/c2, priority: 9}}
threads:
  a: {core: m/c0, priority: 2, wcet: 5ms, period: 50ms, publishes: [{topic: q, mode: sync, delay: 1ms}]}
  b: {core: m/c1, priority: 2, wcet: 5ms, period: 50ms, publishes: [{topic: r, mode: sync, delay: 1ms}]}
  d:
    core: m/c2
    priority: 1
    wcet: 3ms
    subscribes: {topics: [q, r], listener: L, activation: and, delay: 1ms}
chains:
  x: {path: [a, q, d], deadline: 20ms}
"""
ASKED = TEXT.replace("deadline: 20ms", "deadline: 20ms, constraint: trigger_latency")
MS = 1_000_000


def test_a_deadline_holds_for_events_that_wait_at_a_join() -> None:
    result = ddsrta.analyze(ddsrta.loads(TEXT))
    chain = result.chains["x"]
    assert (chain.latency, chain.trigger_latency) == (61 * MS, 11 * MS)
    assert (result.verdict, chain.met, chain.slack) == ("missed", False, -41 * MS)
    assert chain.hops[-1].latency == chain.latency


def test_the_figure_of_what_comes_last_has_a_constraint_of_its_own() -> None:
    result = ddsrta.analyze(ddsrta.loads(ASKED))
    chain = result.chains["x"]
    assert (result.verdict, chain.met, chain.slack) == ("met", True, 9 * MS)
    assert "trigger latency" in result_text(result)
    assert "chain x: trigger latency" not in result_text(result)


def test_without_a_join_there_is_one_figure() -> None:
    text = TEXT.replace("[q, r]", "[q]").replace(", activation: and", "")
    result = ddsrta.analyze(ddsrta.loads(text))
    assert result.chains["x"].latency == result.chains["x"].trigger_latency
    assert "trigger" not in result_text(result)


@pytest.mark.parametrize("text", [TEXT, ASKED])
def test_the_smaller_figure_is_no_latency(text: str) -> None:
    claims = certificate(ddsrta.loads(text))
    assert check(claims).ok
    claims["chains"]["x"]["latency"] = claims["chains"]["x"]["trigger_latency"]
    assert "latency: up to 61 ms" in str(check(claims).failure)


def test_the_published_figure_is_that_of_what_comes_last() -> None:
    result = ddsrta.analyze(ddsrta.loads(TEXT), profile="published")
    chain = result.chains["x"]
    assert chain.latency is None
    assert chain.trigger_latency is not None
    assert "trigger latency" in str(chain.unbounded_because)
    asked = ddsrta.analyze(ddsrta.loads(ASKED), profile="published").chains["x"]
    assert asked.met


def test_runs_measure_both() -> None:
    seen = ddsrta.simulate(ddsrta.loads(TEXT), horizon="2s", seeds=20).chains["x"]
    assert seen.latency is not None and seen.latency.max is not None
    assert seen.trigger_latency is not None
    assert 20 * MS < seen.latency.max <= 61 * MS
    assert (seen.latency.bound, seen.trigger_latency.bound) == (61 * MS, 11 * MS)


@pytest.mark.parametrize("count", [2, 3])
def test_inputs_that_bring_as_many_each_are_matched_event_by_event(count: int) -> None:
    several = TEXT.replace("mode: sync, delay", f"mode: sync, count: {count}, delay")
    system = ddsrta.loads(several)
    latency = ddsrta.analyze(system).chains["x"].latency
    assert latency is not None
    assert 50 * MS < latency < 100 * MS
    assert check(certificate(system)).ok
    seen = ddsrta.simulate(system, horizon="2s", seeds=10).chains["x"].latency
    assert seen is not None and seen.max is not None
    assert 30 * MS < seen.max <= latency


def test_inputs_that_bring_different_numbers_do_not_keep_pace() -> None:
    several = TEXT.replace("mode: sync, delay", "mode: sync, count: 2, delay", 1)
    chain = ddsrta.analyze(ddsrta.loads(several)).chains["x"]
    assert chain.latency is None
    assert "keep pace" in str(chain.unbounded_because)
