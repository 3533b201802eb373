"""Fast DDS has a thread for each transport: that a listener is one thread is assumed."""

import pytest

import ddsrta
from ddsrta.bounds.evidence.certificate import certificate
from ddsrta.checker import check
from ddsrta.simulation.attack import attack
from ddsrta_simulator import Measure

RULE = "one-port"
SYSTEM = """ddsrta: 1
machines: {m: {cores: [a, b, c]}, n: {cores: [a]}}
network: [{from: n, to: m, delay: 3ms, best: 0ms}]
delays: {listener: {1kB: 1ms}, publisher: {1kB: 10us}}
topics: {here: {size: 1kB}, there: {size: 1kB}}
listeners: {L: {core: m/b, priority: 9}}
threads:
  near: {core: m/a, priority: 5, wcet: 1ms, period: 100ms, publishes: [{topic: here, mode: sync}]}
  far: {core: n/a, priority: 5, wcet: 100us, period: 1200us, publishes: [{topic: there, mode: sync}]}
  sink: {core: m/c, priority: 5, wcet: 100us, subscribes: {topics: [here], listener: L}}
  other: {core: m/c, priority: 4, wcet: 100us, subscribes: {topics: [there], listener: L}}
chains: {way: {path: [near, here, sink]}}
"""
TWO = SYSTEM.replace("L: {core", "M: {core: m/b, priority: 9}, L: {core").replace(
    "[there], listener: L", "[there], listener: M"
)


def rules(text):
    result = ddsrta.analyze(ddsrta.loads(text))
    assert result.check.status == "confirmed"
    return {one.rule: one for one in result.assumptions}


def test_one_thread_for_both_ways_is_assumed():
    one = rules(SYSTEM)[RULE]
    assert "what listener 'L' receives comes in at one port" in one.message
    assert one.position[1] == 6


@pytest.mark.parametrize(
    "text",
    [
        TWO,
        SYSTEM.replace("far: {core: n/a", "far: {core: m/b"),
        SYSTEM.replace("near: {core: m/a", "near: {core: n/a"),
    ],
)
def test_where_all_comes_by_one_way_nothing_is(text):
    assert RULE not in rules(text)


def test_a_certificate_has_to_say_it():
    claims = certificate(ddsrta.loads(SYSTEM))
    claims["assumptions"] = [one for one in claims["assumptions"] if one != RULE]
    assert f"rest on '{RULE}', which is not said to be assumed" in check(claims).failure


def test_with_a_thread_for_each_way_runs_are_above_the_bound_of_one():
    system = ddsrta.loads(TWO)
    one, two = (ddsrta.analyze(ddsrta.loads(text)).chains["way"].latency for text in (SYSTEM, TWO))
    measure = Measure("latency", ("near", "here", "sink"))
    found = attack(system, measure, 1, runs=300).worst
    assert one < found <= two
