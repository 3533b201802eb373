"""Orders that only seem to hold: what waits, what costs nothing, and what comes twice."""

from types import SimpleNamespace

import pytest

import ddsrta
from ddsrta.bounds.evidence.certificate import certificate
from ddsrta.bounds.order.sets import order_sets
from ddsrta.bounds.solve import solve
from ddsrta.checker.check import check
from ddsrta.models.reader import loads
from tests.soundness.deliveries import first_orders, flow_of

HEAD = """\
ddsrta: 1
machines: {m: {cores: [a, b, c, d, e, f]}}
delays: {publisher: {1kB: {worst: 6us, best: 6us}}, listener: {1kB: 1us}, flow_controller: {1kB: 1us}}
topics: {u: {size: 1kB}, v: {size: 1kB}, x: {size: 1kB}, y: {size: 1kB}}
listeners: {L: {core: m/f, priority: 50}, K: {core: m/d, priority: 50}}
"""
ANOTHER_INPUT = """
threads:
  p: {core: m/a, priority: 9, wcet: 100us, period: 10ms, publishes: [{topic: u, mode: sync}]}
  r: {core: m/b, priority: 9, wcet: 100us, arrival: {period: 10ms, jitter: 9ms}}
  q: {core: m/c, priority: 9, wcet: 100us, follows: {threads: [p, r], activation: and},
      publishes: [{topic: y, mode: sync}]}
  k: {core: m/d, priority: 9, wcet: 5ms, bcet: 5ms, subscribes: {topics: [u], listener: K},
      publishes: [{topic: x, mode: sync, earliest: 5ms}]}
  s: {core: m/e, priority: 9, wcet: 100us, subscribes: {topics: [x, y], listener: L}}
orders: {o: {subscriber: s, topics: [x, y], from: p, events: all}}
"""
WITHIN_A_PROCESS = """
processes: {P: {listener: K, intra_process: true}}
flow_controllers: {F: {core: m/b, priority: 9}, G: {core: m/c, priority: 9}}
threads:
  p: {core: m/a, priority: 9, wcet: 100us, period: 10ms, process: P, publishes: [
      {topic: x, mode: async, flow_controller: F, delay: {worst: 4us, best: 4us}},
      {topic: u, mode: sync}, {topic: y, mode: async, flow_controller: G}]}
  s: {core: m/e, priority: 9, wcet: 100us, subscribes: {topics: [x, y], listener: L}}
  i: {core: m/d, priority: 9, wcet: 100us, process: P, subscribes: {topics: [u]}}
orders: {o: {subscriber: s, topics: [x, y]}}
"""
TAKEN_AGAIN = """
threads:
  p: {core: m/a, priority: 9, wcet: 100us, period: 10ms, publishes: [{topic: u, mode: sync}]}
  r: {core: m/b, priority: 9, wcet: 100us, period: 1ms, publishes: [{topic: v, mode: sync}]}
  q: {core: m/c, priority: 9, wcet: 100us, publishes: [
      {topic: x, mode: sync}, {topic: y, mode: sync}],
      subscribes: {topics: [u, v], listener: K, activation: and, synchronize: latest}}
  s: {core: m/e, priority: 9, wcet: 100us, subscribes: {topics: [x, y], listener: L}}
orders: {o: {subscriber: s, topics: [x, y], from: p}}
"""
FULL = """
flow_controllers: {F: {core: m/b, priority: 9, queue: 1}}
threads:
  p: {core: m/a, priority: 9, wcet: 1us, arrival: {burst: {count: 3, distance: 0ns, period: 10ms}},
      publishes: [{topic: x, mode: sync}, {topic: y, flow_controller: F, delay: 90us}]}
  s: {core: m/e, priority: 9, wcet: 1us,
      subscribes: {topics: [x, y], listener: L, activation: and}}
orders: {o: {subscriber: s, topics: [x, y]}}
"""
DIRECT = """
processes: {P: {listener: K, intra_process: true}}
threads:
  o: {core: m/a, priority: 9, wcet: 100us, period: 10ms, publishes: [{topic: u, mode: sync}]}
  q: {core: m/b, priority: 9, wcet: 500us, bcet: 500us, subscribes: {topics: [u], listener: L},
      publishes: [{topic: y, mode: sync, earliest: 500us}]}
  p: {core: m/c, priority: 9, wcet: 5ms, bcet: 5ms, process: P, subscribes: {topics: [u]},
      publishes: [{topic: x, mode: sync, earliest: 5ms}]}
  s: {core: m/e, priority: 9, wcet: 100us, process: P, subscribes: {topics: [x, y]}}
"""
BOTH_DIRECT = """
processes: {P: {listener: K, intra_process: true}}
threads:
  p: {core: m/a, priority: 9, wcet: 100us, period: 10ms, process: P,
      publishes: [{topic: x, mode: sync}, {topic: y, mode: sync}]}
  s: {core: m/e, priority: 9, wcet: 100us, process: P, subscribes: {topics: [x, y]}}
"""


@pytest.mark.parametrize(
    ("text", "broken"),
    [
        (ANOTHER_INPUT, ("x", "y", 1)),  # the end of a job of p may wait for one of r
        (WITHIN_A_PROCESS, ("y", "x", 0)),  # nothing is sent between: i is in the same process
        (TAKEN_AGAIN, ("y", "x", 0)),  # one message on u may be in several sets
        (FULL, ("y", "x", 0)),  # a y that is lost shifts the next ones against x
    ],
    ids=["another input", "within a process", "taken again", "a full queue"],
)
def test_it_does_not_hold(text, broken):
    result = ddsrta.analyze(loads(HEAD + text, "unsure.yaml"))
    order = result.orders["o"]
    assert result.check.status == "confirmed"
    assert result.check.without == ()
    assert not order.met
    assert broken in [(v.first, v.second, v.later) for v in order.violations]


def test_a_run_shows_that_nothing_is_sent_within_a_process():
    system = loads(HEAD + WITHIN_A_PROCESS, "unsure.yaml")
    of = SimpleNamespace(subscriber="s", origin="p", topics=("x", "y"))
    logs = [flow_of(system, seed, 100_000_000).deliveries for seed in range(5)]
    assert any(("y", "x") in first_orders(log, of) for log in logs)


@pytest.mark.parametrize("text", [DIRECT, BOTH_DIRECT], ids=["another way", "both"])
def test_nothing_is_claimed_of_what_passes_no_listener(text):
    (found,) = order_sets(solve(loads(HEAD + text, "unsure.yaml")), "s")
    assert found.orders == (("x", "y"), ("y", "x"))  # y of DIRECT is there 4 ms before x


def test_what_a_loss_shifts_is_not_read_together():
    claims = certificate(loads(HEAD + FULL, "unsure.yaml"))
    claims["orders"]["o"] |= {"met": True, "violations": []}
    assert "of one job of 'p', which is not said" in str(check(claims).failure)
    roomy = loads(HEAD + FULL.replace("queue: 1", "queue: 3"), "roomy.yaml")
    assert ddsrta.analyze(roomy).orders["o"].met
