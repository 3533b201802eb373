"""Bounds by number: a burst behind jitter or a join is paid once (lemma bursts-once)."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest

import ddsrta
from ddsrta.bounds.refinements import Refinements
from ddsrta.bounds.solve import solve
from ddsrta.bounds.terms.explain import explain
from ddsrta.checker import check
from tests.bounds.paced import EITHER, paced

ALONE = replace(Refinements(), last_tokens=False)
WITHOUT = replace(ALONE, bursts_once=False)
MS = 1_000_000


def row(arrival, stages=4, wcet="6ms"):
    """Threads on a core each that release one another, a job taking between 1 ns and its wcet."""
    names = [f"t{number}" for number in range(stages)]
    threads = [f"  t0: {{core: m/t0, priority: 1, wcet: {wcet}, {arrival}}}"]
    for before, name in pairwise(names):
        after = f"follows: {{threads: [{before}]}}"
        threads += [f"  {name}: {{core: m/{name}, priority: 1, wcet: {wcet}, {after}}}"]
    head = ["ddsrta: 1", f"machines: {{m: {{cores: [{', '.join(names)}]}}}}", "threads:"]
    chain = f"chains: {{way: {{path: [{', '.join(names)}]}}}}"
    return ddsrta.loads("\n".join([*head, *threads, chain]))


def latencies(system, some):
    """Of all stages, in ms, rounded up."""
    solution = solve(system, some)
    found = (solution.latency(number) for number in range(len(solution.compiled.stages)))
    return [None if one is None else -(-one // MS) for one in found]


def test_the_burst_of_a_jitter_is_paid_once():
    # Three come at once, so the third of them ends after 18 ms. Then each stage adds 6 ms to what
    # one may be early by, 20 ms.
    system = row("arrival: {period: 10ms, jitter: 20ms}")
    assert latencies(system, Refinements()) == [18, 32, 38, 44]
    assert latencies(system, WITHOUT)[-1] > 60


@pytest.mark.parametrize("arrival", ["period: 10ms", "arrival: {curve: [0ms, 10ms, 20ms]}"])
def test_what_comes_at_its_pace_stays(arrival):
    system = row(arrival)
    assert latencies(system, Refinements()) == latencies(system, WITHOUT)
    assert all("paced" not in stage for stage in certificate(system)["stages"])


def test_what_paces_gives_bounds_where_there_was_no_fixed_point():
    # Both rows come to the core of the other's first job: their jitter grew from visit to visit.
    text = """
ddsrta: 1
machines: {m: {cores: [a, b]}}
threads:
  a1: {core: m/a, priority: 1, wcet: 3ms, arrival: {period: 10ms, jitter: 20ms}}
  a2: {core: m/b, priority: 2, wcet: 3ms, follows: {threads: [a1]}}
  b1: {core: m/b, priority: 1, wcet: 3ms, arrival: {period: 10ms, jitter: 20ms}}
  b2: {core: m/a, priority: 2, wcet: 3ms, follows: {threads: [b1]}}
"""
    system = ddsrta.loads(text)
    mine, without = latencies(system, Refinements()), latencies(system, WITHOUT)
    assert None not in mine
    assert all(other is None or one <= other for one, other in zip(mine, without, strict=True))
    assert mine != without


def certificate(system):
    """What is claimed of it."""
    return ddsrta.analyze(system).certificate


def test_the_checker_confirms_it_and_not_a_nanosecond_less():
    claims = certificate(row("arrival: {period: 10ms, jitter: 20ms}"))
    found = paced(claims)
    del found[0]["paced"]
    assert not check(claims).ok


def test_a_pace_is_refuted_where_the_base_has_none():
    claims = certificate(ddsrta.loads(EITHER))
    (either,) = (stage for stage in claims["stages"] if stage["stage"] == ["job", "either"])
    either["paced"] = either["latency"] - 1
    verdict = check(claims)
    assert verdict.status == "refuted"
    assert "has no pace" in verdict.failure


def test_a_pace_says_nothing_where_there_is_no_latency():
    """Nothing looks at it then, yet it bounded paths: 3 ns were confirmed where 24 ms happen."""
    claims = certificate(row("period: 10ms"))
    last, way = claims["stages"][-1], claims["chains"]["way"]
    assert check(claims).ok and last["latency"] == way["latency"] > 3
    last.update(latency=None, paced=3)
    way.update(latency=3, trigger_latency=3)
    verdict = check(claims)
    assert verdict.status == "refuted"
    assert "chain 'way': latency: up to 24 ms" in verdict.failure


JOIN = """
ddsrta: 1
machines: {m: {cores: [a, b, c, d, e]}}
threads:
  left: {core: m/a, priority: 1, wcet: 1ms, period: 10ms}
  right: {core: m/b, priority: 1, wcet: 1ms, period: 10ms}
  both:
    core: m/c
    priority: 1
    wcet: 6ms
    bcet: 1ms
    follows: {threads: [left, right], activation: and, delay: 17ms, best: 0ms}
  third: {core: m/d, priority: 1, wcet: 6ms, bcet: 1ms, follows: {threads: [both]}}
  fourth: {core: m/e, priority: 1, wcet: 6ms, bcet: 1ms, follows: {threads: [third]}}
chains: {way: {path: [left, both, third, fourth]}}
"""


def test_a_path_pays_the_burst_of_a_join_once():
    # 18 ms to the join, 18 - ε that a token of right before ours is late by, and three turns of 6.
    system = ddsrta.loads(JOIN)
    mine, without = (ddsrta.analyze(system, refinements=some) for some in (ALONE, WITHOUT))
    assert mine.chains["way"].trigger_latency == 54 * MS - 1
    assert mine.chains["way"].latency < without.chains["way"].latency
    assert mine.check.status == "confirmed"


def test_an_explanation_of_it_adds_up():
    explanation = explain(ddsrta.loads(JOIN), "way")
    assert sum(stage.total for stage in explanation.stages) == explanation.bound
    assert all(sum(t.time for t in stage.terms) == stage.total for stage in explanation.stages)
    assert explanation.stages[0].note.startswith("bursts paid once")


def test_a_chain_a_nanosecond_less_is_not_confirmed():
    claims = certificate(ddsrta.loads(JOIN))
    for key in ("latency", "trigger_latency"):
        claims["chains"]["way"][key] -= 1
        assert not check(claims).ok
        claims["chains"]["way"][key] += 1
    assert check(claims).ok


def test_only_the_tokens_of_the_path_need_to_keep_their_order():
    # Jobs of `right` may overtake each other; those of `left`, on the path, may not.
    right = "{core: m/b, priority: 1, wcet: 1ms, period: 10ms}"
    text = JOIN.replace(f"right: {right}", f"sensor: {right}").replace("d, e]", "d, e, f]")
    text = text.replace("1ms, period: 10ms}", "1ms, period: 10ms, arrival: {jitter: 20ms}}", 1)
    text += """
executors: {E: {cores: [m/b, m/f], priority: 2, kind: multi_threaded}}
callbacks: {right: {executor: E, wcet: 1ms, reentrant: true, follows: {threads: [sensor]}}}
"""
    text = text.replace("way: {", "by right: {path: [sensor, right, both]}, way: {")
    claims = certificate(ddsrta.loads(text))
    # 20 to the join, 19 - 2ε that a token of right before ours is late by, and three turns of 6.
    assert claims["chains"]["way"]["trigger_latency"] == 57 * MS - 2
    assert check(claims).ok
    for name in ("way", "by right"):
        claims["chains"][name]["trigger_latency"] -= 1
        assert not check(claims).ok
        claims["chains"][name]["trigger_latency"] += 1
