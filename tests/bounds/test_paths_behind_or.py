"""Paths on behind a junction, where a group that begins before it bounds them (lemma
path-latency)."""

from __future__ import annotations

import ddsrta

TEXT = """
ddsrta: 1
machines:
  m0: {cores: [c1, c3]}
  m2: {cores: [c2]}
topics: {T1: {size: 1 B, priority: -10}}
flow_controllers: {Fm10: {core: m0/c1, priority: 1}}
listeners: {Lm00: {core: m0/c1, priority: 3}}
threads:
  t0: {core: m0/c1, priority: 50, wcet: 1ns, period: 1us}
  t1: {core: m2/c2, priority: 3, wcet: 1ns, follows: {threads: [t0]}}
  t2: {core: m0/c1, priority: 2, wcet: 1ns, follows: {threads: [t1]}}
  t3: {core: m0/c1, priority: 3, wcet: 1ns, publishes: [{topic: T1, mode: async, flow_controller: Fm10, delay: 1 ns}], follows: {threads: [t2]}}
  t4: {core: m0/c1, priority: 2, wcet: 1ns, follows: {threads: [t3]}}
  t5: {core: m0/c1, priority: 2, wcet: 191ns, bcet: 0ns, publishes: [{topic: T1, mode: sync, count: 3, delay: 36 ns}], follows: {threads: [t4]}}
  t6: {core: m0/c1, priority: 1, wcet: 6ns, bcet: 0ns, subscribes: {topics: [T1], listener: Lm00, delay: {worst: 13ns, best: 13ns}}}
  t7: {core: m0/c3, priority: 3, wcet: 95ns, follows: {threads: [t6]}}
  t8: {core: m2/c2, priority: 1, wcet: 95ns, bcet: 0ns, follows: {threads: [t7], activation: and, delay: 30ns}}
chains:
  all: {from: t0, to: t8, limit: 40}
"""


def test_no_run_is_above():
    system = ddsrta.loads(TEXT)
    result = ddsrta.analyze(system)
    assert result.check.status == "confirmed"
    seen = ddsrta.simulate(system, horizon="50us", seeds=50).chains
    for name, chain in result.chains.items():
        assert seen[name].latency.max <= chain.latency


TWO_WAYS = """
ddsrta: 1
machines: {m: {cores: [a, b]}}
topics: {A: {size: 1 B}, C: {size: 1 B}}
flow_controllers: {F: {core: m/a, priority: 10}}
listeners: {LR: {core: m/b, priority: 10}, LM: {core: m/a, priority: 10}}
delays: {listener: {1B: 1ns}, take: {1B: 2ns}}
threads:
  S: {core: m/a, policy: other, slice: 1ms, wcet: 1ns, period: 100ns, publishes: [{topic: A, mode: async, flow_controller: F, delay: 1ns, jobs: 4 of 4}]}
  S2: {core: m/a, priority: 1, wcet: 1ns, period: 100ns, publishes: [{topic: A, mode: async, flow_controller: F, delay: 1ns, jobs: 7 of 7}]}
  R: {core: m/b, priority: 1, wcet: 1ns, publishes: [{topic: C, mode: sync, delay: 1ns}], subscribes: {topics: [A], listener: LR}}
  T: {core: m/a, priority: 1, wcet: 1ns, subscribes: {topics: [C], listener: LM, delay: 10ns}}
chains: {asked: {from: S, to: T}}
"""


def test_what_is_known_of_all_behind_a_junction_goes_on_beside_what_is_known_of_the_path():
    some = ddsrta.Refinements(chain_windows=False)
    check = ddsrta.analyze(ddsrta.loads(TWO_WAYS), refinements=some).check
    assert (check.status, check.without) == ("confirmed", ())


FIVE_ORIGINS = """
ddsrta: 1
machines: {m: {cores: [a, b]}}
topics: {A: {size: 1 B}, B: {size: 1 B}, C: {size: 1 B}, D: {size: 1 B}}
flow_controllers: {F: {core: m/b, priority: 3}}
listeners: {L: {core: m/a, priority: 7}, M: {core: m/b, priority: 10}}
delays: {listener: {1B: 3ns}, publisher: {1B: 3ns}, take: {1B: 1ns}}
executors: {E: {core: m/a, priority: 10}}
callbacks:
  tick: {executor: E, timer: 305ns, wcet: 10ns, publishes: [{topic: A, flow_controller: F, delay: 2ns, count: 2}]}
  heard: {executor: E, wcet: 6ns, subscribes: {topics: [A], listener: M, delay: 2ns, take: 0ns}}
  both: {executor: E, wcet: 5ns, follows: {threads: [tick, heard], delay: 1ns}, publishes: [{topic: B, delay: 2ns, count: 2}]}
  third: {executor: E, wcet: 6ns, subscribes: {topics: [B], listener: M, delay: 1ns, take: 2ns}, publishes: [{topic: C, count: 2}]}
threads:
  fourth: {core: m/a, priority: 10, wcet: 2ns, subscribes: {topics: [C], listener: M, take: 0ns}, publishes: [{topic: D}]}
  fifth: {core: m/a, priority: 9, wcet: 1ns, subscribes: {topics: [D], listener: L}}
chains: {way: {path: [tick, both, B, third, C, fourth, D, fifth]}}
"""


def test_the_checker_follows_the_nearest_origins_behind_a_junction():
    check = ddsrta.analyze(ddsrta.loads(FIVE_ORIGINS)).check
    assert (check.status, check.without) == ("confirmed", ())
