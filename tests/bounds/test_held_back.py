"""What the first of two threads has yet to serve is not before ours on the last (lemma held-back)."""

from __future__ import annotations

import pytest

import ddsrta
from ddsrta.bounds.evidence.certificate import certificate
from ddsrta.bounds.solve import solve
from ddsrta.bounds.terms.things import explain_message
from ddsrta.bounds.terms.window import HELD
from ddsrta.simulation import program_of
from ddsrta.simulation.attack import Budget
from tests.bounds.no_less import confirms_no_less_of
from tests.soundness.attack import attack, span_of
from tests.soundness.bounds import bounds_of

WITHOUT = ddsrta.Refinements(held_back=False)
TEXT = """
ddsrta: 1
machines: {m: {cores: [a, b, c, d, net, act]}, n: {cores: [act]}}
network: [{from: m, to: n, delay: 3ns, best: BEST}]
topics: {t: {size: 1B, priority: 5}, v: {size: 1B, priority: 6}, u: {size: 1B, priority: OTHER}}
flow_controllers: {F: {core: m/net, priority: 1, policy: POLICY}}
listeners: {L: {core: WHERE/act, HOW}}
threads:
  p: {core: m/a, priority: 1, wcet: 1ns, period: 100ns, publishes: [{topic: t, flow_controller: F, delay: {worst: 8ns, best: 8ns}}]}
  q: {core: m/b, priority: 1, wcet: 1ns, period: OFTENns, publishes: [{topic: v, flow_controller: F, count: COUNT, delay: {worst: 2ns, best: 2ns}}]}
  s: {core: m/c, priority: 1, wcet: 1ns, period: 100ns, publishes: [{topic: u, flow_controller: F, delay: {worst: 2ns, best: 2ns}}]}
  r: {core: WHERE/act, priority: 1, wcet: 1ns, arrival: {period: 100ns}, subscribes: {topics: TOPICS, listener: L, delay: 4ns}}
"""


def system_of(
    policy="HIGH_PRIORITY", count=6, other=None, where="m", best="3ns", how="priority: 2", often=100
):
    """With `other` the priority of a third topic."""
    text = TEXT if other else "".join(line for line in TEXT.splitlines(True) if "  s: " not in line)
    text = text.replace("POLICY", policy).replace("COUNT", str(count))
    text = text.replace("TOPICS", "[t, v, u]" if other else "[t, v]")
    text = text.replace("OFTEN", str(often))
    text = text.replace("OTHER", str(other or 9)).replace("WHERE", where)
    return ddsrta.loads(text.replace("BEST", best).replace("HOW", how))


def ddl(system, refinements=None, topic="t"):
    result = ddsrta.analyze(system, refinements=refinements)
    assert (result.check.status, result.check.without) == ("confirmed", ())
    return int(next(message.ddl for message in result.messages if message.topic == topic))


def worst(system, bound):
    """The worst run that a search finds."""
    program, result = program_of(system), ddsrta.analyze(system)
    bounds = bounds_of(program, result)
    measure = next(n for n, m in enumerate(program.measures) if m.of == ("p", "t", "r"))
    assert bounds[measure] == bound
    budget, span = Budget(runs=400), span_of(system, program, bounds)
    return attack(program, bounds, 3, budget, span, measures=[measure]).seen[measure]


def test_what_is_less_urgent_is_not_sent_meanwhile():
    # Six of v, 4 ns each at L. t comes with the fifth, 8 ns after the first, when F begins with the
    # last: that and t make 28 ns of work since the first came.
    system = system_of()
    assert ddl(system) == 28 - 8
    assert ddl(system, WITHOUT) > 28 - 8
    assert worst(system, 28 - 8) == 28 - 8 - 1  # t comes just behind


@pytest.mark.parametrize("count", [2, 4, 8])
@pytest.mark.parametrize("policy", ["FIFO", "HIGH_PRIORITY", "ROUND_ROBIN"])
@pytest.mark.parametrize("other", [4, 5, 6])
def test_no_run_takes_longer(policy, count, other):
    system = system_of(policy, count, other)
    assert worst(system, ddl(system)) <= ddl(system) <= ddl(system, WITHOUT)


