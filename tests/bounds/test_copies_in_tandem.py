"""Copies of one message on two threads in tandem, and copies that take no time (lemmas
copies-in-tandem and costless-sends)."""

from __future__ import annotations

from itertools import permutations

import pytest

import ddsrta
from ddsrta.bounds.evidence.certificate import certificate
from ddsrta.checker import check
from ddsrta.simulation import program_of
from ddsrta.simulation.attack import Budget
from tests.bounds.no_less import confirms_no_less_of
from tests.soundness.attack import attack, span_of
from tests.soundness.bounds import bounds_of

WITHOUT = ddsrta.Refinements(copies_in_tandem=False)
TEXT = """
ddsrta: 1
machines: {m: {cores: [s, f, l, k]}}
topics: {t: {size: 1B}, u: {size: 1B}}
flow_controllers: {F: {core: m/f, priority: 1}}
listeners: {L: {core: m/l, priority: 1}}
threads:
  p: {core: m/s, priority: 1, wcet: 1ns, period: 1us, publishes: [SENDS]}
"""
READER = "  READER: {core: m/k, priority: 1, wcet: 1ns, subscribes: {topics: [TOPIC], listener: L, delay: COSTns}}\n"
ASYNC = "{topic: t, flow_controller: F, delay: EACHns, count: COUNT}"


def system_of(costs, each, sends=ASYNC, count=1, more=()):
    """Readers of t, and of u, each of which takes the listener so long."""
    text = TEXT.replace("SENDS", sends).replace("EACH", str(each)).replace("COUNT", str(count))
    for topic, some in (("t", costs), ("u", more)):
        for number, cost in enumerate(some):
            reader = READER.replace("READER", f"{topic}{number}").replace("TOPIC", topic)
            text += reader.replace("COST", str(cost))
    return ddsrta.loads(text)


def ddls(system, refinements=None):
    result = ddsrta.analyze(system, refinements=refinements)
    assert result.check.status == "confirmed"
    return {message.subscriber: int(message.ddl) for message in result.messages}


def latest(costs, each):
    """When all copies of a message have been read, in the worst order."""
    ends = []
    for order in permutations(costs):
        done = 0
        for place, cost in enumerate(order, 1):
            done = max(done, place * each) + cost
        ends.append(done)
    return max(ends)


@pytest.mark.parametrize("costs", [(3, 3, 3, 3), (6, 1, 1, 2), (1, 9), (5,), (2, 7, 4)])
@pytest.mark.parametrize("each", [1, 2, 5])
def test_one_message_takes_what_its_worst_order_takes(costs, each):
    system = system_of(costs, each)
    assert max(ddls(system).values()) == latest(costs, each)
    assert max(ddls(system, WITHOUT).values()) == each * len(costs) + sum(costs)


def test_what_a_job_sends_itself_counts_copy_by_copy_in_the_order_of_its_program():
    both = "{topic: t, mode: sync, delay: 2ns}, {topic: u, mode: sync, delay: 2ns}"
    found = ddls(system_of((3, 4), 2, both, more=(5,)))
    # 1 of its own, then t as above; u comes behind both: 1 + 2 + 3 + 4 + 5
    assert found["u0"] == 1 + 2 + 3 + 4 + 5
    left_out = both.replace("2ns},", "2ns, jobs: 1 of 2},")
    assert ddls(system_of((3, 4), 2, left_out, more=(5,)))["u0"] > found["u0"]


@pytest.mark.parametrize("sends", [ASYNC, "{topic: t, mode: sync, delay: EACHns, count: COUNT}"])
@pytest.mark.parametrize(("costs", "each"), [((3, 5), 4), ((6, 1, 2), 3), ((2, 2), 2)])
def test_no_run_of_a_burst_takes_longer(sends, costs, each):
    system = system_of(costs, each, sends, count=3)
    program, result = program_of(system), ddsrta.analyze(system)
    bounds = bounds_of(program, result)
    worst = attack(program, bounds, 5, Budget(runs=60), span_of(system, program, bounds))
    seen = [
        worst.seen[number]
        for number, measure in enumerate(program.measures)
        if measure.kind == "ddl"
    ]
    found = max(ddls(system).values())
    assert max(seen) <= found < max(ddls(system, WITHOUT).values())


def test_the_checker_confirms_copies_one_by_one_and_nothing_below():
    claims = certificate(system_of((3, 3, 3, 3), 2))
    assert {message["ddl"] for message in claims["messages"]} == {14}
    confirms_no_less_of(claims, claims["messages"][0])


def test_what_takes_no_time_to_send_is_there_at_once():
    system = system_of((5,), 0)
    assert ddls(system) == {"t0": 5}
    assert ddls(system, ddsrta.Refinements(costless_sends=False)) == {"t0": 6}
    (message,) = ddsrta.analyze(system).messages
    assert message.sent == 0
    claims = certificate(system)
    claims["messages"][0]["ddl"] -= 1
    assert not check(claims).ok


def test_what_takes_no_time_may_leave_at_the_end_of_the_longest_gap():
    system = ddsrta.loads("""
ddsrta: 1
machines: {m: {cores: {a: {}, f: {reservation: {budget: 1ns, period: 5ns}}, l: {}, b: {}}}}
topics: {x: {size: 1kB}}
flow_controllers: {F: {core: m/f, priority: 1}}
listeners: {L: {core: m/l, priority: 1}}
threads:
  p: {core: m/a, priority: 1, wcet: 6ns, period: 18ns,
      publishes: [{topic: x, flow_controller: F, delay: 0ns}]}
  s: {core: m/b, priority: 1, wcet: 1ns, subscribes: {topics: [x], listener: L, delay: 9ns}}
chains: {way: {path: [p, x, s]}}
""")
    result = ddsrta.analyze(system)
    # p takes 6, the budgets of F come 8 apart, L takes 9, s 1. With a whole period for the 1 ns
    # that the sample counts it was 20, and 24 was seen.
    assert (result.chains["way"].latency, result.check.status) == (24, "confirmed")
