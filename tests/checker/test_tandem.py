"""Two threads in tandem where what feeds them has no bound (lemma tandem-window)."""

import ddsrta
from ddsrta.bounds.evidence.certificate import certificate
from ddsrta.checker import check

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
