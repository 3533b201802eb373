"""Two threads in tandem where what feeds them has no bound (lemma tandem-window)."""

import re

import pytest

import ddsrta
from ddsrta.bounds.evidence.certificate import certificate
from ddsrta.checker import check, tandem_pair

# the executor and thread B overload their core, so that nothing bounds when samples of t come
TEXT = """
ddsrta: 1
machines: {m: {cores: [c0, c1]}, n: {cores: [c0, c1]}}
network: [{from: m, to: n, delay: 800us, best: 500us}, {from: n, to: m, delay: 800us, best: 500us}]
topics: {t: {size: 1kB}, u: {size: 1kB}}
flow_controllers: {F: {core: m/c0, priority: 89}, G: {core: n/c0, priority: 75}}
listeners: {K: {core: m/c1, priority: 66}, L: {core: m/c1, priority: 75}, N: {core: n/c0, priority: 10}}
executors: {ex: {core: m/c0, priority: 38, kind: static, release: jazzy}}
threads:
  A:
    core: n/c1
    priority: 89
    wcet: 630us
    publishes: [{topic: u, mode: async, flow_controller: G, delay: {worst: 20us, best: 10us}}]
    subscribes: {topics: [t], listener: N, delay: {worst: 230us, best: 10us}, activation: and}
  B: {core: m/c0, priority: 47, wcet: 2020us, subscribes: {topics: [u], listener: K, delay: 180us}}
callbacks:
  a:
    executor: ex
    wcet: 3860us
    bcet: 3860us
    timer: 10ms
    publishes: [{topic: t, mode: async, flow_controller: F, delay: {worst: 200us, best: 100us}}]
  b: {executor: ex, wcet: 2750us, subscribes: {topics: [t], listener: L, delay: {worst: 70us, best: 10us}}}
  c: {executor: ex, wcet: 660us, timer: 10ms}
"""


def test_what_has_no_bound_alone_has_none_in_tandem():
    system = ddsrta.loads(TEXT)
    message = next(m for m in ddsrta.analyze(system).messages if m.subscriber == "b")
    assert message.listener is None
    assert message.ddl is None
    assert check(certificate(system)).ok


# Two samples of p come 2 apart: the second leaves the controller late, whenever it came to it.
BURST = """
ddsrta: 1
machines: {m: {cores: [a, b, c, d, e]}}
delays:
  flow_controller: {2kB: {worst: 3MS, best: 1MS}, 3kB: {worst: 3MS, best: 1MS}}
  listener: {2kB: 1MS, 3kB: {worst: 3MS, best: 1MS}}
topics: {t: {size: 2kB, priority: 0}, u: {size: 3kB, priority: 2}, v: {size: 2kB, priority: 1}}
flow_controllers:
  F: {core: m/a, priority: 7, policy: ROUND_ROBIN}
  G: {core: m/d, priority: 7, policy: POLICY}
listeners: {K: {core: m/a, priority: 5}}
threads:
  p: {core: m/c, priority: 1, wcet: 1MS, bcet: 0, ARRIVAL, publishes: [{topic: t, flow_controller: G}]}
  q:
    core: m/e
    priority: 9
    wcet: 1MS
    bcet: 0
    period: 24MS
    publishes: [{topic: u, flow_controller: F}, {topic: v, flow_controller: G}]
  s: {core: m/b, priority: 1, wcet: 1MS, bcet: 0, subscribes: {topics: [t, u, v], listener: K}}
chains: {way: {path: [p, t, s]}}
"""


def burst(arrival, policy, unit):
    """The system with so many ns instead of MS."""
    text = (
        BURST.replace("ARRIVAL", arrival).replace("POLICY", policy).replace("bcet: 0", "bcet: 0ns")
    )
    return ddsrta.loads(re.sub(r"(\d+)MS", lambda number: f"{unit * int(number[1])}ns", text))


ARRIVALS = (
    "arrival: {burst: {count: 2, distance: 2MS, period: 40MS}}",
    "arrival: {burst: {count: 4, distance: 1MS, period: 80MS}}",
    "period: 20MS, arrival: {jitter: 45MS, min_distance: 1MS}",
    "arrival: {sporadic: 8MS}",
)


@pytest.mark.parametrize("policy", ["FIFO", "HIGH_PRIORITY"])
@pytest.mark.parametrize("arrival", ARRIVALS)
def test_no_arrival_is_worse_than_what_is_found(arrival, policy, monkeypatch):
    found_here, seen = [], tandem_pair._Times.above

    def above(times, most, until):
        found = seen(times, most, until)
        units, last = times.origin.units, times.both.first.length - 1
        left = range(1, 1 + max(last, times.origin.left(times.both.first.total)))
        steps = [0, *(since for since in left if units(since) > units(since - 1))]
        near = {*range(0, last + 1, 97), *(at for at in range(last + 1) if at % 500 in (0, 1, 499))}
        for arrived in near:
            for since in (arrived, *(step for step in steps if step > arrived)):
                assert (times._most(arrived, arrived, since, since) or 0) <= max(found[0], until)
        found_here.append(found)
        return found

    monkeypatch.setattr(tandem_pair._Times, "above", above)
    assert check(certificate(burst(arrival, policy, 1000))).ok
    assert found_here


@pytest.mark.parametrize("arrival", ARRIVALS)
def test_long_windows_need_few_looks(arrival, monkeypatch):
    looks, finish = [], tandem_pair.Pair.finish
    monkeypatch.setattr(
        tandem_pair.Pair, "finish", lambda *given: looks.append(0) or finish(*given)
    )
    assert check(certificate(burst(arrival, "FIFO", 1_000_000))).ok
    assert 0 < len(looks) < 1000