def test_ways_of_different_length_count_what_is_sent_later():
    same, loose = system_of(where="n"), system_of(where="n", best="0ns")
    assert ddl(same) == ddl(system_of()) + 3
    assert ddl(same) < ddl(loose) <= ddl(loose, WITHOUT)
    assert worst(loose, ddl(loose)) <= ddl(loose)


def test_it_holds_on_reservations():
    system = system_of(how="reservation: {budget: 5ns, period: 6ns}")
    assert ddl(system) < ddl(system, WITHOUT)
    assert worst(system, ddl(system)) <= ddl(system)


def test_terms_add_up_and_say_so():
    system = system_of(count=2, other=6, often=20)
    told = explain_message(solve(system), [("sample", "p", "t"), ("message", "p", "t", "r")])
    terms = {term.label: term.time for stage in told.stages for term in stage.terms}
    assert told.bound == ddl(system)
    assert sum(stage.total for stage in told.stages) == told.bound
    assert terms[HELD] == -4


def test_the_checker_confirms_it_and_nothing_below():
    claims = certificate(system_of())
    claim = next(one for one in claims["messages"] if one["topic"] == "t")
    confirms_no_less_of(claims, claim)


MANY = """
ddsrta: 1
machines: {m: {cores: [net, act, c0, c1, c2, c3, c4, c5, c6, c7, c8]}, n: {cores: [act, d0, d1, d2, d3, d4]}}
network: [{from: m, to: n, delay: 0ns, best: 0ns}]
topics: {T0: {size: 1B, priority: 0}, T1: {size: 1B, priority: 3}, T2: {size: 1B, priority: 0}, T3: {size: 1B, priority: 1}, T4: {size: 1B, priority: 1}}
flow_controllers: {F: {core: m/net, priority: 1, policy: ROUND_ROBIN}}
listeners: {L: {core: m/act, priority: 1}}
threads:
  p0: {core: m/c0, priority: 1, wcet: 1ns, bcet: 1ns, arrival: {period: 160ns, jitter: 0ns}, publishes: [{topic: T0, flow_controller: F, count: 3, delay: {worst: 2ns, best: 2ns}, earliest: 1ns}, {topic: T1, flow_controller: F, count: 6, delay: {worst: 5ns, best: 5ns}, earliest: 1ns}]}
  p1: {core: m/c1, priority: 1, wcet: 1ns, bcet: 1ns, arrival: {period: 80ns, jitter: 26ns}, publishes: [{topic: T2, flow_controller: F, count: 3, delay: {worst: 3ns, best: 3ns}, earliest: 1ns}]}
  p2: {core: m/c2, priority: 1, wcet: 5ns, bcet: 5ns, arrival: {period: 160ns, jitter: 53ns}, publishes: [{topic: T3, flow_controller: F, count: 1, delay: {worst: 2ns, best: 1ns}, earliest: 5ns}, {topic: T4, flow_controller: F, count: 6, delay: {worst: 8ns, best: 4ns}, earliest: 5ns}]}
  r0: {core: m/c3, priority: 1, wcet: 1ns, period: 1us, subscribes: {topics: [T0], listener: L, delay: 6ns}}
  r1: {core: m/c4, priority: 1, wcet: 1ns, period: 1us, subscribes: {topics: [T1], listener: L, delay: 3ns}}
  r2: {core: m/c5, priority: 1, wcet: 1ns, period: 1us, subscribes: {topics: [T2], listener: L, delay: 6ns}}
  r3: {core: m/c6, priority: 1, wcet: 1ns, period: 1us, subscribes: {topics: [T3], listener: L, delay: 1ns}}
  r4: {core: m/c7, priority: 1, wcet: 1ns, period: 1us, subscribes: {topics: [T4], listener: L, delay: 4ns}}
"""


def test_no_arrival_is_passed_over_for_units_that_have_not_come():
    result = ddsrta.analyze(ddsrta.loads(MANY))
    assert (result.check.status, result.check.without) == ("confirmed", ())
